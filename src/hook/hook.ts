// `crewmux hook`: an agent asks whether it may, and is told what somebody answers.
import { join } from 'node:path';
import type { HookQuestion, PermissionHook } from '../agents/agent.ts';
import { permissionHook as claudeHook } from '../agents/claude/permission-hook.ts';
import { permissionHook as codexHook } from '../agents/codex/permission-hook.ts';
import { appendLine } from '../jsonl/append.ts';
import { type LaunchPlace, launchPlace } from '../store/launch-place.ts';
import { knownOf } from './known.ts';
import { nextFor, whyOf } from './next.ts';
import { type HookOrder, readOrder } from './order.ts';

// What is imported here is loaded at every question of every worker; whatever only a wait needs comes with the wait.

export interface HookWorld {
  readonly args: readonly string[];
  /** What the agent tells the hook. */
  readonly input: AsyncIterable<unknown>;
  readonly write: (text: string) => void;
  /** The pane's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The shell that the agent runs the hook in. */
  readonly parentPid: number;
}

/** One question on its way: how it was put, and where its traces go. */
export interface Asking {
  readonly order: HookOrder;
  readonly place: LaunchPlace;
  readonly hook: PermissionHook;
  readonly question: HookQuestion;
  readonly say: (text: string) => void;
  /** Appends a line to the launch's signals; the first repeats what the hook was told. */
  readonly signal: (at: number, ruling: object) => Promise<void>;
  readonly env: HookWorld['env'];
  readonly parentPid: number;
}

const hooks: Readonly<Record<string, PermissionHook>> = { claude: claudeHook, codex: codexHook };

/** Returns 0 once the question is dealt with, and else what makes the caller fall back to a plain signal. */
export async function hook(world: HookWorld): Promise<number> {
  const order = readOrder(world.args);
  const spoken = order && hooks[order.agent];
  if (order === undefined || spoken === undefined) return 2;
  const payload: unknown = JSON.parse(await textOf(world.input));
  const question = spoken.asked(payload);
  if (question === undefined) return 2;
  await deal({
    order,
    place: launchPlace(order.dir),
    hook: spoken,
    question,
    say: world.write,
    signal: (at, ruling) => appendLine(join(order.dir, 'signals.jsonl'), JSON.stringify({ at, payload, ruling })),
    env: world.env,
    parentPid: world.parentPid,
  });
  return 0;
}

async function deal(asking: Asking): Promise<void> {
  const { order, hook, question } = asking;
  // A worker's own tools are its line to its manager.
  if (order.own !== undefined && question.tool.startsWith(`mcp__${order.own}__`)) {
    return question.when === 'before' ? undefined : decided(asking, { decision: 'allow' });
  }
  const next = nextFor(question, await knownOf(asking), hook);
  switch (next.is) {
    case 'left':
      return;
    case 'said':
      return decided(asking, next.answer);
    case 'shown':
      return asking.signal(order.at, { decision: 'shown', ...whyOf(next) });
    case 'put': {
      const { park } = await import('./park.ts');
      const { is: _, ...put } = next;
      return park(asking, put);
    }
  }
}

/** Told at once, and written down where it decides; what is only passed on to the agent's dialog is asked again there. */
async function decided(asking: Asking, answer: Parameters<PermissionHook['say']>[1]): Promise<void> {
  asking.say(asking.hook.say(asking.question, answer));
  if (answer.decision === 'let-go') return;
  await asking.signal(asking.order.at, { decision: answer.decision === 'deny' ? 'denied' : 'allowed' });
}

async function textOf(input: AsyncIterable<unknown>): Promise<string> {
  const parts: string[] = [];
  for await (const part of input) parts.push(String(part));
  return parts.join('');
}
