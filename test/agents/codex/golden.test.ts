// What the decoders make of real recordings; `lab/record.ts` makes them anew.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DecodedLine } from '../../../src/agents/agent.ts';
import { codexAgent } from '../../../src/agents/codex/codex.ts';

const root = new URL('../../fixtures/agents/codex/0.169.0/', import.meta.url).pathname;

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];

const says = ({ signals, ...rest }: DecodedLine) => signals.length > 0 || Object.keys(rest).length > 0;

const screensOf = (folder: string) => {
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return Object.fromEntries(
    names.map((name) => [name, codexAgent.readScreen(readFileSync(join(folder, name), 'utf8'))]),
  );
};

const decode = (folder: string) => ({
  screens: screensOf(join(folder, 'screens')),
  hooks: linesOf(join(folder, 'signals.jsonl')).flatMap((line) => codexAgent.decodeHook(line)),
  transcript: linesOf(join(folder, 'transcript.jsonl')).map(codexAgent.decodeLine).filter(says),
});

describe('recordings of Codex 0.169.0', () => {
  const cases = readdirSync(root).sort();

  test.each(cases)('%s decodes to what expected.json says', async (name) => {
    const decoded = `${JSON.stringify(decode(join(root, name)), null, 1)}\n`;
    await expect(decoded).toMatchFileSnapshot(join(root, name, 'expected.json'));
  });

  test('no line of any recording is unknown', () => {
    const unknown = cases.flatMap((name) =>
      linesOf(join(root, name, 'transcript.jsonl')).flatMap((line) => codexAgent.decodeLine(line).unknown ?? []),
    );
    expect(unknown).toEqual([]);
  });
});
