// The permission mode in which a worker starts when nobody names one.
import { readFile } from 'node:fs/promises';
import type { Agent } from '../../agents/agent.ts';
import { isMissing } from '../../model/errors.ts';
import type { PresetName } from '../../model/rule.ts';
import { presetOf } from '../../permissions/rule-book.ts';
import type { CrewContext } from '../workers/roster.ts';
import { booksFor, type RuledOne } from './permissions.ts';

interface StartModeFacts {
  readonly hasWorktree: boolean;
  /** `unknown` where the rules cannot be read. */
  readonly preset: PresetName | 'unknown' | undefined;
  readonly usersMode: string | undefined;
}

/** These leave a worker every file of its worktree; of the others the mode must not give more than they do. */
const letEdit: ReadonlySet<string> = new Set<PresetName>(['full', 'implement', 'fix']);

/** Edits in a worktree of its own ask nobody: they land only when somebody lands them. */
export function startMode({ hasWorktree, preset, usersMode }: StartModeFacts): string {
  if (preset !== undefined && !letEdit.has(preset)) return 'manual';
  return hasWorktree ? 'acceptEdits' : (usersMode ?? 'manual');
}

/** Never rejects: where nothing can be read, the worker asks. */
export async function startModeOf(
  context: CrewContext,
  agent: Agent,
  worker: Pick<RuledOne, 'id' | 'role' | 'preset' | 'projectPath'> & {
    readonly hasWorktree: boolean;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { usersMode } = agent;
  if (usersMode === undefined) return 'manual';
  const { rulesLost = false } = context.settingsFor(worker.projectPath);
  const preset = rulesLost
    ? 'unknown'
    : await booksFor(context, worker).then(
        (books) => presetOf(books, worker),
        () => 'unknown' as const,
      );
  const { hasWorktree, env } = worker;
  const text = hasWorktree ? '' : await usersText(context, usersMode.fileFor(env));
  return startMode({ hasWorktree, preset, usersMode: usersMode.modeIn(text) });
}

async function usersText({ logger }: CrewContext, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (!isMissing(error)) logger.write('warn', `${path} could not be read, so the worker asks`, error);
    return '';
  });
}
