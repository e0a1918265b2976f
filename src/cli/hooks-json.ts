// Puts our hooks into the text of a settings file; other hooks and settings stay byte for byte.
import { z } from 'zod';
import { parseJson } from '../settings/layers.ts';
import { type Edit, edited, type JsonSpan, listEdits, memberOf, spansOf } from './json-spans.ts';
import { type Insertion, insert, openingOf, unitOf } from './mcp-json.ts';

// In the order of their fields in the plugin, which the texts keep.
const entry = z.looseObject({ type: z.string().optional(), command: z.string().optional() });
const group = z.looseObject({ matcher: z.string().optional(), hooks: z.array(entry) });
const events = z.record(z.string(), z.array(group));
export type Hooks = z.output<typeof events>;

const shape = z.looseObject({ hooks: events.optional() });

/** At the end of each command that is ours, as a comment of the shell. */
const mark = ' # by crewmux init --hooks';

/** How the plugin starts crewmux, from a file of its own. */
const ofPlugin = /sh "\$\{CLAUDE_PLUGIN_ROOT\}\/start\.sh"/g;

/** The plugin's hooks with another program; throws for what holds none, which the build makes. */
export function ownHooks(pluginText: string, program: string): Hooks {
  const { hooks } = z.object({ hooks: events }).parse(JSON.parse(pluginText));
  const own = (command = '') => `${command.replaceAll(ofPlugin, () => program)}${mark}`;
  return eachEntry(hooks, (one) => [{ ...one, command: own(one.command) }]);
}

/** Those that show the card: Codex knows the others not. */
export const codexHooks = ({ SessionStart: starts = [] }: Hooks): Hooks =>
  eachEntry({ SessionStart: starts }, (one) => (one.asyncRewake === true ? [] : [one]));

const eachEntry = (hooks: Hooks, change: (one: z.output<typeof entry>) => z.output<typeof entry>[]): Hooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([event, groups]) => [
      event,
      groups.map((one) => ({ ...one, hooks: one.hooks.flatMap(change) })).filter((one) => one.hooks.length > 0),
    ]),
  );

const isOurs = ({ command }: z.output<typeof entry>): boolean => command?.endsWith(mark) ?? false;

/** Whatever of ours stands there already is replaced. */
export function withHooks(text: string | undefined, wanted: Hooks): Insertion {
  const held = (text ?? '').trim() === '' ? '{}\n' : (text ?? '');
  const parsed = parseJson(held);
  if ('error' in parsed) return { is: 'refused', why: `it is not JSON (${parsed.error})` };
  const { data } = shape.safeParse(parsed.value);
  if (data === undefined) return { is: 'refused', why: 'its "hooks" are not in the form that Claude Code reads' };
  const there = data.hooks ?? {};
  if (
    isSame(
      eachEntry(there, (one) => (isOurs(one) ? [one] : [])),
      wanted,
    )
  )
    return { is: 'present' };
  const hooks = memberOf(spansOf(held), 'hooks');
  const edits = Object.entries(there).flatMap(([event, groups]) => {
    const list = hooks && memberOf(hooks, event);
    return list === undefined ? [] : eventEdits({ list, groups, added: wanted[event] ?? [], unit: unitOf(held) });
  });
  const missing = Object.entries(wanted).filter(([event]) => !Object.hasOwn(there, event));
  return { is: 'added', text: withEvents(edited(held, edits), Object.fromEntries(missing)) };
}

/** Without regard to the order of the events, and to those that hold nothing. */
function isSame(a: Hooks, b: Hooks): boolean {
  const full = (hooks: Hooks) =>
    JSON.stringify(
      Object.entries(hooks)
        .filter(([, groups]) => groups.length > 0)
        .toSorted(([x], [y]) => x.localeCompare(y)),
    );
  return full(a) === full(b);
}

interface EventList {
  readonly list: JsonSpan;
  readonly groups: Hooks[string];
  readonly added: Hooks[string];
  readonly unit: string;
}

function eventEdits({ list, groups, added, unit }: EventList): readonly Edit[] {
  const indent = `\n${unit.repeat(3)}`;
  const texts = added.map((one) => `${indent}${JSON.stringify(one, null, unit).replaceAll('\n', indent)}`);
  const isWhole = (index: number) => {
    const { hooks = [] } = groups[index] ?? {};
    return hooks.length > 0 && hooks.every(isOurs);
  };
  // A group to which somebody has added hooks of their own keeps those.
  const inner = (list.items ?? []).flatMap((item, index) => {
    const entries = memberOf(item, 'hooks');
    if (entries === undefined || isWhole(index)) return [];
    const isDropped = (at: number) => groups[index]?.hooks[at] !== undefined && isOurs(groups[index].hooks[at]);
    return listEdits(entries, isDropped, []);
  });
  return [...inner, ...listEdits(list, isWhole, texts)];
}

function withEvents(text: string, missing: Hooks): string {
  if (Object.keys(missing).length === 0) return text;
  const at = openingOf(text, 'hooks');
  return at === undefined ? insert(text, text.indexOf('{') + 1, { hooks: missing }, 1) : insert(text, at, missing, 2);
}
