// The findings of the doctor: one matter each, whether it is well, and what to do where it is not.
import { z } from 'zod';
import type { Hint } from '../model/advice.ts';
import { hint, list, type Shape, shortened } from './parts.ts';

const findingStatuses = ['ok', 'warn', 'fail'] as const;

const finding = z.object({
  check: z.string(),
  status: z.enum(findingStatuses),
  detail: hint,
  /** Absent where nothing is to be done. */
  fix: hint.exactOptional(),
});
export type Finding = Shape<typeof finding>;

export const ok = (check: string, detail: Hint): Finding => ({ check, status: 'ok', detail });
export const warn = (check: string, detail: Hint, fix: Hint): Finding => ({ check, status: 'warn', detail, fix });
export const fail = (check: string, detail: Hint, fix: Hint): Finding => ({ check, status: 'fail', detail, fix });

export const doctorOutput = z.object({
  /** The worst of the findings. */
  status: z.enum(findingStatuses),
  findings: list(finding),
  ...shortened,
});
export type DoctorResult = Shape<typeof doctorOutput>;
