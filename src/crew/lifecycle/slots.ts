// Workers that the configuration declares beforehand: a start by their id, and the free one that a task takes.
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { nearest } from '../../model/nearest.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import type { Settings } from '../../settings/settings.ts';
import type { SlotView } from '../../wire/status.ts';
import type { Context } from '../context.ts';
import { projectOf } from '../place.ts';
import type { Roster } from '../workers/roster.ts';
import { statusOf } from '../workers/view.ts';
import type { StartOrder } from './start-order.ts';

type Slot = Settings['slots'][number];
type Living = Pick<WorkerRecord, 'id' | 'name' | 'slot'>;

/** Throws for a slot that is not there, or whose worker lives; orders without one stay as they are. */
export async function withSlots(
  context: Context & { readonly roster: Pick<Roster, 'records' | 'lives'> },
  orders: readonly StartOrder[],
  here: string | undefined,
): Promise<readonly StartOrder[]> {
  if (orders.every(({ slot, fillsSlot }) => slot === undefined && fillsSlot === undefined)) return orders;
  const living = context.roster.records().filter((record) => context.roster.lives(record));
  const given = new Set<string>();
  const filled: StartOrder[] = [];
  for (const order of orders) {
    const project = await projectOf(context, order.slot === undefined ? order.project : 'auto', here);
    const { slots } = context.settingsFor(project).settings;
    const places = await Promise.all(slots.map((slot) => placed(context, slot, project)));
    const one = slotted(order, { slots: places, project, living, given });
    if (one.slot !== undefined) given.add(one.slot.toLowerCase());
    filled.push(one);
  }
  return filled;
}

/** A task takes one only where the slot is for its project; a folder that is gone is nobody's. */
const placed = async (context: Context, slot: Slot, here: string): Promise<Slot> => {
  if (slot.project_path === undefined) return slot;
  const real = await projectOf(context, slot.project_path, here).catch(() => slot.project_path);
  return { ...slot, ...defined({ project_path: real }) };
};

interface Slots {
  readonly slots: readonly Slot[];
  /** As a real path. */
  readonly project: string;
  readonly living: readonly Living[];
  /** Ids that orders of the same call have taken, in lower case. */
  readonly given: ReadonlySet<string>;
}

/** Pure. */
export function slotted(order: StartOrder, at: Slots): StartOrder {
  if (order.slot !== undefined) return inSlot(order, namedSlot(order, at));
  const { role, agentType, model } = order;
  if (order.fillsSlot === undefined || role === undefined) return order;
  const slot = at.slots.find(
    (one) =>
      one.role === role &&
      (agentType ?? one.agent_type) === (one.agent_type ?? agentType) &&
      (model ?? one.model) === (one.model ?? model) &&
      (one.project_path ?? at.project) === at.project &&
      !at.given.has(one.id.toLowerCase()) &&
      holderOf(one, at.living) === undefined,
  );
  return slot === undefined ? order : inSlot({ ...order, slot: slot.id }, slot);
}

const inSlot = (order: StartOrder, { id, role, agent_type: agentType, model, project_path }: Slot): StartOrder => ({
  ...defined({ role, agentType, model }),
  ...order,
  name: id,
  project: order.project === 'auto' ? (project_path ?? 'auto') : order.project,
});

/** Of two workers with one name a call could not say which it means. */
const holderOf = <One extends Living>({ id }: Pick<Slot, 'id'>, living: readonly One[]): One | undefined =>
  living.find(({ slot }) => slot === id) ?? living.find(({ name }) => name.toLowerCase() === id.toLowerCase());

function namedSlot({ slot: id = '', name, project, prompt }: StartOrder, { slots, living, given }: Slots): Slot {
  const wrong = (words: string, hint: string) => new CrewError('invalid_argument', words, hint);
  const slot = slots.find((one) => one.id === id);
  if (slot === undefined) {
    const known = slots.map((one) => one.id);
    const close = nearest(id, known);
    throw wrong(
      `There is no slot ${JSON.stringify(id)}. Known: ${known.length === 0 ? 'none' : known.join(', ')}.`,
      close === undefined ? 'Declare it in slots of the configuration.' : `Did you mean ${close}?`,
    );
  }
  if (name !== undefined || project !== 'auto')
    throw wrong(
      `The slot ${id} has its name and its project from the configuration.`,
      'Leave name and project_path out beside slot.',
    );
  const holder = holderOf(slot, living);
  if (holder === undefined && !given.has(id.toLowerCase())) return slot;
  if (holder === undefined) throw wrong(`The slot ${id} is named twice in this call.`, 'Name it once.');
  throw new CrewError(
    'worker_busy',
    `The slot ${id} has its worker ${holder.name} [${holder.id}].`,
    moreWork(holder, prompt),
  );
}

const longestShown = 2_000;

/** The call stands there whole, or not at all. */
function moreWork({ name }: Living, message: string | undefined): string {
  if (message === undefined || message.length > longestShown)
    return `Give ${name} more work with message_workers, or end it with close_workers ${JSON.stringify({ session_ids: [name] })}.`;
  return `Give it this with message_workers ${JSON.stringify({ session_ids: [name], message })}.`;
}

/** Each slot of the server's own project, with its worker. */
export function slotViews(
  context: Pick<Context, 'settingsFor' | 'cwd'> & { readonly roster: Pick<Roster, 'records' | 'lives' | 'turn'> },
): readonly SlotView[] {
  const { roster } = context;
  const living = roster.records().filter((record) => roster.lives(record));
  return context.settingsFor(context.cwd).settings.slots.map(({ id, role, description }) => {
    const record = holderOf({ id }, living);
    return {
      id,
      ...defined({ role, description }),
      worker:
        record === undefined
          ? 'free'
          : { session_id: record.id, name: record.name, status: statusOf(record, roster.turn(record.id)) },
    };
  });
}
