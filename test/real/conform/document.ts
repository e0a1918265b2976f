// The document of what every agent's workers are, and what their client is told: pure, from the records of one run.
import { facts, isFalse, verdicts } from './arrival.ts';
import type { Delivery } from './deliver.ts';
import type { Record } from './record.ts';
import { type Cell, isFalseIdle, type Transition, tellable } from './timeline.ts';

export interface Run {
  readonly states: Record;
  readonly deliveries: Record;
}

export interface Machine {
  readonly cores: number;
  readonly system: string;
  readonly node: string;
  readonly tmux: string;
}

export function documentOf(runs: readonly Run[], machine: Machine): string {
  const sections = runs.flatMap((run) => ['', ...sectionOf(run)]);
  return `${[...preface(machine), ...sections].join('\n')}\n`;
}

const preface = ({ cores, system, node, tmux }: Machine): string[] => [
  '# What is true of each agent, and what crewmux says',
  '',
  'Every number here was measured by `npm run conformance`, which writes this file: the built server with real agents',
  'behind it, a scripted model in place of theirs, and a client that asks `list_workers` again and again. What is true is',
  "known from the model's own log, from the pane, from files that the workers' commands make, and from what was done to",
  'them; never from crewmux. An answer counts for a state when that was true for the whole time the question took; between',
  'two states, while the change is under way, nothing is counted.',
  '',
  `Measured on ${cores} cores, ${system}, Node ${node}, ${tmux}. A latency runs from the moment the new state was true to`,
  "the end of the first answer that tells it, so it holds the time between two questions, and for a turn's end the",
  "agent's own work after the last byte of its model; 0 ms: told before it could be seen from outside.",
];

function sectionOf({ states, deliveries }: Run): string[] {
  return [
    `## ${states.title} ${states.version}`,
    '',
    `${states.rounds} rounds of every situation and ${deliveries.rounds} of every text, with a load between ` +
      `${loadsOf([states, deliveries])} on the machine.`,
    '',
    ...statesOf(states),
    ...latenciesOf(states.transitions),
    ...deliveriesOf(deliveries.deliveries),
    ...failuresOf([states, deliveries]),
    ...cannotOf(states.cannot),
  ];
}

const loadsOf = (records: readonly Record[]): string => {
  const loads = records.flatMap((one) => one.loads);
  return `${Math.min(...loads).toFixed(1)} and ${Math.max(...loads).toFixed(1)}`;
};

function statesOf({ cells, ends }: Record): string[] {
  const atWork = sum(cells.filter(({ truth }) => truth.startsWith('working')));
  const columns = [...new Set(cells.map(({ told }) => told))].sort(byState);
  const rows = [...new Set(cells.map(({ truth }) => truth))].sort(byState);
  const cellAt = (truth: string, told: string) => cells.find((cell) => cell.truth === truth && cell.told === told);
  const counted = [...new Set(ends)].sort().map((how) => `${how} ${ends.filter((one) => one === how).length}`);
  return [
    '### States',
    '',
    `**False idle: ${sum(cells.filter(isFalseIdle))}** of ${atWork} answers about a worker at work.`,
    '',
    'Rows: what was true; columns: what was told. Where the two differ, the time is how long after the change the latest',
    'such answer was asked for.',
    '',
    ...table(
      ['', ...columns],
      rows.map((truth) => [truth, ...columns.map((told) => shown(cellAt(truth, told), truth))]),
    ),
    '',
    `Ends of turns, each told as it was: ${counted.join(', ')}.`,
    '',
  ];
}

function shown(cell: Cell | undefined, truth: string): string {
  if (cell === undefined) return '';
  return cell.told === tellable(truth) ? `**${cell.count}**` : `${cell.count} (${ms(cell.latestMs)})`;
}

function latenciesOf(transitions: readonly Transition[]): string[] {
  const names = [...new Set(transitions.map(({ from, to }) => `${from} → ${to}`))].sort();
  const rows = names.map((name) => {
    const sorted = transitions
      .filter(({ from, to }) => `${from} → ${to}` === name)
      .map(({ latencyMs }) => latencyMs)
      .sort((a, b) => a - b);
    return [name, String(sorted.length), ms(sorted[Math.floor((sorted.length - 1) / 2)]), ms(sorted.at(-1))];
  });
  return ['### How soon a change is told', '', ...table(['change', 'n', 'p50', 'worst'], rows), ''];
}

function deliveriesOf(made: readonly Delivery[]): string[] {
  const submitted = made.filter(({ verdict }) => verdict === 'submitted');
  const wrong = made.filter(isFalse);
  const count = (verdict: string, fact: string) => made.filter((d) => d.verdict === verdict && d.fact === fact).length;
  const said = verdicts.filter((verdict) => made.some((d) => d.verdict === verdict));
  const became = facts.filter((fact) => made.some((d) => d.fact === fact));
  const matrix = said.map((verdict) => [verdict, ...became.map((fact) => String(count(verdict, fact) || ''))]);
  const ways = [...new Set(made.map(({ way }) => way))];
  const texts = [...new Set(made.map(({ text }) => text))];
  const became1 = (text: string, way: string) => outcomes(made.filter((d) => d.text === text && d.way === way));
  return [
    '### Delivery',
    '',
    `**False submitted: ${submitted.filter(isFalse).length}** of ${submitted.length}; ` +
      `other false verdicts: ${wrong.length - submitted.filter(isFalse).length} of ${made.length - submitted.length}.`,
    '',
    'Rows: what was said of a text; columns: what the model was asked. `later`: after what ran; `enclosed`: every byte of',
    'it, inside words of the agent’s own or with a blank before it.',
    '',
    ...table(['', ...became], matrix),
    '',
    ...table(
      ['text', ...ways],
      texts.map((text) => [text, ...ways.map((way) => became1(text, way))]),
    ),
    '',
  ];
}

function outcomes(made: readonly Delivery[]): string {
  const all = made.map(({ verdict, fact }) => `${verdict}, ${fact}`);
  return [...new Set(all)].map((one) => `${one} ×${all.filter((other) => other === one).length}`).join('; ');
}

function failuresOf(records: readonly Record[]): string[] {
  const failures = records.flatMap((one) => one.failures);
  if (failures.length === 0) return [];
  const lines = failures.map(({ what, why }) => `- ${what}: ${why.replace(/\s+/g, ' ').slice(0, 300)}`);
  return ['### What did not come true in this run', '', ...lines, ''];
}

function cannotOf(cannot: Record['cannot']): string[] {
  const lines = Object.entries(cannot).map(([what, why]) => `- A worker that ${what}: ${why}.`);
  return lines.length === 0 ? [] : ['### What cannot be brought about here', '', ...lines];
}

const sum = (cells: readonly Cell[]): number => cells.reduce((total, { count }) => total + count, 0);
const ms = (value: number | undefined): string => `${Math.round(value ?? 0)} ms`;
const order = ['starting', 'idle', 'working', 'waiting', 'dead', 'closed'];
const byState = (a: string, b: string): number => rank(a) - rank(b) || a.localeCompare(b);
const rank = (state: string): number => order.indexOf(state.split(':')[0] ?? '');

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
