// What the decoders make of real recordings; `npm run record` makes them anew.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codexAgent } from '../../../src/agents/codex/codex.ts';
import { casesOf, decodeRecording, unknownIn } from '../recordings.ts';

const cases = casesOf(codexAgent);

describe('recordings of Codex', () => {
  test.each(cases)('$version $name decodes to what expected.json says', async ({ folder }) => {
    const decoded = `${JSON.stringify(decodeRecording(codexAgent, folder), null, 1)}\n`;
    await expect(decoded).toMatchFileSnapshot(join(folder, 'expected.json'));
  });

  test('no line of any recording is unknown', () => {
    expect(cases.flatMap(({ folder }) => unknownIn(codexAgent, folder))).toEqual([]);
  });
});
