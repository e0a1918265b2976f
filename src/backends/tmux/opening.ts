// The commands that give birth to a pane, with its marks, in one list.
import type { PaneRequest } from '../terminal.ts';
import { labelMarks } from './border.ts';
import type { Command } from './command.ts';
import type { PanePlace } from './placement.ts';

export type PaneLaunch = Pick<PaneRequest, 'argv' | 'env' | 'cwd'>;

// tmux sets these in every pane itself.
const ownedByTmux = /^(TERM|TMUX|TMUX_PANE|TERM_PROGRAM|TERM_PROGRAM_VERSION|COLUMNS|LINES)$/;

/** Flags and words that start `argv` in `cwd` with `env`, as tmux's spawning commands take them. */
export function launchWords({ argv, env, cwd }: PaneLaunch, target: readonly string[]): readonly string[] {
  const variables = Object.entries(env).filter(([name]) => !ownedByTmux.test(name));
  return [
    '-c',
    cwd,
    ...variables.flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    ...target,
    '--',
    ...asIs(argv),
  ];
}

// tmux hands a lone word to a shell; this shell replaces itself with the word, unread.
const asIs = (argv: readonly string[]): readonly string[] =>
  argv.length === 1 ? ['/bin/sh', '-c', 'exec "$0"', ...argv] : argv;

export const setMarks = (target: string, marks: Readonly<Record<string, string>>): readonly Command[] =>
  Object.entries(marks).map(([key, value]): Command => ['set-option', '-p', '-t', target, `@crewmux_${key}`, value]);

/** What is written on a pane; the label's marks win over a caller's of the same name. */
export const marksOf = (
  request: Pick<PaneRequest, 'marks' | 'label'> & Partial<Pick<PaneRequest, 'placement'>>,
): Readonly<Record<string, string>> => ({
  ...request.marks,
  ...(typeof request.placement === 'object' ? { batch: request.placement.batch } : {}),
  ...labelMarks(request.label),
});

/** `birth` is a mark that finds the pane again when the answer is lost. Prints `format` of the new pane. */
export function openCommands(
  request: PaneRequest,
  plan: { readonly place: PanePlace; readonly birth: string; readonly format: string },
): readonly Command[] {
  const marks = { birth: plan.birth, ...marksOf(request) };
  const born = (target: string): readonly Command[] => [
    ...setMarks(target, marks),
    ['display-message', '-p', '-t', target, plan.format],
  ];
  if (plan.place.is === 'split') {
    const { windowId } = plan.place;
    // Split sideways from the bottom right, the new pane is the one at the bottom right.
    const corner = `${windowId}.{bottom-right}`;
    return [
      ['split-window', '-h', '-d', ...launchWords(request, ['-t', corner])],
      ...born(corner),
      ['select-layout', '-t', windowId, 'tiled'],
    ];
  }
  const tmuxSession = plan.place.is === 'window' ? plan.place.sessionId : `=${request.session}`;
  const last = `${tmuxSession}:{end}`;
  const open: readonly Command[] = [['new-window', '-d', '-a', ...launchWords(request, ['-t', last])], ...born(last)];
  if (plan.place.is === 'window') return open;
  // `-e` of new-session would reach every later pane, so a window that goes at once stands in for the first.
  const placeholder = `${tmuxSession}:{start}`;
  return [
    ['new-session', '-d', '-s', request.session, '-x', '320', '-y', '100', 'true'],
    ...setMarks(placeholder, { birth: plan.birth }),
    ...open,
    ['kill-window', '-t', placeholder],
  ];
}
