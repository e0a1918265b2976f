// Whether the hooks of living workers are heard.

import { stat } from 'node:fs/promises';
import { isBuiltIn, type WorkerRecord } from '../../../model/worker.ts';
import type { Finding } from '../../../wire/doctor.ts';
import { ok, warn } from '../../../wire/doctor.ts';
import { signalsPathOf } from '../../workers/following.ts';
import type { Check, DoctorSources } from './sources.ts';

/** An agent that was started with a prompt has run a hook long before. */
const heardWithinMs = 60_000;

export const checkWorkers = (sources: DoctorSources): readonly Check[] => [
  { check: 'hooks', look: () => lookAtHooks(sources) },
];

async function lookAtHooks({ records, clock }: DoctorSources): Promise<readonly Finding[]> {
  const due = (await records()).filter((record) => isDue(record, clock.now()));
  const heard = await Promise.all(due.map(hasSpoken));
  const silent = due.filter((_, index) => !heard[index]);
  if (silent.length === 0) return [ok('hooks', `heard of every worker that should have run one (${due.length})`)];
  const names = silent
    .map(({ name, agentType, launch }) => `${name} (${agentType}: ${launch.command.join(' ')})`)
    .join(', ');
  const fix =
    'Their state rests on weaker sources. See whether hooks are switched off (disableAllHooks, a managed policy) or a wrapper drops the settings argument.';
  return [warn('hooks', `launched, and no hook was ever heard of: ${names}`, fix)];
}

/** Launched by us, with a prompt, some time ago, as an agent that has hooks. Pure. */
export const isDue = ({ phase, source, agentType, launch }: WorkerRecord, now: number): boolean =>
  phase === 'live' &&
  source !== 'adopted' &&
  isBuiltIn(agentType) &&
  launch.withPrompt &&
  now - launch.startedAt > heardWithinMs;

const hasSpoken = ({ launch }: WorkerRecord): Promise<boolean> =>
  stat(signalsPathOf(launch)).then(
    ({ size }) => size > 0,
    () => false,
  );
