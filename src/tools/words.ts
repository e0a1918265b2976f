// The short sentences in which answers speak of workers.

import { oneLine, plain } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import type { AttentionView } from '../wire/attention.ts';
import type { EscapeView } from '../wire/events.ts';
import type { MessageOutcome } from '../wire/messages.ts';
import type { ReportView } from '../wire/reports.ts';
import type { SpawnResult } from '../wire/starting.ts';
import { type BriefWorker, evidenceWords } from '../wire/worker.ts';

export function workerLine(worker: BriefWorker): string {
  const waiting = worker.waiting_for === undefined ? '' : ` for ${worker.waiting_for}`;
  const label = worker.annotation === undefined ? '' : ` (${worker.annotation})`;
  const { at } = worker.evidence;
  return `${worker.name} [${worker.session_id}]${label} is ${worker.status}${waiting} since ${at} (${evidenceWords(worker)})`;
}

const mostOfDetail = 600;

/** What is asked and its rest, so that nobody who reads only text answers blind; each row of a worker's text is marked. */
export const attentionLines = (attention: readonly AttentionView[] = []): readonly string[] =>
  attention.flatMap(({ name, session_id, waiting_for, title, detail, tool, answer_with }) => [
    `${name} [${session_id}] needs someone, ${waiting_for}: ${oneLine(title)}`,
    ...plain(beginOf(detail, tool?.path))
      .split('\n')
      .flatMap((row) => (row.trim() === '' || title.endsWith(`: ${row}`) ? [] : [`  | ${row}`])),
    ...answer_with.map((call, at) => `  ${at === 0 ? 'Answer with' : 'or'}: ${call}`),
  ]);

function beginOf(detail: string, path: string | undefined): string {
  if (detail.length <= mostOfDetail) return detail;
  const kept = detail.slice(0, mostOfDetail).replace(/[\uD800-\uDBFF]$/, '');
  return `${kept}… [${detail.length} characters in all${path === undefined ? '' : `, whole in ${path}`}]`;
}

export const reportLine = ({ name, at, kind, status, to, message, what_done }: ReportView): string =>
  kind === 'report'
    ? `${name} at ${at}: ${what_done}`
    : `${name} at ${at}, ${status ?? `${kind} to ${to}`}: ${message}`;

export function spawnLines({
  sessions = [],
  failed = [],
  warnings = [],
  coordinator_guidance = '',
}: Partial<SpawnResult>): string {
  return lines([
    ...sessions.map(workerLine),
    ...failed.map(({ name, step, error, hint }) => `${name} failed at ${step}: ${error} ${hint}`),
    ...warningLines(warnings),
    coordinator_guidance,
  ]);
}

export const warningLines = (warnings: readonly string[]): readonly string[] =>
  warnings.map((warning) => `Warning: ${warning}`);

export const outcomeLines = (results: Readonly<Record<string, MessageOutcome>>): readonly string[] =>
  Object.entries(results).flatMap(([ref, { verdict, evidence, hint, reply }]) => [
    [`${ref}: ${verdict} (${evidence.source}: ${evidence.detail})`, hint ?? ''].join(' ').trimEnd(),
    reply === undefined ? '' : saidLine(ref, reply),
  ]);

export const saidLine = (ref: string, words: string): string => `${ref} said last: ${words}`;

export const lines = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n');

export const escapeLines = (escapes: readonly EscapeView[]): readonly string[] =>
  escapes.map(
    ({ checkout, files, file_count, detail }) =>
      `Warning: in ${checkout}: ${[
        ...files.slice(0, 5).map((file) => JSON.stringify(file)),
        ...(file_count > 5 ? [`and ${counted(file_count - 5, 'more file')}`] : []),
      ].join(', ')}. ${detail}`,
  );

export const orNone = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));
