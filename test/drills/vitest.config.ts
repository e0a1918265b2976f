import { defineConfig } from 'vitest/config';
import { reporters } from '../support/reporting.ts';

export default defineConfig({
  test: {
    include: ['test/drills/**/*.drill.ts'],
    globalSetup: ['test/support/run.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters,
  },
});
