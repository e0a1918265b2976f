// Rules changed, shown and explained, scope by scope.
import { CrewError } from '../../model/errors.ts';
import { type PolicyLayer, type Ruling, ruleLists } from '../../model/permission.ts';
import { changed, type RuleBook, type RuleChange, rulesOf, type ScopeRules } from '../../model/permission-book.ts';
import { ruleOn } from '../../model/permission-ruling.ts';
import type { WorkerRecord } from '../../model/worker.ts';
import { changeBook } from '../../state/rule-book.ts';
import type { House } from '../house.ts';
import type { ExplainedView, PermissionsRequest, PermissionsResult, RulingView } from './permission-answers.ts';
import { booksFor, groundFor, lockTimeoutMs, policyFor, refreshPolicies, skips } from './permissions.ts';

/** Checks everything before anything is written; what it answers holds for every worker when it answers. */
export async function setPermissions(house: House, request: PermissionsRequest): Promise<PermissionsResult> {
  const scope = scopeOf(house, request.scope);
  const [configured, kept] = await booksFor(house, scope.projectPath);
  const change = changeOf(request);
  const rules = change === undefined ? kept : await apply(house, { scope: scope.key, configured, change });
  const affected = change === undefined ? [] : await refreshPolicies(house);
  if (change !== undefined) house.logger.write('info', `the rules of ${scope.key} were changed`);
  return {
    scope: scope.key,
    ...(scope.workerId === undefined ? {} : { session_id: scope.workerId }),
    rules: shown(rulesOf([configured, rules], scope.key)),
    in_effect: (await policyFor(house, scope)).map(summary),
    changed: change !== undefined,
    workers: affected,
    ...(request.explain === undefined ? {} : { explain: await explained(house, request.explain, scope) }),
  };
}

function summary(layer: PolicyLayer): string {
  const counts = ruleLists.flatMap((list) => (layer[list].length === 0 ? [] : [`${layer[list].length} ${list}`]));
  return `${layer.scope} (${counts.join(', ')})`;
}

/** A rule that nobody applies would be worse than none. */
const noHooks = ({ name, agentType }: WorkerRecord): CrewError =>
  new CrewError(
    'invalid_argument',
    `${name} is a ${agentType} worker: it runs no hook, so no rule can hold it to anything.`,
    'Use the permission settings of that program itself.',
  );

interface Scope {
  /** As the book writes it. */
  readonly key: string;
  readonly id?: string;
  readonly workerId?: string;
  readonly role?: string | undefined;
  readonly projectPath: string;
  readonly skips?: boolean;
}

function scopeOf(house: House, text: string): Scope {
  const [, kind, name = ''] = /^(default|role|worker)(?::([\s\S]+))?$/.exec(text) ?? [];
  if (kind === 'default' && name === '') return { key: 'default', projectPath: house.cwd };
  if (kind === 'role' && name !== '') return { key: text, role: name, projectPath: house.cwd };
  if (kind === 'worker' && name !== '') {
    const record = house.roster.resolve(name);
    if (house.agentOf(record).screenOnly !== undefined) throw noHooks(record);
    return { key: `worker:${record.id}`, workerId: record.id, ...ruledAs(record) };
  }
  throw new CrewError(
    'invalid_argument',
    `scope is ${JSON.stringify(text)}, which is no scope.`,
    'Pass "default", "role:<name>", or "worker:<id, name or terminal id>".',
  );
}

const ruledAs = (record: WorkerRecord) => ({
  id: record.id,
  role: record.role,
  projectPath: record.mainRepoPath ?? record.projectPath,
  skips: skips(record),
});

function changeOf({ allow, confirm, deny, remove, preset }: PermissionsRequest): RuleChange | undefined {
  const lists = { allow: allow ?? [], confirm: confirm ?? [], deny: deny ?? [], remove: remove ?? [] };
  const isEmpty = Object.values(lists).every((list) => list.length === 0) && preset === undefined;
  return isEmpty ? undefined : { ...lists, ...(preset === undefined ? {} : { preset }) };
}

interface Application {
  readonly scope: string;
  readonly configured: RuleBook;
  readonly change: RuleChange;
}

const apply = (house: House, { scope, configured, change }: Application): Promise<RuleBook> =>
  changeBook(house.home, {
    me: house.me,
    timeoutMs: lockTimeoutMs,
    scope,
    change: (own) => changed({ own, below: rulesOf([configured], scope) }, change),
  });

const shown = (rules: ScopeRules): PermissionsResult['rules'] => ({
  ...(rules.preset === undefined ? {} : { preset: rules.preset }),
  allow: rules.allow ?? [],
  confirm: rules.confirm ?? [],
  deny: rules.deny ?? [],
});

async function explained(
  house: House,
  { tool, input, command, session_id }: NonNullable<PermissionsRequest['explain']>,
  scope: Scope,
): Promise<ExplainedView> {
  const ref = session_id ?? scope.workerId;
  const record = ref === undefined ? undefined : house.roster.resolve(ref);
  const place = record ?? { projectPath: scope.projectPath };
  const worker = record === undefined ? scope : ruledAs(record);
  const agent = record === undefined ? house.agentFor('claude') : house.agentOf(record);
  const act = agent.actOf(tool, command === undefined ? input : { command, ...input }, place.projectPath);
  const ruling = ruleOn(await policyFor(house, worker), act, await groundFor(house, place));
  return {
    tool,
    ...(record === undefined ? {} : { session_id: record.id }),
    ...rulingView(ruling),
    ...(ruling.parts === undefined
      ? {}
      : { parts: ruling.parts.map(({ what, decision, reason }) => ({ what, decision, reason })) }),
  };
}

const rulingView = ({ decision, by, reason, catastrophic }: Ruling): RulingView => ({
  decision,
  ...by,
  reason,
  ...(catastrophic === undefined ? {} : { catastrophic }),
});
