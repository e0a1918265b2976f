import { ruleLists } from '../model/rule.ts';
import { type PermissionsResult, permissionsInput, permissionsOutput } from '../wire/permissions.ts';
import { defineTool } from './tool.ts';
import { lines, orNone } from './words.ts';

export const setPermissions = defineTool({
  name: 'set_permissions',
  title: 'Set permissions',
  description: `Changes or shows the rules by which workers may do things without anybody being asked. Use it when the user wants a kind of act allowed, always asked about or forbidden from now on; for one request that waits now, answer that request instead. Rules are Claude Code's, Tool or Tool(pattern): Bash(npm test *), Edit(./src/**), Read(~/notes/**), WebFetch(domain:example.com), mcp__server__tool. The agents themselves go by them: deny before ask before allow, and a worker has the rules of default, its role and itself together. crewmux refuses a rule that the agent of one worker cannot express; for a role or default, not_enforced_by names the agents that do not know it. A worker whose agent cannot be held to a deny is not started. Deleting outside the worktree, moving branches of others, credentials and the like always go to a person.
Changes are kept. workers says for whom they hold from when. Without a change it only shows the scope.`,
  input: permissionsInput,
  output: permissionsOutput,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, { confirm = [], ask = [], ...change }) => crew.setRules({ ...change, ask: [...ask, ...confirm] }),
  text: permissionLines,
});

const fromWhen = { now: 'now', within_3_seconds: 'within three seconds', next_start: 'from its next start' };

function permissionLines({
  scope,
  rules: own,
  in_effect,
  changed,
  workers,
  not_enforced_by,
}: PermissionsResult): string {
  return lines([
    `${scope}${own.preset === undefined ? '' : ` (preset ${own.preset})`}: ${ruleLists.map((name) => `${name} ${orNone(own[name])}`).join('; ')}.`,
    `In effect: ${ruleLists.map((name) => `${in_effect[name].length} ${name}`).join(', ')}.`,
    ...(changed ? [`It holds for: ${orNone(workers.map(({ name, holds }) => `${name} ${fromWhen[holds]}`))}.`] : []),
    ...workers.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}`])),
    ...not_enforced_by.map(({ agent_type, list: name, rule }) => `${agent_type} does not enforce: ${name} ${rule}`),
  ]);
}
