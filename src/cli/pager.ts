// A long text before a person, as `crewmux logs` stands in its popup.
import { definedOf } from '../model/defined.ts';
import { handOver } from '../system/exec.ts';
import type { CommandWorld } from './world.ts';

/** Resolves once the person leaves the pager; without one it stands there as it is. */
export async function page(text: string, { env, write }: Pick<CommandWorld, 'env' | 'write'>): Promise<void> {
  const options = { env: definedOf(env), input: text };
  const pagers = [['less', '-R', '-Ps?e(END) .q leads on to the keys'], ['more']] as const;
  for (const [program, ...words] of pagers) if ((await handOver(program, words, options)) !== 127) return;
  write(text);
}
