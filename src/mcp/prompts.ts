// The slash commands as MCP prompts, for clients without a place for commands of their own.
import { CrewError } from '../model/errors.ts';
import { filled, type Skill } from '../model/skill.ts';

/** The prompts of a server, and what their arguments can be. */
export interface PromptSource<S> {
  /** Read at the first need of them. */
  readonly skills: () => Promise<readonly Skill[]>;
  readonly workers: (subject: S) => Promise<readonly string[]>;
}

type Words = Readonly<Record<string, string>>;

export async function listPrompts({ skills }: Pick<PromptSource<never>, 'skills'>) {
  return (await skills()).map((skill) => ({
    name: skill.name,
    description: skill.description,
    arguments: skill.arguments.map((name) => ({ name, required: false })),
  }));
}

/** Its words follow each other as behind a slash command. Throws `invalid_argument` for what it does not know. */
export async function getPrompt({ skills }: Pick<PromptSource<never>, 'skills'>, name: string, given: Words = {}) {
  const skill = namedSkill(await skills(), name);
  const unknown = Object.keys(given).find((key) => !skill.arguments.includes(key));
  if (unknown !== undefined) throw noSuch(`argument of ${name}`, unknown, skill.arguments);
  const words = skill.arguments.flatMap((key) => given[key]?.trim() || []).join(' ');
  return {
    description: skill.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: filled(skill, words) } }],
  };
}

interface Completing<S> {
  readonly argument: string;
  readonly begun: string;
  /** Opens the subject. */
  readonly open: () => Promise<S>;
}

/** What the argument may be, as far as it is written: names of workers, and the verbs of `crew`. */
export async function completePrompt<S>({ workers }: Pick<PromptSource<S>, 'workers'>, asked: Completing<S>) {
  const known = asked.argument === 'worker' ? await workers(await asked.open()) : (verbs[asked.argument] ?? []);
  const begun = asked.begun.toLowerCase();
  return known.filter((one) => one.toLowerCase().startsWith(begun));
}

const verbs: Readonly<Record<string, readonly string[]>> = {
  action: ['status', 'attach', 'launch', 'list', 'cleanup'],
};

function namedSkill(skills: readonly Skill[], name: string): Skill {
  const skill = skills.find((one) => one.name === name);
  if (skill !== undefined) return skill;
  throw noSuch(
    'prompt',
    name,
    skills.map((one) => one.name),
  );
}

const noSuch = (what: string, name: string, known: readonly string[]): CrewError =>
  new CrewError('invalid_argument', `No ${what} is named ${JSON.stringify(name)}.`, `There are: ${known.join(', ')}.`);
