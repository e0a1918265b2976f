// Copies the slash commands into a project, to where each agent looks for them.
import { join, relative } from 'node:path';
import { parseSkill, portableSkill } from '../model/skill.ts';
import { readText } from '../system/atomic.ts';

export interface Copying {
  readonly project: string;
  /** Each SKILL.md by its name. */
  readonly texts: Readonly<Record<string, string>>;
  readonly forCodex: boolean;
  readonly save: (file: string, text: string) => Promise<void>;
}

/** Copies what is not there, leaves a file that differs as it is, and tells both. */
export async function copyCommands({ project, texts, forCodex, save }: Copying): Promise<string> {
  const differing: string[] = [];
  const files = filesOf(texts, forCodex);
  for (const { path, text } of files) {
    const file = join(project, path);
    const held = await readText(file);
    if (held === undefined) await save(file, text);
    else if (held !== text) differing.push(relative(project, file));
  }
  const left = differing.map((path) => `  ${path} differs and was left as it is.\n`).join('');
  const names = Object.keys(texts).map((name) => `/${name}`);
  const codex = forCodex ? ', and for Codex (with $ for /) in .agents/skills' : '';
  return `Slash commands for Claude Code lie in .claude/skills${codex}: ${names.join(' ')}\n${left}`;
}

function filesOf(texts: Copying['texts'], forCodex: boolean) {
  return Object.entries(texts).flatMap(([name, text]) => [
    { path: `.claude/skills/${name}/SKILL.md`, text },
    ...(forCodex ? [{ path: `.agents/skills/${name}/SKILL.md`, text: portableSkill(parseSkill(text)) }] : []),
  ]);
}
