// What a worker may ask to know.

export const contextScopes = ['task', 'project', 'team', 'history', 'reports'] as const;
export type ContextScope = (typeof contextScopes)[number];
