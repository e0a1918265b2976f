// Looks at everything that workers need, and says what is not as it should be.

import { messageOf } from '../../../model/errors.ts';
import type { DoctorResult, Finding } from '../../../wire/doctor.ts';
import { warn } from '../../../wire/doctor.ts';
import { checkAgents } from './agents.ts';
import { checkMergeSandbox } from './merge-sandbox.ts';
import { checkProject } from './project.ts';
import { checkSandbox } from './sandbox.ts';
import type { Check, DoctorSources } from './sources.ts';
import { checkState } from './state.ts';
import { checkGh, checkGit, checkTmux } from './tools.ts';
import { checkWorkers } from './workers.ts';

/** One part of the look; what it rejects with becomes a finding. */
/** All parts go on at once, so this is how long the whole takes at most; far above what a part gives a program. */
const ceilingMs = 15_000;

/** Never rejects: what cannot be looked at is a finding too. */
export async function doctor(sources: DoctorSources): Promise<DoctorResult> {
  const checks: readonly Check[] = [
    ...checkTmux(sources),
    checkGit(sources),
    checkGh(sources),
    checkSandbox(sources),
    checkMergeSandbox(sources),
    ...checkAgents(sources),
    ...checkProject(sources),
    ...checkState(sources),
    ...checkWorkers(sources),
  ];
  const findings = (await Promise.all(checks.map((one) => bounded(sources, one)))).flat();
  const has = (wanted: Finding['status']) => findings.some(({ status }) => status === wanted);
  return { status: has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok', findings };
}

async function bounded({ clock }: DoctorSources, { check, look }: Check): Promise<readonly Finding[]> {
  let cancel = () => {};
  const late = new Promise<readonly Finding[]>((resolve) => {
    const fix = 'The machine may be busy; try again.';
    cancel = clock.after(ceilingMs, () => resolve([warn(check, `no answer within ${ceilingMs / 1_000} s`, fix)]));
  });
  const found = Promise.resolve()
    .then(look)
    .catch((error: unknown) => [
      warn(check, `could not be looked at: ${messageOf(error)}`, 'Look at what the message names.'),
    ]);
  try {
    return await Promise.race([found, late]);
  } finally {
    cancel();
  }
}
