import { ruleLists } from '../model/rule.ts';
import { type PermissionsResult, permissionsInput, permissionsOutput } from '../wire/permissions.ts';
import { defineTool } from './tool.ts';
import { lines, orNone } from './words.ts';

export const setPermissions = defineTool({
  name: 'set_permissions',
  set: 'admin',
  title: 'Set permissions',
  description: `Changes or shows the rules by which workers act unasked. Use it when the user wants a kind of act allowed, asked about or forbidden from now on, not for one waiting request. Rules are Claude Code's: Bash(npm test *), Edit(./src/**), WebFetch(domain:x.com). Deny before ask before allow. The answer says where a rule holds, and from when.`,
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
    `In effect: ${ruleLists.map((name) => `${in_effect[name]} ${name}`).join(', ')}.`,
    ...(changed ? [`It holds for: ${orNone(workers.map(({ name, holds }) => `${name} ${fromWhen[holds]}`))}.`] : []),
    ...workers.flatMap(({ name, why }) => (why === undefined ? [] : [`${name}: ${why}`])),
    ...not_enforced_by.map(({ agent_type, list: name, rule }) => `${agent_type} does not enforce: ${name} ${rule}`),
  ]);
}
