// The parts of a launch: its flags, its settings, and the hooks in them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, fieldsIn, fieldsOf, listOf, wordOf } from '../../model/json.ts';
import { mapRules, type Rules } from '../../model/rule.ts';

export type Flags = Exclude<ReturnType<typeof readFlags>, { readonly complaint: string }>;

const plain = new Set(['--dangerously-skip-permissions', '--fork-session', '--version']);
const valued = new Set(
  `--session-id --resume --name --settings --permission-mode --model --append-system-prompt
  --append-system-prompt-file --mcp-config --setting-sources --add-dir --tools`.split(/\s+/),
);

/** The flags, or the error message with which the program ends. */
export function readFlags(argv: readonly string[]) {
  const values = new Map<string, string[]>();
  const given = new Set<string>();
  const prompts: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    const [, flag = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    if (word === '--') prompts.push(...argv.slice(i + 1));
    if (word === '--') break;
    if (plain.has(flag)) given.add(flag);
    else if (valued.has(flag)) values.set(flag, [...(values.get(flag) ?? []), attached ?? argv[++i] ?? '']);
    else if (word.startsWith('-')) return { complaint: `error: unknown option '${word}'` };
    else prompts.push(word);
  }
  const last = (flag: string) => values.get(flag)?.at(-1);
  const mode = given.has('--dangerously-skip-permissions') ? 'bypassPermissions' : last('--permission-mode');
  return {
    agentSessionId: last('--session-id'),
    resume: last('--resume'),
    forks: given.has('--fork-session'),
    name: last('--name'),
    /** Files or JSON texts. */
    settings: values.get('--settings') ?? [],
    // Hooks and transcripts call the manual mode `default`.
    permissionMode: mode === undefined || mode === 'manual' ? 'default' : mode,
    model: last('--model') ?? 'claude-scripted-1',
    prompt: prompts[0],
    mcpConfig: last('--mcp-config'),
    asksVersion: given.has('--version'),
  };
}

interface HookSpec {
  /** A line of sh. */
  readonly command: string;
  readonly timeoutMs: number;
}

export interface ScriptedSettings {
  readonly hooks: ReadonlyMap<string, readonly HookSpec[]>;
  /** `Bash(npm test:*)`, `Write` and their like, as the files have them now. */
  readonly rules: () => Rules;
}

/** The settings, or the error message with which the program ends. */
export function readSettings(spec: {
  readonly given: readonly string[];
  readonly configDir: string;
  readonly cwd: string;
}): ScriptedSettings | { readonly complaint: string } {
  const missing = spec.given.find((one) => !one.startsWith('{') && !existsSync(one));
  if (missing !== undefined) return { complaint: `Error: Settings file not found: ${missing}` };
  const files = [join(spec.configDir, 'settings.json'), join(spec.cwd, '.claude', 'settings.local.json')];
  const given = spec.given.map((one) => fieldsIn(one.startsWith('{') ? one : readFileSync(one, 'utf8')));
  const layers = () => [
    ...files.filter((path) => existsSync(path)).map((path) => fieldsIn(readFileSync(path, 'utf8'))),
    ...given,
  ];
  const hooks = new Map<string, readonly HookSpec[]>();
  for (const layer of layers()) {
    for (const [event, groups] of Object.entries(fieldsOf(layer.hooks))) {
      hooks.set(event, [...(hooks.get(event) ?? []), ...listOf(groups).flatMap((group) => specsIn(fieldsOf(group)))]);
    }
  }
  const rules = () => {
    const now = layers();
    return mapRules((list) =>
      now.flatMap((layer) => listOf(fieldsOf(layer.permissions)[list])).flatMap((rule) => wordOf(rule) ?? []),
    );
  };
  return { hooks, rules };
}

const defaultTimeoutSeconds = 60;

const specsIn = (group: Fields): readonly HookSpec[] =>
  listOf(group.hooks)
    .map(fieldsOf)
    .map(({ command, timeout }) => ({
      command: wordOf(command) ?? '',
      timeoutMs: (typeof timeout === 'number' ? timeout : defaultTimeoutSeconds) * 1_000,
    }));

export interface HookAnswer {
  /** The commands that ran. */
  readonly commands: readonly string[];
  /** The decision of a PermissionRequest hook, as the hook printed it. */
  readonly decision: Fields | undefined;
  /** The decision of a PreToolUse hook. */
  readonly before: Before | undefined;
}

export interface Before {
  readonly word: 'deny' | 'ask';
  readonly reason: string;
}

export type HookRunner = ReturnType<typeof hookRunner>;

export interface HookRunnerSpec {
  readonly settings: ScriptedSettings;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Fields that every payload has. */
  common(): Fields;
}

export const hookRunner = (spec: HookRunnerSpec) => ({
  /** Resolves when all hooks of the event have ended. */
  async run(event: string, payload: Fields, signal?: AbortSignal): Promise<HookAnswer> {
    const input = JSON.stringify({ ...spec.common(), hook_event_name: event, ...payload });
    const ran = await Promise.all(
      (spec.settings.hooks.get(event) ?? []).map((hook) => runOne(spec, hook, input, signal)),
    );
    return {
      commands: ran.map(({ command }) => command),
      decision: ran.map(({ decision }) => decision).find((decision) => decision !== undefined),
      before: ran.map(({ before }) => before).find((before) => before !== undefined),
    };
  },
});

async function runOne(spec: HookRunnerSpec, hook: HookSpec, input: string, signal: AbortSignal | undefined) {
  const { run } = await import('../../system/exec.ts');
  const { exitCode, stdout } = await run('/bin/sh', ['-c', hook.command], {
    cwd: spec.cwd,
    env: spec.env,
    input,
    timeoutMs: hook.timeoutMs,
    // A hook that waits for a person must not outlive its agent.
    ...(signal === undefined ? {} : { signal, wholeTree: 'when-stopped' as const }),
  });
  const output = exitCode === 0 ? fieldsOf(fieldsIn(stdout).hookSpecificOutput) : {};
  const decision = fieldsOf(output.decision);
  return {
    command: hook.command,
    decision: decision.behavior === undefined ? undefined : decision,
    before: beforeIn(output),
  };
}

function beforeIn({ permissionDecision: word, permissionDecisionReason: reason }: Fields): Before | undefined {
  return word === 'deny' || word === 'ask' ? { word, reason: wordOf(reason) ?? '' } : undefined;
}
