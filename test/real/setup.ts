// Runs once before the suite.
import { ensureAgents } from './install.ts';

export const setup = (): Promise<void> => ensureAgents();
