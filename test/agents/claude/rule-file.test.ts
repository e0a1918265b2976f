import { expect, it } from 'vitest';
import { claudeRules } from '../../../src/agents/claude/rule-file.ts';
import { noRules, type Rules } from '../../../src/model/rule.ts';

const write = (text: string | undefined, { had = noRules, want = noRules }: { had?: Rules; want?: Rules }) => {
  const written = claudeRules.file?.written(text, { had, want });
  return { added: written?.added, settings: written?.text === undefined ? undefined : JSON.parse(written.text) };
};
const rules = (change: Partial<Rules>): Rules => ({ ...noRules, ...change });

it('rules stand in a file that was not there, and go with it', () => {
  const want = rules({ allow: ['Bash(a)'], deny: ['Edit(/x)'] });
  const { added, settings } = write(undefined, { want });
  expect(settings).toEqual({ permissions: { allow: ['Bash(a)'], deny: ['Edit(./x)'] } });
  expect(write(JSON.stringify(settings), { had: added ?? noRules }).settings).toBeUndefined();
});

it('what a person wrote stays, also where crewmux wants the same', () => {
  const theirs = { env: { A: '1' }, permissions: { allow: ['Bash(mine)', 'Bash(both)'], defaultMode: 'plan' } };
  const { added, settings } = write(JSON.stringify(theirs), { want: rules({ allow: ['Bash(both)', 'Bash(ours)'] }) });
  expect(settings.permissions.allow).toEqual(['Bash(mine)', 'Bash(both)', 'Bash(ours)']);
  expect(added).toEqual(rules({ allow: ['Bash(ours)'] }));
  expect(write(JSON.stringify(settings), { had: added ?? noRules }).settings).toEqual(theirs);
});

it('a file is left byte for byte where nothing of crewmux is in it or wanted', () => {
  const text = '{ "permissions": {"allow": [ "Bash(mine)" ]}}';
  expect(claudeRules.file?.written(text, { had: noRules, want: noRules }).text).toBe(text);
});

it('a text that holds no settings is refused', () => {
  for (const text of ['{"permi', '[]', '']) {
    expect(() => write(text, { want: rules({ allow: ['Bash'] }) })).toThrow(/holds no settings/);
  }
});

it('a worker that asks nobody is not made to ask by a rule', () => {
  const all = rules({ ask: ['Bash(a)'], deny: ['Bash(b)'] });
  expect(claudeRules.lacks(all, { skips: true, hasWorktree: true })).toEqual(rules({ ask: ['Bash(a)'] }));
  expect(claudeRules.lacks(all, { skips: false, hasWorktree: false })).toEqual(noRules);
});
