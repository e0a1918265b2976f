// How a person starts this program again, so that each hint can be typed as it stands. Pure.
import type { CommandWorld } from './world.ts';

const ofNpx = 'npx -y crewmux';

/** npx runs a package from a cache of its own, or from a project's own folder under this event. */
export function programName({ program, env }: Pick<CommandWorld, 'program' | 'env'>): string {
  const isOwn = program.includes('/node_modules/') && env.npm_lifecycle_event === 'npx';
  return program.includes('/_npx/') || isOwn ? ofNpx : 'crewmux';
}

/** The same hints with that name; a command stands behind a backtick, or after "Usage:". */
export const namedFor = (text: string, name: string): string =>
  name === 'crewmux' ? text : text.replace(/(`|^Usage: )crewmux(?= )/gm, (_, before: string) => `${before}${name}`);

/** A way to a worker, as the person can type it. */
export const wayAs = (way: string, name: string): string => way.replace(/^crewmux(?= )/, name);
