// The real recordings: what the decoders make of them. `npm run record` makes them anew.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { versionOf } from '../real/install.ts';
import { casesOf, decodeRecording, unknownIn } from './recordings.ts';

describe.each([
  ['claude', claudeAgent],
  ['codex', codexAgent],
] as const)('recordings of %s', (name, agent) => {
  const cases = casesOf(agent);

  test.each(cases)('$version $name decodes to what expected.json says', async ({ folder }) => {
    const decoded = `${JSON.stringify(decodeRecording(agent, folder), null, 1)}\n`;
    await expect(decoded).toMatchFileSnapshot(join(folder, 'expected.json'));
  });

  test('every tool use of a recording has an id, and every answer is to one of them', () => {
    const lines = cases.flatMap(({ folder }) => decodeRecording(agent, folder).transcript);
    const used = lines.flatMap(({ entry }) => entry?.toolUses ?? []).map(({ id }) => id);
    const answered = lines.flatMap(({ toolResults = [] }) => toolResults).map(({ id }) => id);
    expect(used).not.toContain(undefined);
    expect(answered.length).toBeGreaterThan(3);
    expect(answered.filter((id) => !used.includes(id))).toEqual([]);
  });

  test('no line of any recording is unknown', () => {
    expect(cases.flatMap(({ folder }) => unknownIn(agent, folder))).toEqual([]);
  });

  test('the newest tested release is the one the real suite pins, and its conversations are recorded', () => {
    expect(agent.tested?.testedTo).toBe(versionOf(name));
    expect(existsSync(`test/fixtures/agents/${name}/${agent.tested?.testedTo}/plain-turn`)).toBe(true);
  });
});
