// Runs once before the suite.
import { ensureClaude } from './install.ts';

export const setup = (): Promise<void> => ensureClaude();
