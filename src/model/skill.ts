// A slash command as its SKILL.md has it: for Claude Code as it stands, for others as a prompt or a skill of theirs.

export interface Skill {
  readonly name: string;
  readonly description: string;
  /** What may follow its name; none must. */
  readonly arguments: readonly string[];
  /** The text for the model, in which `$ARGUMENTS` stands for the user's words. */
  readonly body: string;
}

/** Its front matter has a line for each key. */
export function parseSkill(text: string): Skill {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const of = (key: string): string => new RegExp(`^${key}: (.*)$`, 'm').exec(head)?.[1] ?? '';
  const words = of('arguments').match(/\w+/g) ?? [];
  return { name: of('name'), description: of('description'), arguments: words, body };
}

/** The text for the model, with the user's words in their place, byte for byte. */
export const filled = ({ body }: Skill, words: string): string => body.replaceAll('$ARGUMENTS', () => words);

/** For an agent that puts nothing in the place of `$ARGUMENTS`, and names the tools in a way of its own. */
export const portableSkill = (skill: Skill): string =>
  `---\nname: ${skill.name}\ndescription: ${skill.description}\n---\n${filled(skill, 'What the user wrote after the name of this skill.')}`;
