// The releases of Codex that the suite on the real program has been run with, and read.
import type { TestedVersions } from '../agent.ts';

export const tested: TestedVersions = { testedFrom: '0.169.0', testedTo: '0.169.0' };
