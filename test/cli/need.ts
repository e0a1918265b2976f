// A permission that a worker asks for.
import type { AttentionView } from '../../src/wire/attention.ts';

export const now = Date.parse('2026-05-01T12:00:00Z');
export const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();

export const need = (change: Partial<AttentionView> = {}): AttentionView => ({
  session_id: '0000000b',
  name: 'Bruno',
  waiting_for: 'permission',
  request_id: '0000000r',
  since: ago(41),
  title: 'Bruno wants to run: npm test',
  detail: 'the rule ask: Bash',
  rule: 'the rule ask: Bash',
  tool: { name: 'Bash', input: { command: 'npm test' }, cwd: '/shop' },
  answer_with: ['answer_worker …'],
  ...change,
});
