// All of what a worker asks, for a person: a change as the diff of its file, a plan with every word.
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Agent } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { parseJson } from '../../model/json.ts';
import { lineDiff } from '../../model/line-diff.ts';
import type { OpenRequest, RequestAnswer } from '../../model/request.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { launchPlace } from '../../store/launch-place.ts';
import { readAnswer, readRequest } from '../../store/requests.ts';
import { questionLine } from '../../turn/worker-question.ts';
import { titleOf, wantedBy } from '../attention/request-words.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { lastInput } from './logs.ts';

export interface RequestQuery {
  readonly worker: string;
  readonly requestId: string;
}

export interface WholeRequest {
  readonly title: string;
  /** Lines that begin with `-`, `+`, a blank or `@@`, as those of a diff. */
  readonly change?: string;
  readonly plan?: string;
  /** Who has answered it, and how. */
  readonly answer?: Pick<RequestAnswer, 'by' | 'decision'>;
}

type Tool = NonNullable<OpenRequest['tool']>;

/** Also of a request that is answered; undefined where no file holds it. Throws `unknown_worker`. */
export async function wholeRequest(
  context: CrewContext,
  { worker, requestId }: RequestQuery,
): Promise<WholeRequest | undefined> {
  const record = context.roster.resolve(worker);
  const { workerDir } = launchPlace(record.launch.dir);
  const request = await readRequest(workerDir, requestId);
  if (request === undefined) return undefined;
  return { ...(await asked(context, record, request)), ...defined({ answer: await readAnswer(workerDir, requestId) }) };
}

async function asked(context: CrewContext, record: WorkerRecord, request: OpenRequest): Promise<WholeRequest> {
  const agent = context.agents.of(record);
  const { kind, tool } = request;
  if (tool === undefined || kind === 'question') return { title: said(record, `asks: ${questionIn(request)}`) };
  if (kind === 'plan_approval')
    return {
      title: said(record, 'asks approval of its plan'),
      ...defined({ plan: await planOf(context, record, { agent, tool }) }),
    };
  const act = agent.actOf(tool.name, tool.input, tool.cwd);
  const change = await changeOf(agent, tool, act.paths?.[0]);
  return { title: titleOf(record.name, wantedBy(act, tool.input)), ...defined({ change }) };
}

const said = ({ name }: WorkerRecord, what: string): string => titleOf(name, { verb: '', what, keeps: 'begin' });

const questionIn = ({ question }: OpenRequest): string => (question === undefined ? '…' : questionLine(question.text));

/** The hook of an agent may know nothing of it; then its transcript does. */
async function planOf(
  context: CrewContext,
  record: WorkerRecord,
  { agent: { permissionHook }, tool }: { readonly agent: Agent; readonly tool: Tool },
): Promise<string | undefined> {
  const own = permissionHook?.planOf?.(tool.input);
  if (own !== undefined) return own;
  const input = await lastInput(context, record, tool.name).catch(() => undefined);
  return input === undefined ? undefined : permissionHook?.planOf?.(parseJson(input));
}

async function changeOf({ permissionHook: hook }: Agent, tool: Tool, path = ''): Promise<string | undefined> {
  const lines = hook?.changeOf(tool.name, tool.input);
  if (lines === undefined || path === '') return lines;
  const before = await smallText(resolve(tool.cwd, path));
  const after = before === undefined ? undefined : hook?.afterOf?.(tool.name, tool.input, before);
  return before === undefined || after === undefined ? lines : lineDiff(before, after) || 'It changes nothing.';
}

const mostBytes = 1_000_000;

/** '' where there is no such file yet; undefined for what is no small file of text. */
async function smallText(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return '';
  if (!found.isFile() || found.size > mostBytes) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text?.includes('\0') === true ? undefined : text;
}
