// A person in a tmux of their own, which knows nothing of a crew: keys are typed into its one pane.
import { execFileSync } from 'node:child_process';
import { eventually } from '../support/sandbox.ts';
import { agentCommand, bundle, type Stand } from './crew.ts';

/** The words that start this program, as a person types them. */
export const typedCrewmux = `${process.execPath} ${bundle}`;

/** Of a stand that is made later; `more` is in the environment of the tmux. */
export function theirTmux(stand: () => Stand, more: () => Readonly<Record<string, string>> = () => ({})) {
  const inTheirs = (...args: string[]) =>
    execFileSync('tmux', ['-L', `${stand().sandbox.socket}-theirs`, '-f', '/dev/null', ...args], {
      env: { ...stand().sandbox.env, CREWMUX_COMMAND: agentCommand.join(' '), ...more() },
      cwd: stand().repo,
      encoding: 'utf8',
    });
  const press = (...keys: string[]) => void inTheirs('send-keys', '-t', '=me:', ...keys);
  const screen = () => inTheirs('capture-pane', '-p', '-t', '=me:');
  return {
    inTheirs,
    openTheirs: (columns: number, rows: number) =>
      inTheirs('new-session', '-d', '-s', 'me', '-x', String(columns), '-y', String(rows), 'sh'),
    press,
    typed: (line: string) => press(line, 'Enter'),
    screen,
    /** Resolves to what is before the person. */
    sees: (text: RegExp) =>
      eventually(`${text} before the person`, () => {
        const shown = screen();
        return text.test(shown) ? shown : undefined;
      }),
  };
}
