// Who a child process is, to locks and logs.
import { processStart } from '../../../src/system/process.ts';

export const me = { pid: process.pid, processStart: (await processStart(process.pid)) ?? 'unknown' };
