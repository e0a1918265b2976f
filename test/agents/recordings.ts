// Recordings of real agents as the decoders read them, whole or by their meaning alone.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Agent, DecodedLine } from '../../src/agents/agent.ts';

export const recordingsOf = (agent: Agent): string =>
  new URL(`../fixtures/agents/${agent.type}/`, import.meta.url).pathname;

/** Every recorded case of every recorded release. */
export const casesOf = (agent: Agent): { readonly version: string; readonly name: string; readonly folder: string }[] =>
  namesIn(recordingsOf(agent)).flatMap((version) =>
    namesIn(join(recordingsOf(agent), version)).map((name) => ({
      version,
      name,
      folder: join(recordingsOf(agent), version, name),
    })),
  );

export function decodeRecording(agent: Agent, folder: string) {
  const states = linesOf(join(folder, 'states.jsonl')).map((line) => agent.decodeState(line) ?? 'no state');
  const told = linesOf(join(folder, 'status.jsonl')).map((line) => agent.statusLine?.decode(line) ?? 'no figures');
  return {
    screens: screensOf(agent, join(folder, 'screens')),
    // An agent that is read by its screen keeps no state file.
    ...(agent.onScreen.tells === 'dialogs' ? {} : { states }),
    hooks: linesOf(join(folder, 'signals.jsonl')).flatMap((line) => agent.decodeHook(line)),
    transcript: linesOf(join(folder, 'transcript.jsonl')).map(agent.decodeLine).filter(says),
    ...(told.length > 0 && { told }),
  };
}

export const unknownIn = (agent: Agent, folder: string): string[] =>
  linesOf(join(folder, 'transcript.jsonl')).flatMap((line) => agent.decodeLine(line).unknown ?? []);

/**
 * What a recording says, one line for each thing, without what differs from one playing to the next: times, numbers, ids,
 * the model's own words, and how often a state was caught.
 */
export function meaningOf(agent: Agent, folder: string): string[] {
  const { screens, states = [], hooks, transcript } = decodeRecording(agent, folder);
  const lines = (what: string, all: readonly unknown[]) => all.map((one) => `${what} ${JSON.stringify(plain(one))}`);
  return [
    ...Object.entries(screens).map(([name, screen]) => `screen ${name} ${JSON.stringify(plain(screen))}`),
    ...new Set(lines('state', states)),
    ...lines('hook', hooks),
    ...lines('transcript', transcript),
  ];
}

const volatileKeys =
  /^(at|pid|processStart|agentSessionId|messageId|paneId|transcriptPath|taskId|costUsd|usage|id|lastText)$/;

function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (Array.isArray(value)) return value.map(plain);
  const fields = z.record(z.string(), z.unknown()).safeParse(value);
  if (!fields.success) return value;
  const isModels = fields.data.role === 'assistant';
  const kept = Object.entries(fields.data).filter(([key]) => !volatileKeys.test(key));
  return Object.fromEntries(kept.map(([key, held]) => [key, isModels && key === 'content' ? '<words>' : plain(held)]));
}

const plainText = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\b(?:toolu|call|msg|req|resp)_\w+/g, '<id>')
    .replace(/\b\w+\.output\b/g, '<task>.output')
    .replace(/<task-id>\w+/g, '<task-id>')
    .replace(/(?:tick )+/g, 'tick ')
    .replace(/\d[\d.,:]*k?/g, '#')
    .replace(/ {2,}/g, '  ');

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

const linesOf = (path: string): readonly string[] =>
  existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];

const says = ({ signals, ...rest }: DecodedLine) => signals.length > 0 || Object.keys(rest).length > 0;

const screensOf = (agent: Agent, folder: string) =>
  Object.fromEntries(namesIn(folder).map((name) => [name, agent.readScreen(readFileSync(join(folder, name), 'utf8'))]));
