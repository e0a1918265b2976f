// Screens that are recorded for themselves: drafts, panels, and the dialogs that stop a start.
import type { Case } from './cases.ts';
import type { StartOptions } from './lab.ts';
import { rest } from './specimen.ts';

const drafts: readonly (readonly [name: string, text: string])[] = [
  ['words', 'half a thought'],
  ['lines', 'line one\nline two\n\n  line four'],
  ['wrapped', 'a long draft that goes on '.repeat(8)],
  ['command', '/com'],
  ['mention', 'see @READ'],
  ['shell', '!ls'],
  ['numbered', '1. first of all'],
  ['pasted', 'x'.repeat(1_500)],
];

const blocked = (options: StartOptions & { readonly words: RegExp }): Case => {
  const { words, ...start } = options;
  return async ({ lab, snap }) => {
    const one = await lab.start(start);
    await one.shows(words);
    await rest(400);
    snap(one, 'dialog');
    return one;
  };
};

export const screenCases: Readonly<Record<string, Case>> = {
  async start({ lab, snap }) {
    const one = await lab.start();
    await one.shows(/Ask Codex to do anything/);
    snap(one, 'splash');
    await one.ready();
    snap(one, 'ready');
    return one;
  },
  async drafts({ lab, snap }) {
    const one = await lab.start();
    await one.ready();
    for (const [name, text] of drafts) {
      await one.draft(text);
      await rest(600);
      snap(one, name);
      one.press('C-c');
      await rest(400);
      snap(one, `${name}-cleared`);
    }
    return one;
  },
  async panels({ lab, snap }) {
    const one = await lab.start();
    await one.ready();
    for (const name of ['model', 'permissions', 'new']) {
      await one.send(`/${name}`);
      await rest(1_000);
      snap(one, name);
      one.press('Escape');
      await rest(400);
    }
    return one;
  },
  async 'browsing-back'({ lab, snap }) {
    const one = await lab.start({ prompt: 'SAY something' });
    await one.turns(1);
    one.press('Escape');
    await rest(300);
    one.press('Escape');
    await one.shows(/Browsing transcript/);
    snap(one, 'prompts');
    one.press('C-t');
    await rest(700);
    snap(one, 'details');
    one.press('Escape');
    await rest(300);
    one.press('Escape');
    await one.ready();
    snap(one, 'left');
    return one;
  },
  async 'network-lost'({ lab, snap }) {
    await lab.model.offline();
    const one = await lab.start({ prompt: 'SAY unheard' });
    await one.shows(/waiting for network/);
    snap(one, 'waiting');
    await one.send('SAY later', 'queue');
    await rest(600);
    snap(one, 'waiting-with-a-queue');
    await lab.model.online();
    await one.shows(/Worked for/);
    snap(one, 'over');
    return one;
  },
  async 'tried-again'({ lab, snap }) {
    const one = await lab.start({ prompt: 'CUT' });
    await one.shows(/Reconnecting/);
    snap(one, 'trying');
    return one;
  },
  async trust(scene) {
    scene.lab.configure({ trusted: false });
    return blocked({ words: /Trust this folder/ })(scene);
  },
  'model-offered': blocked({ words: /Use existing model/, without: /^notice=/ }),
  'hooks-review': blocked({ words: /Hooks need review/, without: /^--dangerously-bypass-hook-trust$/ }),
  async update(scene) {
    const seen = { latest_version: '99.0.0', last_checked_at: new Date().toISOString() };
    scene.lab.file('version.json', JSON.stringify(seen));
    return blocked({ words: /Update now/, without: /^check_for_update/ })(scene);
  },
  async 'logged-out'(scene) {
    scene.lab.configure({ provided: false });
    return blocked({ words: /Sign in with ChatGPT/ })(scene);
  },
};
