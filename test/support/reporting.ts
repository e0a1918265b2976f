// How the suites tell what they saw: on the screen, room by room, and as JSON where a file for it is named.
import { BaseSequencer, type Reporter, type TestSpecification } from 'vitest/node';
import { Rooms } from './rooms.ts';

const report = process.env.CREWMUX_TEST_REPORT;

type Named = [name: string, options: { outputFile: string }];

export const reporters: (string | Reporter | Named)[] = [
  'default',
  new Rooms(),
  ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies Named]),
];

/** What waits for other programs begins first, and what only computes fills the gaps that it leaves. */
export class SlowRoomsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a.moduleId) - rank(b.moduleId));
  }
}

const slowest = ['e2e', 'backends', 'worktree', 'crew'];

function rank(path: string): number {
  const at = slowest.findIndex((room) => path.includes(`/test/${room}/`));
  return at < 0 ? slowest.length : at;
}
