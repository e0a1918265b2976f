// A tool of a worker: made as the manager's are, over its desk in place of the crew.
import { toolMaker } from '../tools/tool.ts';
import type { Desk } from '../worker/api.ts';

export const defineTool = toolMaker<Desk>();
