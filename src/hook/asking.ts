// One question of an agent on its way through the hook.
import type { HookQuestion, PermissionHook } from '../agents/agent.ts';
import { defined } from '../model/defined.ts';
import type { LaunchPlace } from '../store/launch-place.ts';

/** The arguments of `crewmux hook`. */
export interface HookOrder {
  /** The folder of the launch that asks. */
  readonly dir: string;
  readonly agent: string;
  /** The start of the hook. */
  readonly at: number;
  /** The MCP server of the worker's own tools. */
  readonly own?: string;
  /** Its sandbox keeps its commands, and nobody is to be asked: the hook answers for a person. */
  readonly isUnasked: boolean;
}

/** Undefined when an argument is missing. */
export function readOrder(args: readonly string[]): HookOrder | undefined {
  const after = (name: string) => {
    const found = args.indexOf(name);
    return found < 0 ? undefined : args[found + 1];
  };
  const [dir, agent, at] = [after('--dir'), after('--agent'), Number(after('--at'))];
  if (dir === undefined || agent === undefined || !Number.isFinite(at)) return undefined;
  return { dir, agent, at, isUnasked: args.includes('--unasked'), ...defined({ own: after('--own') }) };
}

export interface HookCall {
  readonly order: HookOrder;
  readonly place: LaunchPlace;
  readonly hook: PermissionHook;
  readonly question: HookQuestion;
  /** Writes to the agent. */
  readonly say: (text: string) => void;
  /** Appends a line to the launch's signals; the first line repeats the agent's payload. */
  readonly signal: (at: number, ruling: object) => Promise<void>;
  /** The pane's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The shell that the agent runs the hook in. */
  readonly parentPid: number;
}
