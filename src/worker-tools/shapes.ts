// Shapes that several of a worker's tools share.
import { z } from 'zod';

export const taken = z.object({ taken: z.literal(true), id: z.string() });
