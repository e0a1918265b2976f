// Which call of a worker's names a place in the main checkout. Pure.

export interface Call {
  readonly tool: string;
  /** As the transcript has it: JSON, or a shell line. */
  readonly input: string;
  readonly at: number;
}

export interface Sought {
  /** Oldest first. */
  readonly calls: readonly Call[];
  /** Ways to write the place. */
  readonly names: readonly string[];
  /** When it changed. */
  readonly at: number;
  /** A commit: named is the checkout, and by a command of git's. */
  readonly isCommit: boolean;
}

/** What only looks. An unknown tool may write. */
const looks = /^(Read|Grep|Glob|LS|NotebookRead|WebFetch|WebSearch|TodoWrite|view_image|web_search)$/;
/** What is dated late: an agent notes its call when it is decided, the disk when it is done. */
const lateMs = 2_000;
const longestCallMs = 30 * 60_000;

/** The tool of the last call before the change that may have made it; undefined when none names it. */
export function callFor({ calls, names, at, isCommit }: Sought): string | undefined {
  const may = calls.filter((call) => call.at <= at + lateMs && call.at >= at - longestCallMs && !looks.test(call.tool));
  return may.findLast(({ input }) => (!isCommit || /\bgit\b/.test(input)) && names.some((name) => holds(input, name)))
    ?.tool;
}

/** As a whole path: `/a/b` is not in `/a/bc`, nor `c/d` in `b/c/d`. JSON writes some characters in another way. */
function holds(input: string, name: string): boolean {
  const spellings = new Set([name, JSON.stringify(name).slice(1, -1)]);
  return [...spellings].some((spelling) => {
    for (let from = input.indexOf(spelling); from >= 0; from = input.indexOf(spelling, from + 1)) {
      const [before, after] = [input.charAt(from - 1), input.charAt(from + spelling.length)];
      if (!/[\w./-]/.test(before) && !/[\w-]/.test(after)) return true;
    }
    return false;
  });
}
