import { expect, test } from 'vitest';
import { projectSlug, traces } from '../../../src/agents/claude/traces.ts';

test.each<[string, string]>([
  ['/srv/my_repo.v2/a b', '-srv-my-repo-v2-a-b'],
  ['/tmp/ü漢🚀', '-tmp-----'],
  [`/${'a'.repeat(199)}`, `-${'a'.repeat(199)}`],
])('the folder of %s is %s', (cwd, slug) => {
  expect(projectSlug(cwd)).toBe(slug);
});

test('a long path is cut to 200 characters and told apart by the hash Claude Code makes', () => {
  const cwd = `/tmp/long/${'d'.repeat(120)}/ü${'e'.repeat(110)}`;
  expect(projectSlug(cwd)).toBe(`-tmp-long-${'d'.repeat(120)}--${'e'.repeat(68)}-cop8hl`);
  const [one, two] = [`/${'a'.repeat(250)}/x`, `/${'a'.repeat(250)}/y`].map(projectSlug);
  expect(one).toMatch(/^-a{199}-[0-9a-z]+$/);
  expect(one).not.toBe(two);
});

test('CLAUDE_CONFIG_DIR goes before the home folder', () => {
  const at = { cwd: '/p', agentSessionId: 'i' };
  expect(traces({ ...at, env: { HOME: '/h', CLAUDE_CONFIG_DIR: '/c' } })).toEqual({
    transcriptPath: '/c/projects/-p/i.jsonl',
    stateDir: '/c/sessions',
    transcriptBelow: { dir: '/c/projects', name: 'i.jsonl' },
  });
  expect(traces({ ...at, env: { HOME: '/h' } }).transcriptPath).toBe('/h/.claude/projects/-p/i.jsonl');
});
