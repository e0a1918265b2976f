// `crewmux restart`: prints who would come back and how, asks where many are meant, and has it done.
import { counted } from '../model/plural.ts';
import type { RestartPlan } from '../wire/starting.ts';
import { act } from './act.ts';
import { personsHint } from './persons-call.ts';
import { workerNamed, workersHere } from './roster.ts';
import type { CommandWorld } from './world.ts';

export interface RestartWish {
  /** As the person names them; undefined for all dead ones of this project. */
  readonly workers: readonly string[] | undefined;
  readonly fresh: boolean;
  readonly dryRun: boolean;
  /** The person has agreed already. */
  readonly yes: boolean;
}

/** Returns the exit code. */
export async function restart(
  { workers: named, fresh, dryRun, yes }: RestartWish,
  world: CommandWorld,
): Promise<number> {
  const argsFor = (session_ids: readonly string[]) => ({ session_ids, fresh });
  const perform = (workers: readonly string[]) => act({ tool: 'restart_workers', workers, argsFor }, world);
  if (named !== undefined && !dryRun) return perform(named);
  const plan = await planFor({ named, fresh }, world);
  if (plan.length === 0) return world.write('No dead workers here.\n');
  world.write(planText(plan));
  const due = plan.filter(({ action }) => action !== 'leave').map(({ session_id }) => session_id);
  if (dryRun) return 0;
  if (due.length === 0) {
    world.complain('None of them can be started.\n');
    return 1;
  }
  if (yes) return perform(due);
  if (world.ask === undefined) return world.complain('crewmux restart: --all without a terminal needs --yes.\n');
  const agreed = await world.ask(`Start ${due.length === 1 ? 'it' : counted(due.length, 'worker')}? [y/N] `);
  return agreed ? perform(due) : world.write('Nothing was started.\n');
}

async function planFor(
  { named, fresh }: Pick<RestartWish, 'fresh'> & { readonly named: readonly string[] | undefined },
  world: CommandWorld,
): Promise<RestartPlan> {
  const asked = named && (await Promise.all(named.map(async (ref) => (await workerNamed(ref, world)).id)));
  const crew = await world.look();
  try {
    const workers = asked ?? (await deadHere(world, await crew.list({ includeClosed: false, fields: 'brief' })));
    return await crew.restartPlan({ workers, fresh, isNamed: named !== undefined });
  } finally {
    await crew.dispose();
  }
}

interface Listed {
  readonly workers: readonly { readonly session_id: string; readonly status: string }[];
}

async function deadHere(world: CommandWorld, { workers }: Listed): Promise<readonly string[]> {
  const here = new Set((await workersHere(world)).map(({ id }) => id));
  return workers
    .filter(({ session_id, status }) => status === 'dead' && here.has(session_id))
    .map(({ session_id }) => session_id);
}

const words = { restart: 'comes back', fresh: 'begins anew', leave: 'stays' } as const;

/** Pure. */
export const planText = (plan: RestartPlan): string =>
  plan.map(({ name, action, reason }) => `${name} ${words[action]}: ${personsHint(reason)}\n`).join('');

/** Starts a worker whose agent has ended; undefined where it runs, and else the exit code of what went wrong. */
export async function restartEnded(ref: string, world: CommandWorld): Promise<number | undefined> {
  const { id } = await workerNamed(ref, world);
  const crew = await world.look();
  const { workers } = await crew.list({ includeClosed: true, fields: 'brief' }).finally(() => crew.dispose());
  const status = workers.find(({ session_id }) => session_id === id)?.status;
  if (status !== 'dead' && status !== 'closed') return undefined;
  const argsFor = (session_ids: readonly string[]) => ({ session_ids });
  const code = await act({ tool: 'restart_workers', workers: [ref], argsFor }, world);
  return code === 0 ? undefined : code;
}
