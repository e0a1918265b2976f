// What the user opens of the sandbox: no folder from which something runs outside of it; a socket, and nothing beside it.
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { absolute } from '../../model/path.ts';
import { below } from '../../system/disk.ts';

type Env = Readonly<Record<string, string>>;

export interface Outside {
  /** How crewmux is started again, for its hooks and the tools of workers. */
  readonly program: readonly string[];
  /** How the agent is started. */
  readonly command: readonly string[];
  readonly serverEnv: Env;
}

interface Guarded {
  readonly path: string;
  readonly whose: string;
}

/** The folders as they are written, without `~`. */
export const allowedFolders = (paths: readonly string[], { HOME: userHome = '/' }: Env): readonly string[] =>
  paths.map((path) => absolute(path, { cwd: '/', userHome }));

/** Throws `start_failed` for one that holds such a program, lies in its folder, or would with its links followed. */
export async function refuseHolding(paths: readonly string[], outside: Outside & { readonly env: Env }): Promise<void> {
  if (paths.length === 0) return;
  const guarded = await guardedPlaces(outside);
  for (const path of allowedFolders(paths, outside.env)) {
    const meant = [resolve(path), await realAsFar(resolve(path))];
    const found = meant.some((one) => one.split('/').includes('_npx'))
      ? { path, whose: 'what npx started' }
      : guarded.find((one) => meant.some((place) => touches(place, one.path)));
    if (found !== undefined) throw refused(path, found);
  }
}

const touches = (a: string, b: string): boolean => a === b || below(a, b) !== undefined || below(b, a) !== undefined;

const refused = (path: string, { path: held, whose }: Guarded) =>
  new CrewError(
    'start_failed',
    `sandbox.allow_write names ${path}, and ${held} there is ${whose}, which runs outside of the sandbox.`,
    'Name a folder that holds no program of these, or pass sandbox: false for a worker that may change them.',
  );

async function guardedPlaces({ program, command, serverEnv, env }: Outside & { readonly env: Env }) {
  const words = [
    ...program.map((word) => ({ word, whose: 'the program of crewmux and its hooks' })),
    ...command.map((word) => ({ word, whose: 'the program of the agent' })),
  ];
  const programs = words
    .filter(({ word }) => isAbsolute(word))
    .map(async ({ word, whose }): Promise<readonly Guarded[]> => {
      const real = await realAsFar(word);
      return [...new Set([word, real, ...codeAround(real)])].map((path) => ({ path, whose }));
    });
  const caches = [serverEnv, env].flatMap(({ HOME, npm_config_cache: cache, NPM_CONFIG_CACHE: upper }) => [
    ...(HOME === undefined ? [] : [join(HOME, '.npm')]),
    ...(cache === undefined ? [] : [cache]),
    ...(upper === undefined ? [] : [upper]),
  ]);
  const npx = caches.filter(isAbsolute).flatMap((cache) => [join(cache, '_npx')]);
  const real = await Promise.all(npx.map(realAsFar));
  const started = [...npx, ...real].map((path): Guarded => ({ path, whose: 'what npx started' }));
  return [...started, ...(await Promise.all(programs)).flat()];
}

/** Where the rest of a script's code lies; a program of one file has none. Pure. */
function codeAround(script: string): readonly string[] {
  const [before, ...after] = script.split('/node_modules/');
  if (after.length > 0) return [`${before}/node_modules`];
  if (!/\.[cm]?[jt]s$/.test(basename(script))) return [];
  return [dirname(script), join(dirname(dirname(script)), 'node_modules')];
}

/** Without links, also where the end of the path is not there. */
async function realAsFar(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  return realpath(path).catch(async () => join(await realAsFar(parent), basename(path)));
}

/** The hidden places without those that are allowed, or are on the way to one. */
export async function apartFrom(hidden: readonly string[], allowed: readonly string[]): Promise<readonly string[]> {
  const apart = hidden.map(async (path): Promise<readonly string[]> => {
    if (allowed.some((one) => one === path || below(one, path) !== undefined)) return [];
    const inside = allowed.filter((one) => below(path, one) !== undefined);
    if (inside.length === 0) return [path];
    const entries = await readdir(path).catch(() => []);
    return apartFrom(
      entries.map((name) => join(path, name)),
      inside,
    );
  });
  return (await Promise.all(apart)).flat();
}
