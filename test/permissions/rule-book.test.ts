import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseRule, presetNames, ruleLists } from '../../src/model/rule.ts';
import { presets } from '../../src/permissions/presets.ts';
import { changed, heldUp, rulesFor, rulesOf } from '../../src/permissions/rule-book.ts';

const none = { own: {}, below: {} };

describe('the rules of a scope', () => {
  it('are those of the configuration with what was set added, and what was removed taken away', () => {
    const configured = { default: { allow: ['Bash(a)', 'Bash(b)'], deny: ['Edit'] } };
    const set = { default: { allow: ['Bash(c)'], removed: ['Bash(a)'] } };
    expect(rulesOf([configured, set], 'default')).toMatchObject({ allow: ['Bash(b)', 'Bash(c)'], deny: ['Edit'] });
  });

  it('hold a rule in one list: added to another, it leaves the first, also that of the configuration', () => {
    const below = { allow: ['Bash(a)'] };
    const own = changed({ own: {}, below }, { deny: ['Bash(a)'] });
    expect(rulesOf([{ default: below }, { default: own }], 'default')).toMatchObject({ allow: [], deny: ['Bash(a)'] });
    const back = changed({ own, below }, { allow: ['Bash(a)'] });
    expect(rulesOf([{ default: below }, { default: back }], 'default')).toMatchObject({ allow: ['Bash(a)'], deny: [] });
  });

  it('refuse to have one taken away that they do not have, naming those they have', () => {
    expect(() => changed({ own: { allow: ['Bash(a)'] }, below: {} }, { remove: ['Bash(b)'] })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', hint: expect.stringContaining('Bash(a)') }),
    );
  });

  it('refuse one given twice, and one that is no rule', () => {
    expect(() => changed(none, { allow: ['Edit'], deny: ['Edit'] })).toThrow(/under allow and under deny/);
    expect(() => changed(none, { allow: ['Edit', 'bash(x)'] })).toThrow(/is no rule/);
  });

  it('keep a preset until another, or none, is set', () => {
    const own = changed(none, { preset: 'review' });
    expect(changed({ own, below: {} }, { allow: ['Edit'] }).preset).toBe('review');
    expect(changed({ own, below: {} }, { preset: 'none' }).preset).toBeUndefined();
    const below = { preset: 'review' as const };
    const without = changed({ own: {}, below }, { preset: 'none' });
    expect(rulesOf([{ default: below }, { default: without }], 'default').preset).toBeUndefined();
  });
});

describe('the rules of a worker', () => {
  it('are those of all its scopes together, with the preset of the strongest that has one', () => {
    const book = {
      default: { preset: 'implement' as const, allow: ['Bash(d)'], ask: ['Bash(q)'] },
      'role:b': { preset: 'test' as const, allow: ['Bash(r)'], deny: ['Bash(x)'] },
      'worker:a': { deny: ['Bash(w)'] },
      'worker:other': { allow: ['Bash(o)'] },
    };
    expect(rulesFor([book], { id: 'a', role: 'b' })).toEqual({
      allow: ['Bash(r)', 'Bash(d)', ...presets.test.allow],
      ask: ['Bash(q)'],
      deny: ['Bash(w)', 'Bash(x)', ...presets.test.deny],
    });
    expect(rulesFor([book], { id: 'x' }).allow).toEqual(['Bash(d)', ...presets.implement.allow]);
  });

  it('spell out what an earlier version wrote for everything', () => {
    expect(rulesFor([{ default: { deny: ['*'] } }], {}).deny).toEqual(expect.arrayContaining(['Bash', 'Edit', 'Read']));
  });

  it('allow nothing and ask about everything while they cannot be read', () => {
    const rules = heldUp(rulesFor([{ default: { allow: ['Bash'], deny: ['Bash(rm *)'] } }], {}));
    expect(rules).toMatchObject({ allow: [], ask: expect.arrayContaining(['Bash', 'Edit']), deny: ['Bash(rm *)'] });
  });
});

it.each(presetNames)(
  'the preset %s lets no command out of a sandbox, and in one without prompts allows nothing',
  (preset) => {
    const held = (presetUse: 'all' | 'sandboxed' | 'unasked') =>
      rulesFor([{ default: { preset, allow: ['Bash(mine)'] } }], { presetUse });
    const { allow, ask, deny } = presets[preset];
    expect(held('all')).toEqual({ allow: ['Bash(mine)', ...allow], ask, deny });
    const files = allow.filter((rule) => !rule.startsWith('Bash'));
    expect(files.length).toBeGreaterThan(0);
    expect(held('sandboxed')).toEqual({ allow: ['Bash(mine)', ...files], ask, deny });
    expect(held('unasked')).toEqual({ allow: ['Bash(mine)'], ask, deny });
  },
);

it('presets hold nothing but rules, and the documents show each of them', () => {
  const told = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8');
  for (const name of presetNames) {
    for (const rule of ruleLists.flatMap((list) => presets[name][list])) {
      expect(() => parseRule(rule)).not.toThrow();
      expect(told).toContain(`\`${rule.replace(/^Bash\((.*)\)$/, '$1')}\``);
    }
  }
});

it('no preset allows a file tool to write outside of the worktree', () => {
  const edits = presetNames.flatMap((name) => presets[name].allow.filter((rule) => /^(Edit|Write)/.test(rule)));
  expect(edits.filter((rule) => !rule.startsWith('Edit(./'))).toEqual([]);
});
