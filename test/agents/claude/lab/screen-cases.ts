// Screens that are recorded for themselves: drafts, and the dialogs that stop a start.
import type { Scene } from './cases.ts';
import type { StartOptions } from './lab.ts';
import { rest, type Specimen } from './specimen.ts';

type Case = (scene: Scene) => Promise<Specimen>;

const drafts: readonly (readonly [name: string, text: string])[] = [
  ['words', 'half a thought'],
  ['lines', 'line one\nline two\n\n  line four'],
  ['wrapped', 'a long draft that goes on '.repeat(8)],
  ['command', '/com'],
  ['mention', '@'],
  ['shell', '!ls'],
];

const blocked = (name: string, options: StartOptions & { readonly words: RegExp }): Case => {
  const { words, ...start } = options;
  return async ({ lab, snap }) => {
    const one = await lab.start({ ...start, prompt: 'SAY hi', untilReady: false });
    await one.shows(words);
    await rest(500);
    snap(one, name);
    return one;
  };
};

export const screenCases: Readonly<Record<string, Case>> = {
  async drafts({ lab, snap }) {
    const one = await lab.start();
    await rest(1_000);
    snap(one, 'empty');
    for (const [name, text] of drafts) {
      await one.deliver([{ type: text }, { pauseMs: 600 }]);
      snap(one, name);
      await one.deliver([{ press: 'C-c' }, { pauseMs: 300 }]);
      snap(one, `${name}-cleared`);
      await one.deliver([{ pauseMs: 1_000 }, { press: 'BSpace' }]);
    }
    await one.deliver([{ paste: 'a\nb\nc\nd\ne\nf' }, { pauseMs: 500 }]);
    snap(one, 'pasted');
    return one;
  },
  trust: blocked('dialog', { words: /trust this folder/, env: { CLAUDE_CODE_SANDBOXED: '' } }),
  'logged-out': blocked('notice', { words: /Not logged in · run/, env: { ANTHROPIC_API_KEY: '' } }),
  bypass: blocked('dialog', { words: /Yes, I accept/, extraArgs: ['--permission-mode', 'bypassPermissions'] }),
  async 'api-key'(scene) {
    scene.lab.configure({ customApiKeyResponses: { approved: [], rejected: [] } });
    return blocked('dialog', { words: /use this API key/ })(scene);
  },
  async onboarding(scene) {
    scene.lab.configure({ hasCompletedOnboarding: false });
    return blocked('dialog', { words: /Choose the text style/ })(scene);
  },
  async settings(scene) {
    scene.lab.file('home/.claude/settings.json', JSON.stringify({ permissions: { defaultMode: 'nonsense' } }));
    const one = await blocked('dialog', { words: /Settings Error/ })(scene);
    scene.lab.file('home/.claude/settings.json', undefined);
    return one;
  },
  async 'sandbox-host'({ lab, snap }) {
    lab.file(
      'home/.claude/settings.json',
      JSON.stringify({ sandbox: { enabled: true, autoAllowBashIfSandboxed: true } }),
    );
    const one = await lab.start({ prompt: 'BASH curl -s http://example.com\nSAY done' });
    await one.is('waiting');
    await one.shows(/allow this connection/);
    await rest(500);
    snap(one, 'host');
    lab.file('home/.claude/settings.json', undefined);
    return one;
  },
  async mcp(scene) {
    const servers = (...names: string[]) =>
      JSON.stringify({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: 'true' }])) });
    scene.lab.file('project/.mcp.json', servers('one'));
    await blocked('one', { words: /MCP server found/ })(scene);
    scene.lab.file('project/.mcp.json', servers('one', 'two'));
    const one = await blocked('two', { words: /MCP servers found/ })(scene);
    scene.lab.file('project/.mcp.json', undefined);
    return one;
  },
  async panels({ lab, snap }) {
    const one = await lab.start();
    for (const name of ['model', 'help', 'login', 'permissions']) {
      await one.send(`/${name}`);
      await one.is('waiting');
      await rest(700);
      snap(one, name);
      await one.press('Escape');
      await one.is('idle');
      await rest(200);
    }
    return one;
  },
};
