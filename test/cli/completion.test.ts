import { afterEach, beforeEach, expect, it } from 'vitest';
import { offersFor, scripts } from '../../src/cli/completion.ts';
import { words } from '../../src/cli/words.ts';
import { makeSandbox, type Sandbox } from '../support/sandbox.ts';
import { type } from './typed-line.ts';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = makeSandbox();
});
afterEach(() => sandbox.dispose());

const run = (...line: string[]) =>
  type(line, {
    env: sandbox.env,
    userHome: sandbox.home,
    cwd: sandbox.dir('project'),
    branches: async () => ['main', 'mend/cart', '$(touch main)', 'main;rm'],
  });

it.each([
  ['sta', 'status'],
  ['attach --r', '--read-only --restart'],
  ['status ', '--json --watch --plain --help'],
  ['config un', 'unset'],
  ['config get defaults.mod', 'defaults.model'],
  ['config set --p', '--project'],
  ['plan ap', 'approve'],
  ['plan --w', '--watch'],
  ['plan approve --prom', '--prompt'],
  ['task sub', 'submit'],
  ['completion z', 'zsh'],
  ['help spa', 'spawn'],
  ['merge Ada --into m', 'main mend/cart'],
  ['spawn now --base me', 'mend/cart'],
  ['trust --branch me', 'mend/cart'],
  ['doctor A', ''],
  ['nothing A', ''],
  ['toString', ''],
])('%j is completed with %j', async (line, offered) => {
  const { code, out } = await run('completion', 'offer', ...line.split(' '));
  expect({ code, out: out.trim().replaceAll('\n', ' ') }).toEqual({ code: 0, out: offered });
});

it.each([
  ['attach ', 'worker'],
  ['close Ada Bo ', 'worker'],
  ['merge Ada ', undefined],
  ['merge Ada --into ', 'branch'],
  ['merge --into main ', 'worker'],
  ['plan ', 'plan'],
  ['plan cancel ', 'plan'],
  ['task start ', 'task'],
  ['spawn ', undefined],
  ['config unset ', 'key'],
  ['message Ada ', undefined],
])('%j is followed by a %s', (line, kind) => {
  expect(offersFor(words, line.split(' ')).kind).toBe(kind);
});

it('each shell asks this program what may stand next', () => {
  expect(scripts.fish).toMatchInlineSnapshot(`
    "function __crewmux_offer
        set -l typed (commandline -opc) (commandline -ct)
        crewmux completion offer $typed[2..-1] 2>/dev/null
    end
    complete -c crewmux -f -a '(__crewmux_offer)'
    "
  `);
  for (const script of Object.values(scripts)) expect(script).toContain('crewmux completion offer ');
});

it('another shell is a wrong line, and nobody is offered where nobody works', async () => {
  expect(await run('completion', 'tcsh')).toMatchObject({ code: 2, err: expect.stringContaining('bash, zsh or fish') });
  expect(await run('completion', 'offer', 'attach', '')).toEqual({ code: 0, out: '', err: '' });
  expect(await run('completion', 'offer', 'plan', 'cancel', '')).toEqual({ code: 0, out: '', err: '' });
});
