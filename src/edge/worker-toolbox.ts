// A worker's tools with all their schemas.
import { workerTools } from '../worker-tools/index.ts';
import { toolboxOf } from './toolbox.ts';

export const workerToolbox = toolboxOf('worker', workerTools);
