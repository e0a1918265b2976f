// A worker's tools with all their schemas.
import { workerTools } from '../tools/worker/index.ts';
import { toolboxOf } from './toolbox.ts';

export const workerToolbox = toolboxOf('worker', workerTools);
