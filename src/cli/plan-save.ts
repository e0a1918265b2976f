// `crewmux plan save`: makes a template of a plan that has ended well.
import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolveProject } from '../settings/paths.ts';
import { templateEnding, templateFolder, usersTemplateFolder } from '../settings/templates.ts';
import { writeYaml } from '../settings/yaml.ts';
import { writeAtomic } from '../system/atomic.ts';
import { unlessMissing } from '../system/disk.ts';
import type { SavedTemplate } from '../work/api.ts';
import { namedFor, programName } from './program-name.ts';
import { type CommandWorld, isWorkers } from './world.ts';

export interface SaveOrder {
  readonly planId: string;
  readonly name: string;
  readonly inProject: boolean;
  readonly force: boolean;
}

/** One that is a file of its own on every system. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Returns the exit code. A file that is there already is replaced by `force` alone. */
export async function savePlan({ planId, name, inProject, force }: SaveOrder, world: CommandWorld): Promise<number> {
  // One in the user's folder counts without anybody's agreement.
  if (isWorkers(world))
    return world.complain('A worker cannot save a template for a person; run this in a terminal of your own.\n');
  if (!plainName.test(name))
    return world.complain(
      `crewmux plan save: expected a name of 1 to 64 letters, digits, dashes or underscores, and not ${JSON.stringify(name.slice(0, 100))}.\n`,
    );
  const crew = await world.look();
  const saved = await crew.jobs.savedTemplate({ planId, name }).finally(() => crew.dispose());
  const top = inProject ? (await world.projectFolders(resolveProject('auto', world))).at(-1) : undefined;
  const file = join(
    top === undefined ? usersTemplateFolder(world) : join(top, templateFolder),
    `${name}${templateEnding}`,
  );
  const odd = top === undefined ? undefined : await oddFolder(top);
  if (odd !== undefined) return world.complain(`${odd} is no plain folder; nothing was written.\n`);
  if (!force && (await isThere(file))) return world.complain(`${file} is there already; --force replaces it.\n`);
  await mkdir(dirname(file), { recursive: true });
  await writeAtomic(file, writeYaml(saved.value), inProject ? 0o644 : 0o600);
  return world.write(namedFor(wordsOf(file, name, { saved, inProject }), programName(world)));
}

const isThere = async (path: string): Promise<boolean> => (await unlessMissing(lstat(path))) !== undefined;

/** A folder on the way that a link may lead elsewhere from. */
async function oddFolder(top: string): Promise<string | undefined> {
  const folder = join(top, templateFolder);
  for (const path of [dirname(folder), folder]) {
    const found = await unlessMissing(lstat(path));
    if (found !== undefined && !found.isDirectory()) return path;
  }
  return undefined;
}

interface Saving {
  readonly saved: SavedTemplate;
  readonly inProject: boolean;
}

function wordsOf(file: string, name: string, { saved, inProject }: Saving): string {
  return [
    `Wrote ${file}`,
    ...(inProject ? ['It counts once you have run `crewmux trust`.'] : []),
    saved.asksForGoal
      ? `Ask your manager for a plan by the template ${name}, with a goal.`
      : `No prompt of the plan holds its goal, so the template asks for none. Ask your manager for a plan by the template ${name}.`,
    '',
  ].join('\n');
}
