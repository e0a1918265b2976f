// The tools as clients see them, by the name of their toolbox; the build fills this in.
import type { ToolDescription } from './profile.ts';

/** Rendering the schemas would be a good part of each start. */
export const described: Readonly<Record<string, () => readonly ToolDescription[]>> = {};
