// Records the real agents anew and tells what they mean otherwise than before: npm run record [agent] [case …], or shells
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../../src/agents/agent.ts';
import { claudeAgent } from '../../src/agents/claude/claude.ts';
import { codexAgent } from '../../src/agents/codex/codex.ts';
import { agentBinary, cacheDir, ensureAgents, versionOf } from '../real/install.ts';
import { recordClaude } from './claude/lab/record.ts';
import { recordCodex } from './codex/lab/record.ts';
import { meaningOf, recordingsOf } from './recordings.ts';
import { recordShells } from './shell-cases.ts';

export interface Recording {
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

export type Recorder = (to: {
  readonly program: string;
  isWanted(name: string): boolean;
  /** Empty texts are not kept. */
  keep(recording: Recording): void;
}) => Promise<void>;

const recorders = [
  { program: 'claude', agent: claudeAgent, record: recordClaude },
  { program: 'codex', agent: codexAgent, record: recordCodex },
] as const;

async function main(words: readonly string[]): Promise<void> {
  if (words.includes('shells')) return recordShells();
  await ensureAgents();
  const agents = words.filter((word) => recorders.some(({ program }) => program === word));
  const cases = words.filter((word) => !agents.includes(word));
  for (const { program, agent, record } of recorders) {
    if (agents.length > 0 && !agents.includes(program)) continue;
    const version = versionOf(program);
    const fresh = join(cacheDir(), 'recordings', program, version);
    rmSync(fresh, { recursive: true, force: true });
    const isWanted = (name: string) => cases.length === 0 || cases.includes(name);
    await record({ program: agentBinary(program), isWanted, keep: (recording) => keepIn(fresh, recording) });
    compare(agent, { fresh, version });
  }
  execFileSync('npx', ['vitest', 'run', 'test/agents/golden.test.ts', '-u'], {
    stdio: 'inherit',
  });
}

function keepIn(folder: string, { name, file, text }: Recording): void {
  const path = join(folder, name, file);
  mkdirSync(dirname(path), { recursive: true });
  if (text !== '') writeFileSync(path, text);
}

/** What means the same as before stays as it is; the rest replaces it, or stands beside it under its own version. */
function compare(agent: Agent, { fresh, version }: { readonly fresh: string; readonly version: string }): void {
  const root = recordingsOf(agent);
  const before = readdirSync(root).sort(byVersion).at(-1) ?? version;
  for (const name of existsSync(fresh) ? readdirSync(fresh).sort() : []) {
    const [old, now] = [join(root, before, name), join(fresh, name)];
    const changes = existsSync(old)
      ? changesBetween(meaningOf(agent, old), meaningOf(agent, now))
      : ['+ recorded anew'];
    const verdict = changes.length === 0 ? 'means the same' : ['means something else', ...changes].join('\n  ');
    process.stdout.write(`${agent.type} ${version} ${name}, against ${before}: ${verdict}\n`);
    if (changes.length === 0 && before === version) continue;
    const into = join(root, version, name);
    rmSync(into, { recursive: true, force: true });
    cpSync(now, into, { recursive: true });
  }
}

const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** Lines that one has and the other has not; the order of the rest is not compared. */
function changesBetween(old: readonly string[], now: readonly string[]): string[] {
  const gone = missingFrom(now, old).map((line) => `- ${line}`);
  return [...gone, ...missingFrom(old, now).map((line) => `+ ${line}`)];
}

function missingFrom(from: readonly string[], lines: readonly string[]): string[] {
  const left = [...from];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

await main(process.argv.slice(2));
