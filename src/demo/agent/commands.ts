// The agent's own commands: what is typed with a slash, and the words that end it.
import { newUuid } from '../../model/ids.ts';
import { panel } from './dialog.ts';
import { compactLines, localCommandLine } from './lines.ts';
import { submit } from './queue.ts';
import { ask, type Stage, show } from './stage.ts';
import { workAlone } from './turns.ts';
import { promptRows, resultRows } from './view.ts';

const exitWords = new Set(['exit', 'quit', ':q', ':q!', ':wq', ':wq!', '/exit', '/quit']);
const slash = /^\/([A-Za-z0-9_][\w:-]*)(?:\s+(.*))?$/s;

const panels = new Map<string, readonly string[]>([
  ['help', ['Help  General   Commands', '', 'This is a stand-in: it plays the directives in its prompts.']],
  ['cost', ['Settings  Status   Config   Usage', '', 'Estimated cost:         $0.0000']],
  ['usage', ['Settings  Status   Config   Usage', '', 'Estimated cost:         $0.0000']],
]);

/** Takes what was typed: a command of its own, or a prompt. */
export function take(stage: Stage, text: string): void {
  if (exitWords.has(text)) {
    stage.end(0, { reason: 'prompt_input_exit' });
    return;
  }
  const [, name, args = ''] = slash.exec(text) ?? [];
  if (name === undefined) submit(stage, text);
  else void runCommandNamed(stage, name, args);
}

async function runCommandNamed(stage: Stage, name: string, args: string): Promise<void> {
  const { columns } = stage.screen;
  const lines = panels.get(name);
  if (lines !== undefined) return openPanel(stage, name, lines);
  if (name === 'clear') return workAlone(stage, () => clear(stage));
  if (name === 'compact') return workAlone(stage, () => compact(stage));
  show(stage, [
    '',
    ...promptRows(`/${name} ${args}`.trim(), columns),
    ...resultRows(`Unknown command: /${name}`, columns),
  ]);
}

async function openPanel(stage: Stage, name: string, lines: readonly string[]): Promise<void> {
  const { columns } = stage.screen;
  show(stage, ['', ...promptRows(`/${name}`, columns)]);
  await ask(stage, panel(lines), stage.life);
  if (stage.life.aborted) return;
  const dismissed = `${name === 'help' ? 'Help' : 'Settings'} dialog dismissed`;
  const typed = `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args></command-args>`;
  stage.transcript.line(localCommandLine(typed));
  stage.transcript.line(localCommandLine(`<local-command-stdout>${dismissed}</local-command-stdout>`));
  show(stage, resultRows(dismissed, columns));
}

/** Goes on as a new conversation, with an id and a file of its own. */
async function clear(stage: Stage): Promise<void> {
  const { transcript, hooks, screen } = stage;
  transcript.flush();
  if (transcript.isBegun()) transcript.note({ type: 'cost-state', totalCostUSD: 0 });
  await hooks.run('SessionEnd', { reason: 'clear' });
  stage.transcript = stage.openTranscript(newUuid());
  screen.wipe();
  await hooks.run('SessionStart', { source: 'clear' });
  show(stage, ['', ...promptRows('/clear', screen.columns)]);
}

async function compact(stage: Stage): Promise<void> {
  const { transcript, hooks, screen, flags } = stage;
  await hooks.run('PreCompact', { trigger: 'manual' });
  for (const line of compactLines(newUuid())) transcript.line(line);
  await hooks.run('SessionStart', { source: 'compact', model: flags.model });
  show(stage, ['', ...promptRows('/compact', screen.columns), ...resultRows('Compacted', screen.columns)]);
}
