// The tripwire, over what a hook is asked.
import { dirname } from 'node:path';
import type { Ruling } from '../model/permission.ts';
import { type TripwireAct, type TripwirePlace, tripped } from '../permissions/tripwire.ts';
import { readPolicy, realPath } from '../state/policy.ts';
import type { Asking } from './hook.ts';

const looks = /^(Read|Glob|Grep|LS|NotebookRead)$/;

/** Undefined for an act that is not of the list. */
export async function tripwireRuling({ place, hook, question, env }: Asking): Promise<Ruling | undefined> {
  const { tool, command, paths, cwd } = hook.actOf(question.tool, question.input, question.cwd);
  if (command === undefined && paths === undefined) return undefined;
  const around: TripwirePlace = {
    ...(readPolicy(place.workerDir) ?? guessed({ place, env }, cwd)),
    real: realPath,
    ...(env.TMPDIR === undefined ? {} : { temporary: env.TMPDIR }),
  };
  const act: TripwireAct =
    command === undefined
      ? { is: 'file', paths: paths ?? [], cwd, writes: !looks.test(tool) }
      : { is: 'shell', commands: await commandsIn(command, { cwd, env, userHome: around.userHome }) };
  const why = tripped(act, around);
  return why === undefined ? undefined : personal(why);
}

/** Where a worker seems to work whose file says nothing. */
const guessed = ({ place, env }: Pick<Asking, 'place' | 'env'>, cwd: string) => ({
  root: realPath(cwd),
  userHome: env.HOME ?? '/',
  stateHome: dirname(dirname(place.workerDir)),
});

const personal = (why: string): Ruling => ({
  decision: 'confirm',
  catastrophic: why,
  reason: `Only a person may allow this: ${why}.`,
});

/** The parser is loaded for a shell line alone. */
async function commandsIn(
  line: string,
  { cwd, env, userHome }: Pick<TripwirePlace, 'userHome'> & Pick<Asking, 'env'> & { readonly cwd: string },
) {
  const { readLine } = await import('../permissions/shell-line.ts');
  const temporary = env.TMPDIR === undefined ? {} : { TMPDIR: env.TMPDIR };
  return readLine(line, { cwd, variables: { HOME: userHome, ...temporary } });
}
