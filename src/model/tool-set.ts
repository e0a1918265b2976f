// The sets that the manager's tools come in: a client that takes few tools gets the sets it needs.

export const toolSets = ['core', 'git', 'plans', 'admin'] as const;
export type ToolSet = (typeof toolSets)[number];
