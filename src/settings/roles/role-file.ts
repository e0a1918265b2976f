// A role as a Markdown file says it, in the format of Claude Code's own agents.
import { z } from 'zod';
import { isOption, optionWords } from '../../model/arg-word.ts';
import { defined } from '../../model/defined.ts';
import { nearest } from '../../model/nearest.ts';
import { fileTools, noEditing, type PresetName, presetNames, readRule } from '../../model/rule.ts';
import { agentName } from '../../model/worker.ts';
import { frontMatter } from './front-matter.ts';

export interface Role {
  readonly name: string;
  readonly description?: string;
  /** The standing prompt. */
  readonly text: string;
  readonly agent?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly preset?: PresetName;
  readonly sandbox?: boolean;
  /** The agent has these tools alone. */
  readonly tools?: readonly string[];
  readonly deny: readonly string[];
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly maxParallel?: number;
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
  /** Keys of its file that crewmux does not carry over. */
  readonly leftOut: readonly string[];
}

export const longestText = 20_000;

const modes = ['default', 'manual', 'acceptEdits', 'auto', 'plan', 'dontAsk', 'bypassPermissions'];
const own = ['agent', 'preset', 'sandbox', 'max_parallel', 'max_turns', 'max_cost_usd'];
/** Longer names are mostly a text that stands in the wrong place. */
const plainName = /^[\p{L}\p{N}][\p{L}\p{N} ._:-]{0,99}$/u;

/** Words of a list, in YAML or behind commas; a comma in brackets belongs to the word. */
const names = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(/,(?![^(]*\))/))], {
    error: 'expected names, in a list or behind commas',
  })
  .transform((found) => found.map((name) => name.trim()).filter((name) => name !== ''));

const oneOf = (what: string, known: readonly string[]) => (issue: { readonly input?: unknown }) => {
  const asked = String(issue.input);
  const close = nearest(asked, known);
  return `there is no ${what} ${JSON.stringify(asked)}; ${close === undefined ? `known: ${known.join(', ')}` : `nearest: "${close}"`}`;
};

const positive = z.number().positive();

const ownFields = z.strictObject(
  {
    agent: z.string().regex(agentName, 'expected the name of an agent').exactOptional(),
    preset: z.enum(presetNames, { error: oneOf('preset', presetNames) }).exactOptional(),
    sandbox: z.boolean().exactOptional(),
    max_parallel: z.int().min(1).exactOptional(),
    max_turns: z.int().min(1).exactOptional(),
    max_cost_usd: positive.exactOptional(),
  },
  {
    error(issue) {
      if (issue.code !== 'unrecognized_keys') return undefined;
      return oneOf('key', own)({ input: issue.keys?.[0] });
    },
  },
);

const servers = z.record(z.string(), z.unknown());
/** A name alone is a server that the agent knows by itself. */
const serverList = z
  .array(z.union([z.string(), servers]))
  .transform(
    (list): z.output<typeof servers> =>
      Object.fromEntries(list.flatMap((one) => (typeof one === 'string' ? [] : Object.entries(one)))),
  );

const rules = names.superRefine((list, context) => {
  for (const text of list) {
    const said = readRule(text);
    if (!('tool' in said)) context.addIssue(`${JSON.stringify(text)} is no rule: ${said.reason}`);
  }
});

const fieldsOfRole = z.looseObject({
  name: z.string({ error: 'expected the name of the role' }).regex(plainName, 'expected a name of letters and digits'),
  description: z.string().exactOptional(),
  model: z
    .string()
    .min(1)
    .max(200)
    .refine((value) => !isOption(value), optionWords)
    .exactOptional(),
  permissionMode: z
    .string()
    .refine((mode) => modes.includes(mode), { error: oneOf('permission mode', modes) })
    .exactOptional(),
  tools: names.exactOptional(),
  disallowedTools: rules.exactOptional(),
  mcpServers: z
    .union([servers, serverList], { error: 'expected servers by their names' })
    .refine((named) => !Object.hasOwn(named, 'crew'), '"crew" is the name of the worker\'s own tools')
    .exactOptional(),
  crewmux: ownFields.exactOptional(),
});

const carried = new Set(Object.keys(fieldsOfRole.shape));

/** What a file says; or why the whole of it is left aside, with its name where that is one. Pure. */
export function readRole(text: string): { readonly role: Role } | { readonly fault: string; readonly name?: string } {
  const found = frontMatter(text);
  if ('fault' in found) return found;
  const { fields, body } = found;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const read = fieldsOfRole.safeParse(given);
  const { name } = fields;
  const named = { ...(typeof name === 'string' && plainName.test(name) && { name }) };
  if (!read.success) return { fault: faultOf(read.error, given), ...named };
  if (body === '') return { fault: 'it has no text below its front matter', ...named };
  if ([...body].length > longestText) return { fault: `its text has more than ${longestText} characters`, ...named };
  const leftOut = Object.keys(given).filter((key) => !carried.has(key));
  return { role: { ...said(read.data), text: body, leftOut } };
}

function said(fields: z.output<typeof fieldsOfRole>): Omit<Role, 'text' | 'leftOut'> {
  const { name, description, model, permissionMode, mcpServers, disallowedTools = [], crewmux = {} } = fields;
  const { agent, preset, sandbox } = crewmux;
  const tools = fields.tools?.includes('*') ? undefined : fields.tools?.map(toolOf);
  return {
    name,
    deny: [...disallowedTools, ...(tools === undefined || canEdit(tools) ? [] : noEditing)],
    ...defined({ description, permissionMode, mcpServers, tools, agent, preset, sandbox }),
    ...defined({ model: model === 'inherit' ? undefined : model }),
    ...defined({
      maxParallel: crewmux.max_parallel,
      maxTurns: crewmux.max_turns,
      maxCostUsd: crewmux.max_cost_usd,
    }),
  };
}

/** A command may write files too. */
const canEdit = (tools: readonly string[]): boolean =>
  tools.some((tool) => tool === 'Bash' || fileTools.includes(tool));

/** The tool without a pattern behind it. */
const toolOf = (word: string): string => word.replace(/\([\s\S]*$/, '').trim();

function faultOf(error: z.ZodError, given: Readonly<Record<string, unknown>>): string {
  const { path = [], message = 'not of the expected type' } = error.issues[0] ?? {};
  const key = path.filter((part) => typeof part === 'string').join('.');
  if (key === 'name' && given.name === undefined) return 'it has no name';
  return `"${key}" cannot be so: ${message}`;
}
