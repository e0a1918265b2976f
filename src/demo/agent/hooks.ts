// Runs the hooks of an event, each a child process with the payload on its stdin.
import type { Clock } from '../../model/clock.ts';
import { type Fields, fieldsIn, fieldsOf, wordOf } from '../../model/json.ts';
import type { HookRun } from './lines.ts';
import type { HookSpec, Settings } from './settings.ts';

export interface HookAnswer {
  readonly runs: readonly HookRun[];
  /** Why a hook wants something not to happen. */
  readonly objections: readonly string[];
  /** A permission hook's decision, as it was written. */
  readonly decision: Fields | undefined;
  /** What a hook before a tool wants: the strictest word of all of them. */
  readonly before: Before | undefined;
}

export interface HookRunner {
  /** Resolves when all hooks of the event have ended. `about` is what matchers look at. */
  run(
    event: string,
    payload: Fields,
    options?: { readonly about?: string; readonly signal?: AbortSignal },
  ): Promise<HookAnswer>;
  has(event: string): boolean;
}

export interface HookRunnerSpec {
  readonly settings: Settings;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Fields that every payload has. */
  common(): Fields;
}

const words = ['deny', 'ask', 'allow'] as const;

export interface Before {
  readonly word: (typeof words)[number];
  readonly reason: string;
}

const nothing: HookAnswer = { runs: [], objections: [], decision: undefined, before: undefined };

export function hookRunner(spec: HookRunnerSpec): HookRunner {
  const hooksFor = (event: string, about: string | undefined) =>
    (spec.settings.hooks.get(event) ?? []).filter(({ matcher }) => fits(matcher, about));
  return {
    has: (event) => hooksFor(event, undefined).length > 0,
    async run(event, payload, { about, signal } = {}) {
      const hooks = hooksFor(event, about);
      if (hooks.length === 0) return nothing;
      const input = JSON.stringify({ ...spec.common(), hook_event_name: event, ...payload });
      const ran = await Promise.all(hooks.map((hook) => runOne(spec, { hook, input, signal })));
      return {
        runs: ran.map(({ run }) => run),
        objections: ran.flatMap(({ objection }) => objection ?? []),
        decision: ran.map(({ decision }) => decision).find((decision) => decision !== undefined),
        before: words.flatMap((word) => ran.flatMap(({ before }) => (before?.word === word ? [before] : [])))[0],
      };
    },
  };
}

function fits(matcher: string | undefined, about: string | undefined): boolean {
  if (matcher === undefined || matcher === '' || matcher === '*' || about === undefined) return true;
  return new RegExp(`^(?:${matcher})$`).test(about);
}

interface Run {
  readonly hook: HookSpec;
  readonly input: string;
  readonly signal: AbortSignal | undefined;
}

async function runOne(spec: HookRunnerSpec, { hook, input, signal }: Run) {
  const { run } = await import('../../system/exec.ts');
  const startedAt = spec.clock.now();
  const command = [hook.command, ...(hook.args ?? [])].join(' ');
  const [file, args] = hook.args === undefined ? ['/bin/sh', ['-c', hook.command]] : [hook.command, hook.args];
  const running = run(file, args, {
    cwd: spec.cwd,
    env: spec.env,
    input,
    timeoutMs: hook.timeoutMs,
    // A hook that waits for a person must not outlive its agent.
    ...(signal === undefined ? {} : { signal, wholeTree: 'when-stopped' as const }),
  });
  if (hook.isAsync) {
    return { run: { command, durationMs: 0 }, objection: undefined, decision: undefined, before: undefined };
  }
  const { exitCode, stdout, stderr } = await running;
  const told = fieldsIn(stdout);
  const blocks = exitCode === 2 || told.decision === 'block';
  const reason = exitCode === 2 ? stderr : (wordOf(told.reason) ?? '');
  return {
    run: { command, durationMs: spec.clock.now() - startedAt },
    objection: blocks ? `[${command}]: ${reason}` : undefined,
    decision: exitCode === 0 ? decisionIn(told) : undefined,
    before: exitCode === 0 ? beforeIn(told) : undefined,
  };
}

function beforeIn(told: Fields): Before | undefined {
  const { permissionDecision, permissionDecisionReason } = fieldsOf(told.hookSpecificOutput);
  const word = words.find((one) => one === permissionDecision);
  return word && { word, reason: wordOf(permissionDecisionReason) ?? '' };
}

function decisionIn(told: Fields): Fields | undefined {
  const decision = fieldsOf(fieldsOf(told.hookSpecificOutput).decision);
  return decision.behavior === undefined ? undefined : decision;
}
