// What the sandbox of a worker does not hold, found before its start, and how that is told.
import type { LaunchSpec, SandboxHole } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import type { LaunchRecord, WorkerRecord } from '../../model/worker.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import type { SandboxChoice } from './worker-sandbox.ts';

type Spec = Pick<LaunchSpec, 'sandbox' | 'skipPermissions'>;
type Chosen = { readonly sandbox: SandboxChoice };

/** The ways out that this launch leaves open; none without a sandbox. Pure. */
export function holesOf({
  sandbox,
  skipPermissions,
}: Pick<LaunchSpec, 'sandbox' | 'skipPermissions'>): readonly SandboxHole[] {
  if (sandbox === undefined) return [];
  return [...sandbox.holes, ...(skipPermissions ? [openNetwork] : [])];
}

const openNetwork: SandboxHole = {
  words: 'with skip_permissions its commands reach every host, servers on this machine too',
  isWished: true,
};

/** Throws `start_failed` for a hole where the sandbox must hold. */
export function heldHoles({ sandbox }: Chosen, spec: Spec): readonly SandboxHole[] {
  const holes = [...(sandbox.holes ?? []), ...holesOf(spec)];
  const unwished = holes.find(({ isWished }) => !isWished);
  if (!sandbox.mustHold || unwished === undefined) return holes;
  throw new CrewError(
    'start_failed',
    `The sandbox is to be on and would not hold: ${unwished.words}.`,
    'Do what the message says, or leave sandbox to its default: then the worker starts, and its record says partial.',
  );
}

/** What the record of a launch says of its sandbox. Pure. */
export function sandboxRecord(
  { sandbox }: Chosen,
  holes: readonly SandboxHole[],
): Pick<LaunchRecord, 'sandbox' | 'holes' | 'writesRefs'> {
  if (!sandbox.isOn) return { sandbox: 'off' };
  if (holes.length === 0) return { sandbox: 'on', writesRefs: false };
  const writesRefs = canMoveBranches(holes);
  return { sandbox: 'partial', holes: holes.map(({ words }) => words), writesRefs };
}

export const canMoveBranches = (holes: readonly SandboxHole[]): boolean =>
  holes.some(({ writesRefs = false }) => writesRefs);

const told = new WeakMap<CrewContext, Set<string>>();

/** Names each hole with the first worker of this server that has it. */
export function holesNamed(context: CrewContext, { name, launch }: WorkerRecord): readonly string[] {
  const before = told.get(context) ?? new Set();
  const fresh = (launch.holes ?? []).filter((words) => !before.has(words));
  told.set(context, new Set([...before, ...fresh]));
  return fresh.map((words) => `The sandbox of ${name} is partial: ${words}.`);
}
