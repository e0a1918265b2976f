// Situations of a start: nothing in the way, or each of the dialogs that can stand there.
import type { Situation } from './situation.ts';

export const startDialogs = ['trust', 'login', 'mcp_approval', 'update'] as const;
export type StartDialog = (typeof startDialogs)[number];

export const starts: readonly Situation[] = [
  {
    name: 'starts with nothing to do',
    async play(stage) {
      const { spawned } = await stage.opens({});
      await stage.is('idle', stage.sees(stage.subject.sees.prompt));
      await spawned;
    },
  },
  ...startDialogs.map(
    (kind): Situation => ({
      name: `is stopped at its start, by ${kind}`,
      async play(stage) {
        const stop = stage.subject.stops[kind];
        if (stop === undefined)
          throw new Error(`Nothing stops ${stage.subject.title} with ${kind}; say so in "cannot".`);
        const { spawned } = await stage.opens(stop.config(stage.crew.home));
        await stage.is(`waiting: ${kind}`, stage.sees(stop.words));
        await spawned;
      },
    }),
  ),
  {
    name: 'has spent its limit',
    async play(stage) {
      const { directive, how, env } = stage.subject.spent;
      await stage.enter({ prompt: `${directive}\n${stage.mark}`, env: env(stage.crew.home) });
      await stage.is('waiting: limit', stage.answered(stage.mark, how), { ended: 'limit' });
    },
  },
];
