// Which dialog it is, by the words Claude Code itself puts on it.
import type { WaitingFor } from '../../model/turn.ts';

interface Kind {
  readonly waitingFor: WaitingFor;
  readonly words: RegExp;
  /** Where the words stand. Between head and keys is quoted matter, which may hold the words of any dialog. */
  readonly at: 'head' | 'keys' | 'ask';
}

/** The first that fits counts. */
const kinds: readonly Kind[] = [
  { at: 'keys', waitingFor: 'question', words: /Enter to select · ↑\/↓ to navigate/ },
  { at: 'keys', waitingFor: 'permission', words: /Tab to amend/ },
  { at: 'head', waitingFor: 'trust', words: /^Accessing workspace:|^Do you trust the files/m },
  { at: 'head', waitingFor: 'mcp_approval', words: /^(New MCP server|\d+ new MCP servers) found in/m },
  {
    at: 'head',
    waitingFor: 'login',
    words: /^Select login method|^Detected a custom API key|^Welcome to Claude Code/m,
  },
  {
    at: 'head',
    waitingFor: 'limit',
    words: /\b(hit|reached) your\b.*\blimit\b|usage limit reached|out of usage|wait for limit to reset$/im,
  },
  { at: 'head', waitingFor: 'plan_approval', words: /^Exit plan mode\?|wants to exit plan mode|^Ready to code\?/m },
  { at: 'head', waitingFor: 'question', words: /requests your input/ },
  { at: 'ask', waitingFor: 'permission', words: /^Do you want to .*\?$/ },
];

const headLines = 4;
const keyLines = 2;

/** `lines` are a dialog's rows that are not blank; `ask` the one above its choices. */
export function dialogKind({ lines, ask }: { lines: readonly string[]; ask: string | undefined }): WaitingFor {
  const words = lines.map((line) => line.trim());
  const parts = {
    head: words.slice(0, headLines).join('\n'),
    keys: words.slice(-keyLines).join('\n'),
    ask: ask?.trim() ?? '',
  };
  return kinds.find((kind) => kind.words.test(parts[kind.at]))?.waitingFor ?? 'dialog';
}
