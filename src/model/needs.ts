// The programs that crewmux needs, the oldest release of each, and how to get them; scripts/ready.mjs reads the same file.
import oldest from './needs.json' with { type: 'json' };

export type Needed = keyof typeof oldest;

export const needed = ['tmux', 'git'] as const satisfies readonly Needed[];

export const orNewer = (program: Needed): string => `${program} ${oldest[program]} or newer`;

export const oldestGit = oldest.git;

/** A command line that installs them. */
export const howToGet = (programs: readonly Needed[], platform: string): string =>
  `${platform === 'darwin' ? 'brew install' : 'sudo apt-get install -y'} ${programs.join(' ')}`;

/** One sentence for programs that are not installed. */
export const missingSentence = (programs: readonly Needed[], platform: string): string =>
  `crewmux needs ${programs.map(orNewer).join(' and ')}, not installed here; get it with: ${howToGet(programs, platform)}`;
