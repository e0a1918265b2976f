// A worktree, a home and a state folder as the tripwire is told of them.
import { readLine } from '../../src/permissions/shell-line.ts';
import { type TripwirePlace, tripped } from '../../src/permissions/tripwire.ts';

const links: Readonly<Record<string, string>> = { '/w/ada/to-home': '/home/u' };

export const place: TripwirePlace = {
  root: '/w/ada',
  userHome: '/home/u',
  stateHome: '/home/u/.local/state/crewmux',
  branch: 'ada-login',
  temporary: '/tmp/ada',
  real: (path) => Object.entries(links).reduce((at, [from, to]) => at.replace(from, to), path),
};

export const onLine = (line: string): string | undefined =>
  tripped(
    {
      is: 'shell',
      commands: readLine(line, { cwd: place.root, variables: { HOME: place.userHome, TMPDIR: '/tmp/ada' } }),
    },
    place,
  );

export const onFile = (
  path: string,
  { writes }: { readonly writes: boolean },
  more: Partial<TripwirePlace> = {},
): string | undefined => tripped({ is: 'file', paths: [path], cwd: place.root, writes }, { ...place, ...more });
