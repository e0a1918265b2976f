// Issue trackers in a repository: which one a project uses, and how to use it.
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { quote } from '../model/quote.ts';
import { exists } from '../system/disk.ts';

export type TrackerName = 'beads' | 'pebbles';

export interface FoundTracker {
  readonly tracker: TrackerName;
  /** The tracker's own folder; where only an override says so, where it would be. */
  readonly dir: string;
  /** It lies outside the asker's own worktree, so that no branch of the asker carries its changes. */
  readonly shared: boolean;
}

export interface DetectRequest {
  /** Where the asker works, perhaps inside a worktree. */
  readonly projectPath: string;
  /** Where to look when the worktree has none: an untracked tracker folder is in the main checkout alone. */
  readonly mainRepoPath?: string;
  readonly override?: TrackerName;
}

interface Words {
  readonly cli: string;
  readonly folder: string;
  readonly title: string;
  readonly quick: Readonly<Record<string, string>>;
}

const commands = (cli: string, create: string) => ({
  ready: `${cli} ready`,
  show: `${cli} show <id>`,
  start: `${cli} update <id> --status in_progress`,
  close: `${cli} close <id>`,
  list: `${cli} list`,
  create: `${cli} ${create}`,
});

const words: Readonly<Record<TrackerName, Words>> = {
  // Beads alone creates with a bare title; --no-db works on the JSONL file and starts no daemon.
  beads: { cli: 'bd --no-db', folder: '.beads', title: 'Beads', quick: commands('bd --no-db', 'create "<title>"') },
  pebbles: { cli: 'pb', folder: '.pebbles', title: 'Pebbles', quick: commands('pb', 'create --title="<title>"') },
};

/** Where a project has both, Pebbles counts: projects move from Beads to it. */
const preference: readonly TrackerName[] = ['pebbles', 'beads'];

/** Looks in the folder and upwards to its worktree's top, then in the main repository. Undefined when none is in use. */
export async function detectTracker(request: DetectRequest): Promise<FoundTracker | undefined> {
  const names = request.override === undefined ? preference : [request.override];
  const own = await worktreeFolders(request.projectPath);
  const main = request.mainRepoPath ?? request.projectPath;
  for (const place of [...own, main]) {
    for (const tracker of names) {
      const dir = join(place, words[tracker].folder);
      if (await isFolder(dir)) return { tracker, dir, shared: !own.includes(place) };
    }
  }
  const { override } = request;
  if (override === undefined) return undefined;
  return { tracker: override, dir: join(main, words[override].folder), shared: !own.includes(main) };
}

/** The folder and those above it up to the top of its worktree; the folder alone outside of git. */
async function worktreeFolders(start: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (let path = start; ; path = dirname(path)) {
    folders.push(path);
    if (await exists(join(path, '.git'))) return folders;
    if (dirname(path) === path) return [start];
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

export interface TrackerHelp {
  readonly tracker: TrackerName | null;
  readonly cli: string | null;
  readonly help: string;
  readonly quick_commands: Readonly<Record<string, string>>;
  readonly worker_tip: string;
}

/** What a manager needs to know; for no tracker too. */
export function trackerHelp(found: FoundTracker | undefined): TrackerHelp {
  if (found === undefined) return noTracker;
  const { cli, title, quick } = words[found.tracker];
  return {
    tracker: found.tracker,
    cli,
    help: `${title} keeps this project's issues in ${found.dir}. Run \`${quick.ready}\` for issues nothing blocks, and \`${quick.show}\` to read one.`,
    quick_commands: quick,
    worker_tip: `Pass an issue id as \`bead\` to spawn_workers: the worker reads the issue, marks it in progress, does it, commits with the id, and closes it. In a worktree it runs the tracker as \`${inPlace(found, '<command>')}\`.`,
  };
}

const noTracker: TrackerHelp = {
  tracker: null,
  cli: null,
  help: 'No issue tracker was found: there is neither a .pebbles nor a .beads folder. Set issue_tracker.override if one is used all the same.',
  quick_commands: {},
  worker_tip: 'A `bead` is only a label here: it names branch and worktree. Say in `prompt` what is to be done.',
};

export interface BeadRequest {
  readonly bead: string;
  /** What detectTracker found. */
  readonly tracker?: FoundTracker;
  readonly annotation?: string;
  readonly prompt?: string;
}

/** The first prompt of a worker that was given a bead, with or without words of its own. */
export function beadWorkflow({ bead, tracker, annotation, prompt }: BeadRequest): string {
  const task = annotation === undefined ? bead : `${bead} (${annotation})`;
  const own = prompt === undefined ? [] : [prompt];
  if (tracker === undefined) {
    const label = `Your work is labelled ${task}. No issue tracker was found here, so the label is all there is.`;
    return [label, ...(own.length === 0 ? ['Wait for a message that says what to do.'] : own)].join('\n\n');
  }
  const { title } = words[tracker.tracker];
  const run = (command: string) => `\`${inPlace(tracker, command)}\``;
  const id = quote(bead);
  const close = `Close it: ${run(`close ${id}`)}`;
  const commit = `Commit your work with ${bead} in the message`;
  const end = tracker.shared
    ? [`${commit}.`, close]
    : [close, `${commit}, and with it what changed in ${tracker.dir}.`];
  const steps = [
    `Read it: ${run(`show ${id}`)}`,
    `Mark it in progress: ${run(`update ${id} --status in_progress`)}`,
    `Do ${prompt === undefined ? 'what it asks' : 'the task below'}, and check that it works.`,
    ...end,
  ];
  const numbered = steps.map((step, at) => `${at + 1}. ${step}`).join('\n');
  return [`Work on ${task}, an issue in ${title}.`, numbered, ...own].join('\n\n');
}

/** Works from any folder: Pebbles looks only in its working folder. */
function inPlace({ tracker, dir }: FoundTracker, command: string): string {
  return `(cd ${quote(dirname(dir))} && ${words[tracker].cli} ${command})`;
}
