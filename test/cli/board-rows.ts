// Workers and plans as a board lists them.
import { newsOf } from '../../src/cli/board-items.ts';
import { type BoardState, firstState, withNews } from '../../src/cli/board-keys.ts';
import type { CrewRow } from '../../src/draw/board-text.ts';
import type { BriefPlan } from '../../src/wire/plans.ts';

export const row = (name: string, change: Partial<CrewRow> = {}): CrewRow => ({
  ...{ id: `id-${name}`, name, colour: 'colour39', status: 'idle', state: 'idle' },
  ...{ since: '14:00:00', at: 0, detail: '', needsSomebody: false, needs: [], conflictsWith: [], words: '' },
  ...change,
});

export const asking = (name: string, change: Partial<CrewRow> = {}): CrewRow =>
  row(name, {
    ...{ status: 'waiting', state: 'waiting: permission', needsSomebody: true },
    needs: [
      {
        title: `${name} wants to run: npm test`,
        detail: 'npm test\nno rule decides it',
        way: `crewmux attach ${name}`,
      },
    ],
    ...change,
  });

export const plan = (change: Partial<BriefPlan> = {}): BriefPlan => ({
  ...{ planId: 'p1', name: 'shop', state: 'running', mode: 'autopilot', jobs: { landed: 4, running: 1, queued: 1 } },
  ...{ nextCalls: [], createdAt: '2026-01-01T00:00:00.000Z' },
  ...change,
});

export const newsFrom = (
  workers: readonly CrewRow[],
  plans: readonly BriefPlan[] = [],
  above: readonly string[] = [],
) =>
  newsOf({
    facts: { crew: 'crew-project', needs: [], workers },
    jobs: { plans, tasks: [] },
    ...{ above, program: 'crewmux' },
  });

export const stateOf = (...from: Parameters<typeof newsFrom>): BoardState => withNews(firstState, newsFrom(...from));
