// What a plan costs beyond the work of its jobs: two jobs of a second each, and a chain of jobs that take no time.
import { z } from 'zod';
import type { Fields } from '../test/support/mcp.ts';
import { type Row, timed } from './measure.ts';
import { openStand, type Stand } from './stand.ts';

const rounds = 5;
const chain = 4;

export async function measurePlans(): Promise<Row[]> {
  const stand = await openStand({ defaults: { skip_permissions: true, pass_env: ['CREWMUX_SCRIPTED_PACE'] } });
  try {
    await runPlan(stand, { count: 1, seconds: 0 });
    const pairs: number[] = [];
    const stages: number[] = [];
    for (let i = 0; i < rounds; i++) {
      pairs.push(await runPlan(stand, { count: 2, seconds: 1 }));
      stages.push((await runPlan(stand, { count: chain, seconds: 0 })) / chain);
    }
    return [
      { what: 'two dependent jobs of one second, landed', unit: 'ms', samples: pairs, target: { p50: 3_000 } },
      { what: 'a stage of a chain of jobs, agent start and landing included', unit: 'ms', samples: stages },
      {
        what: 'a stage beyond its second of work',
        unit: 'ms',
        samples: pairs.map((ms) => (ms - 2_000) / 2),
        target: { p50: 500 },
      },
    ];
  } finally {
    await stand.dispose();
  }
}

let made = 0;

const call = async <T>({ server }: Stand, tool: string, output: z.ZodType<T>, args: Fields): Promise<T> =>
  output.parse(await server.call(tool, args));

async function runPlan(
  stand: Stand,
  { count, seconds }: { readonly count: number; readonly seconds: number },
): Promise<number> {
  made += 1;
  const name = `bench-${made}`;
  const jobs = Array.from({ length: count }, (_, index) => ({
    name: `job${index}`,
    prompt: `SLEEP ${seconds}\nBASH echo ${index} > ${name}-${index}.txt && git add . && git commit -qm "Job ${index}"\nSAY done`,
    depends_on: index === 0 ? [] : [`job${index - 1}`],
  }));
  return timed(async () => {
    const plan = await call(stand, 'create_plan', z.object({ plan_id: z.string() }), { name, jobs });
    const { plan_state: state } = await call(stand, 'wait_tasks', z.object({ plan_state: z.string() }), {
      plan_id: plan.plan_id,
      timeout: 120,
    });
    if (state !== 'completed') throw new Error(`The plan ended ${state}`);
  });
}
