// The first prompt, given on the command line: exact, and never taken for pasted content.
import { CrewError } from '../../model/errors.ts';
import { commandIn, normaliseMessage } from './message-text.ts';

/** The words that hand the prompt over; none for an empty one. */
export function promptWords(prompt: string | undefined): readonly string[] {
  const text = normaliseMessage(prompt ?? '');
  if (text === '') return [];
  const command = commandIn(text);
  if (command === undefined) return ['--', text];
  throw new CrewError(
    'invalid_argument',
    `Claude Code would take this prompt for its own command "${command}".`,
    'Put a word before it, or start the worker without a prompt and use message_workers with as_command: true.',
  );
}
