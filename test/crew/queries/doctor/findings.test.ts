import { describe, expect, it } from 'vitest';
import { mergeSandboxFinding, releaseFinding } from '../../../../src/crew/queries/doctor/programs.ts';
import {
  agentFilesFinding,
  permissionFinding,
  repositoryFindings,
  settingsFindings,
  writtenFindings,
} from '../../../../src/crew/queries/doctor/project.ts';
import { isHookDue, spaceFinding, workersFinding } from '../../../../src/crew/queries/doctor/state.ts';
import { fileLayer, overlay } from '../../../../src/settings/layers.ts';
import { settingsSchema } from '../../../../src/settings/schema.ts';
import { workerRecord } from '../../../support/records.ts';

describe('the release of an agent', () => {
  const tested = { testedFrom: '2.1.300', testedTo: '2.1.329' };
  it.each([
    [[2, 1, 300], 'ok', 'tested'],
    [[2, 1, 329], 'ok', 'tested'],
    [[2, 2, 0], 'warn', 'tested is 2.1.300 to 2.1.329'],
    [[2, 1, 299], 'warn', 'tested is 2.1.300 to 2.1.329'],
  ])('%j is %s', (release, status, detail) => {
    const found = releaseFinding('agent_claude', { program: '/bin/claude', release, tested });
    expect(found).toMatchObject({ status, detail: expect.stringContaining(detail) });
    expect(found.fix === undefined).toBe(status === 'ok');
  });

  it('is fine as it is where nothing was tested', () => {
    expect(releaseFinding('agent_x', { program: '/bin/x', release: [1, 0], tested: undefined })).toMatchObject({
      status: 'ok',
    });
  });
});

describe('room on the disk', () => {
  it.each([
    [20 * 2 ** 30, 'ok'],
    [500 * 2 ** 20, 'warn'],
    [50 * 2 ** 20, 'fail'],
  ])('of %i bytes is %s', (free, status) => {
    expect(spaceFinding('/state', free)).toMatchObject({ status, detail: expect.stringContaining('/state') });
  });
});

describe('workers', () => {
  const unknown = { is: 'unknown', detail: 'it is unknown' } as const;
  const ended = { is: 'ended', detail: 'it is ended' } as const;
  it.each([
    [[], 'ok', '0 living workers'],
    [[{ is: 'alive' }], 'ok', '1 living worker, each in its pane'],
    [[{ is: 'alive' }, ended], 'warn', 'not in their panes any more: w1: it is ended'],
    [[unknown, ended], 'warn', 'nobody can tell whether they live: w0: it is unknown'],
  ] as const)('%j are %s', (verdicts, status, detail) => {
    const living = verdicts.map((one, i) => ({ name: `w${i}`, verdict: one }));
    expect(workersFinding(living)).toMatchObject({ status, detail: expect.stringContaining(detail) });
  });
});

describe('the sandbox of a landing', () => {
  const [there, missing] = [{ program: '/bin/bwrap' }, { missing: 'bwrap is not on the PATH' }];
  it.each([
    ['auto', there, 'run in /bin/bwrap'],
    ['auto', missing, 'bwrap is not on the PATH; tests and hooks of a landing can do whatever you can do'],
    ['auto', missing, '`apt install bubblewrap`'],
    ['off', there, 'merge.sandbox is "off": tests and hooks of a landing can do whatever you can do'],
  ] as const)('under %s with %j is told', (wish, found, detail) => {
    expect(mergeSandboxFinding(wish, found)).toMatchObject({ status: 'ok', detail: expect.stringContaining(detail) });
  });
});

describe('a repository', () => {
  const head = { sha: 'a'.repeat(40), branch: 'main' };
  const { branch: _, ...detached } = head;
  it.each([
    ['as it should be', {}, {}, ['ok: /shop is a git repository']],
    ['without a commit', { head: {} }, {}, ['warn: /shop has no commit yet, so workers get no worktree']],
    ['that is bare', { isBare: true }, {}, ['warn: /shop is a bare repository, without a checkout']],
    [
      'with a detached HEAD',
      { head: detached },
      {},
      ['warn: HEAD of /shop is detached at aaaaaaaaaaaa: work that begins there has no branch to land on'],
    ],
    [
      'with submodules',
      {},
      { hasSubmodules: true },
      ['warn: /shop has submodules, and worktrees of workers begin with empty folders in their place'],
    ],
    [
      'with submodules that worktrees get',
      {},
      { hasSubmodules: true, takesSubmodules: true },
      ['ok: /shop is a git repository, and worktrees get its submodules'],
    ],
  ])('%s is told', (_title, folder, more, expected) => {
    const look = { folder: { mainRepoPath: '/shop', isBare: false, head, ...folder } };
    const found = repositoryFindings({ hasSubmodules: false, takesSubmodules: false, ...look, ...more });
    expect(found.map(({ status, detail }) => `${status}: ${detail}`)).toEqual(expected);
    expect(found.every(({ status, fix }) => (status === 'ok') === (fix === undefined))).toBe(true);
  });
});

describe('settings', () => {
  const told = (text: string) => settingsFindings(overlay([fileLayer('/c.json', text)])).map(({ detail }) => detail);
  it('that are not the default are named with their file, and those that say the default are not', () => {
    expect(told('{"limits": {"max_workers": 3}, "defaults": {"sandbox": "auto", "skip_permissions": true}}')).toEqual([
      'not the default: limits.max_workers, defaults.skip_permissions (/c.json)',
    ]);
    expect(told('{}')).toEqual(['all are the default']);
    expect(told('{"limits": {"max_workers": "x"}, "log_level": "debug"}')).toEqual([
      expect.stringContaining('max_workers'),
      'not the default: log_level (/c.json)',
    ]);
  });
});

describe('permissions', () => {
  it('that everybody skips are a warning', () => {
    const settings = settingsSchema.parse({ defaults: { skip_permissions: true } });
    expect(permissionFinding(settings)).toMatchObject({
      status: 'warn',
      detail: expect.stringMatching(/skip_permissions.*localhost/),
    });
  });

  it('that no rule can hold an agent to are said to be', () => {
    const settings = settingsSchema.parse({ agents: { repl: { command: 'x', prompt: '>' } } });
    expect(permissionFinding(settings)).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('no rule reaches repl'),
    });
  });
});

describe('a hook', () => {
  const now = 10_000_000;
  const launch = { ...workerRecord().launch, withPrompt: true, startedAt: now - 120_000 };
  it.each([
    ['is due of a live worker that got its prompt long ago', {}, true],
    ['is not due of one that was just launched', { launch: { ...launch, startedAt: now - 1_000 } }, false],
    ['is not due of one that was never asked anything', { launch: { ...launch, withPrompt: false } }, false],
    ['is not due of one that somebody else started', { source: 'adopted' as const }, false],
    ['is not due of an agent that has none', { agentType: 'repl' }, false],
    ['is not due of a dead one', { phase: 'dead' as const }, false],
  ])('%s', (_, fields, due) => {
    expect(isHookDue(workerRecord({ phase: 'live', launch, ...fields }), now)).toBe(due);
  });
});

describe('the files of agents in a project', () => {
  const held = { is: 'read', text: '', sha256: '' } as const;
  const files = [{ file: '/repo/.mcp.json', place: '/repo/.mcp.json', held }];
  const look = { mode: 'trusted', sandbox: 'auto', project: '/repo', files, waiting: files } as const;
  it.each([
    ['to which nobody agreed are named', {}, 'warn', 'nobody has agreed to .mcp.json'],
    ['that a person agreed to still run beside the sandbox', { waiting: [] }, 'ok', 'you agreed to .mcp.json'],
    ['are left out with off', { mode: 'off' }, 'ok', 'start without .mcp.json'],
    ['load with agent, and that is worth a word', { mode: 'agent' }, 'warn', 'outside of the sandbox'],
    ['load where there is no sandbox', { sandbox: 'off' }, 'ok', 'load in every worker'],
    ['may be none', { files: [], waiting: [] }, 'ok', 'has no files'],
  ] as const)('%s', (_, more, status, detail) => {
    const found = agentFilesFinding({ ...look, ...more });
    expect(found).toMatchObject({ status, detail: expect.stringContaining(detail) });
    expect(found.fix === undefined).toBe(status === 'ok');
  });
});

describe.each(['role', 'template'] as const)('a %s', (noun) => {
  const known = [
    { name: 'scout', source: '/home/scout' },
    { name: 'usual', source: 'built in' },
  ];
  const find = (...why: readonly string[]) => writtenFindings(noun, { known, aside: why.map((one) => ({ why: one })) });

  it('of the user is named, and one that is built in is counted', () => {
    expect(find()).toMatchObject([{ check: `${noun}s`, status: 'ok', detail: `2 ${noun}s, of your own: scout` }]);
  });

  it('that is left aside is a warning each, with the list as the way out', () => {
    expect(find('one: fault', 'two: fault')).toMatchObject([
      { check: `${noun}s`, status: 'warn', detail: 'one: fault', fix: expect.stringContaining(`\`crewmux ${noun}s\``) },
      { check: `${noun}s`, status: 'warn', detail: 'two: fault' },
    ]);
  });
});
