// A tool over what the crew answers, with something about its tasks and plans: it has the names of the border.
import type { Workshop } from '../work/api.ts';
import { toolMaker } from './tool.ts';

export const defineTool = toolMaker<Workshop>();
