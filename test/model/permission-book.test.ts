import { describe, expect, it } from 'vitest';
import type { Policy, Ruling } from '../../src/model/permission.ts';
import { bypassLayer, changed, isStrict, policyOf, rulesOf, unreadableLayer } from '../../src/model/permission-book.ts';
import { type PresetName, presetLayer, presetNames } from '../../src/model/permission-preset.ts';
import { parseRule } from '../../src/model/permission-rule.ts';
import { ruleOn } from '../../src/model/permission-ruling.ts';
import { ground, layer, root } from './permission-ground.ts';

const none = { own: {}, below: {} };
const onLine = (policy: Policy, command: string): Ruling =>
  ruleOn(policy, { tool: 'Bash', cwd: root, command }, ground);
const onFile = (policy: Policy, tool: string, path: string): Ruling =>
  ruleOn(policy, { tool, cwd: root, paths: [path] }, ground);

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

describe('the policy of a worker', () => {
  it('has its own rules before those of its role before those of everyone, and one preset', () => {
    const book = {
      default: { preset: 'implement' as const, allow: ['Bash(d)'] },
      'role:b': { preset: 'review' as const, allow: ['Bash(r)'] },
      'worker:a': { deny: ['Bash(w)'] },
      'worker:other': { allow: ['*'] },
    };
    expect(policyOf([book], { id: 'a', role: 'b' }).map(({ scope }) => scope)).toEqual([
      'worker:a',
      'role:b',
      'preset:review',
      'default',
    ]);
    expect(policyOf([book], { id: 'x' }).map(({ scope }) => scope)).toEqual(['default', 'preset:implement']);
  });

  it('is strict exactly when something is forbidden or held, or the agent asks nobody', () => {
    expect(isStrict([layer({ allow: ['*'] })], { asksNobody: false })).toBe(false);
    expect(isStrict([layer({ deny: ['Edit'] })], { asksNobody: false })).toBe(true);
    expect(isStrict([layer({ confirm: ['Edit'] })], { asksNobody: false })).toBe(true);
    expect(isStrict([], { asksNobody: true })).toBe(true);
    const strict = presetNames.filter((name) => isStrict([presetLayer(name)], { asksNobody: false }));
    expect(strict).toEqual(['test', 'review', 'explore']);
  });

  it('lets a worker that skips permissions do what no rule is about, but not what is forbidden or personal', () => {
    const policy = [layer({ deny: ['Bash(git push *)'], confirm: ['Bash(npm publish *)'] }), bypassLayer];
    expect(onLine(policy, 'make all').decision).toBe('allow');
    expect(onLine(policy, 'git push').decision).toBe('deny');
    expect(onLine(policy, 'npm publish').decision).toBe('confirm');
    expect(onLine(policy, 'rm -rf ~').catastrophic).toBeDefined();
    expect(onLine(policy, 'f() { ls; }; f').decision).toBe('confirm');
    expect(onLine([bypassLayer], 'f() { ls; }; f').decision).toBe('allow');
    expect(onLine([bypassLayer], '$tool --version').decision).toBe('allow');
    expect(onLine([bypassLayer], 'f() { rm -rf ~; }; f').catastrophic).toBeDefined();
  });

  it('allows nothing while rules cannot be read', () => {
    expect(onLine([unreadableLayer('x'), layer({ allow: ['*'] })], 'ls').decision).toBe('confirm');
  });
});

describe('presets', () => {
  it('hold nothing but rules', () => {
    for (const name of presetNames) {
      const { allow, confirm, deny } = presetLayer(name);
      for (const rule of [...allow, ...confirm, ...deny]) expect(() => parseRule(rule)).not.toThrow();
    }
  });

  const table: readonly (readonly [string, Readonly<Record<PresetName, Ruling['decision']>>])[] = [
    [
      'ls -la src',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'allow', review: 'allow', explore: 'allow' },
    ],
    [
      'git log --oneline -5 | head -3',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'allow', review: 'allow', explore: 'allow' },
    ],
    [
      'git diff main...HEAD',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'allow', review: 'allow', explore: 'allow' },
    ],
    [
      'npm test',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'allow', review: 'allow', explore: 'confirm' },
    ],
    [
      'git commit -m x',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'confirm', review: 'deny', explore: 'deny' },
    ],
    [
      'git push',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'deny', review: 'deny', explore: 'deny' },
    ],
    [
      'npm install left-pad',
      { full: 'allow', implement: 'allow', fix: 'confirm', test: 'confirm', review: 'confirm', explore: 'confirm' },
    ],
    [
      'rm -rf dist',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'confirm', review: 'deny', explore: 'deny' },
    ],
    [
      'echo x > src/a.ts',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'confirm', review: 'deny', explore: 'deny' },
    ],
    [
      'sed -i s/a/b/ src/a.ts',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'confirm', review: 'deny', explore: 'deny' },
    ],
    [
      'cat /etc/hosts',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'confirm', review: 'confirm', explore: 'confirm' },
    ],
    [
      'cat to-home/notes',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'confirm', review: 'confirm', explore: 'confirm' },
    ],
    [
      'cp src/a.ts ~/x',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'confirm', review: 'deny', explore: 'deny' },
    ],
    [
      'python3 -c "print(1)"',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'confirm', review: 'confirm', explore: 'confirm' },
    ],
    [
      'cd /srv && ls',
      { full: 'allow', implement: 'confirm', fix: 'confirm', test: 'confirm', review: 'confirm', explore: 'confirm' },
    ],
    [
      'find . -name "*.ts" -exec touch {} +',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'confirm', review: 'deny', explore: 'deny' },
    ],
    [
      'find src -name "*.ts"',
      { full: 'allow', implement: 'allow', fix: 'allow', test: 'allow', review: 'allow', explore: 'allow' },
    ],
  ];

  it.each(table)('on %s', (command, decisions) => {
    const found = Object.fromEntries(presetNames.map((name) => [name, onLine([presetLayer(name)], command).decision]));
    expect(found).toEqual(decisions);
  });

  it('on files: test edits tests and asks for all else, review and explore edit nothing, nobody edits outside', () => {
    const decide = (name: PresetName, tool: string, path: string) => onFile([presetLayer(name)], tool, path).decision;
    expect(
      ['src/a.test.ts', 'test/x.ts', 'pkg/tests/a.py', 'x/__tests__/a.js', 'a/b_test.go'].map((path) =>
        decide('test', 'Edit', path),
      ),
    ).toEqual(Array(5).fill('allow'));
    expect(decide('test', 'Write', 'src/a.ts')).toBe('confirm');
    for (const name of ['review', 'explore'] as const) expect(decide(name, 'Edit', 'test/a.test.ts')).toBe('deny');
    for (const name of ['implement', 'fix'] as const) {
      expect(decide(name, 'Edit', 'src/a.ts')).toBe('allow');
      expect(
        ['../x', 'to-home/x', '.git/hooks/x', '.claude/settings.json'].map((path) => decide(name, 'Edit', path)),
      ).toEqual(Array(4).fill('confirm'));
    }
  });
});
