// Names of worktrees: valid as a folder and as a branch, whatever they were asked to be.

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

/** `{bead}-{annotation}` for work on a bead, else `{name}-{id}-{annotation}`. */
export function worktreeName(parts: NameParts): string {
  const bead = slug(parts.bead ?? '', beadBytes);
  const annotation = slug((parts.annotation ?? '').toLowerCase(), annotationBytes);
  const worker = [slug(parts.workerName, workerBytes), slug(parts.workerId, workerBytes)];
  const name = [...(bead === '' ? worker : [bead]), annotation].filter((part) => part !== '').join('-');
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
