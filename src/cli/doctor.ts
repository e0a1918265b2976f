// `crewmux doctor`: examines whether this machine has everything that workers need.
import { plainJson } from '../model/terminal-text.ts';
import type { DoctorResult } from '../wire/doctor.ts';

export interface DoctorWorld {
  readonly examine: () => Promise<DoctorResult>;
  readonly write: (text: string) => number;
}

/** Returns the exit code: 1 when something fails, else 0. */
export async function doctor({ json }: { readonly json: boolean }, { examine, write }: DoctorWorld): Promise<number> {
  const result = await examine();
  write(json ? plainJson(result) : report(result));
  return result.status === 'fail' ? 1 : 0;
}

const signs = { ok: ' ok ', warn: 'WARN', fail: 'FAIL' } as const;

export function report({ findings }: DoctorResult): string {
  const rows = findings.map(({ check, status, detail, fix }) =>
    [`${signs[status]}  ${check}: ${detail}`, ...(fix === undefined ? [] : [`      ${fix}`])].join('\n'),
  );
  return `${rows.join('\n')}\n`;
}
