// Workers of a list in few words: what they share stands beside the list, and what is at rest is left out. Pure.
import { defined } from '../../model/defined.ts';
import { type BriefWorker, briefWorker, type WorkerView } from '../../wire/worker.ts';

/** What the workers of a list share. */
export interface Shared {
  /** Null where no worker has a pane. */
  readonly attach: string | null;
  readonly main_repo_path?: string;
}

/** That of the first worker that has it; a closed one has no pane to look at. */
export function sharedBy(views: readonly WorkerView[]): Shared {
  const open = views.filter(({ status }) => status !== 'closed');
  const firstOf = <T>(values: readonly (T | undefined)[]) => values.find((value) => value !== undefined);
  return {
    attach: firstOf(open.map(({ tmux }) => tmux?.attach)) ?? null,
    ...defined({ main_repo_path: firstOf(views.map(({ main_repo_path }) => main_repo_path)) }),
  };
}

/** A worker without what few callers need; it says itself what it does not share with the others. */
export function briefly(view: WorkerView, shared: Shared): BriefWorker {
  const { terminal_id, background_tasks, pending_messages, managed_by, main_repo_path, tmux } = view;
  const { permission_mode, last_activity, evidence, turn } = view;
  const attach = view.status === 'closed' ? undefined : tmux?.attach;
  const fields = {
    ...view,
    terminal_id: terminal_id ?? undefined,
    background_tasks: background_tasks || undefined,
    pending_messages: pending_messages || undefined,
    permission_mode: permission_mode === 'manual' ? undefined : permission_mode,
    last_activity: [evidence.at, turn?.ended_at].includes(last_activity) ? undefined : last_activity,
    managed_by: managed_by.mine ? undefined : managed_by,
    main_repo_path: main_repo_path === shared.main_repo_path ? undefined : main_repo_path,
    attach: attach === shared.attach ? undefined : attach,
  };
  return briefWorker.parse(defined(fields));
}
