// Workers that have played a part and rest until the next: the start of an agent costs more than several of its turns.
import type { Fields } from '../support/mcp.ts';
import type { RealCrew, Worker } from './crew.ts';
import type { ModelRequest } from './fake/server.ts';

export interface Cast {
  /**
   * A worker for this part, at once asked its prompt: one that was launched alike and rests, else a new one. Rejects
   * when a resting worker does not take the prompt.
   */
  enter(config: Fields): Promise<Worker>;
  /** A worker that was spawned without this has its first part. */
  joins(worker: Worker, config: Fields): void;
  /** The part is over: the worker is idle, its box is empty, and whoever comes next may have it. */
  rests(worker: Worker): void;
  /** What the model was asked by this worker in its present part. */
  turns(of: Worker): readonly ModelRequest[];
}

interface Part {
  readonly launch: string;
  readonly since: number;
}

/** With `isFresh` nobody plays two parts. */
export function castOf(crew: RealCrew, { isFresh = false } = {}): Cast {
  const parts = new Map<string, Part>();
  const resting = new Map<string, Worker[]>();
  const { requests } = crew.home.model;
  return {
    async enter({ prompt, ...config }) {
      const launch = launchOf(config);
      const since = requests.length;
      const free = resting.get(launch)?.pop();
      const worker = free ?? (await crew.one(prompt === undefined ? config : { ...config, prompt }));
      parts.set(worker.session_id, { launch, since });
      if (free === undefined) return worker;
      if (typeof prompt === 'string') await ask(crew, worker, prompt);
      return crew.look(worker.session_id);
    },
    joins(worker, config) {
      parts.set(worker.session_id, { launch: launchOf(config), since: requests.length });
    },
    rests(worker) {
      const launch = parts.get(worker.session_id)?.launch;
      if (launch === undefined || isFresh) return;
      resting.set(launch, [...(resting.get(launch) ?? []), worker]);
    },
    turns: ({ session_id, project_path }) =>
      requests
        .slice(parts.get(session_id)?.since ?? 0)
        .filter(({ kind, cwd }) => kind === 'turn' && cwd === project_path),
  };
}

async function ask(crew: RealCrew, worker: Worker, prompt: string): Promise<void> {
  const told = await crew.message(worker, prompt);
  if (told.verdict === 'submitted') return;
  const screen = crew.screen(worker).trimEnd();
  throw new Error(`${worker.name} rests and does not take its next part: ${JSON.stringify(told)}\n${screen}`);
}

/** What a worker was launched with, whatever it is asked. */
function launchOf(config: Fields): string {
  const { prompt: _, name: __, ...asked }: Fields = { agent_type: 'claude', skip_permissions: false, ...config };
  const said = Object.entries(asked);
  return JSON.stringify(said.sort(([a], [b]) => a.localeCompare(b)));
}
