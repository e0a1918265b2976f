// The answer of a tool as a person at a terminal reads it: names in place of ids, and words in place of calls. Pure.
import { oneLine, plain } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import { quote } from '../model/quote.ts';
import type { WorkerRecord } from '../model/worker.ts';
import { answerOutput } from '../wire/attention.ts';
import { type LandingConflict, type LandingResult, mergeOutput } from '../wire/landing.ts';
import { runLoopOutput } from '../wire/loops.ts';
import { type MessageOutcome, messageOutput } from '../wire/messages.ts';
import { planChanged } from '../wire/plans.ts';
import { scheduleTaskOutput } from '../wire/schedules.ts';
import { closeOutput, type SpawnResult, spawnOutput } from '../wire/starting.ts';
import { evidenceWords } from '../wire/worker.ts';
import { loopText } from './loop-text.ts';
import { personsCall, personsHint } from './persons-call.ts';
import { scheduleLines } from './schedule-text.ts';

export interface CommandOutcome {
  readonly tool: string;
  /** As the tool says it. */
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
}

export interface Reader {
  /** The workers it is about. */
  readonly records: readonly Pick<WorkerRecord, 'id' | 'name'>[];
  /** What the person types to start this program. */
  readonly program: string;
}

/** Lines without the last newline; a tool that has none here gets its own words. */
export function outcomeText(outcome: CommandOutcome, reader: Reader): string {
  const lines = linesOf[outcome.tool]?.(outcome.structured, reader) ?? [personsHint(outcome.text)];
  return plain(lines.filter((line) => line !== '').join('\n'));
}

type Lines = (structured: CommandOutcome['structured'], reader: Reader) => readonly string[] | undefined;

const linesOf: Readonly<Record<string, Lines>> = {
  message_workers(structured, reader) {
    const { results } = messageOutput.safeParse(structured).data ?? {};
    return results && Object.entries(results).map(([ref, outcome]) => messageLine(nameOf(ref, reader), outcome));
  },
  close_workers(structured, reader) {
    const { results } = closeOutput.safeParse(structured).data ?? {};
    return (
      results &&
      Object.entries(results).map(([ref, { success, worktree, branch, salvage, warning }]) =>
        sentence([
          `${nameOf(ref, reader)}: ${success ? 'closed' : 'not closed'}, worktree ${worktree}, branch ${branch ?? 'none'}.`,
          salvage === undefined ? '' : `Saved as ${salvage}`,
          personsHint(warning ?? ''),
        ]),
      )
    );
  },
  answer_worker(structured, reader) {
    const answer = answerOutput.safeParse(structured).data;
    if (answer === undefined) return undefined;
    const { session_id: ref, decision, success, status, evidence, remembered, hint } = answer;
    return [
      `${nameOf(ref, reader)}: ${decision} ${success ? 'taken' : 'given, not seen to be taken'}; it is ${status} (${evidence.source}: ${evidence.detail})`,
      remembered === undefined ? '' : `From now on ${remembered}.`,
      personsHint(hint ?? ''),
    ];
  },
  spawn_workers(structured) {
    const started = spawnOutput.safeParse(structured).data;
    const names = started?.sessions.map(({ name }) => quote(name)).join(' ') ?? '';
    return (
      started && [...startLines(started, 'started'), names === '' ? '' : `\`crewmux wait ${names}\` waits for the end.`]
    );
  },
  restart_workers(structured) {
    const started = spawnOutput.safeParse(structured).data;
    const isAsking = started?.sessions.some(({ status }) => status === 'waiting');
    const goesOn = '`crewmux message` gives more to do; nobody goes on without.';
    return started && [...startLines(started, 'restarted'), started.sessions.length > 0 && !isAsking ? goesOn : ''];
  },
  merge_worker(structured, reader) {
    const landed = mergeOutput.safeParse(structured).data;
    return landed && mergeLines(landed, nameOf(landed.session_id, reader));
  },
  approve_plan: planLines,
  cancel_plan: planLines,
  run_loop(structured, { program }) {
    const loop = runLoopOutput.safeParse(structured).data;
    return loop && loopText(loop, program);
  },
  schedule_task(structured) {
    const result = scheduleTaskOutput.safeParse(structured).data;
    if (result === undefined) return undefined;
    return result.schedules.length === 0 ? ['Removed.'] : scheduleLines(result).map(personsHint);
  },
};

function startLines({ sessions, failed, warnings }: SpawnResult, how: 'started' | 'restarted'): readonly string[] {
  return [
    ...sessions.map((worker) => {
      const { name, status, waiting_for: kind } = worker;
      const waiting = kind === undefined ? '' : ` for ${kind.replaceAll('_', ' ')}`;
      return `${name}: ${how}, and ${status}${waiting} (${evidenceWords(worker)})`;
    }),
    ...failed.map(({ name, error, hint }) => sentence([`${name}: not ${how}. ${error}`, personsHint(hint)])),
    ...warnings.map((warning) => `Warning: ${personsHint(warning)}`),
    sessions.some(({ status }) => status === 'waiting') ? '`crewmux answer` shows what waits, and answers.' : '',
  ];
}

/** As the person wrote it, where they did not write the id. */
const nameOf = (ref: string, { records }: Reader): string => records.find(({ id }) => id === ref)?.name ?? ref;

const sentence = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

const messageLine = (name: string, { verdict, evidence, hint }: MessageOutcome): string =>
  sentence([`${name}: ${verdict} (${evidence.source}: ${evidence.detail})`, personsHint(hint ?? '')]);

const mostOutputLines = 12;

function mergeLines(landed: LandingResult, name: string): readonly string[] {
  const { branch, target, outcome, to_commit, file_count, tests, checkout, conflicts, reason, sent_back } = landed;
  const isTroubled = conflicts.length > 0;
  const failed = tests.status === 'failed' || tests.status === 'timed_out';
  return [
    isTroubled
      ? ''
      : `${branch} -> ${target}: ${outcome.replaceAll('_', ' ')} at ${to_commit.slice(0, 12)}, ${counted(file_count, 'file')}, tests ${tests.status.replaceAll('_', ' ')}, checkout ${checkout}.`,
    personsHint(reason ?? ''),
    ...conflicts.flatMap((one) => conflictLines(one, landed)),
    ...(failed ? tests.output.trimEnd().split('\n').slice(-mostOutputLines) : []).map((line) => `    ${line}`),
    tests.path === undefined ? '' : `All that the tests printed is in ${tests.path}`,
    ...(landed.warnings ?? []).map((warning) => `Warning: ${personsHint(warning)}`),
    sent_back === undefined ? '' : `Sent back to ${messageLine(name, sent_back)}`,
    isTroubled && sent_back === undefined ? `\`crewmux merge ${quote(name)} --send-back\` has ${name} solve this.` : '',
  ];
}

/** The file, and whose commits changed it on each side. */
const conflictLines = (
  { file, ours, theirs }: LandingConflict,
  { branch, target }: Pick<LandingResult, 'branch' | 'target'>,
): readonly string[] => [
  `  ${file}`,
  ...[
    { side: branch, commits: ours },
    { side: target, commits: theirs },
  ].map(({ side, commits }) => `    ${side}: ${commits.length === 0 ? 'no commit is known' : whose(commits)}`),
];

const whose = (commits: LandingConflict['theirs']): string =>
  commits
    .map(
      ({ sha, subject, owner }) =>
        `${sha.slice(0, 12)} "${oneLine(subject)}"${owner === undefined ? '' : ` of ${owner}`}`,
    )
    .join(', ');

function planLines(structured: CommandOutcome['structured'], { program }: Reader): readonly string[] | undefined {
  const plan = planChanged.safeParse(structured).data;
  if (plan === undefined) return undefined;
  const { checkpoint, warnings, branches = [], next_calls: next } = plan;
  const calls = checkpoint === undefined ? next : checkpoint.calls;
  return [
    `${plan.name} [${plan.plan_id}] is ${plan.state}; its branch is ${plan.integration_branch}.`,
    ...warnings.map((warning) => `Warning: ${personsHint(warning)}`),
    ...branches.map((branch) => `Kept: ${branch}`),
    checkpoint === undefined ? '' : `It waits at ${checkpoint.at.replaceAll('_', ' ')}: ${personsHint(checkpoint.why)}`,
    ...new Set(calls.map((call) => `    ${personsCall(call, program)}`)),
  ];
}
