import { expect, it } from 'vitest';
import { codexRules } from '../../../src/agents/codex/rules.ts';
import { noRules, presetNames, type Rules } from '../../../src/model/rule.ts';
import { presets } from '../../../src/permissions/presets.ts';

const rules = (change: Partial<Rules>): Rules => ({ ...noRules, ...change });
const inWorktree = { skips: false, hasWorktree: true };

it('what begins with words is a rule of Codex, the strictest first', () => {
  const want = rules({ allow: ['Bash(ls *)'], ask: ['Bash(npm publish:*)'], deny: ['Bash(git push *)', 'Edit'] });
  expect(
    codexRules.file?.written('old', { had: noRules, want }).text,
  ).toBe(`# crewmux writes this file for one worker, anew at each start.
prefix_rule(pattern=["git","push"], decision="forbidden", justification="A rule of this crew: Bash(git push *)")
prefix_rule(pattern=["npm","publish"], decision="prompt", justification="A rule of this crew: Bash(npm publish:*)")
`);
  expect(codexRules.file?.written('old', { had: want, want: rules({ allow: ['Bash'] }) }).text).toBeUndefined();
});

it.each([
  ['Bash(git push *)', true],
  ['Bash(git push:*)', true],
  ['Edit', true],
  ['Write', true],
  ['Edit(./**)', true],
  ['Bash', false],
  ['Bash(git push)', false],
  ['Bash(git push*)', false],
  ['Bash(git * push:*)', false],
  ['Bash(echo "a":*)', false],
  ['Edit(./secret/**)', false],
  ['Read(.env)', false],
  ['WebFetch(domain:x.example)', false],
  ['mcp__github', false],
])('a deny of %s holds: %s', (rule, holds) => {
  expect(codexRules.lacks(rules({ deny: [rule] }), inWorktree).deny).toEqual(holds ? [] : [rule]);
});

it('without a worktree of its own no command can be denied, and without a sandbox no editing', () => {
  const deny = ['Edit', 'Bash(git push *)'];
  expect(codexRules.lacks(rules({ deny }), { skips: false, hasWorktree: false }).deny).toEqual(['Bash(git push *)']);
  expect(codexRules.lacks(rules({ deny }), { skips: true, hasWorktree: true }).deny).toEqual(['Edit']);
});

it('every preset holds for Codex', () => {
  for (const name of presetNames) expect(codexRules.lacks(presets[name], inWorktree)).toEqual(noRules);
});
