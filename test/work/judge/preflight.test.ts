// What a plan is warned of before anything of it starts.
import { expect, it } from 'vitest';
import { plannerAhead } from '../../../src/work/drive/planner-task.ts';
import { type PreflightFacts, preflight } from '../../../src/work/judge/preflight.ts';
import { lookAhead } from '../../../src/work/verbs/ahead.ts';
import { stubCrew } from '../../support/stub-crew.ts';
import { need, work } from '../parts.ts';

const calm: PreflightFacts = {
  ...{ testCommand: 'make test', missing: [], absent: [], problems: [], asking: [] },
  ...{ limits: new Map(), loggedOut: [], agentTypes: ['claude', 'claude'] },
};
const asks = 'The worker of build asks about edits and commands (permission_mode "manual", no sandbox).';
const aside =
  'Nobody has agreed to /p/.crewmux/config.json, so crewmux leaves these keys of it aside: merge.test_command.';

it.each<[string, Partial<PreflightFacts>, readonly (string | RegExp)[]]>([
  ['nothing where nothing is known to hold it up', {}, []],
  ['nothing where somebody wants no tests', { testCommand: '' }, []],
  ['workers that will ask', { asking: [asks] }, [asks]],
  ['what is left aside of the repository', { problems: [aside] }, [aside]],
  [
    'a command whose program is not there',
    { missing: [{ command: 'pnpm i', program: 'pnpm' }] },
    ['`pnpm i` would fail: the program pnpm is not found here.'],
  ],
  ['an agent that is not there', { absent: ['codex'] }, [/^The program of codex is not found/]],
  [
    'an agent that is not logged in, where it is one of the plan',
    {
      loggedOut: [
        { name: 'ada', agentType: 'claude' },
        { name: 'bob', agentType: 'codex' },
      ],
    },
    ['claude is not logged in (ada waits for it): each of its workers would wait.'],
  ],
  [
    'an account at its limit, where it is one of the plan',
    {
      limits: new Map([
        ['claude', 0],
        ['codex', 5],
      ]),
    },
    ['The account of claude has reached a usage limit: its workers wait until 1970-01-01T00:00:00.000Z.'],
  ],
])('%s', (_, given, expected) => {
  expect(preflight({ ...calm, ...given })).toEqual(
    expected.map((words) => (typeof words === 'string' ? words : expect.stringMatching(words))),
  );
});

it('no test command, where nothing says how the project is tested', () => {
  const { testCommand: _, ...untested } = calm;
  expect(preflight(untested)).toEqual([expect.stringMatching(/^No test command is known/)]);
});

const without = { missing: [], absent: [], problems: [], givesTools: false };
const order = { project: '/p', crew: 'crew', setupCommands: [], lands: async () => true };

it('no planner is started that would have no tool to hand in with', async () => {
  const crew = { ...stubCrew(() => undefined), factsAhead: async () => without };
  await expect(lookAhead({ crew }, { ...order, starts: [plannerAhead] })).rejects.toMatchObject({
    message: expect.stringContaining('defaults.worker_tools is off'),
  });
  expect(await lookAhead({ crew }, { ...order, starts: [] })).toEqual([expect.stringMatching(/^No test command/)]);
});

it('a plan of reports needs no tests, and the agent of its roles is looked at', async () => {
  const login = { ...need(), waiting_for: 'login' } as const;
  const crew = {
    ...stubCrew(() => undefined),
    factsAhead: async () => without,
    roleFacts: async () => ({ agentType: 'codex' }),
    work: () => [work({ agentType: 'codex', attention: [login] })],
  };
  const starts = [{ name: 'look', lands: true, role: 'scout' }];
  expect(await lookAhead({ crew }, { ...order, starts, lands: async () => false })).toEqual([
    expect.stringMatching(/^codex is not logged in \(ada waits for it\)/),
  ]);
});
