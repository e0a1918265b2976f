// Runs around every test file: whatever became of its own ends, nothing of it stays.
import { afterAll } from 'vitest';
import { disposeRest } from './sandbox.ts';

afterAll(disposeRest);
