// What the rules say of an act.
import type { Act, Ground, Policy, Ruling } from './permission.ts';
import { commandFits, hostFits, placeFits, reachOf, toolFits } from './permission-fit.ts';
import { type Claim, held, judge, together } from './permission-verdict.ts';
import { whereabouts } from './place.ts';

/** Total: whatever cannot be judged is put to somebody. */
export function ruleOn(policy: Policy, act: Act, ground: Ground): Ruling {
  if (asksSomebody.includes(act.tool)) return held(`${act.tool} asks somebody, which no rule answers.`);
  if (act.tool === 'Bash') return onCommand(policy, act);
  if (act.paths !== undefined && act.paths.length > 0) {
    return together(act.paths.map((path) => judge(policy, pathClaim({ ...act, path }, ground))));
  }
  return judge(policy, plainClaim(act));
}

const asksSomebody = ['AskUserQuestion', 'ExitPlanMode'];

function onCommand(policy: Policy, { command = '' }: Act): Ruling {
  if (/[^\w ./:=@%+,^-]/.test(command)) return held('The command is more than plain words.');
  return judge(policy, {
    what: command,
    fits: (rule) =>
      rule.over === 'everything' ||
      (rule.over === 'tool' && rule.tool === 'Bash') ||
      (rule.over === 'command' && commandFits(rule.pattern, command)),
  });
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
