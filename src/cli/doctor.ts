// `crewmux doctor`: examines whether this machine has everything that workers need.

import { plainJson } from '../model/plain-text.ts';
import { counted } from '../model/plural.ts';
import type { DoctorResult, Finding } from '../wire/doctor.ts';
import { personsHint } from './persons-call.ts';

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

/** Ends with a line that counts what is wrong. Pure. */
export function report({ findings }: Pick<DoctorResult, 'findings'>): string {
  const rows = findings.flatMap(({ check, status, detail, fix }) => [
    `${signs[status]}  ${check}: ${personsHint(detail)}`,
    ...(fix === undefined ? [] : [`      ${personsHint(fix)}`]),
  ]);
  const count = (wanted: Finding['status']) => findings.filter(({ status }) => status === wanted).length;
  return `${[...rows, `${counted(count('fail'), 'problem')}, ${counted(count('warn'), 'warning')}`].join('\n')}\n`;
}
