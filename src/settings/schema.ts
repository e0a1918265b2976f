// Every setting with its type and its default.
import { z } from 'zod';
import { agentTypes } from '../model/worker.ts';
import { splitWords } from './words.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A program with its leading arguments: a list, or one line split as a shell splits words. */
const commandForm = 'expected a command: a non-empty list of words, or one line with its quotes closed';
const command = z
  .union([z.string(), z.array(z.string())], commandForm)
  .transform((value, context): readonly string[] => {
    const words = typeof value === 'string' ? splitWords(value) : value;
    if (words !== undefined && words[0] !== undefined && words[0] !== '') return words;
    context.addIssue(commandForm);
    return z.NEVER;
  });

const relativePaths = z.array(z.string().min(1));
const positive = z.number().positive();

/** The configuration file's shape; parsing `{}` yields every default. */
export const settingsSchema = z.strictObject({
  commands: z
    .strictObject({
      claude: command.default(['claude']),
      codex: command.default(['codex']),
    })
    .prefault({}),
  defaults: z
    .strictObject({
      agent_type: z.enum(agentTypes).default('claude'),
      skip_permissions: z.boolean().default(false),
      use_worktree: z.boolean().default(true),
      layout: z.enum(['auto', 'new']).default('auto'),
      permission_mode: z.string().min(1).exactOptional(),
      model: z.string().min(1).exactOptional(),
    })
    .prefault({}),
  tmux: z
    .strictObject({
      socket: z
        .string()
        .regex(/^[A-Za-z0-9_.-]+$/, 'expected a socket name of letters, digits, "_", "." and "-"')
        .default('crewmux'),
      session_prefix: z
        .string()
        .regex(/^[A-Za-z0-9_-]*$/, 'expected letters, digits, "_" and "-"')
        .default('crew-'),
    })
    .prefault({}),
  worktrees: z
    .strictObject({
      dir: z.string().min(1).default('.worktrees'),
      copy_files: relativePaths.default([]),
      symlink_dirs: relativePaths.default([]),
      setup_commands: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  events: z
    .strictObject({
      max_size_mb: positive.default(1),
      recent_hours: positive.default(24),
      stale_threshold_minutes: positive.default(20),
    })
    .prefault({}),
  issue_tracker: z.strictObject({ override: z.enum(['beads', 'pebbles']).exactOptional() }).prefault({}),
  limits: z
    .strictObject({
      max_workers: z.int().min(1).default(64),
      max_wait_seconds: positive.exactOptional(),
    })
    .prefault({}),
  log_level: z.enum(logLevels).default('warn'),
});

export type Settings = z.output<typeof settingsSchema>;

/** One setting by its dotted key. */
export interface Leaf {
  readonly key: string;
  readonly schema: z.ZodType;
}

const leavesOf = (schema: z.ZodObject, prefix: string): readonly Leaf[] =>
  Object.entries(schema.shape).flatMap(([name, field]) => {
    const section = sectionOf(field);
    if (section !== undefined) return leavesOf(section, `${prefix}${name}.`);
    return field instanceof z.ZodType ? [{ key: `${prefix}${name}`, schema: field }] : [];
  });

function sectionOf(field: unknown): z.ZodObject | undefined {
  const inner = field instanceof z.ZodPrefault ? field.unwrap() : field;
  return inner instanceof z.ZodObject ? inner : undefined;
}

/** Every key there is, in the order of the file. */
export const leaves: readonly Leaf[] = leavesOf(settingsSchema, '');

/** Which environment variables set which key; the first that is set wins. */
export const environmentKeys: readonly { readonly key: string; readonly names: readonly string[] }[] = [
  { key: 'commands.claude', names: ['CREWMUX_COMMAND', 'CLAUDE_TEAM_COMMAND'] },
  { key: 'commands.codex', names: ['CREWMUX_CODEX_COMMAND', 'CLAUDE_TEAM_CODEX_COMMAND'] },
  { key: 'tmux.socket', names: ['CREWMUX_TMUX_SOCKET'] },
  { key: 'log_level', names: ['CREWMUX_LOG_LEVEL'] },
];
