import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/real/**/*.test.ts'],
    globalSetup: ['test/real/setup.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
    // Each test has agents of its own, and each of those wants a core while it starts.
    maxConcurrency: 2,
  },
});
