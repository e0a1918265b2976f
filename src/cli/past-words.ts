// The rows of the table of words that are about what has been.
import { json, type Word, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const flags = {
  json,
  since: { type: 'string', value: 'time', help: 'ISO 8601, or how long ago: 90m, 2d; 12h unless given' },
} as const;

interface Asked {
  readonly since: string;
  readonly json: boolean;
}

export const pastWords: readonly Word[] = [
  word({
    name: 'digest',
    summary: 'tell what landed, failed, waits, was skipped and spent since a time, and how to go on',
    flags,
    run: ({ has, text }, world) => tellDigest({ since: text('since') ?? '12h', json: has('json') }, world),
  }),
  word({
    name: 'events',
    summary: 'print what has happened in the crew since a time, oldest first',
    flags: {
      ...flags,
      follow: { type: 'boolean', short: 'f', help: 'go on with each as it happens; with --json a line each' },
    },
    run: ({ has, text }, world) =>
      tellEvents({ since: text('since') ?? '12h', json: has('json'), follows: has('follow') }, world),
  }),
];

async function tellDigest({ since: asked, json }: Asked, world: CommandWorld): Promise<number> {
  const [{ digestText }, { programName }, absence, { outward }, { digest }, { plainJson }] = await Promise.all([
    import('./digest.ts'),
    import('./program-name.ts'),
    import('./absence.ts'),
    import('../wire/spoken.ts'),
    import('../wire/digest.ts'),
    import('../model/plain-text.ts'),
  ]);
  const now = await nowFor(asked);
  if (now.at === undefined) return world.complain(refusal('digest', asked, now.forms));
  const [crew, since] = await Promise.all([world.look(), absence.absentSince(world)]);
  const found = outward(digest, await crew.jobs.digest({ since: asked }).finally(() => crew.dispose()));
  if (json) return world.write(plainJson({ ...found, ...absence.absenceField(since) }));
  return world.write(digestText(found, programName(world)) + absence.absenceLine(since, now.now));
}

async function tellEvents(
  { since, json, follows }: Asked & { readonly follows: boolean },
  world: CommandWorld,
): Promise<number> {
  const [{ eventsText }, { plainJson }] = await Promise.all([import('./events.ts'), import('../model/plain-text.ts')]);
  const { at: sinceAt, forms } = await nowFor(since);
  if (sinceAt === undefined) return world.complain(refusal('events', since, forms));
  if (follows) return (await import('./follow-events.ts')).followEvents({ sinceAt, json }, world);
  const crew = await world.look();
  const events = await crew.happened({ sinceAt }).finally(() => crew.dispose());
  return world.write(json ? plainJson({ events }) : eventsText(events, world.columns ?? Number.MAX_SAFE_INTEGER));
}

async function nowFor(since: string) {
  const [{ timeForms, timeIn }, { systemClock }] = await Promise.all([
    import('../model/since.ts'),
    import('../system/clock.ts'),
  ]);
  const now = systemClock.now();
  return { now, at: timeIn(since, now), forms: timeForms };
}

const refusal = (word: string, since: string, forms: string): string =>
  `crewmux ${word}: --since takes ${forms}, and got ${JSON.stringify(since)}.\n`;
