import { expect, test } from 'vitest';
import { documentOf } from './document.ts';
import { emptyRecord } from './record.ts';

const machine = { cores: 2, system: 'Linux', node: '20', tmux: 'tmux 3.3a' };
const seen = emptyRecord({ title: 'A', version: '1', cannot: {} });

test('the document tells a false idle, a false submitted and how late a wrong word came', () => {
  const states = { ...seen, cells: [{ truth: 'working: tool', told: 'idle', count: 2, latestMs: 41 }] };
  const sent = { way: 'w', text: 't', verdict: 'submitted', fact: 'never' } as const;
  const written = documentOf([{ states, deliveries: { ...seen, deliveries: [sent] } }], machine);
  expect(written).toContain('**False idle: 2** of 2 answers');
  expect(written).toContain('| working: tool | 2 (41 ms) |');
  expect(written).toContain('**False submitted: 1** of 1;');
});

test('the document tells what did not come true', () => {
  const states = { ...seen, failures: [{ what: 'runs a tool', why: 'Not within 1 ms' }] };
  expect(documentOf([{ states, deliveries: seen }], machine)).toContain('- runs a tool: Not within 1 ms');
});
