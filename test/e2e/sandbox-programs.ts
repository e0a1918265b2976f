// A machine that has what a sandbox needs, whatever this one has; no command runs in it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stand } from './crew.ts';

/** For the server that is to find them. */
export function sandboxPrograms({ sandbox }: Pick<Stand, 'sandbox'>): { readonly PATH: string } {
  const bin = sandbox.dir('bin');
  for (const needed of ['bwrap', 'socat']) writeFileSync(join(bin, needed), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  return { PATH: `${bin}:${sandbox.env.PATH}` };
}
