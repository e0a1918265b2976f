// Plays everything several times and writes docs/AGENTS-CONFORMANCE.md: npm run conformance [rounds]
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, type } from 'node:os';
import { documentOf } from './document.ts';
import { kept } from './record.ts';
import { subjects } from './subjects.ts';

const [rounds = '5'] = process.argv.slice(2);
const path = 'docs/AGENTS-CONFORMANCE.md';

// One file after the other and few workers at once: what is measured is the agents, not the crowd.
const args = ['vitest', 'run', '--config', 'test/real/vitest.config.ts', '--no-file-parallelism', '--maxConcurrency=3'];
const files = ['test/real/conform/claude.test.ts', 'test/real/conform/codex.test.ts'];
const { status } = spawnSync('npx', [...args, ...files], {
  env: { ...process.env, CONFORMANCE_ROUNDS: rounds },
  stdio: 'inherit',
});
const runs = subjects.map(({ agent }) => ({ states: kept(agent, 'states'), deliveries: kept(agent, 'deliveries') }));
const tmux = spawnSync('tmux', ['-V'], { encoding: 'utf8' }).stdout.trim();
const machine = { cores: cpus().length, system: `${type()} ${release()}`, node: process.versions.node, tmux };
mkdirSync('docs', { recursive: true });
writeFileSync(path, documentOf(runs, machine));
process.stdout.write(`${path} is written.\n`);
process.exitCode = status ?? 1;
