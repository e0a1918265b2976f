// Changes and shows the rules of one scope.
import type { Agent } from '../../agents/agent.ts';
import { defined } from '../../model/defined.ts';
import { CrewError } from '../../model/errors.ts';
import { mapRules, type PresetName, type RuleBook, type Rules, type ScopeRules } from '../../model/rule.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { changed, type RuleChange, rulesFor, rulesOf, scopesOf } from '../../permissions/rule-book.ts';
import { changeBook } from '../../store/rule-book.ts';
import type { PermissionsResult, UnenforcedRule } from '../../wire/permissions.ts';
import type { CrewContext } from '../workers/crew-context.ts';
import { refuseOthers } from '../workers/ownership.ts';
import { roleNow } from '../workers/roles.ts';
import { booksFor, lockTimeoutMs, ruledAs, rulesOfWorker, skips, unenforced } from './permissions.ts';
import { refreshRules } from './rule-file.ts';

export interface RuleOrder extends RuleChange {
  /** `default`, `role:<name>`, or `worker:<id, name or terminal id>`. */
  readonly scope: string;
}

/** Checks everything before anything is written. */
export async function setPermissions(context: CrewContext, order: RuleOrder): Promise<PermissionsResult> {
  const change = changeOf(order);
  const scope = scopeOf(context, order.scope, change !== undefined);
  const [configured, kept] = await booksFor(context, scope);
  const after = change && ((own: ScopeRules) => changed({ own, below: rulesOf([configured], scope.key) }, change));
  if (after !== undefined) refuseUnenforced(context, scope, onlyScope(scope.key, [configured, kept], after));
  const options = { me: context.me, timeoutMs: lockTimeoutMs, scope: scope.key };
  const rules = after === undefined ? kept : await changeBook(context.home, { ...options, change: after });
  const workers =
    change === undefined ? [] : await refreshRules(context, (record) => scopesOf(record).includes(scope.key));
  if (change !== undefined) context.logger.write('info', `the rules of ${scope.key} were changed`);
  const held = rulesOf([configured, rules], scope.key);
  const { allow, ask, deny } = await rulesOfWorker(context, scope);
  return {
    scope: scope.key,
    ...defined({ session_id: scope.record?.id }),
    rules: { ...defined({ preset: held.preset }), ...mapRules((list) => held[list] ?? []) },
    in_effect: { allow: allow.length, ask: ask.length, deny: deny.length },
    ...(change === undefined && { all_rules: { allow, ask, deny } }),
    changed: change !== undefined,
    workers,
    not_enforced_by: notEnforced(context, scope, rulesFor([configured, rules], scope)),
  };
}

interface Scope {
  /** As the book writes it. */
  readonly key: string;
  readonly id?: string;
  readonly record?: WorkerRecord;
  readonly role?: string | undefined;
  readonly roleRules?: ScopeRules | undefined;
  readonly preset?: PresetName | undefined;
  readonly projectPath: string;
}

function scopeOf(context: CrewContext, text: string, isChange: boolean): Scope {
  const [, kind, name = ''] = /^(default|role|worker)(?::([\s\S]+))?$/.exec(text) ?? [];
  if (kind === 'default' && name === '') return { key: 'default', projectPath: context.cwd };
  if (kind === 'role' && name !== '') {
    const roleRules = roleNow(context, name, [context.cwd])?.rules;
    return { key: text, role: name, roleRules, projectPath: context.cwd };
  }
  if (kind === 'worker' && name !== '') {
    const record = context.roster.resolve(name);
    if (isChange) refuseOthers(context, record);
    return { key: `worker:${record.id}`, record, ...ruledAs(record) };
  }
  throw new CrewError(
    'invalid_argument',
    `scope is ${JSON.stringify(text)}, which is no scope.`,
    'Pass "default", "role:" with the name of a role, or "worker:" with the id, name or terminal id of a worker.',
  );
}

function changeOf({ allow, ask, deny, remove, preset }: RuleOrder): RuleChange | undefined {
  const lists = { allow: allow ?? [], ask: ask ?? [], deny: deny ?? [], remove: remove ?? [] };
  const isNothing = Object.values(lists).every((list) => list.length === 0) && preset === undefined;
  return isNothing ? undefined : { ...lists, ...defined({ preset }) };
}

type Rewrite = (own: ScopeRules) => ScopeRules;

/** The rules of the one scope as they would be after the change, with its preset. */
function onlyScope(scope: string, [configured, kept]: readonly [RuleBook, RuleBook], change: Rewrite): Rules {
  const own = Object.hasOwn(kept, scope) ? (kept[scope] ?? {}) : {};
  return rulesFor([{ default: rulesOf([configured, { [scope]: change(own) }], scope) }], {});
}

/** A rule that nobody enforces would be worse than none. */
function refuseUnenforced(context: CrewContext, scope: Scope, rules: Rules): void {
  if (scope.record === undefined) return;
  const [first] = notEnforced(context, scope, rules);
  if (first === undefined) return;
  throw new CrewError(
    'invalid_argument',
    `${scope.record.name} is a ${first.agent_type} worker, which cannot be held to this rule: ${first.list} ${first.rule}.`,
    'See docs/permissions.md for the rules that each agent knows, or use the settings of that program itself.',
  );
}

function notEnforced(context: CrewContext, { record }: Scope, rules: Rules): readonly UnenforcedRule[] {
  if (record !== undefined) {
    const place = { skips: skips(record), hasWorktree: record.worktreePath !== undefined };
    return unenforced(context.agents.of(record), rules, place);
  }
  return agentsOf(context).flatMap((agent) => unenforced(agent, rules, { skips: false, hasWorktree: true }));
}

function agentsOf(context: CrewContext): readonly Agent[] {
  const configured = Object.keys(context.settingsFor(context.cwd).settings.agents);
  return [...context.agents.builtIn, ...configured.map((type) => context.agents.named(type, context.cwd))];
}
