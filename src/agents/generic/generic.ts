// An agent that is known by its configuration alone.
import type { Agent, LaunchPlan, LaunchSpec, LaunchWord, MessagePlan } from '../agent.ts';
import { eraseOf, splitFirst } from '../first-piece.ts';
import { shortArgv } from '../long-argv.ts';
import { normaliseMessage, sizeRefusal } from '../plain-message.ts';
import type { DeliveryPlan } from '../typing-plan.ts';
import { type Configuration, keystrokesOf, patternsOf } from './configuration.ts';
import { readScreen } from './screen.ts';
import { shownTaken } from './taken.ts';

/** Without a configuration it can be looked at and ended; nothing is typed into it, and no screen of it means anything. */
export function genericAgent(type: string, config: Configuration | undefined): Agent {
  const patterns = config && patternsOf(config);
  return {
    type,
    onScreen: {
      tells: 'turns',
      quietMs: config?.quiet_ms ?? 1_500,
      taken: (screens, text) => (patterns === undefined ? undefined : shownTaken(screens, text, patterns)),
    },
    keepsTranscript: false,
    tellsCost: 'nothing',
    takes: wordsOf(config),
    passesEnv: config?.pass_env ?? [],
    localFiles: [],
    rules: { lacks: (rules) => rules },
    launch: (spec) => launch(spec, config),
    traces: () => ({}),
    decodeLine: () => ({ signals: [] }),
    gistOf: (input) => input,
    decodeHook: () => [],
    decodeState: () => undefined,
    readScreen: (screen) => (patterns === undefined ? { frame: screen } : readScreen(screen, patterns)),
    choiceFor: () => undefined,
    actOf: (tool, _, cwd) => ({ tool, cwd }),
    planDelivery: (message) =>
      config === undefined
        ? {
            refused: `No configuration describes the agent "${type}" any more.`,
            hint: `Put it back under agents.${type}, or type in the pane.`,
          }
        : planDelivery(message, config),
    interrupt: keystrokesOf(config?.interrupt ?? ['C-c']),
    clearDraft: keystrokesOf(config?.clear ?? []),
    exit: keystrokesOf(config?.exit ?? ['C-d']),
  };
}

const wordsOf = (config: Configuration | undefined): ReadonlySet<LaunchWord> =>
  new Set([
    ...(config?.model_args === undefined ? [] : ['model' as const]),
    ...(config?.skip_permissions_args === undefined ? [] : ['skipPermissions' as const]),
    ...(config?.resume_args === undefined ? [] : ['resume' as const]),
  ]);

/** The crew has refused whatever the configuration has no words for; a default without words is left out. */
function launch(spec: LaunchSpec, config: Configuration | undefined): LaunchPlan {
  const { model, resume, skipPermissions } = spec;
  const words = [
    ...spec.command,
    ...(resume === undefined ? [] : filled(config?.resume_args, 'id', resume.agentSessionId)),
    ...(skipPermissions ? (config?.skip_permissions_args ?? []) : []),
    ...(model === undefined ? [] : filled(config?.model_args, 'model', model)),
  ];
  const { argv, files } = shortArgv(words, spec.launchDir);
  return { argv, files, env: { ...spec.env, CREWMUX_WORKER: spec.workerId } };
}

const filled = (args: readonly string[] = [], name: string, value: string): readonly string[] =>
  args.map((arg) => arg.replaceAll(`{${name}}`, value));

const wait = 'Nothing was typed. Wait for it with wait_idle_workers, or send with delivery "interrupt".';

function planDelivery({ text, asCommand, midTurn }: MessagePlan, config: Configuration): DeliveryPlan {
  const expect = normaliseMessage(text);
  const refusal = sizeRefusal(expect);
  if (refusal !== undefined) return refusal;
  if (midTurn !== undefined) return { refused: 'It may be in the middle of a turn.', hint: wait };
  if (!config.multiline && /[\n\t]/.test(expect)) {
    return {
      refused: 'The message has line feeds or tabs, which this agent is not known to take as text.',
      hint: 'Send one line, name a file that holds the rest, or set multiline for the agent if it takes pasted text whole.',
    };
  }
  const prefix = config.command_prefixes.find((one) => expect.startsWith(one));
  if (prefix !== undefined && !asCommand) {
    return {
      refused: `A text that begins with "${prefix}" may be a command of the agent's own.`,
      hint: 'Pass as_command: true if that is meant, or begin with another word.',
    };
  }
  const [line = ''] = expect.split('\n');
  const { first } = splitFirst(line, longestFirst);
  const rest = expect.slice(first.length);
  const undo = eraseOf(first);
  return {
    first: { keystrokes: [{ paste: first }], shows: first, undo },
    rest: rest === '' ? [] : [{ paste: rest }],
    whole: { shows: expect, undo: rest === '' ? undo : undefined, isReadable: rest === '' },
    submit: [{ pauseMs: pasteMs }, ...keystrokesOf(config.submit)],
    expect,
  };
}

/** Short enough for the row of the prompt in a narrow pane. */
const longestFirst = 24;

/** Some programs take an Enter that comes together with a paste as part of the paste. */
const pasteMs = 100;
