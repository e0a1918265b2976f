// Lines that look like an allowed command and are more than that, by trick.
import { describe, expect, it } from 'vitest';
import { ruledOtherwise } from './permission-ground.ts';
import { tricks } from './permission-tricks.ts';

const onlyTests = { allow: ['Bash(npm test*)'] };
describe('of a permitted command', () => {
  it('every spelling that means nothing else is allowed', () => {
    const lines = [
      'npm test',
      '  npm   test  ',
      'npm test -- --watch=false',
      'npm test -- "a b" c\\ d',
      "npm test -- 'a;b' 'c&&d' \"e|f\"",
      'npm test 2>&1',
      'npm test >/dev/null 2>&1',
      'npm test &>/dev/null',
      'npm test < /dev/null',
      "'npm' test",
      'n"p"m te\\st',
      'npm \\\n test',
      'npm test # the tests; rm x',
      'npm test;',
      'npm test &',
      '(npm test)',
      '{ npm test; }',
      '! npm test',
      'npm test && npm test',
      'npm test || npm test; npm test | npm test',
      'npm test\nnpm test\n',
      'cd src && npm test',
      'cd ./src/../lib && npm test',
      'set -euo pipefail; npm test',
      'NODE_ENV=test CI=1 npm test',
      'mine=1 npm test',
      'if npm test; then echo fine; else echo "not fine"; fi',
      'for suite in a b c; do npm test; done',
      'while true; do npm test; sleep 5; done',
      'case x in a|b) npm test;; *) npm test ;; esac',
      '[ -f package.json ] && npm test',
      '[[ -f package.json && ! -d x ]] && npm test',
      "npm test <<'EOF'\n$(rm x); rm y\nEOF",
      'npm test <<< "a; rm x"',
      'npm test |& npm test',
      'time npm test',
      'timeout 60 npm test',
      'timeout -k 5 --signal=KILL 60 npm test',
      'nohup nice -n 5 npm test',
      'env CI=1 npm test',
      'command npm test',
      "sh -c 'npm test'",
      "sh -c 'npm test' \\; touch x",
      'bash -lc "npm test && npm test"',
      "eval 'npm test'",
      'stdbuf -oL npm test',
    ];
    expect(ruledOtherwise(onlyTests, 'allow', lines)).toEqual([]);
  });

  it('words that are known only when it runs are allowed where no option of it could do harm', () => {
    const words = ['"$suite"', '${other} ${more:-none}', '$(echo a)', '*.ts src/**/*.ts', '{a,b}', '~/x', '"${x%.*}"'];
    const harmless = { allow: ['Bash(vitest *)', 'Bash(npm test *)'] };
    expect(
      ruledOtherwise(
        harmless,
        'allow',
        words.map((word) => `vitest ${word}`),
      ),
    ).toEqual([]);
    expect(
      ruledOtherwise(
        harmless,
        'confirm',
        words.slice(0, 5).map((word) => `npm test ${word}`),
      ),
    ).toEqual([]);
  });
});

describe('a permitted command does not carry along', () => {
  it.each(Object.entries(tricks))('%s', (_, lines) => {
    const passed = ruledOtherwise(onlyTests, 'confirm', lines).filter((line) => !line.startsWith('person:'));
    expect(passed).toEqual([]);
  });
});
