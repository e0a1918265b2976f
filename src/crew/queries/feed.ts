// What goes to and from whoever leads the crew for as long as it is open: news of workers, news of tasks.
import type { Disposer } from '../../model/clock.ts';
import type { JobEvent } from '../../model/event.ts';
import type { JobNews } from '../attention/notifications.ts';
import { type CrewContext, visibleTo } from '../workers/crew-context.ts';
import type { BoardLines } from './board.ts';
import { cursorOf } from './changes.ts';

export interface Feed {
  /** Calls back after every change of a worker and after every event. */
  onChange(listen: () => void): Disposer;
  /** Calls back whenever a worker has come or gone, whichever server started or closed it. */
  onMembers(listen: () => void): Disposer;
  /** Writes events of tasks and plans into the log. */
  tell(events: readonly JobEvent[]): Promise<void>;
  /** Lines about tasks and plans for the board of a crew, in place of the ones before. */
  post(crew: string, lines: readonly string[]): void;
  /** Where the log ends now. */
  cursor(): string;
}

export interface FeedSources {
  readonly jobNews: JobNews;
  readonly boards: Pick<BoardLines, 'post'>;
}

export const feed = (context: CrewContext, { boards, jobNews }: FeedSources): Feed => ({
  onChange(listen) {
    const { roster, log } = context;
    const stops = [
      roster.onChange(() => listen()),
      // A cost may grow while nothing else changes.
      roster.onSpending(() => listen()),
      log.onEvents(() => listen()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  },
  onMembers: (listen) => watchMembers(context, listen),
  async tell(events) {
    const drafts = events.map(({ type, subject, crew, data }) => ({
      type,
      workerId: subject,
      data: { ...data, crew },
    }));
    if (drafts.length > 0) await context.log.append(drafts);
    jobNews.tell(events);
  },
  post: boards.post,
  cursor: () => cursorOf(context.log.lastSeq),
});

function watchMembers(context: CrewContext, listen: () => void): Disposer {
  const members = () =>
    visibleTo(context)
      .flatMap(({ id, phase }) => (phase === 'closed' ? [] : [id]))
      .join(' ');
  let before = members();
  return context.log.onEvents((events) => {
    if (!events.some(({ set }) => set?.phase !== undefined || set?.manager !== undefined)) return;
    const now = members();
    if (now === before) return;
    before = now;
    listen();
  });
}
