// `crewmux hook`: decides about a question of an agent, or waits until somebody answers it.
import { dirname, join } from 'node:path';
import type { PermissionHook } from '../agents/agent.ts';
import { permissionHook as claudeHook } from '../agents/claude/permission-hook.ts';
import { permissionHook as codexHook } from '../agents/codex/permission-hook.ts';
import { appendLine } from '../jsonl/append.ts';
import { defined } from '../model/defined.ts';
import { personsReason } from '../permissions/tripwire-look.ts';
import { launchPlace } from '../store/launch-place.ts';
import { readPlace, realPath, type WorkerPlace } from '../store/place.ts';
import { rememberedFor } from '../store/remembered.ts';
import { type HookCall, readOrder } from './asking.ts';
import { type Known, nextFor, whyOf } from './next.ts';
import { unaskedAnswer } from './unasked.ts';

// Every question of every worker loads these imports; an import that only a wait needs comes with the wait.

export interface HookWorld extends Pick<HookCall, 'env' | 'parentPid'> {
  readonly args: readonly string[];
  /** The payload from the agent. */
  readonly input: AsyncIterable<unknown>;
  readonly write: (text: string) => void;
}

const hooks: Readonly<Record<string, PermissionHook>> = { claude: claudeHook, codex: codexHook };

/** Returns 0 once the question is dealt with; otherwise the caller falls back to a plain signal. */
export async function hook(world: HookWorld): Promise<number> {
  const order = readOrder(world.args);
  const permissionHook = order && hooks[order.agent];
  if (order === undefined || permissionHook === undefined) return 2;
  const payload: unknown = JSON.parse(await textOf(world.input));
  const question = permissionHook.asked(payload);
  if (question === undefined) return 2;
  await deal({
    order,
    place: launchPlace(order.dir),
    hook: permissionHook,
    question,
    say: world.write,
    signal: (at, ruling) => appendLine(join(order.dir, 'signals.jsonl'), JSON.stringify({ at, payload, ruling })),
    env: world.env,
    parentPid: world.parentPid,
  });
  return 0;
}

async function textOf(input: AsyncIterable<unknown>): Promise<string> {
  const parts: string[] = [];
  for await (const part of input) parts.push(String(part));
  return parts.join('');
}

async function deal(asking: HookCall): Promise<void> {
  const { order, hook, question } = asking;
  // Through its own tools a worker speaks with its manager.
  if (order.own !== undefined && question.tool.startsWith(`mcp__${order.own}__`)) {
    return question.when === 'before' ? undefined : decide(asking, { decision: 'allow' });
  }
  const next = nextFor(question, await knownOf(asking), hook);
  switch (next.is) {
    case 'left':
      return;
    case 'decided':
      return decide(asking, next.answer);
    case 'shown':
      return asking.signal(order.at, { decision: 'shown', ...whyOf(next) });
    case 'parked': {
      const { park } = await import('./park.ts');
      const { is: _, ...why } = next;
      return park(asking, why);
    }
  }
}

/** Answers at once. Notes only a decision: the agent asks again about what it passes on to its own dialog. */
async function decide(asking: HookCall, answer: Parameters<PermissionHook['say']>[1]): Promise<void> {
  asking.say(asking.hook.say(asking.question, answer));
  const asksNobody = answer.decision === 'allow' && asking.question.when === 'before';
  if (answer.decision === 'let-go' || asksNobody) return;
  await asking.signal(asking.order.at, { decision: answer.decision === 'deny' ? 'denied' : 'allowed' });
}

async function knownOf(asking: HookCall): Promise<Known> {
  const { place, hook, question, env, order } = asking;
  const at = readPlace(place.workerDir) ?? guessedPlace(asking);
  const act = hook.actOf(question.tool, question.input, question.cwd);
  const temporary = defined({ temporary: env.TMPDIR });
  return {
    personReason: await personsReason(act, { ...at, real: realPath, ...temporary }),
    remembered: rememberedDecision(asking, at),
    ...(order.isUnasked ? { unasked: unaskedAnswer(act, realPath) } : {}),
  };
}

/** The place of a worker whose own file says nothing. */
const guessedPlace = ({ place, env, question }: HookCall): WorkerPlace => ({
  root: realPath(question.cwd),
  userHome: env.HOME ?? '/',
  stateHome: dirname(dirname(place.workerDir)),
});

/** A denial in one scope outweighs an approval in another. */
function rememberedDecision({ place, question }: HookCall, { stateHome, role }: WorkerPlace): Known['remembered'] {
  const { workerId, launch } = place;
  const roleScopes = role === undefined ? [] : [`role:${role}`];
  const input = JSON.stringify(question.input);
  const decisions = [`launch:${workerId}:${launch}`, `worker:${workerId}`, ...roleScopes]
    .flatMap((scope) => rememberedFor(stateHome, scope))
    .filter((one) => one.tool === question.tool && one.input === input)
    .map(({ decision }) => decision);
  return decisions.includes('deny') ? 'deny' : decisions[0];
}
