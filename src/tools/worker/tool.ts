// A tool of a worker: made as the manager's are, over its desk in place of the crew.

import type { Desk } from '../../worker/api.ts';
import { spokenToolMaker } from '../tool.ts';

export const defineTool = spokenToolMaker<Desk>();

export const says = { readOnly: false, destructive: false, idempotent: false, openWorld: false } as const;
export const looks = { readOnly: true, destructive: false, idempotent: true, openWorld: false } as const;
