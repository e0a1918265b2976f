// A real Codex: its turns, its queue, its past, what it asks and who answers.
import './company.ts';
import './codex/delivery.ts';
import './codex/history.ts';
import './codex/inbox.ts';
import './codex/queue.ts';
import './codex/screen-answers.ts';
import './codex/turns.ts';
import './codex/network.ts';
import './codex/successor.ts';
