// kill -9 in the midst of a landing: of a keeper, of what drives for it, of a manager that takes over, and of tmux.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { listTasksOutput } from '../../src/wire/tasks.ts';
import { commit, type JobStand, openJobStand } from '../e2e/job-stand.ts';
import { type Keeper, keepOn } from '../e2e/keeper.ts';
import { kill, nothingLeft, remainsOf } from '../e2e/killed.ts';
import { isAlive } from '../support/mcp.ts';
import { eventually } from '../support/sandbox.ts';
import { drill } from './drill.ts';

let stand: JobStand;
beforeEach(() => {
  stand = openJobStand();
});
afterEach(() => stand.dispose());

const driverOf = ({ pid }: Keeper) => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim());
const remains = () => remainsOf(stand.sandbox, stand.repo);

const kills: Readonly<Record<string, (keeper: Keeper, tested: () => Promise<unknown>) => Promise<Keeper>>> = {
  async 'the keeper'(keeper) {
    const driver = driverOf(keeper);
    await kill(keeper.pid);
    await eventually('what drove has ended too', () => !isAlive(driver));
    return keepOn(stand);
  },
  async 'what drives for it'(keeper) {
    await kill(driverOf(keeper));
    return keeper;
  },
  async 'a manager that takes over'(keeper, tested) {
    const manager = await stand.serveJobs();
    await manager.connection.call('list_tasks', {});
    await eventually('it lets go', () => keeper.said().includes(': lets go'));
    await eventually('it drives', async () => (await manager.call('list_tasks', listTasksOutput)).driver === 'this');
    await tested();
    await kill(manager.connection.pid);
    return keeper;
  },
  async tmux(keeper) {
    stand.sandbox.tmux('kill-server');
    return keeper;
  },
};

for (const [whom, killed] of Object.entries(kills)) {
  drill(`${whom}: the plan ends as without it, and its work lands once`, () => endsAlike(killed));
}

async function endsAlike(killed: (typeof kills)[string]): Promise<void> {
  const armed = join(stand.repo, '.git/armed');
  writeFileSync(armed, '');
  const manager = await stand.serveJobs();
  const { plan_id, integration_branch } = await manager.plan({
    name: 'killed',
    jobs: [{ name: 'only', prompt: `HOLD go\n${commit('only.txt', '1')}\nSAY done` }],
    test_command: `while test -f ${armed}; do sleep 0.05; done`,
  });
  await eventually('it runs', async () => (await manager.status(plan_id)).jobs?.[0]?.state === 'running');
  await kill(manager.connection.pid);
  const first = await keepOn(stand);
  stand.release('go');
  const tested = () => eventually('its tests run', () => remains().some((line) => line.includes(armed)));
  await tested();
  const keeper = await killed(first, tested);
  rmSync(armed);
  expect({ code: await keeper.ended, said: keeper.said() }).toMatchObject({ code: 0 });
  expect(stand.subjects(`main..${integration_branch}`)).toEqual(['Write only.txt']);
  await nothingLeft(remains);
  expect(keeper.said()).toMatch(/plan_ended .*state=completed/);
}
