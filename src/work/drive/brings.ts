// What the work of a task is to leave.
import type { Attention } from '../../crew/api.ts';
import { type Brings, bringsOf, type Task } from '../../model/task.ts';

interface Asked extends Pick<Task, 'brings' | 'kind' | 'role' | 'preset'> {
  /** The repository, or the folder where there is none. */
  readonly project: string;
}

/** As somebody has said, else as its preset and the rules of its role have it. */
export async function bringsBy(crew: Pick<Attention, 'deniesEditing'>, asked: Asked): Promise<Brings> {
  const { brings, project, role, preset } = asked;
  if (brings !== undefined || bringsOf(asked) === 'report') return bringsOf(asked);
  return (await crew.deniesEditing({ project, role, preset })) ? 'report' : 'commit';
}

/** A warning where somebody asks for a commit of workers whose rules deny editing. */
export async function commitWarnings(
  crew: Pick<Attention, 'deniesEditing'>,
  project: string,
  asked: readonly (Pick<Task, 'brings' | 'role' | 'preset'> & { readonly name: string })[],
): Promise<readonly string[]> {
  const odd = asked.map(async ({ name, brings, role, preset }) =>
    brings === 'commit' && (await crew.deniesEditing({ project, role, preset })) ? [name] : [],
  );
  const names = (await Promise.all(odd)).flat();
  if (names.length === 0) return [];
  return [
    `To bring a commit, and yet held to rules that deny editing: ${names.join(', ')}. It fails where it leaves none; leave brings out for a report.`,
  ];
}
