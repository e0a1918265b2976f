// The words of a person at a terminal, on a stand.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { agentCommand, bundle, type Stand } from './crew.ts';

const outcome = z.looseObject({ code: z.number().default(0), stdout: z.string(), stderr: z.string() });

export function wordsOn(stand: Stand, env: Readonly<Record<string, string>> = {}) {
  return async (...words: string[]) => {
    const ran = promisify(execFile)(process.execPath, [bundle, ...words], {
      cwd: stand.repo,
      env: { ...stand.sandbox.env, CREWMUX_COMMAND: agentCommand.join(' '), ...env },
    });
    const { code, stdout, stderr } = outcome.parse(await ran.catch((failure: unknown) => failure));
    return { code, stdout, stderr };
  };
}
