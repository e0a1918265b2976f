// What a later release may write, or a reader may catch half-written, changes nothing that is known.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { decodeLine } from '../../../src/agents/codex/rollout.ts';

const root = new URL('../../fixtures/agents/codex/0.169.0', import.meta.url).pathname;
const lines = readdirSync(root)
  .map((name) => join(root, name, 'transcript.jsonl'))
  .filter((path) => existsSync(path))
  .flatMap((path) => readFileSync(path, 'utf8').split('\n').filter(Boolean));
const recorded = fc.constantFrom(...lines);
const form = z.looseObject({ payload: z.looseObject({}) });

test('a line cut short anywhere is unknown and says nothing', () => {
  fc.assert(
    fc.property(recorded, fc.double({ min: 0, max: 0.999, noNaN: true }), (line, part) => {
      expect(decodeLine(line.slice(0, Math.floor(line.length * part)))).toEqual({ signals: [], unknown: 'no JSON' });
    }),
  );
});

test('fields that nobody knows change nothing', () => {
  fc.assert(
    fc.property(recorded, fc.jsonValue(), (line, value) => {
      const { payload, ...rest } = form.parse(JSON.parse(line));
      const later = JSON.stringify({ ...rest, brand_new: value, payload: { ...payload, brand_new: value } });
      expect(decodeLine(later)).toEqual(decodeLine(line));
    }),
  );
});

test('a field that is lost or of another kind never throws, and ends no turn of itself', () => {
  const ends = (line: string) => decodeLine(line).signals.some((signal) => signal.kind === 'ended');
  fc.assert(
    fc.property(recorded, fc.nat(), fc.jsonValue(), (line, index, value) => {
      const { payload, ...rest } = form.parse(JSON.parse(line));
      const names = Object.keys(payload).filter((name) => name !== 'type');
      const name = names[index % Math.max(1, names.length)] ?? 'none';
      const changed = JSON.stringify({ ...rest, payload: { ...payload, [name]: value } });
      expect(ends(changed)).toBe(ends(line));
    }),
  );
});
