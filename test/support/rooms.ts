// One look at the end of a run: how long the tests of each room took, and which of them took long.
import { relative, sep } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

const longMs = 3_000;

/** The folder below `test`, or below `test/real` and `test/drills` the file. */
function roomOf(path: string): string {
  const [first = '', second = ''] = path.split(sep);
  if (first === 'real' || first === 'drills') return second.replace(/(\.test|\.drill)?\.ts$/, '');
  return first.endsWith('.ts') ? 'top' : first;
}

const seconds = (ms: number): string => (ms < 10_000 ? (ms / 1_000).toFixed(1) : String(Math.round(ms / 1_000)));

/** The line and the warnings, from how long each test took. */
export function roomsLine(tests: readonly { path: string; title: string; tookMs: number }[]): readonly string[] {
  const rooms = new Map<string, number>();
  for (const { path, tookMs } of tests) rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? 0) + tookMs);
  const byTime = [...rooms].sort(([, a], [, b]) => b - a).map(([room, ms]) => `${room} ${seconds(ms)}`);
  const long = tests.filter(({ tookMs }) => tookMs > longMs).sort((a, b) => b.tookMs - a.tookMs);
  return [
    `Rooms, in seconds of tests: ${byTime.join(' · ')}`,
    ...long.map(({ path, title, tookMs }) => `Long, ${seconds(tookMs)} s: ${path} > ${title}`),
  ];
}

export class Rooms implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()].map(measured));
    for (const line of roomsLine(tests)) process.stdout.write(`${line}\n`);
  }
}

const measured = (test: TestCase) => ({
  path: relative('test', relative('.', test.module.moduleId)),
  title: test.fullName,
  tookMs: test.diagnostic()?.duration ?? 0,
});
