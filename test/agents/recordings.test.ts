import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { casesOf, meaningOf } from './recordings.ts';

/** A copy of a recorded case with one file changed. */
function changed(folder: string, file: string, change: (text: string) => string): string {
  const copy = mkdtempSync(join(tmpdir(), 'crewmux-test-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'utf8')));
  return copy;
}

const recorded = (agent: typeof claudeAgent, name: string): string =>
  casesOf(agent).find((one) => one.name === name)?.folder ?? '';

test.each([claudeAgent, codexAgent])('a turn of $type at another hour means the same', (agent) => {
  const folder = recorded(agent, 'plain-turn');
  const later = changed(folder, 'transcript.jsonl', (text) => text.replace(/T\d\d:/g, 'T23:'));
  expect(meaningOf(agent, folder).length).toBeGreaterThan(3);
  expect(meaningOf(agent, later)).toEqual(meaningOf(agent, folder));
});

test('an end of a turn that is told in another way means something else', () => {
  const folder = recorded(codexAgent, 'plain-turn');
  const renamed = changed(folder, 'transcript.jsonl', (text) => text.replaceAll('"task_complete"', '"task_done"'));
  expect(meaningOf(codexAgent, renamed)).not.toEqual(meaningOf(codexAgent, folder));
});

test('a dialog with another choice means something else', () => {
  const folder = recorded(claudeAgent, 'trust');
  const reworded = changed(folder, 'screens/dialog.txt', (text) => text.replaceAll('Yes, I trust', 'Sure, I trust'));
  expect(meaningOf(claudeAgent, reworded)).not.toEqual(meaningOf(claudeAgent, folder));
});
