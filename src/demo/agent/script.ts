// The directives in a prompt, which are played in place of a model's answer.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newNonce } from '../../model/ids.ts';
import { type Fields, fieldsIn } from '../../model/json.ts';
import { pause } from '../../system/clock.ts';

const toolWords = ['BASH', 'WRITE', 'ASK', 'PLAN', 'AGENT', 'TOOL'];
const plainWords = ['SAY', 'SLEEP', 'SLOW', 'HOLD', 'FAIL', 'LIMIT', 'CRASH'];

export interface Directive {
  readonly word: string;
  readonly rest: string;
  /** Ends a message with a tool call. */
  readonly isTool: boolean;
}

const linePattern = new RegExp(`^\\s*(${[...toolWords, ...plainWords].join('|')})\\b[ :]?(.*)$`);

/** One directive a line; other lines are prose. */
export const parseScript = (text: string): readonly Directive[] =>
  text.split('\n').flatMap((line) => {
    const [, word, rest = ''] = linePattern.exec(line) ?? [];
    return word === undefined ? [] : [{ word, rest: rest.trim(), isTool: toolWords.includes(word) }];
  });

/** `\n` in a directive stands for a line feed. */
export const unescaped = (text: string): string => text.replaceAll('\\n', '\n');

/** The answer to a prompt without directives. */
export const echoOf = (text: string): string => `Echo: ${text.slice(0, 60).replace(/\s+/g, ' ')}`;

export interface ScriptedToolUse {
  readonly id: string;
  readonly name: string;
  readonly input: Fields;
}

/** The tool call of a directive. */
export function toolUseOf({ word, rest }: Directive, cwd: string): ScriptedToolUse {
  const use = (name: string, input: Fields) => ({ id: `toolu_01${newNonce()}${newNonce()}`, name, input });
  switch (word) {
    case 'WRITE': {
      const [path = 'written.txt', ...words] = rest.split(' ');
      return use('Write', { file_path: resolve(cwd, path), content: `${unescaped(words.join(' '))}\n` });
    }
    case 'ASK': {
      const [question = 'Which?', ...labels] = rest.split('|').map((part) => part.trim());
      const options = labels.map((label) => ({ label, description: `Pick ${label}` }));
      return use('AskUserQuestion', { questions: [{ question, header: 'Choice', multiSelect: false, options }] });
    }
    case 'PLAN':
      return use('ExitPlanMode', { plan: unescaped(rest) });
    case 'AGENT':
      return use('Agent', { description: 'scripted subagent', prompt: unescaped(rest) });
    case 'TOOL': {
      const [name = 'Bash'] = rest.split(' ');
      return use(name, fieldsIn(rest.slice(name.length)));
    }
    default:
      return use('Bash', { command: rest, description: 'Run scripted command' });
  }
}

/** A person, or the end of the program, interrupted the turn. */
export class Interrupted extends Error {}

/** Throws `Interrupted` when `signal` aborts meanwhile. */
export async function rest(delayMs: number, signal: AbortSignal): Promise<void> {
  await pause(delayMs, signal);
  if (signal.aborted) throw new Interrupted();
}

export const secondsIn = (words: string): number =>
  Number.isFinite(Number(words)) && words !== '' ? Number(words) : 1;

const lookEveryMs = 20;

/** `HOLD name` waits for a file of that name in the folder. */
export async function untilHeldFile(configDir: string, name: string, signal: AbortSignal): Promise<void> {
  while (!existsSync(join(configDir, 'scripted', name))) await rest(lookEveryMs, signal);
}
