// Runs the command that tells a person; one at a time, and never so often that it becomes a nuisance.
import { run } from '../../system/exec.ts';
import { noticeEnvironment, passedIn } from '../environments.ts';
import type { CrewContext } from '../workers/roster.ts';
import type { Notice } from './notice.ts';

const commandMs = 10_000;
const minuteMs = 60_000;
const mostInAMinute = 12;
const mostWaiting = 20;

/** Whether one more may be told now, given when the earlier ones were. Pure. */
export const hasRoom = (toldAt: readonly number[], now: number): boolean =>
  toldAt.filter((at) => now - at < minuteMs).length < mostInAMinute;

export interface Teller {
  /** Does nothing where no command is set, or for a kind that is not asked for. */
  tell(notice: Notice): void;
  /** Ends what runs. */
  close(): void;
}

export function openTeller(context: CrewContext): Teller {
  const stop = new AbortController();
  const waiting: (() => Promise<void>)[] = [];
  let toldAt: readonly number[] = [];
  let passedOver = 0;
  let isRunning = false;
  let lastFailure: string | undefined;
  const runAll = async () => {
    isRunning = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await next();
    isRunning = false;
  };
  const tellNow = async (command: readonly string[], notice: Notice) => {
    const failure = await runCommand(context, { command, notice, passedOver, signal: stop.signal });
    passedOver = 0;
    if (failure !== undefined && failure !== lastFailure) context.logger.write('warn', failure);
    lastFailure = failure;
  };
  return {
    tell(notice) {
      const { command = [], on } = context.settingsFor(notice.projectPath).settings.notifications;
      if (command.length === 0 || stop.signal.aborted || !on.includes(notice.kind)) return;
      const now = context.clock.now();
      toldAt = toldAt.filter((at) => now - at < minuteMs);
      if (!hasRoom(toldAt, now) || waiting.length >= mostWaiting) {
        passedOver += 1;
        return;
      }
      toldAt = [...toldAt, now];
      waiting.push(() => tellNow(command, notice));
      if (!isRunning) void runAll();
    },
    close() {
      waiting.length = 0;
      stop.abort();
    },
  };
}

interface Order {
  readonly command: readonly string[];
  readonly notice: Notice;
  readonly passedOver: number;
  readonly signal: AbortSignal;
}

/** The text goes as the last two arguments, in the environment and as JSON on stdin; never through a shell. */
async function runCommand(
  context: CrewContext,
  { command, notice, passedOver, signal }: Order,
): Promise<string | undefined> {
  const [program = '', ...args] = command;
  const { kind, workerId, name, projectPath, title } = notice;
  const body = passedOver === 0 ? notice.body : `${notice.body} (and ${passedOver} more)`;
  const result = await run(program, [...args, title, body], {
    cwd: context.cwd,
    env: {
      ...noticeEnvironment(context.serverEnv, passedIn(context, projectPath)),
      CREWMUX_NOTICE: kind,
      CREWMUX_NOTICE_WORKER: name,
    },
    input: `${JSON.stringify({ kind, session_id: workerId, name, project_path: projectPath, title, body })}\n`,
    timeoutMs: commandMs,
    signal,
    wholeTree: 'when-stopped',
  });
  if (result.exitCode === 0 || signal.aborted) return undefined;
  const why = result.startError ?? (result.timedOut ? `it took more than ${commandMs} ms` : `exit ${result.exitCode}`);
  return `notifications.command ${JSON.stringify(command)} failed: ${why} ${result.stderr.slice(0, 500)}`.trim();
}
