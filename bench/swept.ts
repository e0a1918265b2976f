// What the journals of many messages hold while their workers live, and what housekeeping leaves of them a month after.
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { noteBegun, noteSettled, sendsPath, trimSends } from '../src/crew/messages/send-journal.ts';
import { appendLine } from '../src/jsonl/append.ts';
import { newNonce, newWorkerId } from '../src/model/ids.ts';
import type { WorkerRecord } from '../src/model/worker.ts';
import { type EventLog, openEventLog } from '../src/store/event-log.ts';
import { type Home, openHome } from '../src/store/home.ts';
import { cleanNow } from '../src/store/housekeeping.ts';
import { keepLastPrompt } from '../src/store/last-prompt.ts';
import { noteBegunMail, postMail, settleMail } from '../src/store/mailbox.ts';
import { appendToOutbox } from '../src/store/outbox.ts';
import { signalsPath } from '../src/store/question-line.ts';
import { systemClock } from '../src/system/clock.ts';
import { digestOf } from '../src/system/digest.ts';
import { processRef } from '../src/system/process.ts';
import { workerRecord } from '../test/support/records.ts';
import { makeSandbox } from '../test/support/sandbox.ts';
import type { Row } from './measure.ts';

const workers = 8;
const messages = 14_536;
/** So many messages of other workers are among them: those go through the mailbox. */
const notesIn = 8;
const monthMs = 31 * 24 * 3_600_000;
const words = 'Look at the cart again. '.repeat(20);

export async function measureSwept(): Promise<Row[]> {
  const sandbox = makeSandbox();
  try {
    const home = await openHome(sandbox.dir('crewmux'));
    const me = await processRef(process.pid);
    let now = systemClock.now();
    const clock = { ...systemClock, now: () => now };
    const onTrouble = (trouble: string) => process.stderr.write(`${trouble}\n`);
    const log = await openEventLog({
      home: home.root,
      me,
      maxBytes: 1024 * 1024,
      keepMs: 86_400_000,
      clock,
      onTrouble,
    });
    const crew = await Promise.all(Array.from({ length: workers }, () => begin(home, log)));
    await Promise.all(crew.map((worker) => talk({ home, log }, worker)));
    const live = filesIn(home.root);
    const set = { phase: 'closed' as const, endedAt: now };
    await log.append(crew.map(({ id: workerId }) => ({ type: 'worker_closed' as const, workerId, data: {}, set })));
    now += monthMs;
    const sweep = () => cleanNow({ home, me, now, records: () => log.records(), onTrouble });
    await sweep();
    const swept = filesIn(home.root);
    // The first event after so long begins a new log, which no longer knows them.
    await begin(home, log);
    await sweep();
    const forgotten = filesIn(home.root);
    await log.close();
    const what = `journals of ${messages} messages to ${workers} workers`;
    return [
      { what: `${what}, while they live and never rest`, unit: 'MB', samples: [live.megabytes], note: live.largest },
      { what: `${what}, swept after a month`, ...left(swept) },
      { what: `${what}, swept once the log has forgotten them`, ...left(forgotten) },
    ];
  } finally {
    sandbox.dispose();
  }
}

const left = ({ megabytes, largest }: ReturnType<typeof filesIn>) => ({
  unit: 'MB',
  samples: [megabytes],
  target: { p50: 5 },
  note: largest,
});

async function begin(home: Home, log: EventLog): Promise<WorkerRecord> {
  const id = newWorkerId();
  const { launch, ...record } = workerRecord({ id });
  const set = { ...record, launch: { ...launch, dir: await home.launchDir(id, 1) } };
  await log.append([{ type: 'worker_spawning', workerId: id, data: { name: record.name }, set }]);
  return set;
}

interface Stores {
  readonly home: Home;
  readonly log: EventLog;
}

async function talk({ home, log }: Stores, { id, name, launch }: WorkerRecord): Promise<void> {
  const dir = await home.workerDir(id);
  const sends = await sendsPath({ home }, id);
  for (let turn = 1; turn <= messages / workers; turn += 1) {
    const text = `SAY ${turn} ${words}`;
    const at = systemClock.now();
    const send = { id: newNonce(), at, launch: 1, digest: digestOf(text), chars: text.length };
    const isNote = turn % notesIn === 0;
    if (isNote) {
      const note = { kind: 'note' as const, message: text };
      await appendToOutbox(dir, {
        v: 1,
        id: send.id,
        at,
        launch: 1,
        kind: 'note',
        note: { ...note, to: { id, name } },
      });
      await postMail(dir, { v: 1, id: send.id, at, ...note, from: { id, name } });
      await noteBegunMail(dir, [send.id], send);
    }
    await noteBegun(sends, send);
    await appendLine(signalsPath(launch.dir), hookLine(at, { hook_event_name: 'UserPromptSubmit', prompt: text }));
    await noteSettled(sends, { id: send.id, at, verdict: 'submitted' });
    await keepLastPrompt(dir, text);
    await trimSends(sends);
    if (isNote) await settleMail(dir, [send.id], { verdict: 'submitted', at });
    const last = { hook_event_name: 'Stop', last_assistant_message: text, background_tasks: [] };
    await appendLine(signalsPath(launch.dir), hookLine(at, last));
    await logTurn(log, { workerId: id, turn, chars: text.length });
  }
}

interface LoggedTurn {
  readonly workerId: string;
  readonly turn: number;
  readonly chars: number;
}

async function logTurn(log: EventLog, { workerId, turn, chars }: LoggedTurn): Promise<void> {
  const at = systemClock.now();
  const evidence = { source: 'us', at, detail: 'our message is not proved yet' };
  const sent = { verdict: 'submitted', chars, detail: 'hook: UserPromptSubmit with this very text' };
  await log.append([
    { type: 'worker_active', workerId, data: { evidence } },
    { type: 'turn_started', workerId, data: { turn } },
    { type: 'message_sent', workerId, data: sent },
    { type: 'turn_ended', workerId, data: { turn, ended_by: 'completed' } },
    { type: 'worker_idle', workerId, data: { evidence: { source: 'agent', at, detail: 'idle' } } },
  ]);
}

/** As the hooks of an agent write it. */
const hookLine = (at: number, more: object): string => {
  const folder = '/home/user/project/.worktrees/ada-e92617d6';
  const transcript_path = `/home/user/.claude/projects/${folder.replaceAll('/', '-')}/53bc4bee-995f-49d2-8327-279c0730acfd.jsonl`;
  const conversation = { session_id: '53bc4bee-995f-49d2-8327-279c0730acfd', transcript_path, cwd: folder };
  const turn = { prompt_id: 'c58e1284-46a0-40a1-abc5-b484d708526c', permission_mode: 'acceptEdits' };
  return JSON.stringify({ at, payload: { ...conversation, ...turn, ...more } });
};

/** All files, and by their names those that hold most. */
function filesIn(root: string): { readonly megabytes: number; readonly largest: string } {
  const byName = new Map<string, number>();
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const facts = statSync(join(root, path));
    if (facts.isFile()) byName.set(basename(path), (byName.get(basename(path)) ?? 0) + facts.size);
  }
  const megabytes = (bytes: number) => bytes / 1024 / 1024;
  const largest = [...byName].toSorted(([, a], [, b]) => b - a).slice(0, 5);
  const all = [...byName.values()].reduce((sum, bytes) => sum + bytes, 0);
  return {
    megabytes: megabytes(all),
    largest: largest.map(([name, bytes]) => `${name} ${megabytes(bytes).toFixed(2)}`).join(', '),
  };
}
