// Shapes that several of a worker's tools share.
import { z } from 'zod';

export { task } from '../shapes.ts';

export const taken = z.object({ taken: z.literal(true), id: z.string() });

export const says = { readOnly: false, destructive: false, idempotent: false, openWorld: false } as const;
export const looks = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
