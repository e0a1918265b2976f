// `crewmux doctor`: examines whether this machine has everything that workers need.
import type { DoctorResult } from '../wire/doctor.ts';

export interface DoctorWorld {
  readonly examine: () => Promise<DoctorResult>;
  readonly write: (text: string) => number;
  readonly complain: (text: string) => number;
}

const usage = `Usage: crewmux doctor          look at tmux, git, agents, trust, settings and state; change nothing
       crewmux doctor --json   the same as JSON
`;

/** Returns the exit code: 1 when something fails, 2 after a complaint, else 0. */
export async function doctor(args: readonly string[], { examine, write, complain }: DoctorWorld): Promise<number> {
  if (args.some((arg) => arg !== '--json')) return complain(usage);
  const result = await examine();
  write(args.includes('--json') ? `${JSON.stringify(result, null, 2)}\n` : report(result));
  return result.status === 'fail' ? 1 : 0;
}

const signs = { ok: ' ok ', warn: 'WARN', fail: 'FAIL' } as const;

export function report({ findings }: DoctorResult): string {
  const rows = findings.map(({ check, status, detail, fix }) =>
    [`${signs[status]}  ${check}: ${detail}`, ...(fix === undefined ? [] : [`      ${fix}`])].join('\n'),
  );
  return `${rows.join('\n')}\n`;
}
