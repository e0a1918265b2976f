// Follows every live worker for a look at the crew, and leaves everything as it is.

import { lookOnce } from '../screen/screen-look.ts';
import type { Following } from '../workers/following.ts';
import type { CrewContext } from '../workers/roster.ts';
import { awaitFact } from '../workers/timing.ts';
import { livingPanes, verdictOn } from './recover.ts';

/** An agent that only its screen shows counts as idle after a rest; how much longer than that is waited for. */
const restSlackMs = 700;

/** Resolves when what each of them shows now is known. */
export async function lookRound(context: CrewContext): Promise<void> {
  const live = context.roster.records().filter(({ phase }) => phase === 'live');
  await context.roster.lookAtManagers();
  if (live.length === 0) return;
  const panes = await livingPanes(context);
  await Promise.all(
    live.map(async (record) => {
      const following = context.roster.follow(record);
      await following.caughtUp();
      const verdict = panes === undefined ? { is: 'alive' as const } : verdictOn(record, panes);
      if (verdict.is === 'ended')
        following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), detail: verdict.detail });
      else await lookAtScreen(context, following);
    }),
  );
}

async function lookAtScreen(context: CrewContext, following: Following): Promise<void> {
  const record = context.roster.record(following.workerId);
  const { onScreen } = context.agentOf(record);
  if (onScreen.tells === 'turns') {
    const options = { clock: context.clock, ceilingMs: onScreen.quietMs + restSlackMs };
    await awaitFact(following, options, () => (following.state.facts.screen?.rests === true ? true : undefined));
    return;
  }
  const { is } = following.state;
  if (onScreen.tells === 'dialogs' || is === 'starting' || is === 'waiting') await lookOnce(context, record, following);
}
