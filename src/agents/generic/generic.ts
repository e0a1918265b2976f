// An agent that is known by its configuration alone.
import type { Agent, ScreenRules } from '../agent.ts';
import { type Configuration, patternsOf, strokesOf } from './configuration.ts';
import { planDelivery } from './delivery.ts';
import { launch } from './launch.ts';
import { readScreen } from './screen.ts';
import { shownTaken } from './taken.ts';

/** Without a configuration it can be looked at and ended; nothing is typed into it, and no screen of it means anything. */
export function genericAgent(type: string, config: Configuration | undefined): Agent {
  const patterns = config && patternsOf(config);
  return {
    type,
    screenOnly: rulesOf(config),
    readByScreen: false,
    localFiles: [],
    rules: { lacks: (rules) => rules },
    launch: (spec) => launch(spec, config),
    traces: () => ({}),
    decodeLine: () => ({ signals: [] }),
    decodeHook: () => [],
    decodeState: () => undefined,
    readProcess: () => undefined,
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
    interrupt: strokesOf(config?.interrupt ?? ['C-c']),
    clearDraft: strokesOf(config?.clear ?? []),
    exit: strokesOf(config?.exit ?? ['C-d']),
  };
}

function rulesOf(config: Configuration | undefined): ScreenRules {
  const patterns = config && patternsOf(config);
  return {
    quietMs: config?.quiet_ms ?? 1_500,
    takes: {
      model: config?.model_args !== undefined,
      skipPermissions: config?.skip_permissions_args !== undefined,
      resume: config?.resume_args !== undefined,
    },
    passesEnv: config?.pass_env ?? [],
    taken: (screens, text) => (patterns === undefined ? undefined : shownTaken(screens, text, patterns)),
  };
}
