import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { attentionOf } from '../../../src/crew/attention/attention.ts';
import { titleOf } from '../../../src/crew/attention/request-words.ts';
import { needWarnings } from '../../../src/crew/lifecycle/spawn.ts';
import type { WaitingFor } from '../../../src/model/turn.ts';
import { attentionLines } from '../../../src/tools/words.ts';
import { casesOf, decodeRecording } from '../../agents/recordings.ts';
import { anyCodePoint } from '../../support/code-points.ts';
import { workerRecord } from '../../support/records.ts';
import { agent, type Loose, launched, line, play } from '../../turn/turn-signals.ts';

const agents = { claude: claudeAgent, codex: codexAgent };
const bruno = workerRecord({ name: 'Bruno', projectPath: '/repo' });

function needOf(of: keyof typeof agents, signals: readonly Loose[], now = 1e15) {
  const { choiceFor, actOf, permissionHook } = agents[of];
  const [need] = attentionOf(bruno, play([launched, line(), ...signals]), {
    ...{ now, attach: 'tmux attach', moved: undefined, choiceFor, requestPath: (id) => id, remembers: () => [] },
    actOf: ({ tool, input }) => actOf(tool, input, '/repo'),
    changeOf: ({ tool, input }) => permissionHook?.changeOf(tool, input),
  });
  return need;
}

const asking = (of: keyof typeof agents, tool: string, input: unknown) =>
  needOf(of, [{ from: 'hook', kind: 'permission', waitingFor: 'permission', requestId: '1a2b3c4d', tool, input }]);

const long = `curl -s https://example.com/${'x'.repeat(60)}`;
const deep = `/repo/src/${'deep/'.repeat(20)}note.js`;
const patch = '*** Begin Patch\n*** Add File: plan.txt\n+one\n*** Update File: b.txt\n-two\n*** End Patch';

describe('a permission', () => {
  it.each<[keyof typeof agents, string, unknown, string, string]>([
    ['claude', 'Bash', { command: 'npm test' }, 'Bruno wants to run: npm test', 'asks for Bash'],
    ['claude', 'Bash', { command: long }, `Bruno wants to run: ${long.slice(0, 59)}…`, long],
    ['claude', 'Bash', { command: 'a\n  b\u001b[2J' }, 'Bruno wants to run: a b[2J', 'a\n  b\u001b[2J'],
    ['claude', 'Bash', {}, 'Bruno wants to use Bash', 'asks for Bash'],
    [
      'claude',
      'WebFetch',
      { url: 'https://a.b@example.com/x' },
      'Bruno wants to reach example.com',
      'https://a.b@example.com/x',
    ],
    [
      'claude',
      'Write',
      { file_path: '/repo/src/note.js', content: 'one\ntwo\n' },
      'Bruno wants to write src/note.js',
      '+ one\n+ two',
    ],
    [
      'claude',
      'Edit',
      { file_path: '/x/a.md', old_string: 'one', new_string: 'two\nlines' },
      'Bruno wants to write /x/a.md',
      '- one\n+ two\n+ lines',
    ],
    ['claude', 'Read', { file_path: deep }, `Bruno wants to read …${deep.slice(-59)}`, deep.slice('/repo/'.length)],
    [
      'claude',
      'mcp__db__drop',
      { table: 'users' },
      'Bruno wants to use mcp__db__drop: {"table":"users"}',
      'asks for mcp__db__drop',
    ],
    ['codex', 'Bash', { command: ['git', 'push'] }, 'Bruno wants to run: git push', 'asks for Bash'],
    [
      'codex',
      'apply_patch',
      { command: patch },
      'Bruno wants to write plan.txt and 1 more',
      'plan.txt\nb.txt\n*** Add File: plan.txt\n+one\n*** Update File: b.txt\n-two',
    ],
  ])('of %s for %s of %j says so', (of, tool, input, title, detail) => {
    expect(asking(of, tool, input)).toMatchObject({ title, detail });
  });

  it('that only a person may allow has the call that denies, and the way to the pane', () => {
    const request = {
      ...{ waitingFor: 'permission' as const, requestId: '1a2b3c4d', tool: 'Bash', input: { command: 'rm -rf /' } },
    } as const;
    const need = needOf('claude', [
      { from: 'hook', kind: 'permission', personOnly: true, rule: 'deletes all', ...request },
    ]);
    expect(need).toMatchObject({
      detail: 'deletes all',
      answer_with: [expect.stringContaining('"decision":"deny"'), 'tmux attach'],
    });
  });

  it('has a title of 80 characters at most that never cuts the name, of any words', () => {
    const words = fc.string({ unit: anyCodePoint, maxLength: 200 });
    const keeps = fc.constantFrom('begin' as const, 'end' as const);
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 64 }), words, keeps, (name, what, keep) => {
        const title = titleOf(name, { verb: 'wants to write ', what, keeps: keep });
        expect([...title].length).toBeLessThanOrEqual(80);
        expect(title.startsWith(`${name} `)).toBe(true);
      }),
    );
  });
});

const recorded = Object.entries(agents).flatMap(([name, of]) =>
  casesOf(of).flatMap(({ folder, name: scene }) =>
    Object.entries(decodeRecording(of, folder).screens).flatMap(([file, { dialog }]) =>
      dialog === undefined
        ? []
        : [{ of: name === 'claude' ? ('claude' as const) : ('codex' as const), scene, file, dialog }],
    ),
  ),
);

const shown = ({ of, dialog }: (typeof recorded)[number]) =>
  needOf(of, [
    ...(dialog.waitingFor === 'permission' ? [agent('waiting', 'permission')] : []),
    { from: 'screen', kind: 'dialog', dialog },
  ]);

describe('a recorded dialog', () => {
  it.each(recorded)(
    '$of $scene $file stands in its need without a row twice, and without a call that has a blank',
    (one) => {
      const need = shown(one);
      if (need === undefined) return;
      const rows = need.detail.split('\n').filter((row) => row.trim() !== '');
      expect(rows).toEqual([...new Set(rows)]);
      expect(need.options ?? []).not.toEqual(expect.arrayContaining(rows.map((row) => row.trim())));
      expect(need.answer_with.length).toBeGreaterThan(0);
      for (const call of need.answer_with)
        expect(call).toMatch(/^(?:answer_worker \{[^<>]*\}|message_workers .*|tmux attach)$/);
    },
  );

  const seen = (scene: string) => {
    const one = recorded.find((each) => each.scene === scene);
    return one && shown(one);
  };

  it('about a host is denied first, and the user is asked', () => {
    const option = (label: string) => `answer_worker {"session_id":"00000000","decision":"choose","option":"${label}"}`;
    expect(seen('sandbox-host')).toMatchObject({
      waiting_for: 'permission',
      title: 'Bruno wants to reach example.com',
      detail:
        'Network request outside of sandbox\nHost: example.com\nDo you want to allow this connection?\nAsk your user before you allow it.',
      answer_with: [option('No, and tell Claude what to do differently (esc)'), option('Yes')],
    });
  });

  it.each([
    ['approval-allowed', 'Bruno wants to run: touch allowed'],
    ['patch-approval', 'Bruno wants to write /sandbox/project/plan.txt'],
    ['permission-allowed', 'Bruno wants to write new.txt'],
    ['permission-denied', "Bruno asks permission: Bash command Run scripted command touch 'Accessing works…"],
  ])('%s has the title "%s"', (scene, title) => {
    expect(seen(scene)?.title).toBe(title);
  });

  it.each<[WaitingFor, string]>([['login', 'Only a person can log the agent in']])(
    'about a %s is a person’s',
    (kind, words) => {
      const one = recorded.find(({ dialog }) => dialog.waitingFor === kind);
      const need = one && shown(one);
      expect(need).toMatchObject({ answer_with: ['tmux attach'], detail: expect.stringContaining(words) });
    },
  );

  it('is said at a start once, with whole words, and that the user decides', () => {
    const trusts = recorded.filter(({ scene }) => scene === 'trust').flatMap((one) => shown(one) ?? []);
    expect(trusts).toHaveLength(2);
    expect(needWarnings(trusts)).toMatchInlineSnapshot(`
      [
        "Bruno asks whether it may trust the folder: Accessing workspace: /sandbox/project Quick safety check: Is this a project you created or one you trust? (Like your own code, a well-known open source project, or work from your team). If not, take a moment to review what's in this folder first. Claude Code'll be able to read, edit, and execute … Ask your user before you allow it. answer_worker {"session_id":"00000000","decision":"choose","option":"No, exit"} or answer_worker {"session_id":"00000000","decision":"choose","option":"Yes, I trust this folder"}",
        "Bruno asks whether it may trust the folder: Folder access /sandbox/project Trust this folder? Codex can read, edit, and run files here, subject to your permission settings. Folder settings can run code automatically, even without a model request. Continue only if you trust these files. Your trust decision will be saved. Ask your user before you allow it. answer_worker {"session_id":"00000000","decision":"choose","option":"Back to Agent Command Center"} or answer_worker {"session_id":"00000000","decision":"choose","option":"Trust and continue"}",
      ]
    `);
  });
});

it('a wait whose dialog is still looked for is told a moment later, with the calls', () => {
  const waits = agent('waiting', 'permission');
  const at = play([launched, line(), waits]).since;
  expect(needOf('claude', [waits], at + 3_000)).toBeUndefined();
  expect(needOf('claude', [waits], at + 4_100)).toMatchObject({ answer_with: ['tmux attach'] });
});

it('a need in text has what is asked, its rest in rows of their own, and every call', () => {
  const need = asking('claude', 'Edit', { file_path: '/repo/a.md', old_string: 'one', new_string: 'two' });
  expect(attentionLines(need === undefined ? [] : [need])).toMatchInlineSnapshot(`
    [
      "Bruno [00000000] needs someone, permission: Bruno wants to write a.md",
      "  | - one",
      "  | + two",
      "  Answer with: answer_worker {"session_id":"00000000","request_id":"1a2b3c4d","decision":"allow"}",
      "  or: answer_worker {"session_id":"00000000","request_id":"1a2b3c4d","decision":"deny"}",
    ]
  `);
});
