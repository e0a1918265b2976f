// Rules changed and shown, scope by scope.
import type { Agent } from '../../agents/agent.ts';
import { CrewError } from '../../model/errors.ts';
import { mapRules, type RuleBook, type Rules, type ScopeRules } from '../../model/rule.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { changed, type RuleChange, rulesFor, rulesOf, scopesOf } from '../../permissions/rule-book.ts';
import { changeBook } from '../../store/rule-book.ts';
import type { PermissionsResult, UnenforcedRule } from '../../wire/permissions.ts';
import type { RuleOrder } from '../orders.ts';
import type { CrewContext } from '../workers/roster.ts';
import { booksFor, lockTimeoutMs, ruledAs, rulesOfWorker, skips, unenforced } from './permissions.ts';
import { refreshRules } from './rule-file.ts';

/** Checks everything before anything is written. */
export async function setPermissions(context: CrewContext, order: RuleOrder): Promise<PermissionsResult> {
  const scope = scopeOf(context, order.scope);
  const [configured, kept] = await booksFor(context, scope.projectPath);
  const change = changeOf(order);
  const set = { scope: scope.key, configured, change: change ?? {} };
  if (change !== undefined) refuseUnsaid(context, scope, rulesAfter(kept, set));
  const rules = change === undefined ? kept : await apply(context, set);
  const workers = change === undefined ? [] : await refreshRules(context, isRuled(scope.key));
  if (change !== undefined) context.logger.write('info', `the rules of ${scope.key} were changed`);
  const held = rulesOf([configured, rules], scope.key);
  return {
    scope: scope.key,
    ...(scope.record === undefined ? {} : { session_id: scope.record.id }),
    rules: { ...(held.preset === undefined ? {} : { preset: held.preset }), ...mapRules((list) => held[list] ?? []) },
    in_effect: await rulesOfWorker(context, scope),
    changed: change !== undefined,
    workers,
    not_enforced_by: unsaid(context, scope, rulesFor([configured, rules], scope)),
  };
}

interface Scope {
  /** As the book writes it. */
  readonly key: string;
  readonly id?: string;
  readonly record?: WorkerRecord;
  readonly role?: string | undefined;
  readonly projectPath: string;
}

function scopeOf(context: CrewContext, text: string): Scope {
  const [, kind, name = ''] = /^(default|role|worker)(?::([\s\S]+))?$/.exec(text) ?? [];
  if (kind === 'default' && name === '') return { key: 'default', projectPath: context.cwd };
  if (kind === 'role' && name !== '') return { key: text, role: name, projectPath: context.cwd };
  if (kind === 'worker' && name !== '') {
    const record = context.roster.resolve(name);
    return { key: `worker:${record.id}`, record, ...ruledAs(record) };
  }
  throw new CrewError(
    'invalid_argument',
    `scope is ${JSON.stringify(text)}, which is no scope.`,
    'Pass "default", "role:<name>", or "worker:<id, name or terminal id>".',
  );
}

const isRuled =
  (key: string) =>
  ({ id, role }: WorkerRecord): boolean =>
    scopesOf({ id, role }).includes(key);

function changeOf({ allow, ask, deny, remove, preset }: RuleOrder): RuleChange | undefined {
  const lists = { allow: allow ?? [], ask: ask ?? [], deny: deny ?? [], remove: remove ?? [] };
  const isNothing = Object.values(lists).every((list) => list.length === 0) && preset === undefined;
  return isNothing ? undefined : { ...lists, ...(preset === undefined ? {} : { preset }) };
}

interface Application {
  readonly scope: string;
  readonly configured: RuleBook;
  readonly change: RuleChange;
}

const scopeAfter = (own: ScopeRules, { scope, configured, change }: Application): ScopeRules =>
  changed({ own, below: rulesOf([configured], scope) }, change);

const apply = (context: CrewContext, set: Application): Promise<RuleBook> =>
  changeBook(context.home, {
    me: context.me,
    timeoutMs: lockTimeoutMs,
    scope: set.scope,
    change: (own) => scopeAfter(own, set),
  });

/** The rules of the one scope as they would be, with its preset. */
function rulesAfter(kept: RuleBook, set: Application): Rules {
  const own = Object.hasOwn(kept, set.scope) ? (kept[set.scope] ?? {}) : {};
  const after = rulesOf([set.configured, { [set.scope]: scopeAfter(own, set) }], set.scope);
  return rulesFor([{ default: after }], {});
}

/** A rule that nobody applies would be worse than none. */
function refuseUnsaid(context: CrewContext, { record }: Scope, rules: Rules): void {
  if (record === undefined) return;
  const agent = context.agentOf(record);
  const [first] = unenforced(agent, rules, placeOf(record));
  if (first === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `${record.name} is a ${agent.type} worker, which cannot be held to this rule: ${first.list} ${first.rule}.`,
    'See docs/permissions.md for the rules that each agent knows, or use the settings of that program itself.',
  );
}

const placeOf = (record: WorkerRecord) => ({ skips: skips(record), hasWorktree: record.worktreePath !== undefined });

function unsaid(context: CrewContext, { record }: Scope, rules: Rules): readonly UnenforcedRule[] {
  if (record !== undefined) return unenforced(context.agentOf(record), rules, placeOf(record));
  const inWorktree = { skips: false, hasWorktree: true };
  return agentsOf(context).flatMap((agent) => unenforced(agent, rules, inWorktree));
}

function agentsOf(context: CrewContext): readonly Agent[] {
  const configured = Object.keys(context.settingsFor(context.cwd).settings.agents);
  return [...context.agents, ...configured.map((type) => context.agentFor(type, context.cwd))];
}
