// A running Codex by its command line, and its conversation by the files it has open.

import { basename } from 'node:path';
import { defined } from '../../model/defined.ts';
import type { Agent, AgentProcess, OpenFile } from '../agent.ts';

/** The program itself; the npm package starts it from a script that node runs. */
export const program = /^codex(-(x86_64|aarch64|arm64)-[\w-]+)?(\.exe)?$/;

const valued = new Set(
  `-c --config -m --model -p --profile -s --sandbox -a --ask-for-approval -C --cd -i --image --add-dir --enable
  --disable --remote --remote-auth-token-env --local-provider`.split(/\s+/),
);

/** Words of the command line that make it something else than a conversation on the screen. */
const others = new Set(
  `agents exec e review login logout mcp plugin app-server remote-control completion update doctor sandbox debug apply a
  queue archive delete migrate-rollouts migrate-nfs-db unarchive cloud exec-server features help --help -h --version
  -V`.split(/\s+/),
);

/** A setting on the command line, like the flag itself, keeps Codex from starting its shared daemon. */
const alone = ['--no-daemon', '-c', '--config', '--disable', '--enable'];

const helper = 'codex-linux-sandbox';

/** Itself, and the bubblewrap that is told to run it. */
export function isOfSandbox([name = '', ...args]: readonly string[]): boolean {
  if (basename(name) === helper) return true;
  const command = args[args.indexOf('--') + 1];
  return basename(name) === 'bwrap' && args.includes('--') && basename(command ?? '') === helper;
}

export const readProcess: NonNullable<Agent['readProcess']> = ({ argv: [name = '', ...args], openFiles }) => {
  if (!program.test(basename(name))) return undefined;
  const { flags, words } = parted(args);
  if ([words[0] ?? '', ...flags.keys()].some((word) => others.has(word))) return undefined;
  return { ...asStarted(flags), ...(openFiles === undefined ? unseen : conversationIn(openFiles, flags)) };
};

type Flags = ReadonlyMap<string, string>;

/** Flags with their values, and the words between them. */
function parted(args: readonly string[]): { readonly flags: Flags; readonly words: readonly string[] } {
  const flags = new Map<string, string>();
  const words: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const word = args[i] ?? '';
    if (word === '--') break;
    const [, name, value] = /^(--?[^=]+)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) flags.set(name, value);
    else if (valued.has(word)) {
      i += 1;
      flags.set(word, args[i] ?? '');
    } else if (word.startsWith('-')) flags.set(word, '');
    else words.push(word);
  }
  return { flags, words };
}

function asStarted(flags: Flags): AgentProcess {
  const model = flags.get('-m') ?? flags.get('--model');
  const sandbox = flags.get('-s') ?? flags.get('--sandbox');
  const asks = flags.get('-a') ?? flags.get('--ask-for-approval');
  const isOpen = sandbox === 'danger-full-access' && asks === 'never';
  const skips = isOpen || flags.has('--yolo') || flags.has('--dangerously-bypass-approvals-and-sandbox');
  const mode = skips ? 'bypassPermissions' : modeOf({ sandbox, asks, isAuto: flags.has('--approve-for-me') });
  return {
    ...defined({ model, permissionMode: mode }),
    ...(skips ? { skipPermissions: true } : {}),
  };
}

/** Undefined where the user's own configuration decides. */
function modeOf({
  sandbox,
  asks,
  isAuto,
}: {
  sandbox?: string | undefined;
  asks?: string | undefined;
  isAuto: boolean;
}) {
  if (isAuto) return 'auto';
  if (sandbox === 'read-only') return 'plan';
  if (sandbox !== 'workspace-write') return undefined;
  return asks === 'never' ? 'dontAsk' : 'manual';
}

export const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
export const lock = new RegExp(`/thread-writer-locks/(${uuid})\\.lock$`);

/** It holds a lock for each conversation it has loaded, and one that was left stays loaded for about a minute. */
function conversationIn(files: readonly OpenFile[], flags: Flags): AgentProcess {
  const held = files.flatMap(({ path, modifiedAt }) => {
    const agentSessionId = lock.exec(path)?.[1];
    return agentSessionId === undefined ? [] : [{ agentSessionId, modifiedAt }];
  });
  const [newest] = held.toSorted(
    (a, b) => b.modifiedAt - a.modifiedAt || (a.agentSessionId < b.agentSessionId ? 1 : -1),
  );
  if (newest === undefined) return flags.has('--remote') || !alone.some((flag) => flags.has(flag)) ? shared : {};
  const { agentSessionId } = newest;
  // The file is made with the first prompt.
  const rollout = files.find(({ path }) => path.endsWith(`-${agentSessionId}.jsonl`) && /\/rollout-[^/]+$/.test(path));
  return { agentSessionId, ...defined({ transcriptPath: rollout?.path }) };
}

const unseen: AgentProcess = {
  refused: {
    reason: 'which conversation it has open cannot be seen on this system',
    hint: 'Leave it with /quit and spawn a worker with resume and the id that Codex prints then.',
  },
};

const shared: AgentProcess = {
  refused: {
    reason:
      'it shows a conversation that Codex’s shared daemon holds, so its work would go on when the pane is closed, and which one it is cannot be seen',
    hint: 'Leave it with /quit and spawn a worker with resume and the id that Codex prints then, or start it with --no-daemon.',
  },
};
