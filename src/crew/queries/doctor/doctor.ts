// Looks at everything that workers need, and names what is wrong.

import { messageOf } from '../../../model/errors.ts';
import { type DoctorResult, type Finding, warn } from '../../../wire/doctor.ts';
import { programChecks } from './programs.ts';
import { projectChecks } from './project.ts';
import type { DoctorCheck, DoctorSources } from './sources.ts';
import { stateChecks } from './state.ts';

/** All checks run at once, so the whole takes no longer; far above the ceiling that a check gives a program. */
const ceilingMs = 15_000;

/** Never rejects: a check that fails becomes a finding. */
export async function doctor(sources: DoctorSources): Promise<DoctorResult> {
  const checks = Object.entries({ ...programChecks(sources), ...projectChecks, ...stateChecks });
  const findings = (await Promise.all(checks.map(([check, look]) => bounded(sources, check, look)))).flat();
  const has = (wanted: Finding['status']) => findings.some(({ status }) => status === wanted);
  return { status: has('fail') ? 'fail' : has('warn') ? 'warn' : 'ok', findings };
}

async function bounded(sources: DoctorSources, check: string, look: DoctorCheck): ReturnType<DoctorCheck> {
  let cancel = () => {};
  const late = new Promise<Finding>((resolve) => {
    const fix = 'The machine may be busy; try again.';
    const finding = warn(check, `no answer within ${ceilingMs / 1_000} s`, fix);
    cancel = sources.clock.after(ceilingMs, () => resolve(finding));
  });
  const found = look(sources).catch((error: unknown) =>
    warn(check, `could not be looked at: ${messageOf(error)}`, 'Look at what the message names.'),
  );
  try {
    return await Promise.race([found, late]);
  } finally {
    cancel();
  }
}
