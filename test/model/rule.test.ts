import { expect, it } from 'vitest';
import { parseRule } from '../../src/model/rule.ts';

it.each([
  ['', /names no tool/],
  ['(npm test)', /names no tool/],
  ['Bash(npm test', /brackets/],
  ['Bash npm test)', /brackets|no name/],
  ['Bash()', /empty/],
  ['Bash(a)(b)', /no name|brackets/],
  ['bash(npm test)', /spelt Bash/],
  ['EDIT', /spelt Edit/],
  ['Ba sh', /no name of a tool/],
  ['Bash*', /no name of a tool/],
  ['mcp__', /names no MCP server/],
  ['Edit(/etc/**)', /counts from the worktree/],
  ['Bash(a\u0000b)', /control character/],
  [`Bash(${'a'.repeat(2_001)})`, /longer than/],
])('%s is refused with the reason and a right one', (text, reason) => {
  expect(() => parseRule(text)).toThrow(reason);
  expect(() => parseRule(text)).toThrow(
    expect.objectContaining({ code: 'invalid_argument', hint: expect.stringContaining('for example') }),
  );
});

it.each([
  ['Bash', { tool: 'Bash' }],
  ['Bash(npm test *)', { tool: 'Bash', pattern: 'npm test *' }],
  ['Bash(echo (a))', { tool: 'Bash', pattern: 'echo (a)' }],
  ['Edit(./src/**)', { tool: 'Edit', pattern: './src/**' }],
  ['Read(//etc/hosts)', { tool: 'Read', pattern: '//etc/hosts' }],
  ['WebFetch(domain:example.com)', { tool: 'WebFetch', pattern: 'domain:example.com' }],
  ['mcp__github__create_issue', { tool: 'mcp__github__create_issue' }],
])('%s is a rule', (text, rule) => {
  expect(parseRule(text)).toEqual(rule);
});
