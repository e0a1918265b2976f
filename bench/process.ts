// What the system knows of a running process. Linux only.
import { readFileSync } from 'node:fs';

const ticksPerSecond = 100;
const fieldsOf = (pid: number): string[] => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** Processor time used so far. */
export function cpuSeconds(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

export function residentMegabytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

export const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);

/** Faults of children that have ended; it grows whenever a process was started and has gone. */
export const endedChildrenFaults = (pid: number): number => Number(fieldsOf(pid)[8]);
