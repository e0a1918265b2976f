import { expect, it } from 'vitest';
import type { Act, Ground } from '../../src/model/permission.ts';
import { ruleOn } from '../../src/model/permission-ruling.ts';
import { ruleFor } from '../../src/model/remembered-rule.ts';

const ground: Ground = { root: '/place', userHome: '/home/me', real: (path) => path };
const at = (act: Omit<Act, 'cwd'>): Act => ({ cwd: '/place', ...act });

it.each<readonly [Act, string | undefined]>([
  [at({ tool: 'Bash', command: 'npm test' }), 'Bash(npm test)'],
  [at({ tool: 'Bash', command: 'rm *' }), undefined],
  [at({ tool: 'Bash', command: 'echo (hi)' }), undefined],
  [at({ tool: 'Bash', command: '' }), undefined],
  [at({ tool: 'Write', paths: ['/place/src/a.ts'] }), 'Write(./src/a.ts)'],
  [at({ tool: 'Write', paths: ['/etc/hosts'] }), 'Write(//etc/hosts)'],
  [at({ tool: 'Write', paths: ['notes.md'] }), 'Write(./notes.md)'],
  [at({ tool: 'Write', paths: ['/place/src/[id].ts'] }), undefined],
  [at({ tool: 'Edit', paths: ['/place/a', '/place/b'] }), undefined],
  [at({ tool: 'WebFetch', url: 'https://example.com:8443/x?y' }), 'WebFetch(domain:example.com)'],
  [at({ tool: 'WebFetch', url: 'https://user@example.com/' }), undefined],
  [at({ tool: 'mcp__github__create_issue' }), 'mcp__github__create_issue'],
  [at({ tool: 'AskUserQuestion' }), undefined],
])('of %j is remembered: %s', (act, rule) => {
  expect(ruleFor(act, 'allow', ground)).toBe(rule);
});

it('a remembered rule decides the act, and not its neighbours', () => {
  const rule = ruleFor(at({ tool: 'Bash', command: 'npm test' }), 'allow', ground) ?? '';
  const layers = [{ scope: 'x', allow: [rule], confirm: [], deny: [] }];
  const decided = (command: string) => ruleOn(layers, at({ tool: 'Bash', command }), ground).decision;
  expect(['npm test', 'npm test -- -u', 'npm', 'npm test && rm -rf x'].map(decided)).toEqual([
    'allow',
    'confirm',
    'confirm',
    'confirm',
  ]);
});

it('a remembered file is that file alone', () => {
  const rule = ruleFor(at({ tool: 'Write', paths: ['notes.md'] }), 'allow', ground) ?? '';
  const layers = [{ scope: 'x', allow: [rule], confirm: [], deny: [] }];
  const decided = (path: string) => ruleOn(layers, at({ tool: 'Write', paths: [path] }), ground).decision;
  expect(['/place/notes.md', '/place/src/notes.md', '/notes.md'].map(decided)).toEqual(['allow', 'confirm', 'confirm']);
});
