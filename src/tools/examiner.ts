// What a tool of the doctor is: it acts on an examiner instead of on the crew.
import type { Examiner } from '../crew/api.ts';
import { toolMaker } from './tool.ts';

export const defineTool = toolMaker<Examiner>();
