import { expect, it } from 'vitest';
import { actOf, changeOf } from '../../../src/agents/codex/act.ts';

const cwd = '/place/tree';
const patch = `*** Begin Patch
*** Add File: new.txt
+*** Delete File: only-text.txt
*** Update File: src/a.ts
*** Move to: ../outside.ts
@@
-a
+b
*** Delete File: /etc/passwd
*** End Patch`;

it.each([
  ['Bash', { command: 'npm test' }, { tool: 'Bash', command: 'npm test' }],
  ['Bash', { command: ['bash', '-lc', "rm 'a b'"] }, { tool: 'Bash', command: `bash -lc 'rm '\\''a b'\\'''` }],
  ['apply_patch', { command: patch }, { tool: 'Edit', paths: ['new.txt', 'src/a.ts', '../outside.ts', '/etc/passwd'] }],
  ['apply_patch', { command: '' }, { tool: 'Edit', paths: [] }],
  ['mcp__fake__echo', { text: 'hi' }, { tool: 'mcp__fake__echo' }],
  ['write_stdin', { chars: 'rm' }, { tool: 'write_stdin' }],
] as const)('%s with %j is told apart', (tool, input, act) => {
  expect(actOf(tool, input, cwd)).toEqual({ cwd, ...act });
});

it('a patch changes what its rows say, and no other tool changes a file', () => {
  expect(changeOf('apply_patch', { command: '*** Begin Patch\n*** Add File: a\n+one\n*** End Patch' })).toBe(
    '*** Add File: a\n+one',
  );
  expect(changeOf('Bash', { command: 'ls' })).toBeUndefined();
});

it.each([undefined, null, 'x', [], { command: 3 }])('an input of %j does not throw', (input) => {
  for (const tool of ['Bash', 'apply_patch', 'Other']) expect(actOf(tool, input, cwd).cwd).toBe(cwd);
});
