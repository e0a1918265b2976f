// Runs the server in its process, from the first byte to a clean end.
import { Console } from 'node:console';
import { pause } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { ServerProfile, Subject } from './profile.ts';
import { serve } from './server.ts';

/** The parts of the process that the server uses. */
export type Host = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'on' | 'exit'>;

export interface ServerRun<S extends Subject> {
  readonly version: string;
  readonly log: Log;
  readonly profile: ServerProfile<S>;
  /** Opens the subject. */
  readonly open: () => Promise<S>;
  /** Runs each time when the client has been told the tools. */
  readonly onListed?: () => void;
}

/** Calls from before the end of input may still answer within this time. */
export const graceMs = 700;
/** The process ends after this time, whatever hangs. */
export const endMs = 1_500;

/** Serves until stdin ends or a signal comes, then closes everything and exits. */
export async function serveUntilEnd<S extends Subject>(
  host: Host,
  { version, log, profile, open, ...more }: ServerRun<S>,
): Promise<void> {
  protectProcess(host, log);
  // Opening compiles most of the program: whoever waits for an answer gets it first.
  const subject = openedOnce(() => pause(0).then(open));
  const end = async (patienceMs: number) => {
    pause(endMs).then(() => host.exit(0));
    await Promise.race([server.settled(), pause(patienceMs)]);
    await server.close();
    await subject.opened()?.then((opened) => opened.dispose());
  };
  let ending = false;
  let isGreeted = false;
  const stop = (why: string, patienceMs: number) => {
    if (ending) return;
    ending = true;
    // A client that waits for its answer sees only a closed connection.
    if (!isGreeted) log.write('warn', `ended by ${why} before its client had said who it is`);
    end(patienceMs)
      .catch((thrown) => log.write('error', 'the end was not clean', thrown))
      .finally(() => host.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) host.on(signal, () => stop(signal, 0));
  const server = await serve({
    ...more,
    version,
    log,
    profile,
    input: host.stdin,
    output: host.stdout,
    open: subject.get,
    onGreeting: () => {
      isGreeted = true;
    },
    onEnd: () => stop('the end of its input', graceMs),
  });
}

/** Keeps stdout for the protocol, and the process alive through its own mistakes. */
function protectProcess(host: Host, log: Log): void {
  globalThis.console = new Console(host.stderr, host.stderr);
  host.stderr.on('error', () => undefined);
  host.on('uncaughtException', (error) => log.write('error', 'uncaught', error));
  host.on('unhandledRejection', (reason) => log.write('error', 'unhandled rejection', reason));
}

/** Opens at the first call; after a failure the next call tries again. */
function openedOnce<S>(open: () => Promise<S>) {
  let opening: Promise<S> | undefined;
  const get = () => {
    opening ??= open().catch((thrown) => {
      opening = undefined;
      throw thrown;
    });
    return opening;
  };
  return { get, opened: () => opening };
}
