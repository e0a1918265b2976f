// The rows of the table of words that are about plans.
import { defined } from '../model/defined.ts';
import { plainJson } from '../model/plain-text.ts';
import type { JobsView } from '../work/api.ts';
import { inFiles, json, plainFlag, screenMissing, twoForms, type WordGroup, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const planWord = '<plan>';

const show = word({
  name: 'plan',
  summary: 'show a plan with its jobs and what it waits for, or all plans of this project',
  positionals: ['[plan]'],
  flags: {
    watch: { type: 'boolean', help: 'go on, on the whole terminal; q ends' },
    json,
    plain: plainFlag,
  },
  async run(given, world) {
    const { positionals, has } = given;
    const [asked] = positionals;
    const two = twoForms(given, ['watch', 'json', 'plain']);
    if (two !== undefined) return world.complain(`crewmux plan: ${two}`);
    if (has('watch')) return watch(asked, world);
    const [{ planText, plainPlan }, { paintsFor }, { programName }, absence, { systemClock }] = await Promise.all([
      import('./plan-text.ts'),
      import('./paint.ts'),
      import('./program-name.ts'),
      import('./absence.ts'),
      import('../system/clock.ts'),
    ]);
    const [crew, since] = await Promise.all([world.look(), absence.absentSince(world)]);
    const read = async () => crew.jobs.planStatus(defined({ planId: await planIn(crew.jobs, asked) }));
    const status = await read().finally(() => crew.dispose());
    if (has('json')) {
      const [{ outward }, { planStatusOutput }] = await Promise.all([
        import('../wire/spoken.ts'),
        import('../wire/plans.ts'),
      ]);
      return world.write(plainJson({ ...outward(planStatusOutput, status), ...absence.absenceField(since) }));
    }
    const program = programName(world);
    const drawing = { width: world.columns ?? 200, paints: paintsFor(world), program };
    const text = has('plain') ? plainPlan(status, program) : planText(status, drawing);
    return world.write(text + absence.absenceLine(since, systemClock.now()));
  },
});

async function planIn(jobs: Pick<JobsView, 'planStatus'>, asked: string | undefined): Promise<string | undefined> {
  const { begunBy, plansOf } = await import('./jobs-begun.ts');
  return asked === undefined ? undefined : begunBy(asked, await plansOf(jobs));
}

async function watch(asked: string | undefined, world: CommandWorld): Promise<number> {
  const { screen } = world;
  if (screen === undefined) return world.complain(`crewmux plan: --watch ${screenMissing}`);
  const [{ watchPlans }, { systemClock }, { absentSince }] = await Promise.all([
    import('./watch.ts'),
    import('../system/clock.ts'),
    import('./absence.ts'),
  ]);
  const crew = await world.look();
  try {
    const shown = { jobs: crew.jobs, ...defined({ planId: await planIn(crew.jobs, asked) }) };
    return await watchPlans(shown, { ...world, screen, now: systemClock.now, absence: () => absentSince(world) });
  } finally {
    await crew.dispose();
  }
}

const planBegun = async (asked: string, world: CommandWorld) =>
  (await import('./jobs-begun.ts')).jobBegun('plan', asked, world);

export const planWords: WordGroup = {
  name: 'plan',
  summary: 'show a plan with its jobs and what it waits for, or all plans; let it go on, end it, or save it',
  otherwise: show,
  words: [
    word({
      name: 'approve',
      summary: 'let a plan go on from where it waits',
      positionals: [planWord],
      flags: {
        at: { type: 'string', value: 'checkpoint', help: 'only where it waits there' },
        job: { type: 'string', value: 'name', help: 'the job it is about; commas between several' },
        action: { type: 'string', value: 'action', help: 'continue, retry, relaunch, skip or accept' },
        prompt: { type: 'string', value: 'text', help: 'with relaunch: what the worker is told instead' },
      },
      async run({ positionals: [asked = ''], text }, world) {
        const planId = await planBegun(asked, world);
        const [checkpoint, action, prompt] = [text('at'), text('action'), text('prompt')];
        const named = text('job')?.split(',');
        const job = named?.length === 1 ? named[0] : named;
        const args = { plan_id: planId, ...defined({ checkpoint, job, action, prompt }) };
        return inFiles('approve_plan', args, world);
      },
    }),
    word({
      name: 'cancel',
      summary: 'end a plan: its workers stop, and every branch stays',
      positionals: [planWord],
      async run({ positionals: [asked = ''] }, world) {
        return inFiles('cancel_plan', { plan_id: await planBegun(asked, world) }, world);
      },
    }),
    word({
      name: 'save',
      summary: 'make a template of a plan that is completed, in your own folder',
      positionals: [planWord, '<name>'],
      flags: {
        project: { type: 'boolean', help: "in the project's folder instead of yours" },
        force: { type: 'boolean', help: 'replace a file that is there already' },
      },
      async run({ positionals: [asked = '', name = ''], has }, world) {
        const [{ savePlan }, planId] = await Promise.all([import('./plan-save.ts'), planBegun(asked, world)]);
        return savePlan({ planId, name, inProject: has('project'), force: has('force') }, world);
      },
    }),
  ],
};
