// The words behind `crewmux hook`.

export interface HookOrder {
  /** The folder of the launch that asks. */
  readonly dir: string;
  readonly agent: string;
  /** When the hook began. */
  readonly at: number;
  /** The MCP server of the worker's own tools. */
  readonly own?: string;
  /** Its file tools are to stay in the worktree, as its sandbox keeps its commands there. */
  readonly isFenced: boolean;
}

/** Undefined when a word is missing. */
export function readOrder(args: readonly string[]): HookOrder | undefined {
  const after = (name: string) => {
    const found = args.indexOf(name);
    return found < 0 ? undefined : args[found + 1];
  };
  const [dir, agent, at] = [after('--dir'), after('--agent'), Number(after('--at'))];
  if (dir === undefined || agent === undefined || !Number.isFinite(at)) return undefined;
  const own = after('--own');
  return { dir, agent, at, isFenced: args.includes('--fenced'), ...(own === undefined ? {} : { own }) };
}
