// Makes an answer hold for the next time the same is asked.
import type { PermissionAsked } from '../../model/asked.ts';
import { messageOf } from '../../model/errors.ts';
import { ruleFor } from '../../model/remembered-rule.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { addLaunchRule } from '../../state/launch-rules.ts';
import { withLock } from '../../state/lock.ts';
import type { AnswerRequest } from '../api.ts';
import type { House } from '../house.ts';
import { groundFor } from './permissions.ts';
import { setPermissions } from './set-permissions.ts';

const lockTimeoutMs = 10_000;

/** What is remembered, or why nothing is; the answer itself stands either way. */
export interface Remembered {
  readonly rule?: string;
  readonly hint?: string;
}

export async function remember(
  house: House,
  record: WorkerRecord,
  { asked, request }: { readonly asked: PermissionAsked; readonly request: AnswerRequest },
): Promise<Remembered> {
  const { remember: scope, decision } = request;
  if (scope === undefined) return {};
  const list = decision === 'deny' ? 'deny' : 'allow';
  const act = house.agentFor(record.agentType).actOf(asked.tool, asked.input, record.projectPath);
  const rule =
    asked.waitingFor === 'permission' && request.input === undefined
      ? ruleFor(act, list, await groundFor(house, record))
      : undefined;
  if (rule === undefined) return { hint: 'No rule says exactly this, so nothing is remembered; set_permissions can.' };
  if (scope === 'role' && record.role === undefined) {
    return { hint: `${record.name} has no role, so nothing is remembered; pass remember "worker".` };
  }
  try {
    await keep(house, record, { scope, list, rule });
    return { rule };
  } catch (error) {
    return { hint: `The rule ${rule} could not be kept: ${messageOf(error)}` };
  }
}

async function keep(
  house: House,
  { id, role, launch }: WorkerRecord,
  { scope, list, rule }: { scope: 'session' | 'worker' | 'role'; list: 'allow' | 'deny'; rule: string },
): Promise<void> {
  if (scope !== 'session') {
    const change = { allow: [], confirm: [], deny: [], remove: [], [list]: [rule] };
    await setPermissions(house, { scope: scope === 'role' ? `role:${role}` : `worker:${id}`, ...change });
    return;
  }
  const options = { me: house.me, timeoutMs: lockTimeoutMs };
  await withLock(house.home.lockPath(`rules-${id}`), () => addLaunchRule(launch.dir, list, rule), options);
}
