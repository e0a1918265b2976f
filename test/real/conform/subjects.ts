// The agents under test: one row each, with what only that agent calls so.
import type { AgentType } from '../../../src/model/worker.ts';
import type { ClaudeHome } from '../claude-home.ts';
import { makeCodexHome } from '../codex-home.ts';
import { versionOf } from '../install.ts';

export interface Subject {
  readonly agent: AgentType;
  readonly title: string;
  readonly version: string;
  home(): Promise<ClaudeHome>;
  /** A directive for a command that needs somebody's leave. */
  asks(command: string): string;
  /** How the agent comes to ask whether it may write a file. */
  readonly asksToWrite: { readonly directive: string; readonly permission_mode: string; readonly words: RegExp };
  /** A directive for a command that is left running behind the turn. */
  leaves(command: string): string;
  /** The model is asked once more when what was left running has ended. */
  readonly toldOfLeft: boolean;
  /** Keys of a person at the permission dialog. */
  readonly allow: string;
  /** What a person sees on the screen without colours. */
  readonly sees: { readonly prompt: RegExp; readonly permission: RegExp; readonly interrupted: RegExp };
  /** A command of its own that opens a panel, and what is read there. */
  readonly panel: { readonly command: string; readonly words: RegExp };
  /** A failure of the model's API that is tried again. */
  readonly retried: string;
  /** What the prompt box makes of a text. */
  inBox(text: string): string;
  /** Texts that are refused, since the agent would not take them for text. */
  readonly refuses: readonly string[];
  /** The same for a first prompt. */
  readonly refusesFirst: readonly string[];
  /** Situations that cannot be brought about here, and why. */
  readonly cannot: Readonly<Record<string, string>>;
}

export const subjects: readonly Subject[] = [
  {
    agent: 'claude',
    title: 'Claude Code',
    version: versionOf('claude'),
    home: makeCodexHome,
    asks: (command) => `BASH ${command}`,
    asksToWrite: { directive: 'WRITE new.txt hi', permission_mode: 'manual', words: /Do you want to create/ },
    leaves: (command) =>
      `TOOL Bash ${JSON.stringify({ command, run_in_background: true, description: 'left running' })}`,
    toldOfLeft: true,
    allow: '1',
    sees: {
      prompt: /^─+\n❯[\s\u00a0]*\n─+$/mu,
      permission: /Do you want to proceed/,
      interrupted: /Interrupted · What should/,
    },
    panel: { command: '/cost', words: /Estimated cost/ },
    retried: 'FAIL 529 2',
    // The box has no tabs.
    inBox: (text) => text.replaceAll('\t', '    '),
    refuses: ['a command of its own', 'a lone slash'],
    refusesFirst: ['a command of its own', 'a lone slash'],
    cannot: {},
  },
  {
    agent: 'codex',
    title: 'Codex',
    version: versionOf('codex'),
    home: makeCodexHome,
    asks: (command) => `ESCALATE ${command}`,
    asksToWrite: { directive: 'PATCH new.txt|hi', permission_mode: 'plan', words: /Would you like to make/ },
    leaves: (command) => `LEAVE ${command}`,
    toldOfLeft: false,
    allow: 'y',
    sees: {
      prompt: /› Ask Codex to do anything[^\n]*\n[^\n]*\n {2}\S+ .*· \//u,
      permission: /Would you like to run/,
      interrupted: /Conversation interrupted/,
    },
    panel: { command: '/model', words: /Select Model/ },
    retried: 'FAIL 500 1',
    inBox: (text) => text,
    refuses: [],
    refusesFirst: [],
    cannot: {
      'has left an agent of its own at work behind its turn': 'it has no tool for that in its settings here',
      'asks a question, which its person answers':
        'its tool for questions is not offered to the model in a mode a worker runs in',
      'has a plan, which its person refuses': 'its plan mode is one of the screen, which no launch flag reaches',
    },
  },
];
