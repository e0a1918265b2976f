// A crew of the mind: workers with turns, branches as sets of commits, and outcomes that a seed chooses.
import type { PlanBranch, Work } from '../../src/crew/api.ts';
import { CrewError } from '../../src/model/errors.ts';
import type { Book, Task } from '../../src/model/task.ts';
import { isSettled } from '../../src/model/task-state.ts';
import type { Alarm } from '../../src/model/worker.ts';
import type { LandingResult } from '../../src/wire/landing.ts';
import type { SpawnResult } from '../../src/wire/starting.ts';
import type { Acting } from '../../src/work/drive/perform.ts';
import { ada } from '../support/stub-crew.ts';
import { need } from './parts.ts';

type Crew = Acting['crew'];

interface Agent {
  readonly id: string;
  readonly task: { readonly id: string; readonly attempt: number };
  status: Work['status'];
  isUnborn: boolean;
  turn: Work['turn'];
  /** The number of its newest turn among those of its task. */
  turns: number;
  lastWords: string;
  alarm: Alarm | undefined;
  /** Typed to it, and no turn has begun from it. */
  pending: string[];
  /** By the ids under which they were sent. */
  readonly sent: Map<string, string>;
  readonly commits: string[];
}

/** From 0 to 1, the same for the same words. */
export function chance(...words: readonly (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const letter of words.join('/')) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** How likely each trouble is, or the very ones that there are. */
export type Trouble = number | ((what: string) => boolean);
const calm = 0.12;

export class World {
  readonly agents: Agent[] = [];
  /** Commits by branch, in the order in which they landed. */
  readonly landed = new Map<string, string[]>();
  readonly proposals: string[] = [];
  readonly offences: string[] = [];
  /** All tests fail, with what is to land and without it. */
  isRed = false;
  private isKept = false;
  private readonly talkedTo = new Set<string>();
  private clock = 1_000;
  private readonly seed: number;
  private readonly book: () => Book;
  private readonly trouble: Trouble;

  constructor(seed: number, book: () => Book, trouble: Trouble = calm) {
    this.seed = seed;
    this.book = book;
    this.trouble = trouble;
  }

  now = (): number => this.clock;
  passTo(at: number) {
    this.clock = Math.max(this.clock + 1, at);
  }

  private strikes = (...words: readonly (string | number)[]): boolean =>
    typeof this.trouble === 'number' ? chance(this.seed, ...words) < this.trouble : this.trouble(words.join(' '));

  works(): ReadonlyMap<string, Work> {
    return new Map(this.agents.map((agent) => [agent.id, workOf(agent)]));
  }

  private agent(id: string): Agent {
    const found = this.agents.find((one) => one.id === id);
    if (found === undefined) throw new CrewError('unknown_worker', `No worker ${id}.`, '');
    return found;
  }

  private task(id: string): Task | undefined {
    return this.book().tasks.get(id);
  }

  /** What may happen by itself now. */
  happenings(): readonly (() => void)[] {
    return this.agents.flatMap((agent) => {
      if (agent.status === 'starting') return [() => this.become(agent, 'idle')];
      if (agent.status === 'waiting') return [() => this.become(agent, 'working')];
      if (agent.status === 'working') return [() => this.endTurn(agent)];
      return agent.status === 'idle' && agent.pending.length > 0 ? [() => this.beginTurn(agent)] : [];
    });
  }

  private become(agent: Agent, status: Work['status']) {
    agent.status = status;
  }

  private beginTurn(agent: Agent) {
    agent.pending = [];
    const number = this.turnsOf(agent.task.id) + 1;
    agent.turns = number;
    agent.turn = { id: `${agent.task.id}:${number}`, startedAt: this.clock };
    agent.lastWords = '';
    agent.alarm = undefined;
    agent.status = this.strikes('asks', agent.turn.id) ? 'waiting' : 'working';
  }

  /** Of all workers of the task, so that a start that is lost changes nothing. */
  private turnsOf(task: string): number {
    return Math.max(0, ...this.agents.filter((one) => one.task.id === task).map((one) => one.turns));
  }

  private endTurn(agent: Agent) {
    const { turn } = agent;
    if (turn === undefined) return;
    const end = (endedBy: NonNullable<Work['turn']>['endedBy']) => {
      agent.turn = { ...turn, endedAt: this.clock, ...(endedBy && { endedBy }) };
      agent.status = 'idle';
    };
    if (this.strikes('dies', turn.id)) agent.status = 'dead';
    else if (this.strikes('errs', turn.id)) end('error');
    else if (this.strikes('interrupted', turn.id)) end('interrupted');
    else if (this.strikes('blocked', turn.id)) {
      end('completed');
      agent.alarm = { status: 'blocked', message: `about ${'x'.repeat(600)}`, at: this.clock };
    } else {
      end('completed');
      if (this.strikes('empty', turn.id)) return;
      agent.lastWords = 'I have looked at it.';
      if (!this.strikes('words', turn.id)) agent.commits.push(`${turn.id}#`);
    }
  }

  /** Somebody talks to the worker by hand. */
  talk(id: string) {
    this.agent(id).pending.push('go on');
    this.talkedTo.add(id);
  }

  readonly crew: Crew = {
    passReport: async () => undefined,
    reports: async () => ({ reports: [], count: 0 }),
    start: async ({ workers: [order] }) => {
      const tag = order?.task;
      const task = tag && this.task(tag.id);
      if (tag === undefined || task === undefined) throw new Error('a start for no task');
      const known = this.agents.find((one) => one.task.id === tag.id && !one.isUnborn && one.status !== 'closed');
      if (known !== undefined && known.status !== 'dead') this.offences.push(`${tag.id} was started twice`);
      const open = task.dependsOn.filter((id) => !isSettledNow(this.task(id)));
      if (open.length > 0) this.offences.push(`${tag.id} began before ${open.join()}`);
      const agent = this.bear(tag, order?.prompt ?? '');
      if (!this.strikes('unborn', tag.id, task.failures)) {
        const session = { ...ada, session_id: agent.id, name: agent.id, branch: agent.id };
        return { ...nobody, sessions: [session], count: 1 };
      }
      agent.isUnborn = true;
      agent.status = 'dead';
      return { ...nobody, failed: [{ name: agent.id, step: 'open', error: 'No terminal.', hint: 'Try later.' }] };
    },
    restart: async ({ workers }) => {
      for (const id of workers) Object.assign(this.agent(id), { status: 'idle', turn: undefined });
      return nobody;
    },
    send: async ({ workers: [id = ''], text, id: messageId = '' }) => {
      const agent = this.agent(id);
      const before = agent.sent.get(messageId);
      if (before !== undefined && before !== text) this.offences.push(`${messageId} was used for two texts`);
      if (before === undefined) this.type(agent, messageId, text);
      return { [id]: { ...submitted, verdict: before === undefined ? 'submitted' : 'kept' } };
    },
    interrupt: async ({ workers: [id = ''] }) => {
      const agent = this.agent(id);
      if (agent.turn !== undefined && agent.turn.endedAt === undefined)
        agent.turn = { ...agent.turn, endedAt: this.clock, endedBy: 'interrupted' };
      agent.status = 'idle';
      agent.pending = [];
      return { [id]: { success: true, outcome: 'interrupted', detail: '' } };
    },
    land: async ({ worker, target = 'main', touchSet = [], whereRed }) => {
      this.isKept = this.isRed && whereRed !== 'land';
      const end = typeof worker === 'string' ? this.land(worker, target, touchSet) : this.landLane(worker, target);
      return this.isKept ? { ...end, redTarget: { output: 'red' } } : end;
    },
    propose: async ({ worker, title = '' }) => {
      const branch = typeof worker === 'string' ? worker : worker.branch;
      const existing = this.proposals.includes(branch);
      if (!existing) this.proposals.push(branch);
      const facts = { branch, remote: 'origin', base: 'main', title, body_path: '', commits: 1, missing: [] };
      return { ...facts, success: true, session_id: branch, url: `https://pr/${branch}`, pushed: true, existing };
    },
    close: async ({ workers }) => {
      for (const id of workers) this.agent(id).status = 'closed';
      return Object.fromEntries(workers.map((id) => [id, { success: true, worktree: 'removed', branch: id }]));
    },
    branchOf: async ({ worker, base }) => {
      const agent = this.agent(worker);
      const commits = (base === 'begun' ? agent.commits : this.open(agent, 'any')).toReversed();
      return { branch: worker, commits, behind: 0, dirtyFiles: 0 };
    },
    screen: () => Promise.reject(new Error('no screen')),
    diff: () => Promise.reject(new Error('no diff')),
    work: () => [...this.works().values()],
    deniesEditing: async () => false,
  };

  /** The worker of a start; a killed one may have come as far as that. */
  bear(task: Agent['task'], prompt: string): Agent {
    const number = this.agents.filter((one) => one.task.id === task.id).length + 1;
    const agent: Agent = {
      ...{ id: `${task.id}-w${number}`, task, isUnborn: false, lastWords: '' },
      ...{ alarm: undefined, turn: undefined, turns: 0 },
      ...{ status: 'starting', pending: [prompt], sent: new Map(), commits: [] },
    };
    this.agents.push(agent);
    return agent;
  }

  private type(agent: Agent, id: string, text: string) {
    const isAtIt = agent.pending.length > 0 || agent.status === 'working';
    if (isAtIt && !this.talkedTo.has(agent.id))
      this.offences.push(`${agent.id} was told ${id} before it was done with what it was told`);
    agent.sent.set(id, text);
    agent.pending.push(text);
  }

  private open({ commits }: Agent, target: string): readonly string[] {
    const gone = target === 'any' ? [...this.landed.values()].flat() : (this.landed.get(target) ?? []);
    return commits.filter((one) => !gone.includes(one));
  }

  private land(id: string, target: string, touchSet: readonly string[]): LandingResult {
    const agent = this.agent(id);
    const task = this.task(agent.task.id);
    if (agent.status === 'working' || agent.status === 'waiting')
      throw new CrewError('worker_busy', `${id} is at work.`, 'Wait.');
    const commits = this.open(agent, target);
    if (commits.length === 0) return landing({ outcome: agent.commits.length > 0 ? 'landed' : 'nothing', target });
    const unseen = commits.filter((one) => !task?.evidence.commits.includes(one));
    if (unseen.length > 0) this.offences.push(`${unseen.join()} would land, and nobody has checked that`);
    const at = `${agent.task.id}:${agent.turns}`;
    if (touchSet.length > 0 && this.strikes('outside', at))
      return landing({
        outcome: 'outside',
        target,
        reason: `${id} changes b.ts, outside of its touch set (${touchSet.join()})`,
        outside: ['b.ts'],
      });
    if (this.strikes('in the way', at, task?.failures ?? 0))
      throw new CrewError('checkout_in_the_way', 'a.ts is in the way.', 'Move it.');
    if (this.strikes('conflict', at)) return landing({ outcome: 'conflict', target });
    if (this.isKept || this.strikes('red', at)) return landing({ outcome: 'checks_failed', target });
    this.landed.set(target, [...(this.landed.get(target) ?? []), ...commits]);
    return landing({ outcome: 'landed', target });
  }

  private landLane({ id, branch }: PlanBranch, target: string): LandingResult {
    const plan = this.book().plans.get(id);
    const known = this.landed.get(target) ?? [];
    const commits = (this.landed.get(branch) ?? []).filter((one) => !known.includes(one));
    if (commits.length === 0) return landing({ outcome: 'nothing', target });
    if (this.isKept || this.strikes('lane', id, plan?.round ?? 0)) return landing({ outcome: 'checks_failed', target });
    this.landed.set(target, [...known, ...commits]);
    return landing({ outcome: 'landed', target });
  }
}

const isSettledNow = (task: Task | undefined): boolean => task !== undefined && isSettled(task);

function workOf(agent: Agent): Work {
  const { id, status, isUnborn, task, turn, lastWords, alarm } = agent;
  const isIdle = status === 'idle' && agent.pending.length === 0 && (turn === undefined || turn.endedAt !== undefined);
  return {
    ...{ id, name: id, crew: 'crew', agentType: 'claude', branch: id, status, isUnborn, isIdle, task, lastWords },
    base: { ref: 'main', sha: 'begun' },
    ...{ turns: 0, attention: status === 'waiting' ? [need(id)] : [], isOthers: false },
    ...(turn && { turn }),
    ...(alarm && { alarm }),
  };
}

const nobody: SpawnResult = {
  ...{ sessions: [], attach: null, count: 0, coordinator_guidance: '', failed: [], warnings: [] },
  layout: 'auto',
};

const submitted = { success: true, turn: null, evidence: ada.evidence } as const;

export const landing = (end: Partial<LandingResult> & Pick<LandingResult, 'outcome' | 'target'>): LandingResult => ({
  ...{ success: end.outcome === 'landed', session_id: 'w', branch: 'w', from_commit: 'a', to_commit: 'b' },
  ...{ strategy: 'squash', leftovers_committed: 0, conflicts: [], files: [], file_count: 0, checkout: 'none' },
  tests: { status: end.outcome === 'checks_failed' ? 'failed' : 'none', command: 'make test', output: 'red' },
  ...end,
});
