// Runs around every test file: whatever became of its own ends, nothing of it stays, and a failure says what it left.
import { afterAll, afterEach } from 'vitest';
import { aftermath } from './aftermath.ts';
import { disposeRest, openSandboxes } from './sandbox.ts';

afterEach(({ task }) => {
  const [error] = task.result?.errors ?? [];
  if (error === undefined) return;
  const texts = openSandboxes().map(aftermath);
  error.message = [error.message, ...texts.filter((text) => text !== '')].join('\n');
});

afterAll(disposeRest);
