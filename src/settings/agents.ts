// Agents that a configuration describes: how each is started, and what its screen means.
import { z } from 'zod';
import { isKeyName } from '../model/keystroke.ts';
import { waitingKinds } from '../model/turn.ts';
import { splitWords } from './words.ts';

/** A program with its leading arguments: a list, or one line split as a shell splits words. */
const commandForm = 'expected a command: a non-empty list of words, or one line with its quotes closed';
export const command = z
  .union([z.string(), z.array(z.string())], commandForm)
  .transform((value, context): readonly string[] => {
    const words = typeof value === 'string' ? splitWords(value) : value;
    if (words !== undefined && words[0] !== undefined && words[0] !== '') return words;
    context.addIssue(commandForm);
    return z.NEVER;
  });

/** Each exact; there is no pattern for several. */
export const variableNames = z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable'));

const isPattern = (text: string): boolean => {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
};

const pattern = z
  .string()
  .min(1)
  .max(1_000)
  .refine(isPattern, { error: ({ input }) => `${JSON.stringify(input)} is no regular expression` });

/** A key by its tmux name, or text to type. */
const keystrokeForm = 'expected a key by its tmux name (Enter, Escape, C-c) or {"text": "..."}';
const keystroke = z.union(
  [z.string().refine(isKeyName, keystrokeForm), z.strictObject({ text: z.string().min(1).max(1_000) }, keystrokeForm)],
  keystrokeForm,
);
const keystrokes = z.array(keystroke).min(1).max(20);
const words = z.array(z.string().min(1).max(4_000)).max(50);

/** One configured agent. It leaves no state file or transcript: crewmux knows only its screen. */
export const agentSchema = z.strictObject({
  command,
  prompt: pattern,
  ready: pattern.exactOptional(),
  busy: pattern.exactOptional(),
  dialog: z.union([pattern, z.partialRecord(z.enum(waitingKinds), pattern)]).exactOptional(),
  placeholder: pattern.exactOptional(),
  ignore: pattern.exactOptional(),
  busy_rows: z.int().min(1).max(100).default(12),
  rows_below: z.int().min(0).max(50).default(0),
  quiet_ms: z.int().min(200).max(600_000).default(1_500),
  submit: keystrokes.default(['Enter']),
  interrupt: keystrokes.default(['C-c']),
  clear: keystrokes.exactOptional(),
  exit: keystrokes.default(['C-d']),
  multiline: z.boolean().default(false),
  command_prefixes: z.array(z.string().min(1).max(10)).max(10).default(['/', '!']),
  model_args: words.exactOptional(),
  skip_permissions_args: words.exactOptional(),
  resume_args: words.exactOptional(),
  pass_env: variableNames.default([]),
});

export type AgentSettings = z.output<typeof agentSchema>;
