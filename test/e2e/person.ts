// A person before a crew: a real tmux client in a pane, into which keys are typed.
import { eventually } from '../support/sandbox.ts';
import type { Stand, Worker } from './crew.ts';

export function openPerson(stand: Stand, of: Worker, size: readonly [columns: number, rows: number] = [90, 20]) {
  const tmux = (...args: string[]) => stand.sandbox.tmux(...args);
  const [columns, rows] = size.map(String);
  const box = ['-x', columns ?? '', '-y', rows ?? ''];
  // Keys that come within a millisecond, of a person or of the terminal itself, are taken for pasted text otherwise.
  tmux('set-option', '-g', 'assume-paste-time', '0');
  const outer = tmux('new-session', '-d', '-P', '-F', '#{pane_id}', ...box, '-s', 'person', 'sh').trim();
  const person = (...keys: string[]) => void tmux('send-keys', '-t', outer, ...keys);
  const screen = () => tmux('capture-pane', '-p', '-t', outer);
  person(`TMUX= ${of.tmux?.attach}`, 'Enter');
  return {
    person,
    screen,
    sees: (text: RegExp) => eventually(`${text} before the person`, () => text.test(screen())),
    /** Its program may have left its screen before: what is typed then is still typed into it. */
    popupGone: () => eventually('no popup is open', () => !screen().includes('┌')),
    async prefixed(key: string) {
      person('C-b');
      await eventually('the prefix is heard', () => tmux('list-clients', '-F', '#{client_prefix}').includes('1'));
      person(key);
    },
    /** The process of the client that is attached to the crew. */
    clientPid: () => Number(tmux('list-clients', '-t', `=${of.tmux?.session}`, '-F', '#{client_pid}').trim()),
    leave: () => void tmux('kill-session', '-t', '=person'),
  };
}
