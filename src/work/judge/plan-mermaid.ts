// Draws the graph of a plan for Mermaid.
import type { Task } from '../../model/task.ts';
import type { TaskState } from '../../model/task-progress.ts';
import type { GraphJob } from './plan-graph.ts';

export interface DrawnJob extends GraphJob, Partial<Pick<Task, 'isSkipped'>> {
  readonly state: TaskState;
}

const colours = { done: '#d5f0d5', active: '#d5e5fa', trouble: '#f9d6d5', waiting: '#eeeeee' };
type Group = keyof typeof colours;

const groups: Readonly<Record<TaskState, Group>> = {
  queued: 'waiting',
  blocked: 'trouble',
  starting: 'active',
  running: 'active',
  // Its worker needs someone.
  waiting: 'trouble',
  checking: 'active',
  landing: 'active',
  bounced: 'trouble',
  landed: 'done',
  done: 'done',
  failed: 'trouble',
  cancelled: 'trouble',
};

/** A node for each job, an arrow from each job to those that depend on it, and a class for each group of states. */
export function mermaidOf(jobs: readonly DrawnJob[]): string {
  const ids = new Map(jobs.map(({ name }, at) => [name, `n${at}`]));
  const nodes = jobs.map(({ name, state, isSkipped = false }, at) => {
    const [word, group] = isSkipped ? ['skipped', 'done'] : [state, groups[state]];
    return `n${at}["${escaped(`${name} (${word})`)}"]:::${group}`;
  });
  const arrows = jobs.flatMap(({ dependsOn }, at) =>
    [...new Set(dependsOn)].flatMap((name) => {
      const from = ids.get(name);
      return from === undefined ? [] : [`${from} --> n${at}`];
    }),
  );
  const used = new Set(jobs.map(({ state, isSkipped = false }) => (isSkipped ? 'done' : groups[state])));
  const classes = Object.entries(colours).flatMap(([group, colour]) =>
    [...used].some((one) => one === group) ? [`classDef ${group} fill:${colour},color:#222`] : [],
  );
  return ['graph TD', ...nodes, ...arrows, ...classes].join('\n');
}

/** By code point, as Mermaid reads them; no quote, entity or tag is left. */
const escaped = (label: string): string =>
  label.replaceAll(/[^\p{L}\p{N} ()._-]/gu, (character) => `#${character.codePointAt(0)};`);
