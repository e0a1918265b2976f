import { counted } from '../model/plural.ts';
import { diffInput, diffOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const diffWorker = defineTool({
  name: 'diff_worker',
  set: 'git',
  title: 'Read what a worker changed',
  description: `Shows what a worker has changed since it left its base: commits, uncommitted and untracked files together. Use it to review before merge_worker; stat gives files and counts without text. It does not touch the worktree. For the state of the branch use examine_worker, for clashes with others check_conflicts.`,
  input: diffInput,
  output: diffOutput,
  shed: ['diff', 'files'],
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, { session_id: worker, max_chars: maxChars, ...wish }) => crew.diff({ worker, maxChars, ...wish }),
  text: ({
    branch,
    base,
    file_count,
    additions,
    deletions,
    uncommitted_files,
    too_large,
    note,
    diff,
    truncated,
    path,
  }) =>
    lines([
      `${branch ?? 'its work'} since ${base.ref ?? base.commit.slice(0, 12)}: ${counted(file_count, 'file')}, +${additions} -${deletions}, ${uncommitted_files} not committed.`,
      note ?? '',
      too_large === undefined ? '' : `Too large to be looked into: ${too_large.join(', ')}.`,
      ...(truncated === true ? [`Shortened; the whole is in ${path ?? 'no file'}.`] : []),
      ...(diff === undefined ? [] : [diff]),
    ]),
});
