// Which dialog it is, by the words Claude Code puts on it.
import type { WaitingFor } from '../../model/turn.ts';

/** The first that fits counts. */
const kinds: readonly { readonly waitingFor: WaitingFor; readonly words: RegExp }[] = [
  { waitingFor: 'trust', words: /\btrust this folder\b|Accessing workspace|Do you trust the files/i },
  { waitingFor: 'mcp_approval', words: /MCP servers? found in (this project|\.mcp\.json)/i },
  {
    waitingFor: 'login',
    words: /Select login method|Paste code here|Detected a custom API key|Choose the text style|Let's get started/i,
  },
  { waitingFor: 'limit', words: /\b(hit|reached) your [\w ]*limit\b|usage limit reached|out of usage/i },
  { waitingFor: 'plan_approval', words: /Exit plan mode\?|wants to exit plan mode|Ready to code\?|written up a plan/i },
  { waitingFor: 'question', words: /Enter to select · ↑\/↓ to navigate|requests your input/ },
  { waitingFor: 'permission', words: /\bDo you want to\b[^\n]*\?|Esc to cancel · Tab to amend/ },
];

export const dialogKind = (text: string): WaitingFor =>
  kinds.find(({ words }) => words.test(text))?.waitingFor ?? 'dialog';
