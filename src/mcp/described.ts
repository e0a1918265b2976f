// The tools as clients see them, by the name of their toolbox. The build fills the record.
import type { Listed } from './profile.ts';

/** Rendering the schemas would take a large part of each start. */
export const described: Readonly<Record<string, () => readonly Listed[]>> = {};
