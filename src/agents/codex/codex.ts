// Codex, as far as the crew has to know it.
import { type Agent, launchWords } from '../agent.ts';
import { gistOf } from '../tool-line.ts';
import { actOf } from './act.ts';
import { planDelivery, planHandover } from './delivery.ts';
import { choiceFor } from './dialog.ts';
import { headless } from './headless.ts';
import { decodeHook } from './hook-line.ts';
import { launch } from './launch.ts';
import { permissionHook } from './permission-hook.ts';
import { isOfSandbox, readProcess } from './process.ts';
import { decodeLine } from './rollout.ts';
import { codexRules } from './rules.ts';
import { readScreen } from './screen.ts';
import { codexHome, traces } from './traces.ts';
import { trust } from './trust.ts';

export const codexAgent: Agent = {
  type: 'codex',
  tested: { testedFrom: '0.169.0', testedTo: '0.169.0' },
  onScreen: { tells: 'dialogs' },
  keepsTranscript: true,
  tellsCost: 'tokens',
  takes: new Set(launchWords.filter((word) => word !== 'tools')),
  foreignModel: /^(?:claude\b|(?:sonnet|opus|haiku|opusplan|fable)(?:$|\[|-))/i,
  passesEnv: [],
  trust,
  sandbox: {
    probes: ({ command }) => [{ argv: [...command, 'sandbox', '--', 'true'], fix: 'See `codex sandbox --help`.' }],
    standIns: [],
    hostOf: () => undefined,
    guardsGit: true,
  },
  localFiles: [],
  launch,
  traces,
  accountIn: codexHome,
  decodeLine,
  gistOf,
  decodeHook,
  headless,
  permissionHook,
  rules: codexRules,
  decodeState: () => undefined,
  readProcess,
  isOfSandbox,
  readScreen,
  choiceFor,
  planDelivery,
  planHandover,
  actOf,
  interrupt: [{ press: 'Escape' }],
  // Its transcript tells of a turn before its screen knows of one, and until then the key is one of the prompt box.
  takesInterrupt: ({ busy, draft }) => busy !== undefined || draft === undefined,
  // On an empty composer it would leave the program.
  clearDraft: [{ press: 'C-c' }],
  exit: [{ paste: '/quit' }, { press: 'Enter' }],
};
