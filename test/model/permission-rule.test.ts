import { describe, expect, it } from 'vitest';
import { parseRule } from '../../src/model/permission-rule.ts';
import { ruleOn } from '../../src/model/permission-ruling.ts';
import { ground, layer, onPath, root } from './permission-ground.ts';

describe('a rule that means nothing is refused with the reason and a right one:', () => {
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
    ['Task(x)', /cannot be told by a pattern/],
    ['WebSearch(x)', /cannot be told by a pattern/],
    ['mcp__', /names no MCP server/],
    ['mcp__a__b(x)', /cannot be told by a pattern/],
    ['WebFetch(example.com)', /does not name a domain/],
    ['WebFetch(domain:https://example.com)', /does not name a domain/],
    ['WebFetch(domain:*)', /does not name a domain/],
    ['Edit(/etc/**)', /\/\/etc\/\*\*/],
    ['Edit(../other/**)', /"\.\."/],
    ['Edit(**/*.{ts,js})', /braces/],
    ['Read(~eve/x)', /another user/],
    ['Bash(a\u0000b)', /control character/],
    [`Bash(${'a'.repeat(2_001)})`, /longer than/],
  ])('%s', (text, reason) => {
    expect(() => parseRule(text)).toThrow(/is no rule/);
    expect(() => parseRule(text)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', hint: expect.stringContaining('for example') }),
    );
    try {
      parseRule(text);
    } catch (error) {
      expect(`${error instanceof Error ? error.message : ''}${JSON.stringify(error)}`).toMatch(reason);
    }
  });
});

describe('a pattern of a path', () => {
  it.each([
    [
      'src/**',
      ['src/a.ts', 'src/a/b.ts', './src/a.ts', '/place/tree/src/a.ts', 'to-src/a.ts', 'lib/../src/a.ts'],
      ['lib/a.ts', 'x/src/a.ts', '../src/a.ts', 'src/../a.ts', 'src/../../etc/x', '~/src/a.ts'],
    ],
    ['./src/*', ['src/a.ts'], ['src/a/b.ts', 'src']],
    ['/src/*', ['src/a.ts'], ['/src/a.ts']],
    ['*.md', ['a.md', 'docs/a.md', 'docs/x/a.md'], ['a.ts', '../a.md', 'a.md/x']],
    ['docs/', ['docs/a', 'docs/a/b'], ['docsx/a']],
    [
      '**',
      ['a', 'src/a/b'],
      [
        '../a',
        '/etc/x',
        'to-home/x',
        'deep/x',
        '.git/hooks/x',
        '.claude/settings.json',
        '.mcp.json',
        '.crewmux/config.json',
      ],
    ],
    ['.claude/**', ['.claude/settings.json'], ['.codex/x']],
    ['~/notes/**', ['~/notes/a', '/home/ada/notes/a', 'to-home/notes/a'], ['~/other', 'notes/a']],
    ['//srv/data/**', ['/srv/data/a', 'deep/a'], ['srv/data/a', '/srv/other']],
    ['app/[id]/page.tsx', ['app/[id]/page.tsx'], ['app/i/page.tsx']],
    ['a?.ts', ['ab.ts'], ['a/.ts', 'abc.ts']],
  ])('%s permits what it means and nothing else', (pattern, inside, outside) => {
    const decide = (path: string) => onPath({ allow: [`Edit(${pattern})`] }, 'Edit', path).decision;
    expect(inside.filter((path) => decide(path) !== 'allow')).toEqual([]);
    expect(outside.filter((path) => decide(path) === 'allow')).toEqual([]);
  });

  it('permits capitals only as they are, and forbids them however they are', () => {
    expect(onPath({ allow: ['Edit(src/**)'] }, 'Edit', 'SRC/a').decision).toBe('confirm');
    expect(onPath({ allow: ['*'], deny: ['Edit(src/**)'] }, 'Edit', 'SRC/a').decision).toBe('deny');
  });

  it('permits several files at once only when it means each of them', () => {
    const act = (...paths: string[]) => ({ tool: 'Edit', cwd: root, paths });
    const policy = [layer({ allow: ['Edit(src/**)'] })];
    expect(ruleOn(policy, act('src/a', 'src/b'), ground).decision).toBe('allow');
    expect(ruleOn(policy, act('src/a', 'lib/b'), ground).decision).toBe('confirm');
    expect(ruleOn(policy, act(), ground).decision).toBe('confirm');
  });

  it('for Edit is about every tool that writes, for one of them about that one', () => {
    for (const tool of ['Edit', 'Write', 'MultiEdit', 'NotebookEdit']) {
      expect(onPath({ allow: ['Edit(src/**)'] }, tool, 'src/a').decision).toBe('allow');
    }
    expect(onPath({ allow: ['Write(src/**)'] }, 'Edit', 'src/a').decision).toBe('confirm');
    expect(onPath({ allow: ['Edit(src/**)'] }, 'Read', 'src/a').decision).toBe('confirm');
    expect(onPath({ allow: ['Read(src/**)'] }, 'Grep', 'src').decision).toBe('allow');
  });
});

describe('a rule about other tools', () => {
  const decide = (list: 'allow' | 'deny', rule: string, act: { tool: string; url?: string }) =>
    ruleOn([layer({ [list]: [rule] })], { cwd: root, ...act }, ground).decision;

  it.each([
    ['WebFetch(domain:a.example)', 'https://a.example/x', 'allow'],
    ['WebFetch(domain:a.example)', 'http://A.EXAMPLE:8080', 'allow'],
    ['WebFetch(domain:a.example)', 'https://a.example./x', 'allow'],
    ['WebFetch(domain:a.example)', 'https://b.a.example/x', 'confirm'],
    ['WebFetch(domain:*.a.example)', 'https://b.a.example/x', 'allow'],
    ['WebFetch(domain:*.a.example)', 'https://a.example/x', 'confirm'],
    ['WebFetch(domain:a.example)', 'https://a.example.evil.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'https://a.example@evil.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'https://evil.example/#a.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'https://evil.example/?x=https://a.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'https://xa.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'ftp://a.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'javascript:a.example', 'confirm'],
    ['WebFetch(domain:a.example)', 'a.example', 'confirm'],
    ['WebFetch', 'https://any.example', 'allow'],
  ])('%s and %s: %s', (rule, url, decision) => {
    expect(decide('allow', rule, { tool: 'WebFetch', url })).toBe(decision);
  });

  it('that forbids a domain forbids those below it', () => {
    expect(decide('deny', 'WebFetch(domain:a.example)', { tool: 'WebFetch', url: 'https://b.a.example' })).toBe('deny');
  });

  it.each([
    ['mcp__git', 'mcp__git__status', 'allow'],
    ['mcp__git', 'mcp__github__status', 'confirm'],
    ['mcp__git__status', 'mcp__git__status', 'allow'],
    ['mcp__git__status', 'mcp__git__status_all', 'confirm'],
    ['mcp__git__*', 'mcp__git__push', 'allow'],
    ['mcp__git__get_*', 'mcp__git__get_x', 'allow'],
    ['mcp__git__get_*', 'mcp__git__set_x', 'confirm'],
    ['*', 'mcp__git__push', 'allow'],
    ['*', 'BrandNewTool', 'allow'],
    ['BrandNewTool', 'BrandNewTool', 'allow'],
    ['Bash', 'BashOutput', 'confirm'],
  ])('%s and %s: %s', (rule, tool, decision) => {
    expect(decide('allow', rule, { tool })).toBe(decision);
  });

  it('never answers a question that is put to somebody', () => {
    expect(decide('allow', '*', { tool: 'AskUserQuestion' })).toBe('confirm');
    expect(decide('allow', '*', { tool: 'ExitPlanMode' })).toBe('confirm');
  });
});
