// What of one command rules can be about: its text, the files it writes, the files and hosts it names.
import { globsMeet, pathsMeet } from './glob-meet.ts';
import type { Policy, PolicyLayer, RuleList, Ruling } from './permission.ts';
import { commandFits, hostFits, hostOf, placeFits, reachOf, toolFits } from './permission-fit.ts';
import { type Rule, readRule } from './permission-rule.ts';
import { type Claim, held, judge } from './permission-verdict.ts';
import { isHarmless, narrowTexts, possibleTexts, wideTexts } from './shell/command-text.ts';
import { hatch } from './shell/hatches.ts';
import { type Command, isKnown, literal, type Redirect, shownText, type Word } from './shell/script.ts';
import { isInside, meant, namesIn, type Spot } from './shell/spot.ts';
import { type Touches, touches } from './shell/touches.ts';
import { programOf } from './shell/unwrap.ts';

const isWhole = (rule: Rule): boolean => rule.over === 'everything' || (rule.over === 'tool' && rule.tool === 'Bash');

/** By the rules about commands alone. */
export function ownRuling(policy: Policy, command: Command, spot: Spot): Ruling {
  if (command.words.length === 0 && command.assignments.every(isHarmless))
    return { decision: 'confirm', reason: 'It only sets names.' };
  const [narrow, wide] = [narrowTexts(command), wideTexts(command)];
  const way = hatch(command);
  const leavesRoot = !keepsInside(command, spot);
  const fits = (rule: Rule, list: RuleList, layer: PolicyLayer): boolean => {
    if (list === 'allow' && layer.inside === true && leavesRoot) return false;
    if (isWhole(rule)) return true;
    if (rule.over !== 'command') return false;
    if (list !== 'allow') return wide.some((text) => commandFits(rule.pattern, text));
    return (way === undefined || rule.pattern.includes(way)) && narrow.some((text) => commandFits(rule.pattern, text));
  };
  const ruling = judge(policy, { what: shown(command), fits });
  return ruling.decision === 'allow' ? (mayBeHeld(policy, command) ?? ruling) : ruling;
}

const shown = ({ source, assignments }: Command): string => {
  const text = source === '' ? assignments.map(({ name }) => `${name}=`).join(' ') : source;
  return text.length <= 120 ? text : `${text.slice(0, 117)}...`;
};

/** A command that turns out to be one a rule forbids or holds must not pass for having a word nobody knows. */
function mayBeHeld(policy: Policy, command: Command): Ruling | undefined {
  if (command.words.every(isKnown)) return undefined;
  const texts = possibleTexts(command);
  const rule = strictRules(policy).find(
    (one) => one.over === 'command' && texts.some((text) => globsMeet(one.pattern.replace(/(:| )\*$/, '*'), text)),
  );
  return rule === undefined
    ? undefined
    : { ...held(`${shown(command)} may turn out to be what ${rule.text} is about.`), isUnclear: true };
}

const strictRules = (policy: Policy): readonly Rule[] =>
  policy.flatMap(({ confirm, deny }) => [...deny, ...confirm].flatMap((text) => ruleOf(text) ?? []));

const ruleOf = (text: string): Rule | undefined => {
  const read = readRule(text);
  return 'over' in read ? read : undefined;
};

/** Nothing it names, and no folder it may run in, lies outside the worktree. */
function keepsInside(command: Command, spot: Spot): boolean {
  const { root } = spot.ground;
  const isHere = spot.cwds.every((cwd) => cwd !== undefined && (cwd === root || cwd.startsWith(`${root}/`)));
  const { isAboutFiles } = touches(command);
  return isHere && command.words.slice(1).every((word) => wordKeepsInside(word, { spot, isAboutFiles }));
}

function wordKeepsInside(
  word: Word,
  { spot, isAboutFiles }: { readonly spot: Spot; readonly isAboutFiles: boolean },
): boolean {
  if (word.source === '"$@"' && spot.findsInside === true) return true;
  return namesIn(word).every((name) => {
    if (meant(name, spot) === undefined) return !isAboutFiles && !/^["']?[~/]|\.\./.test(name.source);
    const text = shownText(name);
    if (/^(-|$)/.test(text) || /^\w+:\/\//.test(text)) return true;
    return isInside(name, spot) || isRootItself(name, spot);
  });
}

const isRootItself = (word: Word, spot: Spot): boolean =>
  meant(word, spot)?.places.every(({ every }) => every.every((path) => path === spot.ground.root)) === true;

/** By the rules about files and hosts: what it writes by redirection has to be allowed, what it names not forbidden. */
export function sideRulings(policy: Policy, command: Command, spot: Spot): readonly Ruling[] {
  const touched = touches(command);
  return [
    ...command.redirects.flatMap((redirect) => redirected(policy, redirect, spot)),
    ...(touched.isPatch === true ? touched.writes.map((word) => judge(policy, fileClaim('Write', word, spot))) : []),
    ...namedFiles(policy, touched, spot),
    ...namedHosts(policy, command),
  ];
}

const sinks = /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/;

function redirected(policy: Policy, { op, target }: Redirect, spot: Spot): readonly Ruling[] {
  if (sinks.test(literal(target) ?? '')) return [];
  if (/^\/dev\/(tcp|udp)\//.test(shownText(target)))
    return [{ ...held('It opens a connection by a redirection.'), isUnclear: true }];
  if (op === '<' || op === '<&') return strict(judge(policy, fileClaim('Read', target, spot)));
  const found = meant(target, spot);
  if (found === undefined || found.glob !== undefined) {
    return [{ ...held(`It writes to ${shownText(target)}, and nobody knows which file that is.`), isUnclear: true }];
  }
  return [judge(policy, fileClaim('Write', target, spot))];
}

/** What forbids or holds by a rule; what permits, or says nothing, is left to the rules about commands. */
const strict = (ruling: Ruling): readonly Ruling[] =>
  ruling.by === undefined || ruling.decision === 'allow' ? [] : [ruling];

function fileClaim(tool: 'Read' | 'Write', word: Word, spot: Spot): Claim {
  const places = meant(word, spot)?.places ?? [];
  return {
    what: `${tool === 'Write' ? 'writing' : 'reading'} ${shownText(word)}`,
    fits(rule, list) {
      const reach = reachOf(list);
      if (isWhole(rule)) return list === 'allow';
      if (rule.over === 'tool') return toolFits(rule.tool, tool, reach);
      if (rule.over !== 'path' || !toolFits(rule.tool, tool, reach) || places.length === 0) return false;
      const one = (place: (typeof places)[number]) => placeFits(rule, place, { ground: spot.ground, reach });
      return reach === 'narrow' ? places.every(one) : places.some(one);
    },
  };
}

function namedFiles(policy: Policy, { reads, writes, isAboutFiles }: Touches, spot: Spot): readonly Ruling[] {
  const rules = strictRules(policy).filter((rule) => rule.over === 'path' || rule.over === 'tool');
  if (rules.length === 0) return [];
  const about = (tool: 'Read' | 'Write', words: readonly Word[]) =>
    words.flatMap((word) => {
      const sure = named(policy, { tool, word, isAboutFiles }, spot);
      const found = meant(word, spot);
      const isSure = sure.length > 0 || (found !== undefined && found.glob === undefined);
      return isSure ? sure : mayName(rules, { tool, word, isAboutFiles }, spot);
    });
  return [...about('Read', reads), ...about('Write', writes)];
}

interface Naming {
  readonly tool: 'Read' | 'Write';
  readonly word: Word;
  readonly isAboutFiles: boolean;
}

/** A rule about all reading is no rule about every word of every command. */
function named(policy: Policy, { tool, word, isAboutFiles }: Naming, spot: Spot): readonly Ruling[] {
  const claim = fileClaim(tool, word, spot);
  const isOneFile = meant(word, spot)?.glob === undefined;
  const isCounted = (rule: Rule) =>
    (rule.over === 'path' && isOneFile) || (rule.over === 'tool' && isAboutFiles && !/^-/.test(shownText(word)));
  return strict(
    judge(policy, { ...claim, fits: (rule, list, layer) => isCounted(rule) && claim.fits(rule, list, layer) }),
  );
}

/** A name with stars, or one nobody knows, may be that of a file a rule is about. */
function mayName(rules: readonly Rule[], { tool, word, isAboutFiles }: Naming, spot: Spot): readonly Ruling[] {
  const found = meant(word, spot);
  if (found === undefined && !isAboutFiles) return [];
  const rule = rules.find((one) => {
    if (one.over !== 'path' || !toolFits(one.tool, tool, 'wide')) return false;
    if (found === undefined) return true;
    const root = { root: spot.ground.root, home: spot.ground.userHome, disk: '' }[one.from];
    const glob = `${root}/${one.glob}`.toLowerCase();
    const tail = `${found.glob?.name ?? ''}${found.glob?.tail ?? ''}`.replaceAll('\u0000', '*');
    return found.places.some(({ every }) => every.some((path) => pathsMeet(glob, `${path}/${tail}`.toLowerCase())));
  });
  return rule === undefined
    ? []
    : [{ ...held(`${shownText(word)} may be a file that ${rule.text} is about.`), isUnclear: true }];
}

function namedHosts(policy: Policy, command: Command): readonly Ruling[] {
  const urls = command.words.slice(1).flatMap((word) => /https?:\/\/[^\s'"]+/gi.exec(shownText(word))?.[0] ?? []);
  return urls.flatMap((url) =>
    hostOf(url) === undefined
      ? []
      : strict(
          judge(policy, {
            what: `a connection to ${hostOf(url)}`,
            fits: (rule, list) => rule.over === 'domain' && list !== 'allow' && hostFits(rule, url, 'wide'),
          }),
        ),
  );
}

/** Whether the rule that permits a runner speaks of what it runs, and not only of the runner. */
export function namesCommand(
  { by }: Ruling,
  inner: Command,
  { isLauncher }: { readonly isLauncher: boolean },
): boolean {
  if (by === undefined) return false;
  const rule = ruleOf(by.rule);
  if (rule === undefined || rule.over !== 'command') return rule !== undefined;
  if (isLauncher) return true;
  const fixed = rule.pattern
    .replace(/\*[\s\S]*$/, '')
    .split(/\s+/)
    .slice(1);
  const program = programOf(inner);
  return (
    program !== undefined && fixed.some((word) => word.replace(/^.*\//, '').replace(/:$/, '').toLowerCase() === program)
  );
}
