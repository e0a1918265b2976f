import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tested } from '../../../src/agents/codex/versions.ts';
import { versionOf } from '../../real/install.ts';

test('the newest tested release is the one the real suite pins, and its conversations are recorded', () => {
  expect(tested.testedTo).toBe(versionOf('codex'));
  expect(existsSync(`test/fixtures/agents/codex/${tested.testedTo}/plain-turn`)).toBe(true);
});
