// The one crew of a file of tests, for both agents, and its workers that wait for a part.
import { afterAll, beforeAll } from 'vitest';
import { type Cast, castOf } from './cast.ts';
import { makeCodexHome } from './codex-home.ts';
import { openRealCrew, type RealCrew } from './crew.ts';

export let crew: RealCrew;
export let cast: Cast;

beforeAll(async () => {
  crew = await openRealCrew(makeCodexHome);
  cast = castOf(crew);
});
afterAll(() => crew?.dispose());
