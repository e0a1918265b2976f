// A real Claude Code: its turns, its conversations, what it asks and who answers.
import './company.ts';
import './claude/background.ts';
import './claude/inbox.ts';
import './claude/conversation.ts';
import './claude/inbox-behind.ts';
import './claude/launch.ts';
import './claude/turns.ts';
import './claude/screen-answers.ts';
import './claude/inbox-people.ts';
import './claude/successor.ts';
