// The first prompt, given on the command line: exact, and never taken for pasted content.
import { join } from 'node:path';
import { CrewError } from '../../model/errors.ts';
import { commandIn, normaliseMessage } from './message-text.ts';

export interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

/** Linux takes no single argument of 128 KiB or more. */
const longestPromptBytes = 120_000;

/** `.` guards the text's end against command substitution, which eats line feeds there. */
const execWithPrompt = 'p=$(cat "$1" && printf .) || exit; shift; exec "$@" -- "${p%.}"';

interface PromptSpec {
  readonly text: string | undefined;
  readonly launchDir: string;
  readonly flags: readonly string[];
  /** A longer prompt is read from a file by the shell that then becomes the agent. */
  readonly longestWordBytes: number;
}

export function promptPart(spec: PromptSpec): {
  readonly argv: readonly string[];
  readonly files: readonly WrittenFile[];
} {
  const text = normaliseMessage(spec.text ?? '');
  if (text === '') return { argv: spec.flags, files: [] };
  const command = commandIn(text);
  if (command !== undefined) {
    throw new CrewError(
      'invalid_argument',
      `Claude Code would take this prompt for its own command "${command}".`,
      'Put a word before it, or start the worker without a prompt and use message_workers with as_command: true.',
    );
  }
  const bytes = Buffer.byteLength(text);
  if (bytes <= spec.longestWordBytes) return { argv: [...spec.flags, '--', text], files: [] };
  if (bytes > longestPromptBytes) {
    throw new CrewError(
      'invalid_argument',
      `The prompt has ${bytes} bytes; a first prompt can have ${longestPromptBytes}.`,
      'Write the long part to a file in the project and name the file in the prompt.',
    );
  }
  const path = join(spec.launchDir, 'prompt.txt');
  return { argv: ['sh', '-c', execWithPrompt, 'crewmux', path, ...spec.flags], files: [{ path, content: text }] };
}
