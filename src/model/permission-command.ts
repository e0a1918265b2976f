// What the rules say of a shell line: every part by itself, and the whole by its heaviest part.
import { catastropheOf, suspicionOf } from './catastrophe/catastrophe.ts';
import { startsInside } from './catastrophe/deletion.ts';
import type { Act, Ground, Policy, Ruling } from './permission.ts';
import { namesCommand, ownRuling, sideRulings } from './permission-claim.ts';
import { held, together } from './permission-verdict.ts';
import { isHarmless } from './shell/command-text.ts';
import { isNeutral } from './shell/neutral.ts';
import { readScript } from './shell/read-script.ts';
import { type Command, literal, type Script, type Step } from './shell/script.ts';
import { either, moved, nowhere, type Spot } from './shell/spot.ts';
import { programOf, unwrap } from './shell/unwrap.ts';

/** What holds for one command; neutral where it says nothing of the whole. */
export type Part = Ruling & { readonly what: string; readonly isNeutral?: true };

export function ruleOnCommand(policy: Policy, { command = '', cwd }: Act, ground: Ground): Ruling {
  const spot: Spot = { cwds: [ground.real(cwd)], ground };
  const parts = judgeScript(policy, readScript(command), { spot, text: command });
  const weighty = parts.filter(({ isNeutral: isIdle }) => isIdle !== true);
  if (weighty.length === 0) return { decision: 'confirm', reason: `No rule is about ${brief(command)}.` };
  const whole = withoutWhat(together(weighty));
  return parts.length === 1 ? whole : { ...whole, parts: parts.map(({ isNeutral: ___, ...part }) => part) };
}

interface Place {
  readonly spot: Spot;
  /** The text the script was read from. */
  readonly text: string;
}

function judgeScript(policy: Policy, script: Script, { spot, text }: Place): readonly Part[] {
  if ('trouble' in script) return [blindOr(policy, text, `The line cannot be told apart: ${script.trouble}.`)];
  const { steps } = script;
  const turns = steps.some(({ command, isLooped }) => isLooped && changesFolder(command) !== undefined);
  let here = spot;
  let doubt: { readonly group: number; readonly before: Spot } | undefined;
  return steps.map(({ command, joiner, group, isLooped }, at) => {
    if (turns && isLooped) here = nowhere(here);
    if (doubt !== undefined && !(joiner === '&&' && group === doubt.group)) {
      here = either(here, doubt.before);
      doubt = undefined;
    }
    const part = judgeCommand(policy, command, { spot: here, earlier: steps.slice(0, at).map(commandOf) });
    const change = changesFolder(command);
    if (change !== undefined) {
      // Unless what follows waits for it, the change may have failed.
      doubt = { group, before: doubt === undefined ? here : either(here, doubt.before) };
      here = turns || change === 'somewhere' ? nowhere(here) : moved(here, command.words[1]);
    }
    return part;
  });
}

const commandOf = ({ command }: Step): Command => command;

function changesFolder(command: Command): 'there' | 'somewhere' | undefined {
  const program = programOf(command);
  if (program === 'cd' || program === 'chdir') return command.words.length <= 2 ? 'there' : 'somewhere';
  if (/^(pushd|popd|source|\.)$/.test(program ?? '')) return 'somewhere';
  const inner = command.words
    .slice(1)
    .some((word) => /(^|[\s;&|])(cd|chdir|pushd|popd)(\s|$)/.test(literal(word) ?? ''));
  return /^(eval|command|builtin)$/.test(program ?? '') && inner ? 'somewhere' : undefined;
}

interface At {
  readonly spot: Spot;
  /** What stands before it in the line. */
  readonly earlier: readonly Command[];
}

function judgeCommand(policy: Policy, command: Command, at: At): Part {
  const what = brief(
    command.source === '' ? command.assignments.map(({ name }) => `${name}=`).join(' ') : command.source,
  );
  const own = ownRuling(policy, command, at.spot);
  const sides = [...sideRulings(policy, command, at.spot), ...personal(command, at)];
  const isIdle = own.by === undefined && sides.length === 0 && isNeutral(command, at.spot);
  const run = judgeRun(policy, command, { ...at, own });
  if (isIdle && run === undefined)
    return { what, isNeutral: true, decision: 'allow', reason: `${what} does nothing by itself.` };
  const main = run ?? (own.by === undefined && isNeutral(command, at.spot) ? undefined : own);
  return { what, ...together([...(main === undefined ? [] : [main]), ...sides]) };
}

function personal(command: Command, { spot, earlier }: At): readonly Ruling[] {
  const catastrophic = catastropheOf(command, spot, earlier);
  return catastrophic === undefined ? [] : [onlyAPerson(catastrophic)];
}

const onlyAPerson = (catastrophic: string): Ruling => ({
  decision: 'confirm',
  catastrophic,
  reason: `Only a person may allow this: ${catastrophic}.`,
});

/** Of a command that runs others; undefined for one that runs nothing but itself. */
function judgeRun(
  policy: Policy,
  command: Command,
  { spot, own, earlier }: At & { readonly own: Ruling },
): Ruling | undefined {
  const run = unwrap(command);
  if (run.is === 'bare') return undefined;
  if (run.is === 'hidden') {
    return own.decision === 'deny' ? own : blindOr(policy, command.source, `${brief(command.source)}: ${run.why}.`);
  }
  if (run.is === 'script') {
    const text = command.source;
    const inner = judgeScript(policy, run.script, { spot: { ...spot, findsInside: false }, text });
    // What it sets for the script steers every command in it.
    const suffices = run.isTransparent && command.assignments.every(isHarmless);
    return withInner(own, inner, { suffices, isNamed: own.by !== undefined && !patternOf(own).includes('*') });
  }
  const findsInside = programOf(command) === 'find' && startsInside(command.words.slice(1), spot);
  const innerSpot = { ...(run.moves === true ? nowhere(spot) : spot), findsInside };
  const inner = run.inner.map((one) => judgeCommand(policy, one, { spot: innerSpot, earlier }));
  return withInner(own, inner, {
    suffices: run.isTransparent,
    isNamed: run.inner.every((one) =>
      namesCommand(own, one, { isLauncher: !run.isTransparent && programOf(command) !== 'find' }),
    ),
  });
}

const patternOf = ({ by }: Ruling): string => /\(([\s\S]*)\)$/.exec(by?.rule ?? '')?.[1] ?? '';

interface Trust {
  /** The runner adds nothing to what it runs. */
  readonly suffices: boolean;
  /** The rule about the runner means what it runs as well. */
  readonly isNamed: boolean;
}

function withInner(own: Ruling, inner: readonly Part[], { suffices, isNamed }: Trust): Ruling {
  const weighty = inner.filter(({ isNeutral: isIdle }) => isIdle !== true);
  const all = together([...(own.decision === 'deny' ? [own] : []), ...weighty]);
  if (all.decision === 'deny' || all.catastrophic !== undefined) return withoutWhat(all);
  const open = weighty.filter(({ decision }) => decision === 'confirm');
  const isMeant = open.some(({ by, isUnclear }) => by !== undefined || isUnclear === true);
  if (own.decision === 'allow' && isNamed && !isMeant) return own;
  if (open.length > 0) return withoutWhat(open[0] ?? all);
  // A script of nothing but neutral commands, or a runner of what is allowed.
  if (weighty.length > 0 && (suffices || own.decision === 'allow')) return withoutWhat(all);
  return weighty.length === 0 && own.decision === 'allow' ? own : { ...own, decision: 'confirm' };
}

const withoutWhat = (part: Ruling & { readonly what?: string; readonly isNeutral?: true }): Ruling => {
  const { what: _, isNeutral: __, ...ruling } = part;
  return ruling;
};

/** Put to somebody; for a worker that asks nobody allowed, as long as nothing at all is forbidden or held. */
function blindOr(policy: Policy, text: string, reason: string): Part {
  const what = brief(text);
  const catastrophic = suspicionOf(text);
  if (catastrophic !== undefined) return { what, ...onlyAPerson(catastrophic), isUnclear: true };
  const blind = policy.find((layer) => layer.blind === true);
  const isFree = policy.every(({ confirm, deny }) => confirm.length + deny.length === 0);
  if (blind === undefined || !isFree) return { what, ...held(reason), isUnclear: true };
  const by = { scope: blind.scope, list: 'allow' as const, rule: blind.allow[0] ?? '*' };
  return { what, decision: 'allow', by, reason: `${reason} ${blind.scope} lets it pass.` };
}

function brief(text: string): string {
  const line = text.trim().replaceAll(/\s+/g, ' ');
  return line.length <= 120 ? line : `${line.slice(0, 117)}...`;
}
