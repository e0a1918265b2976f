import { describe, expect, it } from 'vitest';
import { builtInRoles } from '../../../src/settings/roles/built-in.ts';
import { readRole } from '../../../src/settings/roles/role-file.ts';

const file = (head: string, body = 'Read it all.') => `---\n${head}\n---\n\n${body}\n`;
const faultOf = (text: string) => {
  const read = readRole(text);
  return 'fault' in read ? read.fault : undefined;
};
const roleOf = (head: string) => {
  const read = readRole(file(head));
  return 'role' in read ? read.role : read;
};

it('a file with everything says everything', () => {
  const head = `name: code-reviewer
description: Reads code.
model: opus
permissionMode: plan
tools: Read, Grep, Bash(git log:*, x), mcp__docs__search
disallowedTools:
  - WebFetch
  - Bash(curl *)
mcpServers:
  docs: {command: docs-server}
crewmux:
  agent: claude
  preset: review
  sandbox: false
  max_parallel: 2
  max_turns: 30
  max_cost_usd: 1.5`;
  expect(roleOf(head)).toEqual({
    name: 'code-reviewer',
    description: 'Reads code.',
    text: 'Read it all.',
    model: 'opus',
    permissionMode: 'plan',
    tools: ['Read', 'Grep', 'Bash', 'mcp__docs__search'],
    deny: ['WebFetch', 'Bash(curl *)'],
    mcpServers: { docs: { command: 'docs-server' } },
    agent: 'claude',
    preset: 'review',
    sandbox: false,
    maxParallel: 2,
    maxTurns: 30,
    maxCostUsd: 1.5,
    leftOut: [],
  });
});

const noEditing = ['Edit(./**)', 'Edit', 'Write', 'NotebookEdit'];

it.each<[string, string, object]>([
  ['its name alone', 'name: a', { name: 'a', deny: [] }],
  ['an inherited model, which is none', 'name: a\nmodel: inherit', { model: undefined }],
  [
    'keys that are not carried over',
    'name: a\nhooks: {}\nskills: [x]\ncolor: red',
    { leftOut: ['hooks', 'skills', 'color'] },
  ],
  [
    'a description that is no YAML',
    'name: a\ndescription: Use this: when "it" <b>breaks</b>',
    { description: 'Use this: when "it" <b>breaks</b>' },
  ],
  ['tools that edit nothing', 'name: a\ntools: Read, Grep', { tools: ['Read', 'Grep'], deny: noEditing }],
  ['a shell, which may edit', 'name: a\ntools: [Read, Bash]', { tools: ['Read', 'Bash'], deny: [] }],
  ['all tools', "name: a\ntools: '*'", { tools: undefined, deny: [] }],
  ['an empty key', 'name: a\ntools:', { tools: undefined, deny: [] }],
  [
    'servers by name and by definition',
    'name: a\nmcpServers: [slack, {docs: {url: u}}]',
    { mcpServers: { docs: { url: 'u' } } },
  ],
])('a role has %s', (_, head, expected) => {
  expect(roleOf(head)).toEqual({ name: 'a', text: 'Read it all.', deny: [], leftOut: [], ...expected });
});

it('a fault keeps the name, so that an answer can tell whose file it is', () => {
  expect(readRole(file('name: scout\ncrewmux: {preset: x}'))).toMatchObject({ name: 'scout' });
});

it('many aliases of one value do not fill the memory', () => {
  const bomb = ['a: &a [x,x]', ...[...'bcdefghi'].map((c, i) => `${c}: &${c} [*${'abcdefgh'[i]},*${'abcdefgh'[i]}]`)];
  expect(faultOf(file(`name: a\n${bomb.join('\n')}`))).toContain('alias');
});

describe('the built-in roles', () => {
  it.each(builtInRoles)('$name has its three headings in at most 1,500 characters', ({ text }) => {
    expect(text.length).toBeLessThanOrEqual(1_500);
    expect(text.match(/^#.*$/gm)).toEqual(['## What you own', '## What you leave alone', '## How you hand in']);
  });

  it('have the presets of their work', () => {
    expect(Object.fromEntries(builtInRoles.map(({ name, preset }) => [name, preset]))).toEqual({
      architect: 'review',
      reviewer: 'review',
      tester: 'test',
      implementer: 'implement',
      devops: 'implement',
      documenter: 'fix',
      generalist: undefined,
    });
  });
});
