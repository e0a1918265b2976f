// The parts that the worker's tools share: the function that defines one, and common shapes.
import { z } from 'zod';
import type { Desk } from '../../worker/api.ts';
import { toolMaker } from '../tool.ts';

export const defineTool = toolMaker<Desk>();

export { task } from '../shapes.ts';

export const taken = z.object({ taken: z.literal(true), id: z.string() });

export const says = { readOnly: false, destructive: false, idempotent: false, openWorld: false } as const;
export const looks = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
