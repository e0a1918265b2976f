// Tool calls as the model would write them, from one directive.
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { type Directive, parseScript } from './script.ts';

export interface ToolCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const objectSchema = z.record(z.string(), z.unknown());

export const unescapeText = (text: string): string => text.replace(/\\n/g, '\n').replace(/\\t/g, '\t');

const firstWord = (text: string): [string, string] => {
  const gap = text.indexOf(' ');
  return gap === -1 ? [text, ''] : [text.slice(0, gap), text.slice(gap + 1)];
};

/** The calls of one directive; several for PAR. */
export function toolCalls(directive: Directive, cwd: string | undefined): ToolCall[] {
  const { word, rest } = directive;
  const absolute = (path: string) => (isAbsolute(path) || cwd === undefined ? path : join(cwd, path));
  const [first, others] = firstWord(rest);
  switch (word) {
    case 'BASH':
      return [{ name: 'Bash', input: { command: unescapeText(rest), description: 'Run scripted command' } }];
    case 'WRITE':
      return [{ name: 'Write', input: { file_path: absolute(first), content: `${unescapeText(others)}\n` } }];
    case 'READ':
      return [{ name: 'Read', input: { file_path: absolute(rest) } }];
    case 'EDIT': {
      const [before = '', after = ''] = others.split('=>').map((part) => unescapeText(part.trim()));
      return [{ name: 'Edit', input: { file_path: absolute(first), old_string: before, new_string: after } }];
    }
    case 'ASK':
      return [question(rest)];
    case 'TODO':
      return [{ name: 'TaskCreate', input: { subject: rest, description: rest, activeForm: `Doing ${rest}` } }];
    case 'PLAN':
      return [{ name: 'ExitPlanMode', input: { plan: unescapeText(rest || '# Plan\\n1. do it') } }];
    case 'AGENT': {
      const input = { description: 'scripted subagent', prompt: unescapeText(rest), subagent_type: 'general-purpose' };
      return [{ name: 'Agent', input }];
    }
    case 'TOOL':
      return [{ name: first, input: others === '' ? {} : objectSchema.parse(JSON.parse(others)) }];
    case 'PAR':
      return rest.split('&&').flatMap((part) => parseScript(part.trim()).flatMap((d) => toolCalls(d, cwd)));
    default:
      return [];
  }
}

function question(rest: string): ToolCall {
  const [text = '', ...labels] = (rest || 'Which one?|Alpha|Beta').split('|').map((part) => part.trim());
  const options = labels.map((label) => ({ label, description: `Pick ${label}` }));
  return {
    name: 'AskUserQuestion',
    input: { questions: [{ question: text, header: 'Choice', multiSelect: false, options }] },
  };
}
