// The examples of docs/plans.md, word for word, through the built server.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { workerTools } from '../../src/tools/worker/index.ts';
import type { Fields } from '../support/mcp.ts';
import { type JobServer, type JobStand, openJobStand } from './job-stand.ts';

let stand: JobStand;
let server: JobServer;
beforeAll(async () => {
  stand = openJobStand();
  server = await stand.serveJobs();
});
afterAll(() => stand.dispose());

const git = (...args: string[]) => stand.git(...args);
const commit = (words: string) => `BASH git add . && git commit -qm "${words}"`;
const mended = `BASH echo 'echo bye' > bye.sh && git commit -qam "Let bye speak"`;
const testOfGreetings = [
  'for one in hello bye; do',
  '  [ ! -e $one.sh ] || [ -n "$(sh $one.sh)" ] || { echo "$one.sh prints nothing"; cat mend; exit 1; }',
  'done',
].join('\\n');

/** What a worker with this job or task does: a scripted agent does not understand the prompts of the document. */
const plays: Readonly<Record<string, readonly string[]>> = {
  prices: ['WRITE src/prices.sh echo $(($1 + $2))', commit('Add prices')],
  receipt: ['WRITE src/receipt.sh echo "Total: $1"', commit('Print a receipt')],
  together: [
    'WRITE test/together.sh [ "$(sh src/receipt.sh $(sh src/prices.sh 2 3))" = "Total: 5" ]',
    'BASH sh test/together.sh',
    commit('Test prices and receipt together'),
  ],
  // The output of the tests is sent to the worker, and this line of it says how it mends its script.
  hello: ['WRITE hello.sh echo hello', `WRITE mend ${mended}`, `WRITE test.sh ${testOfGreetings}`, commit('Say hello')],
  bye: ['WRITE bye.sh # nothing yet', commit('Say bye')],
  'Count words': ['FAIL 529'],
  retry: ['HOLD subtask', 'WRITE count.sh wc -w < "$1"', commit('Count words')],
  'Explain it': ['BASH test -e count.sh', 'WRITE USAGE.md Run count.sh.', commit('Explain count.sh')],
  'Count lines': ['WRITE lines.sh wc -l < "$1"', commit('Count lines')],
};

const prompted = z.looseObject({ prompt: z.string() });

/** The call with what the scripted agents play below each prompt. */
function playable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(playable);
  if (value === null || typeof value !== 'object') return value;
  const inner = Object.fromEntries(Object.entries(value).map(([name, held]) => [name, playable(held)]));
  const { success, data } = prompted.safeParse(inner);
  if (!success) return inner;
  const name = z.string().parse(data.name ?? data.title ?? data.action);
  return { ...data, prompt: [data.prompt, ...(plays[name] ?? [`SAY nobody plays ${name}`])].join('\n') };
}

interface Example {
  readonly tool: string;
  readonly args: string;
  /** As far as the document shows it. */
  readonly answer: unknown;
}

/** The calls below a heading, each with the answer that follows it. */
function examplesBelow(heading: string): readonly Example[] {
  const text = readFileSync(resolve('docs/plans.md'), 'utf8');
  const part = text.split(/^#+ /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const blocks = [...part.matchAll(/```(js|json)\n([\s\S]*?)```/g)].map(([, kind, held = '']) => ({ kind, held }));
  return blocks.flatMap(({ kind, held }, index) => {
    const [, tool = '', args = ''] = /^(\w+)\(([\s\S]*)\)$/.exec(held.trim()) ?? [];
    const next = blocks[index + 1];
    return kind === 'js' ? [{ tool, args, answer: next?.kind === 'json' ? JSON.parse(next.held) : {} }] : [];
  });
}

type Known = Map<string, string>;
const named = (text: string, known: Known) => text.replace(/<(\w+)>/g, (all, name: string) => known.get(name) ?? all);

/** Whether the answer has what is shown: `<word>` stands for an id, and an ellipsis for what is left out. */
function differences(shown: unknown, real: unknown, { known, at = '' }: { known: Known; at?: string }): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(real) || real.length !== shown.length) return [`${at} is ${JSON.stringify(real)}`];
    return shown.flatMap((one, index) => differences(one, real[index], { known, at: `${at}[${index}]` }));
  }
  if (shown !== null && typeof shown === 'object') {
    const fields = z.record(z.string(), z.unknown()).safeParse(real).data ?? {};
    return Object.entries(shown).flatMap(([name, value]) =>
      differences(value, fields[name], { known, at: `${at}.${name}` }),
    );
  }
  if (typeof shown !== 'string' || typeof real !== 'string')
    return Object.is(shown, real) ? [] : [`${at} is ${JSON.stringify(real)}`];
  const names: string[] = [];
  const pattern = named(shown, known)
    .split(/(<\w+>|…)/)
    .map((part) => {
      if (part === '…') return '[\\s\\S]*';
      const [, name] = /^<(\w+)>$/.exec(part) ?? [];
      if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      names.push(name);
      return '([\\w-]+)';
    });
  const match = new RegExp(`^${pattern.join('')}$`).exec(real);
  for (const [index, name] of names.entries()) if (match) known.set(name, match[index + 1] ?? '');
  return match ? [] : [`${at} is ${JSON.stringify(real)}`];
}

/** Makes each call as the document does, and compares. */
async function play(heading: string): Promise<Known> {
  const known: Known = new Map();
  const examples = examplesBelow(heading);
  expect(examples.length).toBeGreaterThan(2);
  for (const { tool, args, answer } of examples) {
    const fields = z.record(z.string(), z.unknown()).parse(playable(JSON.parse(named(args, known))));
    const real = await callOf(tool, fields, known);
    expect(differences(answer, real, { known }), `${tool} ${args}`).toEqual([]);
  }
  return known;
}

async function callOf(tool: string, fields: Fields, known: Known): Promise<Fields> {
  if (!workerTools.some(({ name }) => name === tool)) return server.connection.call(tool, fields);
  const desk = await stand.toolsOf({ session_id: known.get('worker') ?? '' });
  const answer = await desk.call(tool, fields);
  stand.release('subtask');
  return answer;
}

it('two features and their test land by themselves', async () => {
  await play('A plan');
  expect(git('log', '--format=%s', 'main').split('\n')).toContain('Test prices and receipt together');
});

it('a supervised plan stops before each merge, and work that fails the tests goes back', async () => {
  await play('A supervised plan');
});

it('a failed task holds up what depends on it until it is tried again, and a worker enters another', async () => {
  await play('Single tasks');
  expect(git('ls-tree', '--name-only', 'main').split('\n')).toEqual(expect.arrayContaining(['count.sh', 'USAGE.md']));
});
