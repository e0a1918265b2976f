// What work costs this process; unlike the clock on the wall it does not count what neighbours take.
/** Milliseconds of processor time. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
