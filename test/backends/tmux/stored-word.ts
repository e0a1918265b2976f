// A word that tmux keeps and gives back.
import { expect } from 'vitest';
import { type Command, onlyIf } from '../../../src/backends/tmux/command.ts';
import type { ControlClient } from '../../../src/backends/tmux/control-client.ts';

export const store = (text: string): readonly Command[] => [
  ['set-option', '-g', '@kept', text],
  ['display-message', '-p', '#{@kept}'],
];

/** Fails unless it comes back as it was sent, as a command and inside another one. */
export async function expectKept(client: ControlClient, text: string): Promise<void> {
  expect(await client.ask(store(text))).toEqual({ is: 'done', output: `${text}\n` });
  const inside = onlyIf({ paneId: '%0', condition: '1', commands: store(text), otherwise: ['kill-server'] });
  expect(await client.ask([inside])).toEqual({ is: 'done', output: `${text}\n` });
}
