// What a worker reports of its work, in its own words: data for whoever reads it, never instructions.

export const progressStatuses = ['working', 'blocked', 'needs_review', 'progress', 'completed'] as const;

/** A word in between. */
export interface Progress {
  readonly status: (typeof progressStatuses)[number];
  readonly message: string;
  /** Percent. */
  readonly progress?: number;
}

/** The account of a piece of work; names as on the wire, since it travels through untouched. */
export interface Report {
  readonly files_changed: readonly string[];
  readonly what_done: string;
  readonly what_open: string;
  readonly what_tested: string;
  readonly what_untested: string;
  readonly next_steps: string;
  readonly errors_encountered: string;
  readonly preview_url?: string;
}
