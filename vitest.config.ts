import { defineConfig } from 'vitest/config';
import { Rooms } from './test/support/rooms.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/real/**', 'test/drills/**', 'node_modules/**'],
    setupFiles: ['test/support/leave-nothing.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 4,
    isolate: false,
    reporters: ['default', new Rooms()],
  },
});
