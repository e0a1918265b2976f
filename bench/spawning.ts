// What spawn_workers costs beyond the agent's own start.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../test/support/sandbox.ts';
import { percentile, type Row, timed } from './measure.ts';
import { agentCommand, agentEnv, openStand, type Stand } from './stand.ts';

const rounds = 12;

export async function measureSpawning(): Promise<Row[]> {
  const stand = await openStand();
  try {
    // The first spawn also starts tmux.
    await spawnAndClose(stand, 1);
    const rows: Row[] = [];
    for (const { count, ceilingMs } of [
      { count: 1, ceilingMs: 120 },
      { count: 8, ceilingMs: 500 },
    ]) {
      const bare: number[] = [];
      const ours: number[] = [];
      for (let i = 0; i < rounds; i++) {
        bare.push(await startBare(stand, count));
        ours.push(await spawnAndClose(stand, count));
      }
      const alone = percentile(bare, 0.5);
      rows.push({ what: `agents alone in tmux, ${count} at once`, unit: 'ms', samples: bare });
      rows.push({
        what: `spawn_workers beyond that, ${count} in one call`,
        unit: 'ms',
        samples: ours.map((ms) => ms - alone),
        target: { p50: ceilingMs },
      });
    }
    return rows;
  } finally {
    await stand.dispose();
  }
}

async function spawnAndClose(stand: Stand, count: number): Promise<number> {
  let ids: string[] = [];
  const took = await timed(async () => {
    const made = await stand.spawn(Array.from({ length: count }, () => ({})));
    ids = made.map((w) => w.session_id);
  });
  await stand.close(ids);
  return took;
}

/** The same agents without crewmux: from the command line to the state file in which they say that they are ready. */
async function startBare(stand: Stand, count: number): Promise<number> {
  const { sandbox, repo } = stand;
  const configDir = sandbox.dir(`bare-${performance.now()}`);
  const states = join(configDir, 'sessions');
  mkdirSync(states, { recursive: true });
  const env = { ...sandbox.env, ...agentEnv, CLAUDE_CONFIG_DIR: configDir };
  const flags = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const took = await timed(async () => {
    for (let i = 0; i < count; i++) {
      sandbox.tmux('new-session', '-d', '-s', `bare-${i}`, '-c', repo, ...flags, '--', ...agentCommand);
    }
    await eventually('the bare agents are ready', () => {
      return existsSync(states) && readdirSync(states).filter((name) => name.endsWith('.json')).length >= count;
    });
  });
  for (let i = 0; i < count; i++) sandbox.tmux('kill-session', '-t', `=bare-${i}`);
  return took;
}
