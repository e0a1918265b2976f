import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filled, parseSkill } from '../../src/model/skill.ts';
import { tools } from '../../src/tools/index.ts';
import { root } from './source.ts';

const folder = join(root, 'plugin/skills');
const names = readdirSync(folder);
const textOf = (name: string) => readFileSync(join(folder, name, 'SKILL.md'), 'utf8');
const forms = ['mcp__crewmux__', 'mcp__plugin_crewmux_crewmux__'];

const schema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
});

/** The fields of a schema, at every depth. */
function fieldsIn(of: unknown): readonly string[] {
  const { properties = {}, items } = schema.catch({}).parse(of);
  const below = Object.entries(properties).flatMap(([name, held]) => [name, ...fieldsIn(held)]);
  return items === undefined ? below : [...below, ...fieldsIn(items)];
}

const inputOf = (tool: string) => fieldsIn(tools.find(({ name }) => name === tool)?.inputSchema());

/** What stands between backticks. */
const spansIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/** `tool {key, other: value}` as its name and keys. */
function callIn(span: string) {
  const [, name = '', braced = ''] = /^(\w+)(?: (\{.*\}))?$/.exec(span) ?? [];
  const bare = braced.replaceAll(/"[^"]*"|<[^>]*>/g, '');
  return { name, keys: bare.match(/(?<=[{,]\s*)\w+/g) ?? [] };
}

it('there are the commands that the documents name', () => {
  expect(names).toEqual([
    ...[
      'check-workers',
      'cleanup-worktrees',
      'crew',
      'merge-worker',
      'plan-work',
      'pr-worker',
      'spawn-workers',
      'team-summary',
    ],
  ]);
});

describe.each(names)('/%s', (name) => {
  const text = textOf(name);
  const skill = parseSkill(text);
  const spans = spansIn(skill.body).filter((span) => !span.startsWith('/') && span !== 'C-b d');
  const calls = spans.map(callIn).filter((call) => tools.some((tool) => tool.name === call.name));

  it('is named as its folder, tells what it does, and takes the words of the user once, as they are', () => {
    expect(skill.name).toBe(name);
    expect(skill.description).toMatch(/^[A-Z].{30,110}\.$/);
    expect(skill.arguments).not.toEqual([]);
    expect(skill.body.match(/\$/g)).toEqual(['$']);
    expect(filled(skill, 'a $& "b"\n$1')).toContain('<words>\na $& "b"\n$1\n</words>');
    expect(text.length).toBeLessThan(4_000);
  });

  it('calls tools that there are with parameters that they have', () => {
    expect(calls.length).toBeGreaterThan(2);
    expect(calls.flatMap(({ name: tool, keys }) => keys.filter((key) => !inputOf(tool).includes(key)))).toEqual([]);
  });

  it('names nothing else that looks like a tool, a parameter or a field', () => {
    const shown = tools.filter((tool) => calls.some((call) => call.name === tool.name));
    const known = new Set([
      ...shown.flatMap((tool) => [tool.name, ...fieldsIn(tool.inputSchema()), ...fieldsIn(tool.outputSchema())]),
      ...['status', 'attach', 'launch', 'list', 'cleanup'],
    ]);
    const plain = forms.reduce((left, form) => left.replaceAll(form, ''), skill.body);
    const words = [
      ...(plain.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []),
      ...spans
        .filter((span) => !forms.some((form) => span.startsWith(form)))
        .flatMap((span) => span.match(/^\w+/) ?? []),
    ];
    expect(words.filter((word) => !known.has(word))).toEqual([]);
  });

  it('may look unasked, by both names of a tool, and may not change anything unasked', () => {
    const allowed = /^allowed-tools: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
    const looking = tools.filter(({ hints }) => hints.readOnly).map((tool) => tool.name);
    expect(allowed.length).toBeGreaterThan(1);
    expect(allowed.filter((one) => !forms.some((form) => looking.includes(one.replace(form, ''))))).toEqual([]);
    const bySecond = allowed
      .filter((one) => one.startsWith(forms[1] ?? ''))
      .map((one) => one.replace(forms[1] ?? '', ''));
    expect(allowed.flatMap((one) => (one.startsWith(forms[0] ?? '') ? [one.replace(forms[0] ?? '', '')] : []))).toEqual(
      bySecond,
    );
    for (const form of forms) expect(skill.body).toContain(`\`${form}`);
  });

  it('ends with what the user should know', () => {
    expect(skill.body.trim().split('\n').at(-1)).toMatch(/^End with /);
  });
});

it.each(['merge-worker', 'plan-work', 'pr-worker', 'spawn-workers'])('/%s guesses no base', (name) => {
  expect(textOf(name)).toMatch(/Never guess (a base|the target)/);
});

const manifest = z.looseObject({ name: z.string(), version: z.string(), license: z.string() });

it('the plugin is of the version of the package, which has it', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const described = manifest.extend({ files: z.array(z.string()) }).parse(read('package.json'));
  expect(manifest.parse(read('plugin/.claude-plugin/plugin.json'))).toMatchObject({
    name: described.name,
    version: described.version,
    license: described.license,
  });
  expect(described.files).toEqual(expect.arrayContaining(['plugin', '.claude-plugin']));
});
