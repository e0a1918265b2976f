import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { bareText } from '../../scripts/picture/cells.ts';
import { pictureOf } from '../../scripts/picture/svg.ts';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { attentionOf } from '../../src/crew/attention/attention.ts';
import { boardFacts } from '../../src/crew/queries/board.ts';
import { borderStatus, labelOf } from '../../src/crew/workers/publish.ts';
import { boardText } from '../../src/draw/board-text.ts';
import { pickNames } from '../../src/model/name.ts';
import { workerRecord } from '../support/records.ts';
import { agent, type Loose, launched, line, play } from '../turn/turn-signals.ts';

const root = resolve(import.meta.dirname, '../..');
const recording = z.object({
  label: z.string(),
  columns: z.number(),
  windows: z.array(z.object({ title: z.string(), rows: z.array(z.string()) })),
});
const recorded = recording.parse(JSON.parse(readFileSync(join(root, 'test/fixtures/picture.json'), 'utf8')));
const [board = '', panes = ''] = recorded.windows.map(({ rows }) => bareText(rows.join('\n')));
const found = (pattern: RegExp) => pattern.exec(board)?.[1] ?? `nothing like ${pattern}`;
const branchOf = (name: string) => found(new RegExp(`(${name}-\\w{8}/\\w+)`));
/** Without times, and without what workers have used, which stands behind the branch as far as there is room. */
const timeless = (text: string) =>
  text
    .replaceAll(/\d\d:\d\d:\d\d/g, 'hh:mm:ss')
    .replaceAll(/(-[0-9a-f]{8}\/\w+)(?: ·.*|…)$/gm, '$1')
    .replaceAll(/ +$/gm, '');
const asked: Loose = {
  from: 'hook',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'npm install' },
  waitingFor: 'permission',
};
const nowhere: Parameters<typeof attentionOf>[2] = {
  ...{ now: 1e15, attach: '', requestPath: () => '', remembers: () => [], moved: undefined },
  choiceFor: () => undefined,
  actOf: ({ tool, input }) => claudeAgent.actOf(tool, input, '/repo'),
  changeOf: () => undefined,
};
const borders = [...panes.matchAll(/^── (\S+) · (\S+) · (.+?) ─{5,}$/gm)].map(
  ([, name = '', annotation = '', status = '']) => ({
    name,
    annotation,
    status,
  }),
);

it('styles, words, rules and signs of a screen each get their place in a picture', () => {
  const rows = ['\u001b[1;38;5;196mada\u001b[0m  a<b \u001b[2m──\u001b[0m', '\u001b[30;42m●\u001b[7m x '];
  expect(
    pictureOf({ columns: 10, windows: [{ title: 'T & T', rows }] }, 'What it shows')
      .split('\n')
      .slice(9),
  ).toMatchInlineSnapshot(`
    [
      "<g transform="translate(12 42)">",
      "<text x="0" y="13" textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#ff0000" font-weight="bold">ada</text>",
      "<text x="42" y="13" textLength="25.2" lengthAdjust="spacingAndGlyphs" fill="#d5dbe3">a&lt;b</text>",
      "<path d="M75.6 9h16.8" stroke="#d5dbe3"/>",
      "<rect x="0" y="18" width="8.4" height="18" fill="#6cc789"/>",
      "<text x="0" y="31" fill="#0d1117">●</text>",
      "<rect x="8.4" y="18" width="25.2" height="18" fill="#0d1117"/>",
      "<text x="16.8" y="31" fill="#6cc789">x</text>",
      "</g>",
      "</g>",
      "</svg>",
      "",
    ]
  `);
});

it('a style that no picture can show yet is refused by its numbers', () => {
  const draw = (row: string) => pictureOf({ columns: 4, windows: [{ title: '', rows: [row] }] }, '');
  expect(() => draw('\u001b[1;9mx')).toThrow('No picture shows the style 1;9 yet');
  expect(() => draw('\u001b[38;2;1;2;3mx')).toThrow('No picture shows the style 38;2;1;2;3 yet');
});

it("the README's picture is what its recording gives today (npm run picture makes both anew)", () => {
  expect(readFileSync(join(root, 'docs/crew.svg'), 'utf8')).toBe(pictureOf(recorded, recorded.label));
});

it('the names in the picture are such as workers get today', () => {
  const names = pickNames({ taken: [], count: 100, seed: '' });
  expect(borders.map(({ name }) => names.includes(name))).toEqual([true, true]);
});

it('the board and the borders in the picture are those that crewmux draws today', () => {
  const workers = borders.map(({ name, annotation }, at) => ({
    record: workerRecord({ id: `0000000${at}`, name, annotation, branch: branchOf(name) }),
    turn: play([launched, line(), ...(at === 0 ? [agent('busy')] : [asked])]),
  }));
  expect(workers.map(({ record, turn }) => labelOf(record, borderStatus(turn)))).toMatchObject(borders);
  const facts = boardFacts(
    {
      roster: { turn: (id) => workers.find(({ record }) => record.id === id)?.turn },
      needsOf: (record) => attentionOf(record, workers.find((one) => one.record.id === record.id)?.turn, nowhere),
    },
    {
      crew: found(/ · (crew-\S+) · /),
      records: workers.map(({ record }) => record),
      wayTo: () => found(/^ ! .* · (C-b .*?) *$/m),
    },
  );
  const [guide, foot] = [found(/^ {3}(The keys .*?) *$/m), found(/^ {3}(drawn .*?) *$/m)];
  const today = boardText({
    ...facts,
    columns: recorded.columns,
    rows: recorded.windows[0]?.rows.length ?? 0,
    guide,
    foot,
  });
  expect(timeless(bareText(today))).toBe(timeless(board.split('\n').slice(0, -1).join('\n')));
});
