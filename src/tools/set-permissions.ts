import { z } from 'zod';
import type { PermissionsResult } from '../crew/api.ts';
import { ruleLists } from '../model/permission.ts';
import { presetNames } from '../model/permission-preset.ts';
import { workerRef } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines, orNone } from './words.ts';

const rules = z.array(z.string().min(1).max(2_000)).max(200).exactOptional();

const ruling = {
  decision: z.enum(['allow', 'deny', 'confirm']),
  scope: z.string().exactOptional(),
  list: z.enum(ruleLists).exactOptional(),
  rule: z.string().exactOptional(),
  catastrophic: z.string().exactOptional(),
  reason: z.string(),
};

export const setPermissions = defineTool({
  name: 'set_permissions',
  title: 'Set permissions',
  description: `Changes, shows or explains the rules by which workers may do things without anybody being asked. Use it when the user wants a kind of act allowed, always asked about or forbidden from now on; for one request that waits now, answer that request instead. Rules are Tool or Tool(pattern): Bash(npm test *), Edit(src/**), Read(~/notes/**), WebFetch(domain:example.com), mcp__server__tool. Deny wins in any scope; else the strongest scope with a fitting rule decides, worker over role over default, allow before confirm; what no rule is about is put to somebody. Shell lines are judged part by part. Deleting outside the worktree, rewriting shared history, credentials and the like always go to a person: no rule allows them.
Changes are kept, and hold for living workers at once. Without a change it only shows the scope; explain says which rule decides about an act and runs nothing.`,
  input: z.strictObject({
    scope: z.string().min(1).max(320).describe('default, role:<name>, or worker:<id, name or terminal id>.'),
    allow: rules.describe('Rules to allow by.'),
    confirm: rules.describe('Rules to always ask by.'),
    deny: rules.describe('Rules to forbid by.'),
    remove: rules.describe('Rules of this scope to take away, as they are written.'),
    preset: z
      .enum([...presetNames, 'none'])
      .exactOptional()
      .describe('Rules for a purpose, below those of the scope; none takes the preset away.'),
    explain: z
      .strictObject({
        tool: z.string().min(1).max(200).describe('The tool, as the agent calls it.'),
        input: z.record(z.string(), z.unknown()).exactOptional().describe('Its input, as the agent gives it.'),
        command: z.string().max(20_000).exactOptional().describe('For Bash: the line, in place of input.'),
        session_id: workerRef.exactOptional().describe('Judge as for this worker.'),
      })
      .exactOptional()
      .describe('An act to judge by the rules as they are after the change.'),
  }),
  output: z.object({
    scope: z.string(),
    session_id: z.string().exactOptional(),
    rules: z.object({
      preset: z.enum(presetNames).exactOptional(),
      allow: list(z.string()),
      confirm: list(z.string()),
      deny: list(z.string()),
    }),
    in_effect: list(z.string()),
    changed: z.boolean(),
    workers: list(z.string()),
    explain: z
      .object({
        tool: z.string(),
        session_id: z.string().exactOptional(),
        ...ruling,
        parts: list(z.object({ what: z.string(), decision: ruling.decision, reason: z.string() })).exactOptional(),
      })
      .exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  handler: (crew, args) => crew.setPermissions(args),
  text: permissionLines,
});

function permissionLines({ scope, rules: held, in_effect, changed, workers, explain }: PermissionsResult): string {
  return lines([
    `${scope}${held.preset === undefined ? '' : ` (preset ${held.preset})`}: ${ruleLists.map((name) => `${name} ${orNone(held[name])}`).join('; ')}.`,
    `In effect, strongest first: ${orNone(in_effect)}.`,
    changed ? `Holds from now on for: ${orNone(workers)}.` : '',
    explain === undefined ? '' : `${explain.tool}: ${explain.decision}. ${explain.reason}`,
    ...(explain?.parts ?? []).map(({ what, decision, reason }) => `  ${what}: ${decision}. ${reason}`),
  ]);
}
