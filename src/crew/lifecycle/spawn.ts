// Starts new workers, each on its own: the failure of one leaves the others alone.

import { join } from 'node:path';
import type { PaneRequest } from '../../backends/terminal.ts';
import { defined } from '../../model/defined.ts';
import { asCrewError } from '../../model/errors.ts';
import { newNonce } from '../../model/ids.ts';
import { oneLine } from '../../model/plain-text.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { keepLastPrompt } from '../../store/last-prompt.ts';
import { withLock } from '../../system/lock.ts';
import { once } from '../../system/once.ts';
import { type AttentionView, needDetail } from '../../wire/attention.ts';
import type { SpawnFailure, SpawnResult } from '../../wire/starting.ts';
import { type FolderFacts, inspectFolder } from '../../worktree/git/inspect.ts';
import { attentionFor } from '../attention/attention.ts';
import { sendMessage } from '../messages/send-message.ts';
import type { Run } from '../orders.ts';
import { accountKey, accountLimit } from '../workers/accounts.ts';
import { dayReached } from '../workers/budget.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { roleResolver } from '../workers/roles.ts';
import { transcriptIn } from '../workers/transcript.ts';
import { briefly, sharedBy } from '../workers/view.ts';
import { budgetOf, draftWorker, type WorkerDraft } from './draft.ts';
import type { LaunchOrder } from './launch.ts';
import { namesFor, portsFor } from './names.ts';
import { projectFilesNamed } from './project-files.ts';
import { pastParallel } from './role-order.ts';
import { holesNamed } from './sandbox-holes.ts';
import { withSlots } from './slots.ts';
import { startAgent } from './start-agent.ts';
import type { StartOrders } from './start-order.ts';
import { guidanceFor } from './worker-instructions.ts';
import { forgetTemp } from './worker-temp.ts';
import { makeWorktree } from './worker-worktree.ts';

const namesTimeoutMs = 30_000;

export type Spawned =
  | { readonly record: WorkerRecord; readonly warnings: readonly string[] }
  | { readonly failure: SpawnFailure };

export async function startWorkers(context: CrewContext, order: StartOrders, run: Run): Promise<SpawnResult> {
  const layout = order.layout ?? context.settingsFor(context.cwd).settings.defaults.layout;
  const placement = layout === 'auto' ? ('fill' as const) : { batch: newNonce() };
  // Two servers that spawn at once must not choose the same name.
  const drafted = await withLock(context.home.lockPath('names'), () => draftAll(context, order), {
    me: context.me,
    timeoutMs: namesTimeoutMs,
  });
  const spawned = await Promise.all(
    drafted.map((one) => ('failure' in one ? one : spawnOne(context, { draft: one, placement }, run))),
  );
  return spawnResult(context, spawned, { layout, wakes: order.wakes === true });
}

/** Checks every order and logs which workers crewmux is about to make, before it makes anything. */
async function draftAll(
  context: CrewContext,
  { workers: asked, here }: StartOrders,
): Promise<readonly (WorkerDraft | { readonly failure: SpawnFailure })[]> {
  await context.log.catchUp();
  const living = context.roster.records().filter((record) => context.roster.lives(record));
  const workers = await withSlots(context, asked, here);
  const names = namesFor(context, workers);
  const folders = once<FolderFacts | undefined>();
  const inspect = (path: string) => folders(path, () => inspectFolder({ path, env: context.environment.git }));
  const resolveRole = roleResolver(context);
  const drafted = await Promise.all(
    workers.map(async (order, index) => {
      const name = names[index] ?? newNonce();
      return draftWorker(context, { order, name, here, inspect, resolveRole }).catch((thrown: unknown) => ({
        failure: failureOf(name, 'check', thrown),
      }));
    }),
  );
  const drafts = drafted.flatMap((one) => ('failure' in one ? [] : [one]));
  const ports = await portsFor(context, drafts);
  const intents = drafts.map((draft) => ({
    type: 'worker_spawning' as const,
    workerId: draft.id,
    data: { name: draft.name },
    set: { ...firstRecord(context, draft), ...defined({ port: ports.get(draft.id) }) },
  }));
  if (intents.length > 0) await context.log.append(intents);
  const beside = { drafted: drafts, living };
  return drafted.map((one) =>
    'failure' in one ? one : { ...one, warnings: [...one.warnings, ...pastParallel(one, beside)] },
  );
}

export function failureOf(name: string, step: string, thrown: unknown, left: readonly string[] = []): SpawnFailure {
  const { code, message, hint } = asCrewError(thrown);
  const rest = left.length === 0 ? '' : ` Left as it is: ${left.join('; ')}.`;
  return { name, step, error: `${code}: ${message}`, hint: `${hint}${rest}` };
}

export function spawnResult(
  context: CrewContext,
  spawned: readonly Spawned[],
  { layout, wakes = false }: { readonly layout: 'auto' | 'new'; readonly wakes?: boolean },
): SpawnResult {
  const alive = spawned.flatMap((one) => ('record' in one ? [one] : []));
  const views = alive.map(({ record }) => context.roster.view(context.roster.record(record.id)));
  const shared = sharedBy(views);
  const attention = alive.flatMap(({ record }) => attentionFor(context, context.roster.record(record.id)));
  const problems = alive.flatMap(
    ({ record }) => context.settingsFor(record.mainRepoPath ?? record.projectPath).problems,
  );
  return {
    sessions: views.map((view) => briefly(view, shared)),
    ...shared,
    layout,
    count: views.length,
    coordinator_guidance: guidanceFor(views, wakes),
    ...(wakes ? { wakes } : {}),
    failed: spawned.flatMap((one) => ('failure' in one ? [one.failure] : [])),
    warnings: [...new Set([...problems, ...alive.flatMap((one) => one.warnings), ...needWarnings(attention)])],
  };
}

const mostOfDetail = 300;

/** Needs that one thing meets share its words. Pure. */
export function needWarnings(needs: readonly AttentionView[]): readonly string[] {
  const remedyOf = ({ answer_with }: AttentionView) => answer_with.join(' or ');
  return [...new Set(needs.map(remedyOf))].map((remedy) => {
    const met = needs.filter((need) => remedyOf(need) === remedy);
    const words = met.map((need) => sentence(`${need.title}: ${beginOf(oneLine(needDetail(need)))}`));
    const hints = met.flatMap((need) => oneLine(need.detail.slice(needDetail(need).length)));
    return [...words, ...new Set(hints), remedy].filter((part) => part !== '').join(' ');
  });
}

/** No word is cut. */
const beginOf = (words: string): string =>
  words.length <= mostOfDetail ? words : words.slice(0, mostOfDetail).replace(/\s*\S*$/, ' …');

const sentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

interface Undo {
  readonly step: string;
  readonly act: () => Promise<void>;
}

/** Takes every step back, newest first; resolves to what it could not take back. */
async function takeBack(steps: readonly Undo[]): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { step, act } of steps.toReversed())
    await act().catch((error: unknown) => left.push(`${step}: ${error instanceof Error ? error.message : error}`));
  return left;
}

async function spawnOne(
  context: CrewContext,
  { draft, placement }: { readonly draft: WorkerDraft; readonly placement: PaneRequest['placement'] },
  run: Run,
): Promise<Spawned> {
  const { id, name } = draft;
  const at = { step: 'worktree' };
  const undo: Undo[] = [];
  if (draft.sandbox.isOn) undo.push({ step: 'temporary files', act: () => forgetTemp(draft, draft.env) });
  try {
    const missing = await makeWorktree(context, draft, {
      ...{ at, run },
      onMade: (act) => undo.push({ step: 'worktree', act }),
    });
    const given = promptAtStart(context, draft);
    if (draft.prompt !== undefined) await keepLastPrompt(await context.home.workerDir(id), draft.prompt);
    const record = await startAgent(context, {
      ...{ workerId: id, at, placement },
      order: (now) => orderOf(now, { ...draft, prompt: given }),
      onOpen: (pane) => undo.push({ step: 'pane', act: () => context.terminal.close(pane.ref) }),
      event: (pane) => ({ type: 'worker_started', data: { name, pane: pane.ref.id } }),
    });
    const unsent = await typeFirstPrompt(context, record, { draft, given });
    run.tell(`${name} is up`);
    const open = [...holesNamed(context, record), ...projectFilesNamed(context, record)];
    return { record, warnings: [...draft.warnings, ...missing, ...open, ...unsent] };
  } catch (thrown) {
    const failure = failureOf(name, at.step, thrown, await takeBack(undo));
    await noteFailed(context, id, `${failure.step}: ${failure.error}`);
    return { failure };
  }
}

async function noteFailed(context: CrewContext, workerId: string, endDetail: string): Promise<void> {
  if (!context.log.records().has(workerId)) return;
  await context.roster.unfollow(workerId);
  const set = { phase: 'closed' as const, endedAt: context.clock.now(), endDetail, pane: null };
  await context.log
    .append([{ type: 'worker_closed', workerId, data: { failed: endDetail }, set }])
    .catch((error: unknown) => context.logger.write('error', 'a failed spawn could not be noted', error));
}

async function orderOf(record: WorkerRecord, draft: WorkerDraft): Promise<LaunchOrder> {
  const { agent, command, prompt, skipPermissions } = draft;
  const { env = {}, appendSystemPrompt, sandbox } = draft.order;
  const mcpServers = serversOf(draft);
  const { standingPrompt, tools } = draft.role;
  const own = { env, ...defined({ mcpServers, appendSystemPrompt, sandbox, standingPrompt, tools }) };
  return { record, agent, command, prompt, sandbox: draft.sandbox, skipPermissions, own, resume: await resumed(draft) };
}

/** The configured ones of an agent that takes any; of two with one name that of the order counts. Pure. */
export function serversOf({
  agent,
  order,
  settings,
}: {
  readonly agent: Pick<WorkerDraft['agent'], 'takes'>;
  readonly order: Pick<WorkerDraft['order'], 'mcpServers'>;
  readonly settings: { readonly defaults: Pick<WorkerDraft['settings']['defaults'], 'mcp_servers'> };
}): WorkerDraft['order']['mcpServers'] {
  const configured = agent.takes.has('mcpServers') ? settings.defaults.mcp_servers : {};
  const servers = { ...configured, ...order.mcpServers };
  return Object.keys(servers).length === 0 ? undefined : servers;
}

/** Adds the path of the conversation's transcript where the agent does not find it by itself. */
async function resumed(draft: WorkerDraft): Promise<LaunchOrder['resume']> {
  const { resume, agent } = draft;
  if (resume === undefined) return undefined;
  const { past, ...asked } = resume;
  const traces = agent.traces({ cwd: '/', agentSessionId: asked.agentSessionId, env: draft.env });
  if (traces.transcriptPath !== undefined) return asked;
  const transcriptPath = past?.launch.transcriptPath || (await transcriptIn(traces));
  return { ...asked, ...defined({ transcriptPath }) };
}

function firstRecord(context: CrewContext, draft: WorkerDraft): WorkerRecord {
  const { order, model } = draft;
  return {
    id: draft.id,
    name: draft.name,
    agentType: draft.agent.type,
    phase: 'spawning',
    crew: draft.crew,
    projectPath: draft.projectPath,
    ownsWorktree: false,
    ...defined({ mainRepoPath: draft.folder?.mainRepoPath, model }),
    ...defined({ annotation: order.annotation, bead: order.bead, role: order.role, task: order.task }),
    ...defined({ slot: order.slot, preset: order.preset, roleKept: draft.role.roleKept, budget: budgetOf(order) }),
    ...draft.mode,
    colour: draft.colour,
    source: 'spawned',
    manager: context.me,
    createdAt: context.clock.now(),
    restarts: 0,
    launch: {
      number: 0,
      dir: join(context.home.root, 'none'),
      command: draft.command,
      agentSessionId: '',
      transcriptPath: '',
      skipPermissions: draft.skipPermissions,
      startedAt: context.clock.now(),
      withPrompt: draft.prompt !== undefined,
    },
  };
}

/** On its command line a prompt would meet the limit of the account, or pass the bound of its project: it is kept. */
function promptAtStart(context: CrewContext, { agent, env, prompt, ...draft }: WorkerDraft): string | undefined {
  const project = draft.folder?.mainRepoPath ?? draft.projectPath;
  const account = accountKey(agent, env);
  const isLimited = accountLimit(context, account) !== undefined || dayReached(context, project) !== undefined;
  if (prompt === undefined || isLimited) return undefined;
  context.roster.accounts.noteStart(account, context.clock.now());
  return prompt;
}

/** Types the first prompt into an agent that was given none on its command line; resolves to warnings. */
async function typeFirstPrompt(
  context: CrewContext,
  record: WorkerRecord,
  { draft, given }: { readonly draft: WorkerDraft; readonly given: string | undefined },
): Promise<readonly string[]> {
  const { agent, prompt: text } = draft;
  if (text === undefined || (given !== undefined && agent.takes.has('prompt'))) return [];
  const { is, evidence: shown } = context.roster.turn(record.id) ?? {};
  if (given !== undefined && (is === 'starting' || shown === undefined)) {
    return [
      `${record.name} does not show that it is ready (${shown?.detail ?? 'nothing is known'}), so its first prompt was not typed. Look with read_worker_screen; mend agents.${agent.type} in the configuration if a prompt is there; then send it with message_workers.`,
    ];
  }
  const keep = given === undefined;
  const outcome = await sendMessage(context, record, { text, delivery: 'queue', asCommand: false, keep });
  if (outcome.verdict === 'submitted') return [];
  const { verdict, evidence, hint = '' } = outcome;
  return [`${record.name}: its first prompt is ${verdict} (${evidence.source}: ${evidence.detail}). ${hint}`.trim()];
}
