import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { reporters } from '../support/reporting.ts';

/** What takes long begins first, so that the other half of the machine does not end up idle. */
const longest = [
  '/conform/claude.',
  '/real/claude.',
  '/real/codex.',
  '/conform/codex.',
  '/real/both.',
  '/codex-adopt.',
];
const rank = ({ moduleId }: TestSpecification): number => {
  const at = longest.findIndex((name) => moduleId.includes(name));
  return at < 0 ? longest.length : at;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
  }
}

export default defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    globalSetup: ['test/support/run.ts', 'test/real/setup.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    // For what never comes.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 2,
    // Each test has an agent at work, and each of those wants a core while it starts.
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    reporters,
  },
});
