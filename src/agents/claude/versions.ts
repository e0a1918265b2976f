// The releases of Claude Code that the suite on the real program has been run with, and read.
import type { TestedVersions } from '../agent.ts';

export const tested: TestedVersions = { testedFrom: '2.1.329', testedTo: '2.1.329' };
