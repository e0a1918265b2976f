import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { genericAgent } from '../../../src/agents/generic/generic.ts';
import { agentSchema } from '../../../src/settings/agents.ts';

const root = resolve(import.meta.dirname, '../../..');
const guide = readFileSync(resolve(root, 'docs/ADDING-AN-AGENT.md'), 'utf8');
const blocks = [guide, readFileSync(resolve(root, 'README.md'), 'utf8')].flatMap((text) =>
  [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, block = '']) => block),
);
const described = blocks
  .filter((block) => block.includes('"agents"'))
  .flatMap((block) =>
    Object.entries(z.object({ agents: z.record(z.string(), agentSchema) }).parse(JSON.parse(block)).agents),
  );

it('every example of the guide and the README is a configuration that is taken as it stands', () => {
  expect(described.map(([name]) => name)).toEqual(['mycli', 'python', 'boxed', 'plain', 'mycli']);
  for (const [name, settings] of described)
    expect(genericAgent(name, settings).readScreen('')).toMatchObject({ frame: '' });
});

it('the guide has a row for every key there is, with its default', () => {
  const rows = [...guide.matchAll(/^\| `(\w+)` \| (?:`(.+?)`)? ?\| /gm)].map(([, key, value]) => [key, value]);
  const defaults = agentSchema.partial({ command: true, prompt: true }).parse({});
  const keys = Object.keys(agentSchema.shape).map((key) => [
    key,
    Object.hasOwn(defaults, key)
      ? JSON.stringify(new Map(Object.entries(defaults)).get(key)).replaceAll(',', ', ')
      : undefined,
  ]);
  expect(rows.sort()).toEqual(keys.sort());
});
