// What a person sees who attaches, seen through the screen of another tmux.
import { expect, test } from 'vitest';
import { openTmux } from '../../../src/backends/tmux/tmux.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { eventually, type makeSandbox } from '../../support/sandbox.ts';
import { seeScreen, withTerminal } from '../terminal-bench.ts';

/** A terminal whose attach command is for a person who is inside another tmux already. */
async function watched(sandbox: ReturnType<typeof makeSandbox>) {
  const env = { ...sandbox.env, TMUX: '/nowhere,1,0' };
  const terminal = await openTmux({ socket: sandbox.socket, env, clock: systemClock });
  // As a server does that runs a crew: tmux overlooks a death now and then, and whoever watches has it look again.
  terminal.watch(() => undefined);
  return terminal;
}

const persons = (sandbox: ReturnType<typeof makeSandbox>) =>
  openTmux({ socket: sandbox.socket, env: sandbox.env, clock: systemClock });

test('a person who attaches sees name, annotation and live status of every pane, and the text as it is', async () => {
  await withTerminal(watched, async ({ terminal, request }) => {
    const label = {
      name: 'ada',
      annotation: 'fix #[fg=red]#{pid} #(date) %H, }',
      status: 'working',
      colour: 'colour39',
    };
    const ada = await terminal.open(request({ label, argv: ['sh', '-c', 'echo I am ada; exec sleep 600'] }));
    const bo = await terminal.open(
      request({ label: { ...label, name: 'bo', annotation: '' }, argv: ['sh', '-c', 'exit 3'] }),
    );
    await withTerminal(persons, async (person) => {
      const attach = terminal.attachCommand('crew');
      const screen = await person.terminal.open(person.request({ argv: ['sh', '-c', `${attach}; exec sleep 600`] }));
      const see = (text: string) => seeScreen(person.terminal, screen, text);
      await see(' ada · fix #[fg=red]#{pid} #(date) %H, } · working ');
      await see(' bo · working  ended with 3 ');
      await see('I am ada');
      await see('crewmux crew');
      await see('1:ada bo');
      await terminal.label(ada.ref, { ...label, status: 'idle' });
      await see(' · idle ');
      const coloured = await person.terminal.capture(screen.ref, { colours: true });
      expect(coloured).toMatch(/38;5;39m *ada/);
      await terminal.close(bo.ref);
      await eventually('the window is called after who is left', async () => {
        const seen = await person.terminal.capture(screen.ref);
        return seen.includes('1:ada') && !seen.includes('ada bo');
      });
    });
  });
});
