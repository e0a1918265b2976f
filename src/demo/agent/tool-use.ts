// The tool calls that directives stand for.
import { resolve } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { type Fields, fieldsIn, wordOf } from '../../model/json.ts';
import { type Directive, unescaped } from './script.ts';

export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Fields;
}

/** The call a directive stands for. */
export function toolUseOf({ word, rest }: Directive, cwd: string): ToolUse {
  const id = `toolu_01${newNonce()}${newNonce()}`;
  switch (word) {
    case 'WRITE': {
      const [path = 'written.txt', ...words] = rest.split(' ');
      return {
        id,
        name: 'Write',
        input: { file_path: resolve(cwd, path), content: `${unescaped(words.join(' '))}\n` },
      };
    }
    case 'READ':
      return { id, name: 'Read', input: { file_path: resolve(cwd, rest) } };
    case 'ASK': {
      const [question = 'Which?', ...labels] = rest.split('|').map((part) => part.trim());
      const options = labels.map((label) => ({ label, description: `Pick ${label}` }));
      return {
        id,
        name: 'AskUserQuestion',
        input: { questions: [{ question, header: 'Choice', multiSelect: false, options }] },
      };
    }
    case 'PLAN':
      return { id, name: 'ExitPlanMode', input: { plan: unescaped(rest) } };
    case 'AGENT':
      return {
        id,
        name: 'Agent',
        input: { description: 'scripted subagent', prompt: unescaped(rest), subagent_type: 'general-purpose' },
      };
    case 'TOOL': {
      const [name = 'Bash'] = rest.split(' ');
      return { id, name, input: fieldsIn(rest.slice(name.length)) };
    }
    case 'BGSHELL':
      return { id, name: 'Bash', input: { command: rest, run_in_background: true } };
    default:
      return { id, name: 'Bash', input: { command: rest, description: 'Run scripted command' } };
  }
}

export const toolTitle = ({ name, input }: ToolUse): string => {
  const about = wordOf(input.command) ?? wordOf(input.file_path) ?? wordOf(input.description) ?? '';
  return `${name}(${about})`;
};
