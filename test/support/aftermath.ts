// What stands where a test has failed: nobody can look there afterwards.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

const newestPanes = 4;
const rows = 24;
const newestEvents = 40;
const width = 240;

/** Screens, events and log of a sandbox, the newest of each; empty where there is nothing to see. */
export function aftermath(sandbox: Sandbox): string {
  const parts = [
    ...screens(sandbox),
    ...tail(sandbox, 'events.jsonl', newestEvents),
    ...tail(sandbox, 'crewmux.log', 10),
  ];
  return parts.map((line) => line.slice(0, width)).join('\n');
}

function screens({ tmux }: Sandbox): readonly string[] {
  const format = '#{pane_id} #{session_name} #{pane_width}x#{pane_height} dead=#{pane_dead} #{pane_title}';
  const panes = lines(() => tmux('list-panes', '-a', '-F', format));
  // Those at rest are seldom the ones it is about.
  const [atRest, astir] = [panes.filter(isAtRest), panes.filter((pane) => !isAtRest(pane))];
  return [...atRest, ...astir].slice(-newestPanes).flatMap((pane) => {
    const [id = ''] = pane.split(' ');
    return [`--- ${pane}`, ...lines(() => tmux('capture-pane', '-p', '-t', id)).slice(-rows)];
  });
}

const isAtRest = (pane: string): boolean => / (?:Ready \||✳ )/.test(pane);

function tail({ env }: Sandbox, file: string, count: number): readonly string[] {
  const found = lines(() => readFileSync(join(env.CREWMUX_HOME ?? '', file), 'utf8'));
  return found.length === 0 ? [] : [`--- ${file}`, ...found.slice(-count)];
}

/** None where nobody answers. */
function lines(text: () => string): readonly string[] {
  try {
    return text()
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '');
  } catch {
    return [];
  }
}
