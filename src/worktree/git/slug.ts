// Names of worktrees and of their branches: valid, whatever they were asked to be.

export interface NameParts {
  /** Id in an issue tracker. */
  readonly bead?: string;
  readonly annotation?: string;
  readonly workerName: string;
  readonly workerId: string;
}

const beadBytes = 90;
const annotationBytes = 60;
const workerBytes = 40;

/** Of the folder: `{bead}-{annotation}` for work on a bead, else `{name}-{id}-{annotation}`. */
export function worktreeName(parts: NameParts): string {
  const { bead, worker, id, annotation } = slugsOf(parts);
  return joined([...(bead === '' ? [worker, id] : [bead]), annotation]);
}

/**
 * `{bead}-{id}/{annotation}` for work on a bead, else `{name}-{id}/{annotation}`; `work` without an annotation. The number
 * stands on the part before the slash, the folder of refs that the branch has for itself.
 */
export function branchName(parts: NameParts, attempt: number): string {
  const { bead, worker, id, annotation } = slugsOf(parts);
  return `${numbered(joined([bead || worker, id]), attempt)}/${annotation || 'work'}`;
}

/** The worktree's name for a branch of `branchName`, where that is no work on a bead. Pure. */
export const worktreeOf = (branch: string): string => branch.replace(/\/work$/, '').replace('/', '-');

/** The part of a branch's name before its last slash, which may hold other branches too; undefined without a slash. Pure. */
export function ownFolderOf(branch: string): string | undefined {
  const end = branch.lastIndexOf('/');
  return end < 0 ? undefined : branch.slice(0, end);
}

/** The folders that a branch lies in, the outermost first. Pure. */
export function foldersOf(branch: string): readonly string[] {
  const folder = ownFolderOf(branch);
  return folder === undefined ? [] : [...foldersOf(folder), folder];
}

const slugsOf = ({ bead = '', annotation = '', workerName, workerId }: NameParts) => ({
  bead: slug(bead, beadBytes),
  annotation: slug(annotation.toLowerCase(), annotationBytes),
  worker: slug(workerName, workerBytes),
  id: slug(workerId, workerBytes),
});

function joined(parts: readonly string[]): string {
  const name = parts.filter((part) => part !== '').join('-');
  // git keeps HEAD for itself, also where the file system ignores case.
  return name === '' || /^head$/i.test(name) ? `work-${name || 'tree'}` : name;
}

/** The name itself first, then numbered from 2. */
export const numbered = (name: string, attempt: number): string => (attempt <= 1 ? name : `${name}-${attempt}`);

/** Letters, digits, `_`, and single dots and dashes between them; empty when nothing of the text can stay. */
export function slug(text: string, maxBytes: number): string {
  const cleaned = text
    .normalize('NFC')
    .replace(/[\u{fe00}-\u{fe0f}]/gu, '')
    .replace(/(?:[^\p{L}\p{N}\p{M}._]|(?<![\p{L}\p{N}\p{M}])\p{M})+/gu, '-')
    .replace(/[.\-_]*\.[.\-_]*/g, (run) => (run === '.' ? '.' : '-'))
    .replace(/-+/g, '-');
  return trimEnds(cutAt(trimEnds(cleaned), maxBytes));
}

/** git refuses a leading dash or dot, a trailing dot and the ending `.lock`. */
function trimEnds(text: string): string {
  const trimmed = text.replace(/^[-._\p{M}]+/u, '').replace(/[-._]+$/, '');
  return /\.lock$/i.test(trimmed) ? trimEnds(trimmed.slice(0, -'.lock'.length)) : trimmed;
}

/** Cuts between characters, never inside one. */
function cutAt(text: string, maxBytes: number): string {
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) return kept;
    kept += character;
  }
  return kept;
}
