// What the rules say of an act.
import { catastropheOfPath } from './catastrophe/catastrophe.ts';
import type { Act, Ground, Policy, Ruling } from './permission.ts';
import { ruleOnCommand } from './permission-command.ts';
import { hostFits, placeFits, reachOf, toolFits } from './permission-fit.ts';
import { type Claim, held, judge, together } from './permission-verdict.ts';
import { whereabouts } from './place.ts';

/** Total: whatever cannot be judged is put to somebody. */
export function ruleOn(policy: Policy, act: Act, ground: Ground): Ruling {
  if (asksSomebody.includes(act.tool)) return held(`${act.tool} asks somebody, which no rule answers.`);
  if (act.command !== undefined) return ruleOnCommand(policy, act, ground);
  if (act.paths !== undefined && act.paths.length > 0) {
    return together(act.paths.flatMap((path) => onPath(policy, { ...act, path }, ground)));
  }
  return judge(policy, plainClaim(act));
}

const asksSomebody = ['AskUserQuestion', 'ExitPlanMode'];

function onPath(policy: Policy, act: Act & { readonly path: string }, ground: Ground): readonly Ruling[] {
  const ruling = judge(policy, pathClaim(act, ground));
  const catastrophic = catastropheOfPath(act, ground);
  if (catastrophic === undefined) return [ruling];
  const reason = `Only a person may allow this: ${catastrophic}.`;
  return [ruling, { decision: 'confirm', catastrophic, reason }];
}

const plainClaim = ({ tool, url }: Act): Claim => ({
  what: url === undefined ? tool : `${tool} of ${url}`,
  fits: (rule, list) =>
    rule.over === 'everything' ||
    (rule.over === 'tool' && toolFits(rule.tool, tool, reachOf(list))) ||
    (rule.over === 'domain' && tool === 'WebFetch' && url !== undefined && hostFits(rule, url, reachOf(list))),
});

function pathClaim({ tool, path, cwd }: Act & { readonly path: string }, ground: Ground): Claim {
  const place = whereabouts(path, { ...ground, cwd });
  return {
    what: `${tool} of ${path}`,
    fits: (rule, list) =>
      rule.over === 'everything' ||
      (rule.over === 'tool' && toolFits(rule.tool, tool, reachOf(list))) ||
      (rule.over === 'path' &&
        toolFits(rule.tool, tool, reachOf(list)) &&
        placeFits(rule, place, { ground, reach: reachOf(list) })),
  };
}
