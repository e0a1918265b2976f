// Everything a landing starts carries its mark, so that nothing of it outlives a server that was killed.
import type { OnTrouble } from '../../system/atomic.ts';
import { endMarked, type Mark, marksGone, processesMarked } from '../../system/marked.ts';
import { endProcesses, isAlive, type ProcessRef, processTree } from '../../system/process.ts';
import { argvOf } from '../../system/process-sight.ts';

/** On git, its hooks and the tests. */
export const landingMark = (value: string): Mark => ({ name: 'CREWMUX_LANDING', value });
/** On the tests alone. */
export const testsMark = (value: string): Mark => ({ name: 'CREWMUX_LANDING_TESTS', value });

export const marksEnv = (...marks: readonly Mark[]): Record<string, string> =>
  Object.fromEntries(marks.map(({ name, value }) => [name, value]));

const graceMs = 1_000;
const gitCeilingMs = 10_000;

/** Ends what tests have left running, wherever it went. Their leader is believed only by its pid and start time. */
export async function endTests(mark: string, leader?: ProcessRef): Promise<void> {
  const tree = leader !== undefined && (await isAlive(leader)) ? await processTree(leader.pid) : [];
  await endProcesses(tree, { graceMs });
  await endMarked(testsMark(mark), { graceMs });
}

/** Lets a git that goes on without us come to its end, for one that is stopped may leave a checkout half written. */
export async function untilGitEnded(mark: string, onTrouble: OnTrouble): Promise<void> {
  if (await marksGone(landingMark(mark), gitCeilingMs)) return;
  onTrouble(`what a landing had started did not end within ${gitCeilingMs} ms and is ended: ${await namesOf(mark)}`);
  await endMarked(landingMark(mark), { graceMs });
}

async function namesOf(mark: string): Promise<string> {
  const left = await processesMarked(landingMark(mark));
  const named = left.map(async ({ pid }) => `${pid} (${(await argvOf(pid)).join(' ').slice(0, 100)})`);
  return (await Promise.all(named)).join(', ');
}
