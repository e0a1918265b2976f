// The rules by which workers act, as callers write and read them.
import { z } from 'zod';
import { presetNames, ruleLists } from '../model/rule.ts';
import { list, type Shape, shortened } from './parts.ts';

const rules = z.array(z.string().min(1).max(2_000)).max(200).exactOptional();
const held = { allow: list(z.string()), ask: list(z.string()), deny: list(z.string()) };

export const permissionsInput = z.strictObject({
  scope: z.string().min(1).max(320).describe('default, role:NAME or worker:ID (or its name).'),
  allow: rules.describe('Rules to allow by.'),
  ask: rules.describe('Rules to always ask by.'),
  confirm: rules.describe('Older word for ask.'),
  deny: rules.describe('Rules to forbid by.'),
  remove: rules.describe('Rules to take away, as written.'),
  preset: z
    .enum([...presetNames, 'none'])
    .exactOptional()
    .describe('Rules for a purpose, besides those of the scope; none takes it away.'),
});

const ruledWorker = z.object({
  session_id: z.string(),
  name: z.string(),
  /** From when on its agent goes by all the rules. */
  holds: z.enum(['now', 'within_3_seconds', 'next_start']),
  why: z.string().exactOptional(),
});
export type RuledWorker = Shape<typeof ruledWorker>;

const unenforced = z.object({ agent_type: z.string(), list: z.enum(ruleLists), rule: z.string() });
export type UnenforcedRule = Shape<typeof unenforced>;

export const permissionsOutput = z.object({
  scope: z.string(),
  session_id: z.string().exactOptional(),
  rules: z.object({ preset: z.enum(presetNames).exactOptional(), ...held }),
  /** How many hold: those of every scope and of the preset together. */
  in_effect: z.object({ allow: z.number(), ask: z.number(), deny: z.number() }),
  /** These rules, for a call that changes nothing. */
  all_rules: z.object(held).exactOptional(),
  changed: z.boolean(),
  /** The living workers for whom the scope counts. */
  workers: list(ruledWorker),
  /** Rules that some agents cannot express. */
  not_enforced_by: list(unenforced),
  ...shortened,
});
export type PermissionsResult = Shape<typeof permissionsOutput>;
