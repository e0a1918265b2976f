import { expect, it } from 'vitest';
import { actOf, afterOf, changeOf } from '../../../src/agents/claude/act.ts';

const cwd = '/place/tree';

it.each([
  ['Bash', { command: 'npm test', description: 'Test' }, { command: 'npm test' }],
  ['Edit', { file_path: '/place/tree/a.ts', old_string: 'a', new_string: 'b' }, { paths: ['/place/tree/a.ts'] }],
  ['NotebookEdit', { notebook_path: '/place/tree/a.ipynb' }, { paths: ['/place/tree/a.ipynb'] }],
  ['Read', { file_path: '~/.ssh/id_rsa' }, { paths: ['~/.ssh/id_rsa'] }],
  ['Grep', { pattern: 'password' }, { paths: [cwd] }],
  ['Grep', { pattern: 'password', path: '/etc' }, { paths: ['/etc'] }],
  ['Glob', { pattern: '**/*.ts' }, { paths: [cwd] }],
  ['Glob', { pattern: '/home/ada/.ssh/*' }, { paths: [cwd, '/home/ada/.ssh/'] }],
  ['Glob', { pattern: '../../*' }, { paths: [cwd, '/place/tree/../../*'] }],
  ['WebFetch', { url: 'https://example.com/a', prompt: 'Read' }, { url: 'https://example.com/a' }],
  ['mcp__github__create_issue', { title: 'x' }, {}],
  ['BrandNewTool', { command: 'ls' }, {}],
] as const)('%s with %j is told apart', (tool, input, act) => {
  expect(actOf(tool, input, cwd)).toEqual({ tool, cwd, ...act });
});

it.each([
  ['Write', { file_path: 'a', content: 'one\ntwo\n' }, '+ one\n+ two'],
  ['Edit', { old_string: 'one', new_string: '' }, '- one'],
  ['MultiEdit', { edits: [{ old_string: 'a', new_string: 'b' }, { new_string: 'c' }] }, '- a\n+ b\n+ c'],
  ['NotebookEdit', { new_source: 'x = 1' }, '+ x = 1'],
  ['Write', { content: 3 }, ''],
  ['Bash', { command: 'ls', content: 'x' }, undefined],
] as const)('%s with %j changes what its lines say', (tool, input, lines) => {
  expect(changeOf(tool, input)).toBe(lines);
});

it.each([undefined, null, 'x', [], { command: 3, file_path: {} }])('an input of %j does not throw', (input) => {
  for (const tool of ['Bash', 'Edit', 'Glob', 'WebFetch', 'Other', 'constructor']) {
    expect(actOf(tool, input, cwd).tool).toBe(tool);
  }
});

it.each<[tool: string, input: object, after: string | undefined]>([
  ['Write', { content: 'all new' }, 'all new'],
  ['Edit', { old_string: 'b', new_string: '$&' }, 'a $& b'],
  ['Edit', { old_string: 'b', new_string: 'c', replace_all: true }, 'a c c'],
  ['Edit', { old_string: 'gone', new_string: 'c' }, undefined],
  [
    'MultiEdit',
    {
      edits: [
        { old_string: 'a', new_string: 'x' },
        { old_string: 'x b', new_string: 'y' },
      ],
    },
    'y b',
  ],
  ['MultiEdit', { edits: [] }, undefined],
  ['Bash', { command: 'ls' }, undefined],
])('%s of %j leaves %j of a file', (tool, input, after) => {
  expect(afterOf(tool, input, 'a b b')).toBe(after);
});
