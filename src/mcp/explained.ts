// What went wrong, as callers learn it.
import { asCrewError, CrewError } from '../model/errors.ts';
import type { Log } from '../system/log.ts';
import { rpcCodes } from './message.ts';

interface About {
  readonly what: string;
  readonly log: Log;
}

/** Our own mistakes go to the log with their stack; the caller learns where the log is. */
export function explained(thrown: unknown, { what, log }: About): CrewError {
  const error = asCrewError(thrown);
  if (error.code !== 'internal') return error;
  log.write('error', `${what}: ${error.message}`, error.cause ?? error);
  return new CrewError(
    'internal',
    error.message,
    `This is a bug in crewmux. ${log.path} has the details; please report it.`,
  );
}

/** Where an answer has no place for an error of ours, the protocol's own carries it. */
export async function orRefusal<T>(
  { code: refused = rpcCodes.resourceNotFound, ...about }: About & { readonly code?: number },
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (thrown) {
    const { code, message, hint } = explained(thrown, about);
    throw Object.assign(new Error(`${message} ${hint}`), {
      code: code === 'internal' ? rpcCodes.internal : refused,
      data: { code, hint },
    });
  }
}
