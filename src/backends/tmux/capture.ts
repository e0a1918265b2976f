// The text a pane shows, as tmux has rendered it.
import type { Look, PaneRef } from '../terminal.ts';
import type { Channel } from './channel.ts';
import type { Command } from './command.ts';
import { doneAt, guarded } from './guard.ts';

export interface CaptureOptions {
  readonly lines?: number;
  readonly colours?: boolean;
}

/** Rows are never joined, so a row of the text is a row of the screen. */
export async function capture(channel: Channel, ref: PaneRef, options: CaptureOptions): Promise<string> {
  const command: Command = [
    'capture-pane',
    '-p',
    ...(options.colours ? ['-e'] : []),
    ...(options.lines === undefined ? [] : ['-S', `-${options.lines}`]),
    '-t',
    ref.id,
  ];
  const reply = await channel.ask([guarded(ref, [command])], { repeatable: true });
  const { output } = doneAt(ref, reply, 'read a pane');
  return options.lines === undefined ? output : lastLines(output, options.lines);
}

/** A title has no line breaks: tmux takes them out. */
export async function look(channel: Channel, ref: PaneRef): Promise<Look> {
  const commands: readonly Command[] = [
    ['display-message', '-p', '-t', ref.id, '#{pane_title}'],
    ['capture-pane', '-p', '-e', '-t', ref.id],
  ];
  const reply = await channel.ask([guarded(ref, commands)], { repeatable: true });
  const { output } = doneAt(ref, reply, 'read a pane');
  const end = output.indexOf('\n');
  return { title: output.slice(0, end), screen: output.slice(end + 1) };
}

/** The last `count` lines that say something; a screen ends with the empty rows below its text. */
export function lastLines(text: string, count: number): string {
  const lines = text.trimEnd().split('\n');
  return `${lines.slice(-count).join('\n')}\n`;
}
