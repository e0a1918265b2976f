// What a goal is called in lists. Pure.

const longestName = 50;

/** The name of a plan of which nobody has said more than its goal. */
export function nameOfGoal(goal: string): string {
  const words = goal.trim().split(/[\s\p{Cc}]+/u);
  const fitting = words.filter((_, at) => words.slice(0, at + 1).join(' ').length <= longestName);
  return fitting.length > 0 ? fitting.join(' ') : [...goal.trim()].slice(0, longestName).join('');
}
