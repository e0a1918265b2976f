// A rule as written, `Tool` or `Tool(pattern)`, and what it means.
import { CrewError } from './errors.ts';

export type Rule = { readonly text: string } & (
  | { readonly over: 'everything' }
  /** One tool, or a tool of an MCP server, where a star stands for any characters. */
  | { readonly over: 'tool'; readonly tool: string }
  | { readonly over: 'command'; readonly pattern: string }
  | { readonly over: 'path'; readonly tool: string; readonly from: 'root' | 'home' | 'disk'; readonly glob: string }
  | { readonly over: 'domain'; readonly host: string; readonly below: boolean }
);

interface Refusal {
  readonly reason: string;
  readonly example: string;
}

/** Reads a rule; throws `invalid_argument` that names the rule, what is wrong with it and a right one. */
export function parseRule(text: string): Rule {
  const read = readRule(text);
  if ('over' in read) return read;
  throw new CrewError(
    'invalid_argument',
    `${JSON.stringify(text.slice(0, 200))} is no rule: ${read.reason}.`,
    `Write a rule as Tool or Tool(pattern), for example ${read.example}.`,
  );
}

const known = new Map<string, Rule | Refusal>();
const mostKnown = 5_000;

/** What a rule says, or why it says nothing. */
export function readRule(text: string): Rule | Refusal {
  const found = known.get(text);
  if (found !== undefined) return found;
  if (known.size >= mostKnown) known.clear();
  const read = readAfresh(text);
  known.set(text, read);
  return read;
}

function readAfresh(text: string): Rule | Refusal {
  if (text.length > longestRule)
    return { reason: `it is longer than ${longestRule} characters`, example: 'Bash(npm test*)' };
  if (text === '*') return { text, over: 'everything' };
  const found = /^([^()]*)(?:\(([\s\S]*)\))?$/.exec(text);
  const [, tool = '', pattern] = found ?? [];
  if (found === null || /^[^(]*\)/.test(pattern ?? ''))
    return { reason: 'its brackets are not one pair around the pattern, at its end', example: 'Bash(npm test*)' };
  const odd = oddTool(tool);
  if (odd !== undefined) return odd;
  if (pattern === undefined) return { text, over: 'tool', tool };
  if (pattern.trim() === '') return { reason: 'its pattern is empty', example: `${tool}, which means every use of it` };
  if (/[\u0000-\u0008\u000b-\u001f\u007f]/.test(pattern))
    return { reason: 'its pattern holds a control character', example: 'Bash(npm test*)' };
  return withPattern({ text, tool, pattern });
}

const longestRule = 2_000;

/** Tools that change files; a rule for `Edit` is about all of them. */
export const editTools: readonly string[] = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
/** Tools that look at files; a rule for `Read` is about all of them. */
export const readTools: readonly string[] = ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'];
const others = ['Bash', 'WebFetch', 'WebSearch'];

function oddTool(tool: string): Refusal | undefined {
  const known = [...editTools, ...readTools, ...others];
  const meant = known.find((name) => name !== tool && name.toLowerCase() === tool.toLowerCase());
  if (meant !== undefined) return { reason: `there is no tool "${tool}"; it is spelt ${meant}`, example: meant };
  if (/^mcp__/.test(tool)) {
    if (/^mcp__[\w.-]+(__[\w.*-]+)?$/.test(tool)) return undefined;
    return { reason: `"${tool}" names no MCP server or tool`, example: 'mcp__github or mcp__github__create_issue' };
  }
  if (/^[A-Za-z][\w-]*$/.test(tool)) return undefined;
  return { reason: tool === '' ? 'it names no tool' : `"${tool}" is no name of a tool`, example: 'Bash(npm test*)' };
}

interface Written {
  readonly text: string;
  readonly tool: string;
  readonly pattern: string;
}

function withPattern({ text, tool, pattern }: Written): Rule | Refusal {
  if (tool === 'Bash') return pattern === '*' ? { text, over: 'tool', tool } : { text, over: 'command', pattern };
  if (editTools.includes(tool) || readTools.includes(tool)) return pathRule({ text, tool, pattern });
  if (tool === 'WebFetch') return domainRule(text, pattern);
  return {
    reason: `the arguments of ${tool} cannot be told by a pattern`,
    example: `${tool}, which means every use of it`,
  };
}

const systemFolders =
  /^\/(Applications|Library|System|Users|Volumes|bin|boot|dev|etc|home|lib|lib64|media|mnt|opt|private|proc|root|run|sbin|srv|sys|tmp|usr|var)(\/|$)/;

function pathRule({ text, tool, pattern }: Written): Rule | Refusal {
  if (pattern.startsWith('//')) return { text, over: 'path', tool, from: 'disk', glob: pattern.slice(2) };
  if (/^~(\/|$)/.test(pattern)) return { text, over: 'path', tool, from: 'home', glob: pattern.slice(2) };
  if (pattern.startsWith('~'))
    return { reason: 'the home of another user cannot be named with ~', example: `${tool}(//home/ada/**)` };
  if (systemFolders.test(pattern))
    return {
      reason: 'a path that begins with one / counts from the worktree, as it does for Claude',
      example: `${tool}(/${pattern}) for the folder of the system`,
    };
  if (pattern.split('/').includes('..'))
    return {
      reason: 'its pattern holds "..", and paths are compared with all ".." resolved',
      example: `${tool}(//srv/shared/**) for a folder outside the worktree`,
    };
  if (/[{}]/.test(pattern))
    return { reason: 'braces are no part of a pattern', example: `two rules, ${tool}(**/*.ts) and ${tool}(**/*.js)` };
  const within = pattern.replace(/^\.?\//, '').replace(/\/$/, '/**');
  // A name alone is meant wherever it lies, as in .gitignore.
  const anchored = /^\.?\/|\/./.test(pattern) || within === '**';
  return { text, over: 'path', tool, from: 'root', glob: anchored ? within : `**/${within}` };
}

function domainRule(text: string, pattern: string): Rule | Refusal {
  const example = 'WebFetch(domain:example.com) or WebFetch(domain:*.example.com)';
  const host = /^domain:(\*\.)?([A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)$/.exec(pattern);
  if (host === null) return { reason: `"${pattern}" does not name a domain`, example };
  return { text, over: 'domain', host: (host[2] ?? '').toLowerCase(), below: host[1] !== undefined };
}
