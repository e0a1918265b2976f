// What a worker has used.
import { join } from 'node:path';
import type { LaunchRecord } from '../../model/worker.ts';

export const statusPathOf = ({ dir }: Pick<LaunchRecord, 'dir'>): string => join(dir, 'status.json');
