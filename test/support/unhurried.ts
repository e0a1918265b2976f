/** A test takes as long as it takes; this is for one that never ends. */
export const unhurriedMs = 600_000;
