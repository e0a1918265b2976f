// Sends one text one way, and tells what was said of it and what became of it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CrewError } from '../../../src/model/errors.ts';
import type { Fields } from '../../support/mcp.ts';
import { eventually } from '../../support/sandbox.ts';
import type { RealCrew, Worker } from '../crew.ts';
import { arrivalOf, type Fact, type Verdict } from './arrival.ts';
import type { Stage } from './stage.ts';
import { type Text, traces } from './texts.ts';
import type { Way } from './ways.ts';

export interface Delivery {
  readonly way: string;
  readonly text: string;
  readonly verdict: Verdict;
  readonly fact: Fact;
  /** What the model was asked instead, where that is not the text. */
  readonly instead?: string;
  /** Of a text of which nobody can say what became of it: the evidence, and the screen. */
  readonly unclear?: string;
}

/** Everything the model was asked in this worker's turns. A prompt with a leading slash does not tell the folder. */
export const requestsOf = ({ home }: RealCrew, worker: Worker) =>
  home.model.requests.filter(
    (r) => r.kind === 'turn' && (r.cwd === worker.project_path || r.conversation === worker.agent_session_id),
  );

/** What of a text was run on the way. */
export const ranIn = (worker: Worker): string[] => traces.filter((name) => existsSync(join(worker.project_path, name)));

export async function deliver(stage: Stage, way: Way, text: Text): Promise<Delivery> {
  const { crew, worker, subject } = stage;
  const before = requestsOf(crew, worker).length;
  const round = `${stage.mark}-${before}`;
  await way.prepare(stage, round);
  const running = requestsOf(crew, worker).at(-1);
  const known = running?.texts ?? [];
  const mayWait = running !== undefined && (running.end === undefined || running.end.how === 'tool_use');
  const { verdict, ...rest } = await verdictOf(stage, text.text, way.more);
  const of = { way: way.name, text: text.name, verdict, ...rest };
  await way.goOn(stage, round);
  await settled(stage);
  // An answer that was broken off for the message was not waited for.
  const hasWaited = mayWait && running.end?.how !== 'closed';
  const expected = subject.inBox(text.expected ?? text.text);
  const arrival = (control?: string) => {
    const asked = requestsOf(crew, worker)
      .slice(before)
      .map(({ texts }) => ({ texts: spoken(texts, control) }));
    return { fact: arrivalOf(expected, { known, asked, hasWaited }), texts: asked.at(-1)?.texts ?? [] };
  };
  // What an agent's own queue holds is taken up at its own time.
  if (verdict === 'queued')
    await eventually('the text arrives', () => arrival().fact !== 'never', 90_000).catch(() => 0);
  const first = arrival();
  if (first.fact !== 'never') return { ...of, ...told(first, known) };
  // Whatever was typed and not sent goes out with this.
  const control = `SAY control ${round}`;
  await crew.message(worker, control, { wait_mode: 'all', timeout: 120 });
  return { ...of, ...told(arrival(control), known) };
}

/** Without the control, and without what the agent writes in a person's place when a dialog is refused. */
const spoken = (texts: readonly string[], control: string | undefined): string[] =>
  texts.filter((text) => text !== control && !/^\[Request interrupted by user[^\]]*\]\s*$/.test(text));

function told({ fact, texts }: { fact: Fact; texts: readonly string[] }, known: readonly string[]) {
  const isPlain = fact === 'exactly' || fact === 'later' || fact === 'never';
  return isPlain ? { fact } : { fact, instead: texts.slice(known.length).join(' | ').slice(0, 200) };
}

/** The text is the first prompt of a worker of its own: it is said to be taken when the worker is spawned with it. */
export async function deliverFirst(stage: Stage, text: Text): Promise<Delivery> {
  const { crew } = stage;
  const way = 'as the first prompt';
  const failed = await stage.triesToEnter({ prompt: text.text, skip_permissions: true });
  if (failed.length > 0) return { way, text: text.name, verdict: 'refused', fact: 'never' };
  if (text.isLong === true) stage.wearsOut();
  await settled(stage);
  const asked = requestsOf(crew, await crew.look(stage.worker.session_id));
  const fact = arrivalOf(text.expected ?? text.text, { known: [], asked });
  const texts = asked.at(-1)?.texts ?? [];
  // A spawn that did not see the prompt taken says so by the worker's status.
  const verdict = stage.worker.status === 'starting' ? 'unconfirmed' : 'submitted';
  return { way, text: text.name, verdict, ...told({ fact, texts }, []) };
}

async function verdictOf(
  { crew, worker }: Stage,
  text: string,
  more: Fields,
): Promise<Pick<Delivery, 'verdict' | 'unclear'>> {
  try {
    const { verdict, evidence } = await crew.message(worker, text, more);
    if (verdict === 'kept') throw new Error('kept, which nobody asked for');
    if (verdict !== 'unconfirmed') return { verdict };
    return { verdict, unclear: `${JSON.stringify(evidence)}\n${crew.screen(worker).trimEnd()}` };
  } catch (error) {
    if (error instanceof CrewError) return { verdict: 'refused' };
    throw error;
  }
}

const settled = ({ crew, worker }: Stage) =>
  eventually(`${worker.name} is idle`, async () => (await crew.wait([worker.session_id])).all_idle, 120_000);
