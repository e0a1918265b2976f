// The agents under test: one row each, with what only that agent calls so.
import { join } from 'node:path';
import { newNonce } from '../../../src/model/ids.ts';
import type { AgentType } from '../../../src/model/worker.ts';
import type { Fields } from '../../support/mcp.ts';
import type { ClaudeHome } from '../claude-home.ts';
import { versionOf } from '../install.ts';
import { makeStageHome, outdated, withServer } from './stage-home.ts';
import type { StartDialog } from './starts.ts';

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
  readonly sees: {
    readonly prompt: RegExp;
    /** It waits for a permission, and nobody sits at the pane. */
    readonly permission: RegExp;
    /** The same with its person at the pane. */
    readonly dialog: RegExp;
    readonly interrupted: RegExp;
  };
  /** A command of its own that opens a panel, and what is read there. */
  readonly panel: { readonly command: string; readonly words: RegExp };
  /** A failure of the model's API that is tried again. */
  readonly retried: string;
  /** The words for an answer that the API broke off. */
  readonly broken: RegExp;
  /** A limit of this worker alone: one of its account would keep the messages to all others. */
  readonly spent: {
    readonly directive: string;
    /** How the request ends. */
    readonly how: string;
    readonly env: (home: ClaudeHome) => Readonly<Record<string, string>>;
  };
  /** What the prompt box makes of a text. */
  inBox(text: string): string;
  /** Texts that are refused, since the agent would not take them for text. */
  readonly refuses: readonly string[];
  /** The same for a first prompt. */
  readonly refusesFirst: readonly string[];
  /** What brings each dialog of a start about: the spawn that meets it, and its words on the screen. */
  readonly stops: Readonly<Partial<Record<StartDialog, Stop>>>;
  /** Situations that cannot be brought about here, and why. */
  readonly cannot: Readonly<Record<string, string>>;
}

interface Stop {
  config(home: ClaudeHome): Fields;
  readonly words: RegExp;
}

/** While Codex's hook has the request there is no dialog. */
const askingManager = /Asking the manager of this worker/;

const untrusted = ({ sandbox }: ClaudeHome): Fields => ({ project_path: sandbox.repo(`untrusted-${newNonce()}`) });

export const subjects: readonly Subject[] = [
  {
    agent: 'claude',
    title: 'Claude Code',
    version: versionOf('claude'),
    home: makeStageHome,
    asks: (command) => `BASH ${command}`,
    asksToWrite: { directive: 'WRITE new.txt hi', permission_mode: 'manual', words: /Do you want to create/ },
    leaves: (command) =>
      `TOOL Bash ${JSON.stringify({ command, run_in_background: true, description: 'left running' })}`,
    toldOfLeft: true,
    allow: '1',
    sees: {
      prompt: /^❯.*\n─{20,}/mu,
      permission: /Do you want to proceed/,
      dialog: /Do you want to proceed/,
      interrupted: /Interrupted · What should/,
    },
    panel: { command: '/cost', words: /Estimated cost/ },
    retried: 'FAIL 529 2',
    broken: /API Error/,
    spent: { directive: 'FAIL 429', how: 'status 429', env: () => ({ CLAUDE_CODE_MAX_RETRIES: '0' }) },
    // The box has no tabs.
    inBox: (text) => text.replaceAll('\t', '    '),
    refuses: ['a command of its own', 'a lone slash'],
    refusesFirst: ['a command of its own', 'a lone slash'],
    stops: {
      trust: { config: untrusted, words: /trust this folder/ },
      login: { config: () => ({ env: { ANTHROPIC_API_KEY: '' } }), words: /Not logged in · run/ },
      mcp_approval: { config: (home) => ({ project_path: withServer(home) }), words: /MCP server found/ },
    },
    cannot: {
      'is stopped at its start, by update': 'it asks nothing of the kind: it brings itself up to date, or does not',
    },
  },
  {
    agent: 'codex',
    title: 'Codex',
    version: versionOf('codex'),
    home: makeStageHome,
    asks: (command) => `ESCALATE ${command}`,
    asksToWrite: { directive: 'PATCH new.txt|hi', permission_mode: 'plan', words: askingManager },
    leaves: (command) => `LEAVE ${command}`,
    toldOfLeft: false,
    allow: 'y',
    sees: {
      prompt: /› Ask Codex to do anything[^\n]*\n[^\n]*\n {2}\S+ .*· \//u,
      permission: askingManager,
      dialog: /Would you like to run/,
      interrupted: /Conversation interrupted/,
    },
    panel: { command: '/model', words: /Select Model/ },
    retried: 'FAIL 500 1',
    broken: /./,
    spent: { directive: 'LIMIT 3600', how: 'limit', env: ({ env }) => ({ CODEX_HOME: `${env.CODEX_HOME}/` }) },
    inBox: (text) => text,
    refuses: [],
    refusesFirst: [],
    stops: {
      trust: { config: untrusted, words: /Trust this folder/ },
      login: {
        config: ({ env, sandbox }) => ({ env: { CODEX_HOME: join(env.CODEX_HOME ?? sandbox.home, 'nobody') } }),
        words: /Sign in with ChatGPT/,
      },
      update: { config: outdated, words: /Update now/ },
    },
    cannot: {
      'is stopped at its start, by mcp_approval': 'it asks for each call of a server, and not when it starts',
      'has left an agent of its own at work behind its turn': 'it has no tool for that in its settings here',
      'asks a question, which its person answers':
        'its tool for questions is not offered to the model in a mode a worker runs in',
      'has a plan, which its person refuses': 'its plan mode is one of the screen, which no launch flag reaches',
    },
  },
];
