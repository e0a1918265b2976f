import { defineConfig } from 'vitest/config';
import { reporters, SlowRoomsFirst } from './test/support/reporting.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real/**', 'test/drills/**', 'node_modules/**'],
    globalSetup: ['test/support/run.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    // For what never comes; no test is timed by it.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    pool: 'forks',
    maxWorkers: 4,
    // Files share a process, and with it the modules that they import.
    isolate: false,
    sequence: { sequencer: SlowRoomsFirst },
    reporters,
  },
});
