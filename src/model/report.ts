// The states of work that a worker reports.
export const progressStatuses = ['working', 'blocked', 'needs_review', 'progress', 'completed'] as const;
