// The command line, as far as Claude Code's own is imitated.

export interface Flags {
  readonly agentSessionId: string | undefined;
  /** The conversation to go on with. */
  readonly resume: string | undefined;
  readonly goesOnWithNewest: boolean;
  readonly fork: boolean;
  readonly name: string | undefined;
  /** Files or JSON texts. */
  readonly settings: readonly string[];
  readonly permissionMode: string;
  readonly model: string;
  readonly prompt: string | undefined;
  readonly asksVersion: boolean;
}

const plain = new Set(
  '--fork-session --continue --dangerously-skip-permissions --version --strict-mcp-config --verbose --ide'.split(' '),
);
const valued = new Set(
  `--session-id --resume --name --settings --permission-mode --model --append-system-prompt --mcp-config
  --append-system-prompt-file --effort --fallback-model --add-dir --allowedTools --disallowedTools --setting-sources
  --tools --plugin-dir --autocompact`.split(/\s+/),
);
const short = new Map([
  ['-r', '--resume'],
  ['-c', '--continue'],
  ['-n', '--name'],
  ['-v', '--version'],
]);

/** The flags, or the words with which the program would end. */
export function readFlags(argv: readonly string[]): Flags | { readonly complaint: string } {
  const values = new Map<string, string[]>();
  const given = new Set<string>();
  const prompts: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? '';
    if (word === '--') {
      prompts.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith('-')) {
      prompts.push(word);
      continue;
    }
    const [, long = word, attached] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const flag = short.get(long) ?? long;
    if (plain.has(flag)) given.add(flag);
    else if (valued.has(flag)) {
      const value = attached ?? argv[++i];
      if (value === undefined) return { complaint: `error: option '${flag} <value>' argument missing` };
      values.set(flag, [...(values.get(flag) ?? []), value]);
    } else return { complaint: `error: unknown option '${word}'` };
  }
  const last = (flag: string) => values.get(flag)?.at(-1);
  return {
    agentSessionId: last('--session-id'),
    resume: last('--resume'),
    goesOnWithNewest: given.has('--continue'),
    fork: given.has('--fork-session'),
    name: last('--name'),
    settings: values.get('--settings') ?? [],
    permissionMode: given.has('--dangerously-skip-permissions')
      ? 'bypassPermissions'
      : toldMode(last('--permission-mode')),
    model: last('--model') ?? 'claude-scripted-1',
    prompt: prompts[0],
    asksVersion: given.has('--version'),
  };
}

/** Hooks and transcripts call manual mode `default`. */
const toldMode = (mode = 'auto'): string => (mode === 'manual' ? 'default' : mode);
