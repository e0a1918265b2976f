// What is known of a project before work begins in it, from its settings and files alone: nothing is started.
import { defined } from '../../model/defined.ts';
import { type AgentType, anyAgent } from '../../model/worker.ts';
import { commandOf } from '../../settings/settings.ts';
import { hasProgram } from '../../system/disk.ts';
import { inspectFolder } from '../../worktree/git/inspect.ts';
import { findTestCommand } from '../../worktree/landing/test-command.ts';
import { projectOf } from '../place.ts';
import type { CrewContext } from '../workers/crew-context.ts';

export interface FactsAheadQuery {
  /** `auto` is the project of whoever asks. */
  readonly project: string;
  readonly here?: string;
  /** Of a plan or task; empty for none. */
  readonly testCommand?: string;
  readonly setupCommands: readonly string[];
  /** Those that are named; the usual one besides. */
  readonly agentTypes: readonly AgentType[];
}

export interface FactsAhead {
  /** What has to pass before work lands; empty where somebody wants none, undefined where nothing says how. */
  readonly testCommand?: string;
  /** Commands that will run, with the program that each begins with, where that is not on the PATH. */
  readonly missing: readonly { readonly command: string; readonly program: string }[];
  /** Agents whose program is not there. */
  readonly absent: readonly AgentType[];
  /** What is wrong with the project's settings, or is left aside of them. */
  readonly problems: readonly string[];
  /** Workers get tools of crewmux's own. */
  readonly givesTools: boolean;
}

export async function factsAhead(context: CrewContext, query: FactsAheadQuery): Promise<FactsAhead> {
  const cwd = await projectOf(context, query.project, query.here);
  const { settings, problems } = context.settingsFor(cwd);
  const path = context.environment.git.PATH ?? '';
  const isThere = (program: string) => hasProgram(program, { path, cwd });
  const folder = await inspectFolder({ path: cwd, env: context.environment.git }).catch(() => undefined);
  const asked = query.testCommand ?? settings.merge.test_command;
  const testCommand = asked?.trim() ?? (await findTestCommand(folder?.worktreeRoot ?? cwd));
  const commands = [...new Set([testCommand ?? '', ...settings.worktrees.setup_commands, ...query.setupCommands])];
  const missing = commands.flatMap((command) => {
    const program = programIn(command);
    return program === undefined || isThere(program) ? [] : [{ command, program }];
  });
  const types = new Set([settings.defaults.agent_type, ...query.agentTypes].filter((type) => type !== anyAgent));
  const absent = [...types].filter((type) => {
    const [program] = commandOf(settings, type) ?? [];
    return program !== undefined && !isThere(program);
  });
  return { missing, absent, problems, givesTools: settings.defaults.worker_tools, ...defined({ testCommand }) };
}

/** What a shell knows itself. */
const own =
  /^(?:\.|:|cd|command|do|echo|eval|exec|exit|export|false|for|if|printf|read|set|test|time|trap|true|ulimit|umask|unset|until|wait|while|case)$/;

/** The program that a line of shell begins with; undefined where that is no plain name. Pure. */
export function programIn(line: string): string | undefined {
  const [, program = ''] = /^\s*([A-Za-z0-9_][\w.+-]*)(?=\s|$|;|&|\|)/.exec(line) ?? [];
  return program === '' || own.test(program) ? undefined : program;
}
