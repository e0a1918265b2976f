// Rules for what workers may do, as Claude Code writes them: `Tool` or `Tool(pattern)`.
import { CrewError } from './errors.ts';

export const ruleLists = ['allow', 'ask', 'deny'] as const;
export type RuleList = (typeof ruleLists)[number];

/** Deny counts before ask, and ask before allow. */
export type Rules = Readonly<Record<RuleList, readonly string[]>>;

export const noRules: Rules = { allow: [], ask: [], deny: [] };

export const presetNames = ['full', 'implement', 'fix', 'test', 'review', 'explore'] as const;
export type PresetName = (typeof presetNames)[number];

/** What is written for one scope. */
export interface ScopeRules {
  readonly preset?: PresetName | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly ask?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Rules of a weaker writing of the same scope, the configuration's, that no longer hold. */
  readonly removed?: readonly string[] | undefined;
}

/** Keys are scopes: `default`, `role:<name>`, `worker:<id>`. */
export type RuleBook = Readonly<Record<string, ScopeRules>>;

/** Makes one list of each, from all three. */
export const mapRules = (change: (list: RuleList) => readonly string[]): Rules => ({
  allow: [...new Set(change('allow'))],
  ask: [...new Set(change('ask'))],
  deny: [...new Set(change('deny'))],
});

export const rulesWithout = (rules: Rules, gone: Rules): Rules =>
  mapRules((list) => rules[list].filter((rule) => !gone[list].includes(rule)));

export const isEmpty = (rules: Rules): boolean => ruleLists.every((list) => rules[list].length === 0);

export interface Rule {
  readonly tool: string;
  /** Undefined for every use of the tool. */
  readonly pattern?: string;
}

interface Refusal {
  readonly reason: string;
  readonly example: string;
}

/** Reads a rule; throws `invalid_argument` that names the rule, what is wrong with it and a right one. */
export function parseRule(text: string): Rule {
  const read = readRule(text);
  if ('tool' in read) return read;
  throw new CrewError(
    'invalid_argument',
    `${JSON.stringify(text.slice(0, 200))} is no rule: ${read.reason}.`,
    `Write a rule as Tool or Tool(pattern), for example ${read.example}.`,
  );
}

const longestRule = 2_000;

/** What a rule says, or why it says nothing. */
export function readRule(text: string): Rule | Refusal {
  if (text.length > longestRule)
    return { reason: `it is longer than ${longestRule} characters`, example: 'Bash(npm test *)' };
  if (text === '*') return { tool: text };
  const found = /^([^()]*)(?:\(([\s\S]*)\))?$/.exec(text);
  const [, tool = '', pattern] = found ?? [];
  if (found === null || /^[^(]*\)/.test(pattern ?? ''))
    return { reason: 'its brackets are not one pair around the pattern, at its end', example: 'Bash(npm test *)' };
  const odd = oddTool(tool);
  if (odd !== undefined) return odd;
  if (pattern === undefined) return { tool };
  return oddPattern(tool, pattern) ?? { tool, pattern };
}

/** The first also keeps commands from writing files by redirection; the others take the tools away. */
export const noEditing: readonly string[] = ['Edit(./**)', 'Edit', 'Write', 'NotebookEdit'];

export const fileTools: readonly string[] = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
const lookTools = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'];
const knownTools = [...fileTools, ...lookTools, 'Bash', 'WebFetch', 'WebSearch'];

function oddTool(tool: string): Refusal | undefined {
  const meant = knownTools.find((name) => name !== tool && name.toLowerCase() === tool.toLowerCase());
  if (meant !== undefined) return { reason: `there is no tool "${tool}"; it is spelt ${meant}`, example: meant };
  if (/^mcp__/.test(tool)) {
    if (/^mcp__[\w.-]+(__[\w.*-]+)?$/.test(tool)) return undefined;
    return { reason: `"${tool}" names no MCP server or tool`, example: 'mcp__github or mcp__github__create_issue' };
  }
  if (/^[A-Za-z][\w-]*$/.test(tool)) return undefined;
  return { reason: tool === '' ? 'it names no tool' : `"${tool}" is no name of a tool`, example: 'Bash(npm test *)' };
}

const systemFolders =
  /^\/(Applications|Library|System|Users|Volumes|bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|var)(\/|$)/;

function oddPattern(tool: string, pattern: string): Refusal | undefined {
  if (pattern.trim() === '') return { reason: 'its pattern is empty', example: `${tool}, which means every use of it` };
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(pattern))
    return { reason: 'its pattern holds a control character', example: 'Bash(npm test *)' };
  const isPath = fileTools.includes(tool) || lookTools.includes(tool);
  if (isPath && systemFolders.test(pattern))
    return {
      reason: 'a path that begins with one / counts from the worktree',
      example: `${tool}(/${pattern}) for the folder of the system`,
    };
  return undefined;
}
