// Every setting with its type and its default.
import { z } from 'zod';
import { isOption, optionWords } from '../model/arg-word.ts';
import { isKey, keyActs } from '../model/crew-keys.ts';
import { isName } from '../model/name.ts';
import { toolSets } from '../model/tool-set.ts';
import { mergeStrategies } from '../model/train.ts';
import { type AgentType, agentName, isBuiltIn, ownServerName } from '../model/worker.ts';
import { agentSchema, command, variableNames } from './agents.ts';
import { roleRules, scopeRules } from './permissions.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

export const noticeKinds = [
  ...(['attention', 'dead', 'idle', 'report'] as const),
  ...(['checkpoint', 'task_failed', 'plan_ended', 'stuck'] as const),
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

const relativePaths = z.array(z.string().min(1));
const wholePaths = z.array(z.string().regex(/^(?:\/|~\/)/, 'expected a path that begins with "/" or "~/"'));
const argWord = z
  .string()
  .min(1)
  .refine((value) => !isOption(value), optionWords);
const positive = z.number().positive();
const servers = z
  .record(z.string().min(1), z.record(z.string(), z.unknown()))
  .refine(
    (named) => !Object.hasOwn(named, ownServerName),
    `"${ownServerName}" is the name of the worker's own tools; give yours another`,
  );
const slot = z.strictObject({
  id: z.string().refine(isName, 'expected a name that a worker can have'),
  role: argWord.exactOptional(),
  description: z.string().min(1).max(500).exactOptional(),
  project_path: z.string().min(1).exactOptional(),
  agent_type: z.string().regex(agentName, 'expected the name of an agent').exactOptional(),
  model: argWord.exactOptional(),
});
const dollars = z.number().min(0);
const price = z.strictObject({ input: dollars, cache_write: dollars, cache_read: dollars, output: dollars });

/** The configuration file's shape; parsing `{}` yields every default. */
export const settingsSchema = z.strictObject({
  commands: z
    .strictObject({
      claude: command.default(['claude']),
      codex: command.default(['codex']),
    })
    .prefault({}),
  agents: z.record(z.string(), agentSchema).default({}),
  defaults: z
    .strictObject({
      agent_type: z.string().regex(agentName, 'expected the name of an agent').default('claude'),
      skip_permissions: z.boolean().default(false),
      use_worktree: z.boolean().default(true),
      worker_tools: z.boolean().default(true),
      standing_instructions: z.boolean().default(true),
      layout: z.enum(['auto', 'new']).default('auto'),
      permission_mode: argWord.exactOptional(),
      model: argWord.exactOptional(),
      pass_env: variableNames.default([]),
      mcp_servers: servers.default({}),
      sandbox: z.enum(['auto', 'on', 'off']).default('auto'),
      project_hooks: z.enum(['trusted', 'off', 'agent']).default('trusted'),
    })
    .prefault({}),
  sandbox: z
    .strictObject({
      allow_write: wholePaths.default([]),
      allowed_domains: z.array(z.string().min(1)).default([]),
      excluded_commands: z.array(z.string().min(1)).default([]),
      allow_unix_sockets: wholePaths.default([]),
      allow_local_binding: z.boolean().default(false),
    })
    .prefault({}),
  attention: z
    .strictObject({ elicit: z.boolean().default(false), wake: z.enum(['on', 'off']).default('on') })
    .prefault({}),
  restart: z.strictObject({ auto: z.enum(['never', 'crash']).default('never') }).prefault({}),
  tools: z
    .strictObject({
      sets: z
        .array(z.enum(toolSets))
        .min(1)
        .default([...toolSets]),
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
      board: z.boolean().default(true),
      keys: z
        .union([z.literal(false), z.record(z.string().refine(isKey), z.union([z.literal(false), z.enum(keyActs)]))], {
          error: `expected false, or keys as tmux writes them ("a", "C-n", "M-w", "F2"), each with false or one of ${keyActs.join(', ')}`,
        })
        .default({}),
    })
    .prefault({}),
  worktrees: z
    .strictObject({
      dir: z.string().min(1).default('.worktrees'),
      copy_files: relativePaths.default([]),
      symlink_dirs: relativePaths.default([]),
      setup_commands: z.array(z.string().min(1)).default([]),
      submodules: z.boolean().default(false),
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
      max_parallel: z.int().min(1).default(8),
      max_cost_usd: positive.exactOptional(),
      task_timeout_minutes: positive.exactOptional(),
      waiting_minutes: positive.exactOptional(),
      max_wait_seconds: positive.exactOptional(),
      resume_after_reset: z.boolean().default(false),
      worker_calls_per_minute: z.int().min(1).default(30),
      note_chars: z.int().min(1).max(12_000).default(4_000),
      waiting_notes: z.int().min(1).default(20),
      open_questions: z.int().min(1).default(3),
      open_subtasks: z.int().min(0).default(20),
      subtask_depth: z.int().min(0).default(2),
      start_subtasks: z.boolean().default(false),
    })
    .prefault({}),
  merge: z
    .strictObject({
      strategy: z.enum(mergeStrategies).default('squash'),
      test_command: z.string().exactOptional(),
      test_timeout_minutes: positive.default(10),
      sandbox: z.enum(['auto', 'off']).default('auto'),
      network: z.boolean().default(true),
    })
    .prefault({}),
  permissions: z.strictObject({ default: scopeRules.default({}), roles: roleRules.default({}) }).prefault({}),
  notifications: z
    .strictObject({
      command: command.exactOptional(),
      on: z.array(z.enum(noticeKinds)).default(['attention', 'dead', 'checkpoint', 'task_failed']),
    })
    .prefault({}),
  slots: z
    .array(slot)
    .refine(
      (all) => new Set(all.map(({ id }) => id.toLowerCase())).size === all.length,
      'expected another id for each slot',
    )
    .default([]),
  prices: z.record(z.string().min(1), price).default({}),
  log_level: z.enum(logLevels).default('warn'),
});

export type Settings = z.output<typeof settingsSchema>;

/** How an agent is started; undefined for one that is neither built in nor configured. */
export const commandOf = (settings: Settings, type: AgentType): readonly string[] | undefined =>
  isBuiltIn(type)
    ? settings.commands[type]
    : Object.hasOwn(settings.agents, type)
      ? settings.agents[type]?.command
      : undefined;

/** One setting by its dotted key. */
export interface SettingLeaf {
  readonly key: string;
  readonly schema: z.ZodType;
}

const leavesOf = (schema: z.ZodObject, prefix: string): readonly SettingLeaf[] =>
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
export const leaves: readonly SettingLeaf[] = leavesOf(settingsSchema, '');

const agentKey = /^agents\.([^.]+)$/;

/** The setting a key means; each agent under `agents` is one of its own. */
export function leafOf(key: string): SettingLeaf | undefined {
  const known = leaves.find((leaf) => leaf.key === key);
  if (known !== undefined) return known;
  const name = agentKey.exec(key)?.[1];
  return name !== undefined && agentName.test(name) && !isBuiltIn(name) ? { key, schema: agentSchema } : undefined;
}

/** Which environment variables set which key; the first that is set wins. */
export const environmentKeys: readonly { readonly key: string; readonly names: readonly string[] }[] = [
  { key: 'commands.claude', names: ['CREWMUX_COMMAND', 'CLAUDE_TEAM_COMMAND'] },
  { key: 'commands.codex', names: ['CREWMUX_CODEX_COMMAND', 'CLAUDE_TEAM_CODEX_COMMAND'] },
  { key: 'tmux.socket', names: ['CREWMUX_TMUX_SOCKET'] },
  { key: 'log_level', names: ['CREWMUX_LOG_LEVEL'] },
];
