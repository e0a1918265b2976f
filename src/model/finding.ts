// One check of the installation: whether it passes, and what to do where it does not.

export const findingStatuses = ['ok', 'warn', 'fail'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export interface Finding {
  readonly check: string;
  readonly status: FindingStatus;
  readonly detail: string;
  /** Absent where nothing is to be done. */
  readonly fix?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: 'ok', detail });
export const warn = (check: string, detail: string, fix: string): Finding => ({ check, status: 'warn', detail, fix });
export const fail = (check: string, detail: string, fix: string): Finding => ({ check, status: 'fail', detail, fix });
