// The words for sessions of agents, crewmux's own or not.
export const sessionKinds = ['interactive', 'background', 'headless', 'teammate', 'subagent'] as const;
export type SessionKind = (typeof sessionKinds)[number];

export const sessionStates = ['working', 'waiting', 'idle', 'unknown', 'ended'] as const;
export type SessionStatus = (typeof sessionStates)[number];

export const todoStates = ['pending', 'in_progress', 'completed'] as const;
