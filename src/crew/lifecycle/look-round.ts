// Follows every live worker for a look at the crew, and leaves everything as it is.

import type { WorkerRecord } from '../../model/worker.ts';
import { lookOnce } from '../screen/screen-look.ts';
import type { Following } from '../workers/following.ts';
import { readLastWord } from '../workers/last-word.ts';
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
  const isLed = ({ word, workerId }: Following) =>
    word !== undefined && context.roster.isOthers(context.roster.record(workerId));
  const followed = live.map((record) => ({ record, following: follow(context, record) }));
  const led = followed.filter(({ following }) => isLed(following));
  const alone = followed.filter(({ following }) => !isLed(following));
  // Their server sees their panes and screens, and has said what these show.
  await Promise.all(led.map(({ following }) => following.drain()));
  if (alone.length === 0) return;
  const panes = await livingPanes(context);
  await Promise.all(
    alone.map(async ({ record, following }) => {
      await following.caughtUp();
      const verdict = panes === undefined ? { is: 'alive' as const } : verdictOn(record, panes);
      if (verdict.is === 'ended')
        following.apply({ from: 'pane', kind: 'gone', at: context.clock.now(), detail: verdict.detail });
      else await lookAtScreen(context, following);
    }),
  );
}

function follow(context: CrewContext, record: WorkerRecord): Following {
  const word = readLastWord(record.launch.dir);
  if (word?.moved !== undefined) context.roster.movedTrees.set(record.id, word.moved);
  else context.roster.movedTrees.delete(record.id);
  return context.roster.follow(record, word);
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
