// The manager's tools with all their schemas.
import { tools } from '../tools/index.ts';
import { toolboxOf } from './toolbox.ts';

export const managerToolbox = toolboxOf('manager', tools);
