// Claude Code, as far as the crew has to know it.
import { type Agent, launchWords } from '../agent.ts';
import { gistOf } from '../tool-line.ts';
import { actOf } from './act.ts';
import { planDelivery } from './delivery.ts';
import { choiceFor } from './dialog.ts';
import { headless } from './headless.ts';
import { decodeHook } from './hook-line.ts';
import { launch } from './launch.ts';
import { permissionHook } from './permission-hook.ts';
import { readProcess } from './process.ts';
import { claudeRules, strictRulesIn } from './rule-file.ts';
import { hostOf, sandboxProbes, standIns } from './sandbox.ts';
import { readScreen } from './screen.ts';
import { decodeState } from './state-file.ts';
import { statusLine } from './status-line.ts';
import { configDir, traces } from './traces.ts';
import { decodeLine, subagents } from './transcript.ts';
import { trust } from './trust.ts';
import { usersMode } from './users-mode.ts';

export const claudeAgent: Agent = {
  type: 'claude',
  tested: { testedFrom: '2.1.329', testedTo: '2.1.329' },
  onScreen: { tells: 'start' },
  keepsTranscript: true,
  tellsCost: 'itself',
  statusLine,
  takes: new Set(launchWords),
  foreignModel: /^(?:gpt-|o\d|codex)/i,
  passesEnv: [],
  trust,
  usersMode,
  sandbox: {
    probes: ({ platform }) => sandboxProbes(platform),
    standIns,
    hostOf,
    guardsGit: false,
    strictRulesIn,
  },
  localFiles: ['.claude/settings.local.json'],
  launch,
  traces,
  accountIn: (env) =>
    env.ANTHROPIC_AUTH_TOKEN || env.ANTHROPIC_API_KEY || env.CLAUDE_CODE_OAUTH_TOKEN || configDir(env),
  decodeLine,
  subagents,
  gistOf,
  decodeHook,
  headless,
  permissionHook,
  rules: claudeRules,
  decodeState,
  readProcess,
  readScreen,
  choiceFor,
  planDelivery,
  actOf,
  interrupt: [{ press: 'Escape' }],
  // A second C-c within a second would leave the program. An emptied shell line stays one until BSpace.
  clearDraft: [{ press: 'C-c' }, { pauseMs: 1_200 }, { press: 'BSpace' }],
  exit: [{ paste: '/exit' }, { pauseMs: 50 }, { press: 'Enter' }],
};
