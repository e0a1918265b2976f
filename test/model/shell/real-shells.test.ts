import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { onLine } from '../permission-ground.ts';
import { openShells } from './real-shells.ts';

const shells = openShells();
afterAll(() => shells.dispose());

/** Pieces of which shells make something, each of which may stand next to any other. */
const pieces = [
  ...[
    'ok',
    'ok',
    'ok',
    'ok a',
    'bad',
    'bad',
    'bad x',
    ' ',
    ' ',
    ' ',
    '\n',
    '\t',
    ';',
    '&&',
    '||',
    '|',
    '&',
    '|&',
    ';;',
  ],
  ...['$(', ')', '(', '`', "'", '"', '\\', '#', '{ ', '; }', '}', '!', '$x', '${x:-', '}', '$((', '))', '$[', ']', '$'],
  ...['<(', '>(', '<<E\n', "<<'E'\n", '\nE\n', '<<<', '< ', '> /dev/null', '>f ', '>&2', '2>&1', '&>f', '>|f', '<>f'],
  ...[
    'if ',
    '; then ',
    '; else ',
    '; fi',
    'for i in a; do ',
    '; done',
    'case a in a) ',
    ';; esac',
    'a)',
    '[[ a',
    ' ]]',
    '[ a ]',
  ],
  ...[
    'ok() ',
    'function ok ',
    'eval ',
    'command ',
    'env ',
    'xargs ',
    "sh -c '",
    'bash -c "',
    'time ',
    'nohup ',
    'exec ',
    'trap ',
  ],
  ...[
    'x=',
    'PATH=. ',
    'x=bad ',
    '*',
    '?',
    '~',
    '{a,b}',
    '{bad,ok}',
    '\\\n',
    "$'",
    '\r',
    'alias ok=bad\n',
    '-exec ',
    'find . ',
    'cat ',
  ],
];
const line = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 14 }).map((parts) => parts.join(''));

/** Begins well, so that more of the lines are allowed ones. */
const likely = fc
  .tuple(fc.constantFrom('ok ', 'ok a', "ok '", 'ok "', 'ok; ', 'cat ', '(ok', 'for i in a; do ok'), line)
  .map((parts) => parts.join(''));

it('no line made of shell signs is allowed in which a shell runs another command', () => {
  let allowed = 0;
  fc.assert(
    fc.property(fc.oneof(line, likely), (text) => {
      fc.pre(text.includes('bad'));
      const { decision } = onLine({ allow: ['Bash(ok *)'] }, text);
      if (decision !== 'allow') return;
      allowed++;
      expect([text, shells.traitors(text)]).toEqual([text, []]);
    }),
    { numRuns: 5_000 },
  );
  expect(allowed).toBeGreaterThan(10);
}, 60_000);

it('the trace is seen where the other command does run', () => {
  expect(shells.traitors('ok; bad').length).toBeGreaterThan(0);
  expect(shells.traitors('ok "bad"')).toEqual([]);
});
