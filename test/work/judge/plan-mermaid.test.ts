import { expect, it } from 'vitest';
import { taskStates } from '../../../src/model/task-progress.ts';
import { mermaidOf } from '../../../src/work/judge/plan-mermaid.ts';

it('draws a node for each job and an arrow to what depends on it', () => {
  const jobs = [
    { name: 'end', dependsOn: ['api', 'ui', 'api', 'gone'], state: 'queued' as const },
    { name: 'api', dependsOn: [], state: 'landed' as const },
    { name: 'ui', dependsOn: ['api'], state: 'running' as const },
    { name: 'left-out', dependsOn: [], state: 'cancelled' as const, isSkipped: true },
  ];
  expect(mermaidOf(jobs)).toMatchInlineSnapshot(`
    "graph TD
    n0["end (queued)"]:::waiting
    n1["api (landed)"]:::done
    n2["ui (running)"]:::active
    n3["left-out (skipped)"]:::done
    n1 --> n0
    n2 --> n0
    n1 --> n2
    classDef done fill:#d5f0d5,color:#222
    classDef active fill:#d5e5fa,color:#222
    classDef waiting fill:#eeeeee,color:#222"
  `);
});

it('leaves nothing in a label that Mermaid reads as its own', () => {
  const drawn = mermaidOf([{ name: '`a"]\n<b>#35;_é', dependsOn: [], state: 'failed' }]);
  expect(drawn.split('\n')[1]).toBe('n0["#96;a#34;#93;#10;#60;b#62;#35;35#59;_é (failed)"]:::trouble');
});

it('gives each state a class that it defines', () => {
  const drawn = mermaidOf(taskStates.map((state) => ({ name: state, dependsOn: [], state })));
  const used = [...drawn.matchAll(/:::(\w+)/g)].map((match) => match[1]);
  const defined = [...drawn.matchAll(/classDef (\w+)/g)].map((match) => match[1]);
  expect(used).toHaveLength(taskStates.length);
  expect([...new Set(used)].sort()).toEqual([...defined].sort());
});
