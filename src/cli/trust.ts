// `crewmux trust`: a person reads what a repository's configuration would change, and agrees to it.
import type { Clock } from '../model/clock.ts';
import { builtInAgents } from '../model/worker.ts';
import { agentFilesIn, waitingFiles } from '../settings/agent-files.ts';
import { agreedTo, agreementsPath, agreementsSchema, noAgreements, readAgreements } from '../settings/agreements.ts';
import { keyWords, sortOut, type WaitingSetting } from '../settings/counting.ts';
import { type ProjectFile, readProjectFile } from '../settings/project-file.ts';
import { roleFilesIn } from '../settings/roles/find.ts';
import { ownSettings, projectLayer, stateHome } from '../settings/settings.ts';
import { templateFilesIn } from '../settings/templates.ts';
import { openHome } from '../store/home.ts';
import { readJson, writeJson } from '../system/atomic.ts';
import { withLock } from '../system/lock.ts';
import type { ProcessRef } from '../system/process.ts';
import { isWorkers } from './world.ts';

/** The world of one command line; `write` and `complain` return the exit code that goes with them. */
export interface TrustWorld {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  /** The project, and the main repository where that is another folder. */
  readonly folders: readonly string[];
  readonly clock: Clock;
  readonly me: ProcessRef;
  /** Resolves to whether the person says yes; undefined where there is no terminal. */
  readonly ask?: (question: string) => Promise<boolean>;
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
}

/** Returns the exit code: 0, 1 when the person says no, or 2 after a complaint. */
export async function trust(how: 'ask' | 'agree' | 'revoke', world: TrustWorld): Promise<number> {
  const refusal = refuseWorker(world);
  if (refusal !== undefined) return refusal;
  const files = world.folders.map(readProjectFile);
  const ofAgents = world.folders.flatMap((folder) => builtInAgents.flatMap((agent) => agentFilesIn(folder, agent)));
  const ofRoles = world.folders.flatMap(roleFilesIn);
  const ofTemplates = world.folders.flatMap(templateFilesIn);
  const others = [...ofAgents, ...ofRoles, ...ofTemplates];
  if (how === 'revoke') return revoke([...files, ...others], world);
  const refused = refusals(files);
  if (refused.length > 0) return world.complain(`${refused.join('\n')}\n`);
  const agreements = readAgreements(stateHome(world));
  const open = [
    ...files.flatMap((one) => waitingIn(one, world) ?? []),
    ...waitingFiles(ofAgents, agreements).flatMap((one) => whole(one, startsPrograms)),
    ...waitingFiles(ofRoles, agreements).flatMap((one) => whole(one, isRole)),
    ...waitingFiles(ofTemplates, agreements).flatMap((one) => whole(one, isTemplate)),
  ];
  // What an agent may not have keeps nobody from agreeing to the rest.
  const unusable = refusals(others);
  if (unusable.length > 0) world.complain(`${unusable.join('\n')}\n`);
  if (open.length === 0 && unusable.length > 0) return 2;
  if (open.length === 0) return world.write(`${[...files, ...others].map((one) => settled(one, world)).join('\n')}\n`);
  world.write(`${open.map(words).join('\n')}\n`);
  if (how === 'agree') return agree(open, world);
  if (world.ask === undefined) {
    return world.complain(nothingAgreed);
  }
  if (await world.ask('Do you agree? [y/N] ')) return agree(open, world);
  world.write('Nothing was agreed to.\n');
  return 1;
}

const refusals = (files: readonly ProjectFile[]): readonly string[] =>
  files.flatMap(({ held }) => (held.is === 'refused' ? [shown(held.message)] : []));

/** Complains where a worker asks; undefined elsewhere. */
export const refuseWorker = (world: Pick<TrustWorld, 'env' | 'complain'>): number | undefined =>
  isWorkers(world)
    ? world.complain('A worker cannot agree for a person; run `crewmux trust` in a terminal of your own.\n')
    : undefined;

export const nothingAgreed = 'Nothing was agreed to: without a terminal, read the above and add --yes.\n';

interface Open {
  readonly place: string;
  readonly sha256: string;
  /** What it would do, in words that end with a colon. */
  readonly does: string;
  readonly lines: readonly string[];
}

/** crewmux does not know which of its words name programs. */
const startsPrograms = 'may name programs that its agent runs outside of the sandbox:';
const isRole = 'says what workers of a role are told, may do and start:';
const isTemplate = 'says what workers of a plan are told, and how they start:';

function whole({ place, held }: ProjectFile, does: string): readonly Open[] {
  if (place === undefined || held.is !== 'read') return [];
  return [
    {
      place,
      sha256: held.sha256,
      does,
      lines: held.text
        .trimEnd()
        .split('\n')
        .map((line) => `  ${shown(line)}`),
    },
  ];
}

/** The values of a file that wait for agreement; undefined when none do, or a person has agreed to the file. */
function waitingIn(found: ProjectFile, world: TrustWorld): Open | undefined {
  const { place, held } = found;
  if (place === undefined || held.is !== 'read') return undefined;
  if (agreedTo(readAgreements(stateHome(world)), found) === 'agreed') return undefined;
  const { waiting } = sortOut(projectLayer(found).values, ownSettings(world));
  return waiting.length === 0
    ? undefined
    : { place, sha256: held.sha256, does: 'sets, and you have to agree:', lines: waiting.map(lineOf) };
}

function settled(found: ProjectFile, world: TrustWorld): string {
  if (found.held.is === 'missing') return `${shown(found.file)} is not there; nothing waits for you.`;
  const isAgreed = agreedTo(readAgreements(stateHome(world)), found) === 'agreed';
  return isAgreed
    ? `You have agreed to ${shown(found.file)} as it is.`
    : `${shown(found.file)} holds nothing that waits for you.`;
}

const words = ({ place, sha256, does, lines }: Open): string =>
  [`${shown(place)} (sha256 ${sha256.slice(0, 16)}) ${does}`, ...lines, ''].join('\n');

function lineOf({ path, value, changes }: WaitingSetting): string {
  const said = `  ${shown(keyWords(path))} = ${shown(JSON.stringify(value))}`;
  return changes ? said : `${said}  (as it is now)`;
}

/** Replaces every character that a terminal might obey or hide by its number. */
export const shown = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (odd) => `\\u{${odd.codePointAt(0)?.toString(16) ?? ''}}`);

async function agree(open: readonly Open[], world: TrustWorld): Promise<number> {
  const at = world.clock.now();
  await change(world, (files) => ({
    ...files,
    ...Object.fromEntries(open.map(({ place, sha256 }) => [place, { sha256, at }])),
  }));
  return world.write('Agreed. It counts from now on, until the file changes.\n');
}

async function revoke(files: readonly ProjectFile[], world: TrustWorld): Promise<number> {
  const places = files.flatMap(({ place }) => place ?? []);
  const held = readAgreements(stateHome(world)).files;
  const known = places.filter((place) => Object.hasOwn(held, place));
  if (known.length === 0) return world.write(`Nothing was agreed to in ${places.map(shown).join(' or ')}.\n`);
  await change(world, (agreed) =>
    Object.fromEntries(Object.entries(agreed).filter(([place]) => !known.includes(place))),
  );
  return world.write(`Taken back: ${known.map(shown).join(', ')}\n`);
}

type Files = ReturnType<typeof readAgreements>['files'];

export const lockTimeoutMs = 10_000;

async function change(world: TrustWorld, by: (files: Files) => Files): Promise<void> {
  const home = await openHome(stateHome(world));
  const path = agreementsPath(home.root);
  const act = async () => {
    const told = (message: string) => void world.complain(`${message}\n`);
    const held = (await readJson(path, agreementsSchema, told)) ?? noAgreements;
    await writeJson(path, { ...held, files: by(held.files) });
  };
  await withLock(home.lockPath('trust'), act, { me: world.me, timeoutMs: lockTimeoutMs });
}
