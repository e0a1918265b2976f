import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/drills/**/*.drill.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
