// A tool of a worker: made as the manager's are, over its desk in place of the crew.

import type { Desk } from '../../worker/api.ts';
import { toolMaker } from '../tool.ts';

export const defineTool = toolMaker<Desk>();
