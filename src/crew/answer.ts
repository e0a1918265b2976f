// Answers what a worker waits for, and looks whether the answer took.
import type { PermissionAsked } from '../model/asked.ts';
import { isoTime } from '../model/clock.ts';
import { CrewError } from '../model/errors.ts';
import type { RequestAnswer } from '../model/request.ts';
import { answerFor } from '../model/request-answer.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { launchPlace } from '../state/launch-place.ts';
import { answerRequest, readAnswer } from '../state/requests.ts';
import type { AnswerRequest, AnswerResult, CallContext } from './api.ts';
import { awaitFact } from './await-state.ts';
import { answerDialog } from './dialog-answer.ts';
import type { Following } from './following.ts';
import type { House } from './house.ts';

/** The hook is woken by the file; on a busy machine it may take its time. */
const proofCeilingMs = 8_000;

export async function answerWorker(house: House, request: AnswerRequest, call: CallContext): Promise<AnswerResult> {
  const record = house.roster.resolve(request.session_id);
  const following = house.roster.following(record.id);
  await following?.drain();
  const asked = await requestMeant(house, record, request);
  const id = asked?.requestId;
  if (asked === undefined || id === undefined || following === undefined) return answerDialog(house, record, request);
  refuseInput(house, record, request);
  refusePersons(house, record, { asked, request });
  const answer: RequestAnswer = { at: house.clock.now(), by: 'manager', ...answerFor(asked, request) };
  const { workerDir } = launchPlace(record.launch.dir);
  const written = await answerRequest(workerDir, id, answer);
  if (!written.isOurs) throw alreadyAnswered(record, id, written.answer);
  const took = await proofOf(following, id, { house, call });
  const view = house.roster.view(house.roster.record(record.id));
  return {
    success: took,
    session_id: request.session_id,
    request_id: id,
    decision: request.decision,
    via: 'hook',
    evidence: view.evidence,
    status: view.status,
    ...(took ? {} : { hint: `Nothing shows yet that the agent took it. Look with: ${attachOf(house, record)}` }),
  };
}

/** The request that is named, or the only one there is; undefined when only a dialog of the agent's own can be meant. */
async function requestMeant(
  house: House,
  record: WorkerRecord,
  { request_id: id }: AnswerRequest,
): Promise<PermissionAsked | undefined> {
  const turn = house.roster.turn(record.id);
  const open = turn?.requests ?? [];
  const named = open.find((one) => one.requestId === id);
  if (id === undefined) return open.length === 0 && turn?.is === 'waiting' ? undefined : onlyOne(record, open);
  if (named !== undefined) return named;
  const answer = await readAnswer(launchPlace(record.launch.dir).workerDir, id);
  if (answer !== undefined) throw alreadyAnswered(record, id, answer);
  throw new CrewError(
    'unknown_request',
    `${record.name} has no request "${id}".${open.length === 0 ? ' It asks nothing now.' : ` Open: ${openWords(open)}.`}`,
    'Call crew_status for what is asked now.',
  );
}

function onlyOne(record: WorkerRecord, open: readonly PermissionAsked[]): PermissionAsked {
  const [first, ...more] = open;
  if (first !== undefined && more.length === 0) return first;
  if (first === undefined) {
    throw new CrewError(
      'unknown_request',
      `${record.name} asks nothing that could be answered from here.`,
      'Call crew_status for who needs what.',
    );
  }
  throw new CrewError(
    'invalid_argument',
    `${record.name} asks ${open.length} things at once: ${openWords(open)}.`,
    'Name one of them with request_id.',
  );
}

const openWords = (open: readonly PermissionAsked[]): string =>
  open.map(({ requestId, tool }) => `${requestId ?? 'one at the pane only'} (${tool})`).join(', ');

const who: Readonly<Record<RequestAnswer['by'], string>> = {
  manager: 'a manager',
  person: 'a person',
  pane: 'a person at the pane',
  none: 'nobody: whoever asked is gone, or asks at its pane',
};

function alreadyAnswered(record: WorkerRecord, id: string, { by, at, decision }: RequestAnswer): CrewError {
  const how = decision === 'let-go' ? '' : ` ("${decision}")`;
  return new CrewError(
    'already_answered',
    `Request ${id} of ${record.name} was answered by ${who[by]}${how} at ${isoTime(at)}.`,
    'Nothing was changed. Call crew_status for what is asked now.',
  );
}

const attachOf = (house: House, { pane }: WorkerRecord): string =>
  pane === undefined ? 'crew_status' : house.roster.attach(pane);

function refusePersons(
  house: House,
  record: WorkerRecord,
  { asked, request }: { readonly asked: PermissionAsked; readonly request: AnswerRequest },
): void {
  if (asked.personOnly !== true || request.decision === 'deny') return;
  throw new CrewError(
    'needs_person',
    `Only a person may allow this to ${record.name}: ${asked.rule ?? asked.tool}`,
    `Ask the user to answer in the pane: ${attachOf(house, record)}. Or deny it with a message that says what to do instead.`,
  );
}

function refuseInput(house: House, record: WorkerRecord, { input }: AnswerRequest): void {
  if (input === undefined || house.agentFor(record.agentType).permissionHook?.changesInput) return;
  throw new CrewError(
    'invalid_argument',
    `A ${record.agentType} worker cannot be given another input for its tool.`,
    'Deny with a message that says what to do instead.',
  );
}

/** The hook has told the agent, and the agent waits for it no more. */
async function proofOf(following: Following, id: string, { house, call }: { house: House; call: CallContext }) {
  const options = { clock: house.clock, ceilingMs: proofCeilingMs, abort: call.signal };
  const took = await awaitFact(following, options, () => {
    const { asked, agent } = following.state.facts;
    const request = asked.find((one) => one.requestId === id);
    // An agent that tells its own state will say that it goes on; of another the hook's word is all there is.
    return request === undefined || (request.answered !== undefined && agent === undefined) ? true : undefined;
  });
  return took === true;
}
