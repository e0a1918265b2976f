// What holds of every line and every set of rules.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathFits, textFits } from '../../src/model/glob.ts';
import { globsMeet, pathsMeet } from '../../src/model/glob-meet.ts';
import type { Policy, Ruling } from '../../src/model/permission.ts';
import { ruleOn } from '../../src/model/permission-ruling.ts';
import { processorMs } from '../support/processor-time.ts';
import { ground, layer, onLine, root } from './permission-ground.ts';

const rules = [
  '*',
  'Bash',
  'Bash(ls *)',
  'Bash(git push *)',
  'Bash(git *)',
  'Bash(npm test*)',
  'Read(**)',
  'Edit(src/**)',
  'Edit',
  'Read(.env)',
  'mcp__a',
  'WebFetch(domain:a.example)',
];
const list = fc.subarray(rules);
const layers = fc.array(
  fc.record({ scope: fc.constantFrom('worker:a', 'role:b', 'default'), allow: list, confirm: list, deny: list }),
  { maxLength: 3 },
);
const words = fc.constantFrom(
  ...[
    'ls',
    'git push',
    'git status',
    'npm test',
    'rm -rf ~',
    'cat .env',
    'echo x > src/a.ts',
    '$x',
    'FOO=1',
    'sh -c "ls"',
    'cd src',
    'f() { ls; }',
    '"',
  ],
);
const joiner = fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n', ' & ', ' $(', ' "$(', ') ', ' `', ' > ');
const line = fc
  .array(fc.tuple(words, joiner), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map(([word, sign]) => word + sign).join(''));
const act = fc.oneof(
  line.map((command) => ({ tool: 'Bash', cwd: root, command })),
  fc.string().map((command) => ({ tool: 'Bash', cwd: root, command })),
  fc
    .tuple(
      fc.constantFrom('Read', 'Edit', 'Write', 'Glob'),
      fc.constantFrom('src/a.ts', '.env', '/etc/x', '~/.ssh/x', ''),
    )
    .map(([tool, path]) => ({ tool, cwd: root, paths: [path] })),
  fc.constantFrom('https://a.example/x', 'nonsense').map((url) => ({ tool: 'WebFetch', cwd: root, url })),
  fc.constantFrom('mcp__a__b', 'Task', 'AskUserQuestion').map((tool) => ({ tool, cwd: root })),
);

const weight = { allow: 0, confirm: 1, deny: 2 };
const heavier = (a: Ruling, b: Ruling) => weight[a.decision] >= weight[b.decision];

describe('a ruling', () => {
  it('is given on every act under every set of rules, with a reason', () => {
    fc.assert(
      fc.property(layers, act, (policy: Policy, one) => {
        const ruling = ruleOn(policy, one, ground);
        expect(['allow', 'confirm', 'deny']).toContain(ruling.decision);
        expect(ruling.reason).not.toBe('');
        if (ruling.decision !== 'confirm') expect(ruling.by).toBeDefined();
        if (ruling.catastrophic !== undefined) expect(ruling.decision).toBe('confirm');
      }),
      { numRuns: 1_000 },
    );
  });

  it('is no milder for one more rule that forbids', () => {
    fc.assert(
      fc.property(layers, act, fc.constantFrom(...rules), (policy: Policy, one, rule) => {
        const before = ruleOn(policy, one, ground);
        const after = ruleOn([...policy, layer({ deny: [rule] })], one, ground);
        expect(heavier(after, before)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('is no stricter for one more rule that permits in the strongest scope', () => {
    fc.assert(
      fc.property(layers, act, fc.constantFrom(...rules), (policy: Policy, one, rule) => {
        const before = ruleOn(policy, one, ground);
        const after = ruleOn([layer({ scope: 'worker:a', allow: [rule] }), ...policy], one, ground);
        expect(heavier(before, after)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('of two commands in a line', () => {
  const joined = fc.constantFrom(';', '&&', '||', '|', '&', '\n', '|&', ' ;\n', '\n\n;');
  const allowed = fc.constantFrom(
    'ok',
    'ok a',
    '(ok)',
    '{ ok; }',
    'ok "x"',
    'if ok; then ok; fi',
    'for i in a; do ok; done',
    'ok > /dev/null',
    "ok 'a;b'",
    'cd src',
    'echo x',
  );
  const rule = { allow: ['Bash(ok *)'], deny: ['Bash(bad *)'] };

  it('a forbidden one forbids the line, whatever joins them and wherever it stands', () => {
    fc.assert(
      fc.property(
        fc.array(allowed, { maxLength: 3 }),
        joined,
        fc.array(allowed, { maxLength: 3 }),
        (before, sign, after) => {
          const text = [...before, 'bad x', ...after].join(` ${sign} `);
          expect([text, onLine(rule, text).decision]).toEqual([text, 'deny']);
        },
      ),
    );
  });

  it('one that no rule is about puts the line to somebody', () => {
    fc.assert(
      fc.property(
        fc.array(allowed, { maxLength: 3 }),
        joined,
        fc.array(allowed, { maxLength: 3 }),
        (before, sign, after) => {
          const text = [...before, 'other x', ...after].join(` ${sign} `);
          expect([text, onLine(rule, text).decision]).toEqual([text, 'confirm']);
        },
      ),
    );
  });

  it('allowed ones make an allowed line', () => {
    fc.assert(
      fc.property(fc.array(allowed, { minLength: 1, maxLength: 4 }), joined, (parts, sign) => {
        const text = ['ok', ...parts].join(` ${sign} `);
        fc.pre(!/\n\s*\n;|^;/.test(sign));
        expect([text, onLine(rule, text).decision]).toEqual([text, 'allow']);
      }),
    );
  });
});

describe('patterns', () => {
  const letters = fc.array(fc.constantFrom('a', 'b', '*', '?'), { maxLength: 8 }).map((signs) => signs.join(''));
  const plain = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((signs) => signs.join(''));

  it('a text fits a pattern exactly when it fits the same pattern written as an expression', () => {
    fc.assert(
      fc.property(letters, plain, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('?', '\\?').replaceAll('*', '.*')}$`);
        expect(textFits(pattern, text)).toBe(expression.test(text));
      }),
    );
  });

  it('two patterns meet when some text fits both', () => {
    fc.assert(
      fc.property(letters, letters, plain, (one, other, text) => {
        const fits = (pattern: string) =>
          new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '.*')}$`).test(text);
        if (fits(one) && fits(other)) expect(globsMeet(one, other)).toBe(true);
        expect(globsMeet(one, other)).toBe(globsMeet(other, one));
        expect(globsMeet(text, one)).toBe(fits(one));
      }),
    );
  });

  it.each([
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'src', true],
    ['src/*', 'src/a', true],
    ['src/*', 'src/a/b', false],
    ['**/a.ts', 'a.ts', true],
    ['**/a.ts', 'x/y/a.ts', true],
    ['a/**/b', 'a/b', true],
    ['a/**/b', 'a/x/y/b', true],
    ['*.ts', 'a.ts', true],
    ['*.ts', 'x/a.ts', false],
    ['a?c', 'abc', true],
    ['[id].ts', '[id].ts', true],
    ['', 'a', false],
  ])('%s and %s: %s', (pattern, path, fits) => {
    expect(pathFits(pattern, path)).toBe(fits);
    if (fits) expect(pathsMeet(pattern, path)).toBe(true);
  });

  it('are compared in a time that grows no faster than both lengths together', () => {
    const costMs = processorMs(() => {
      textFits('*a'.repeat(1_000), 'a'.repeat(4_000));
      pathFits('**/'.repeat(600), 'a/'.repeat(600));
      globsMeet('*a'.repeat(500), '*b'.repeat(500));
      onLine({ allow: ['Bash(*a*a*a*a*a*a*b)'] }, `echo ${'a'.repeat(20_000)}`);
      onLine({ deny: ['Bash(git push *)'] }, `git ${'-c '.repeat(3_000)} push`);
      onLine({ allow: ['*'] }, `cat <<'EOF'\n${'x "$(` \n'.repeat(10_000)}EOF`);
    });
    expect(costMs).toBeLessThan(5_000);
  });
});
