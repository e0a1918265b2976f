/** How much of a plan, or of a loop of plans, waits for somebody. */
export const planModes = ['autopilot', 'copilot', 'supervisor'] as const;
export type PlanMode = (typeof planModes)[number];
