// The rules of a configuration file: their shape, and how those of two files go together.
import { z } from 'zod';
import { nearest } from '../model/nearest.ts';
import { type PresetName, presetNames, readRule, ruleLists } from '../model/rule.ts';

const rule = z.string().superRefine((text, context) => {
  const read = readRule(text);
  if ('tool' in read) return;
  context.addIssue(`${JSON.stringify(text)} is no rule: ${read.reason}. For example: ${read.example}`);
});

const known = ['preset', ...ruleLists];

const written = z.strictObject(
  {
    preset: z.enum(presetNames).exactOptional(),
    allow: z.array(rule).exactOptional(),
    ask: z.array(rule).exactOptional(),
    /** The older word for `ask`. */
    confirm: z.array(rule).exactOptional(),
    deny: z.array(rule).exactOptional(),
  },
  {
    error(issue) {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const odd = String(issue.keys?.[0] ?? '');
      const close = nearest(odd, known);
      return `unknown key "${odd}"${close === undefined ? `; known keys: ${known.join(', ')}` : `; nearest known key: "${close}"`}`;
    },
  },
);

interface ScopeRules {
  readonly preset?: PresetName;
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

export const scopeRules = written.transform(
  ({ confirm, ask, ...rules }): ScopeRules =>
    confirm === undefined && ask === undefined
      ? rules
      : { ...rules, ask: [...new Set([...(ask ?? []), ...(confirm ?? [])])] },
);

export const roleRules = z.record(z.string().min(1), scopeRules);

/** Rules of a project add to the user's and take none away; its presets take the place of the user's. */
export function joinRules(key: string, below: unknown, above: unknown): unknown {
  if (key === 'permissions.default') return joined(scopeRules.parse(below ?? {}), scopeRules.parse(above));
  const [user, project] = [roleRules.parse(below ?? {}), roleRules.parse(above)];
  const names = [...new Set([...Object.keys(user), ...Object.keys(project)])];
  return Object.fromEntries(names.map((name) => [name, joined(user[name] ?? {}, project[name] ?? {})]));
}

const joined = (below: ScopeRules, above: ScopeRules): ScopeRules => ({
  ...below,
  ...above,
  ...Object.fromEntries(
    ruleLists.flatMap((list) => {
      const rules = [...new Set([...(below[list] ?? []), ...(above[list] ?? [])])];
      return rules.length === 0 ? [] : [[list, rules]];
    }),
  ),
});
