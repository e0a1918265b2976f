// Answers that hold for the very same input, for a launch, a worker or a role; one file for all servers of a user.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsIn, fieldsOf, listOf } from '../model/json.ts';

export interface Remembered {
  readonly tool: string;
  /** As JSON, which has to be the same byte for byte. */
  readonly input: string;
  readonly decision: 'allow' | 'deny';
}

const pathIn = (stateHome: string): string => join(stateHome, 'remembered.json');

/** Oldest first; none where nothing can be read. By hand, as a hook reads it on each request. */
export function rememberedFor(stateHome: string, scope: string): readonly Remembered[] {
  return listOf(scopesIn(stateHome)[scope]).flatMap((one) => {
    const { tool, input, decision } = fieldsOf(one);
    const isOne =
      typeof tool === 'string' && typeof input === 'string' && (decision === 'allow' || decision === 'deny');
    return isOne ? [{ tool, input, decision }] : [];
  });
}

function scopesIn(stateHome: string) {
  try {
    return fieldsOf(fieldsIn(readFileSync(pathIn(stateHome), 'utf8')).scopes);
  } catch {
    return {};
  }
}

/** The last answer about an input takes the place of those before it. Not for two writers at once. */
export async function addRemembered(stateHome: string, scope: string, answer: Remembered): Promise<void> {
  const others = rememberedFor(stateHome, scope).filter(
    ({ tool, input }) => tool !== answer.tool || input !== answer.input,
  );
  // A hook only reads, and has no time to load what writes.
  const { writeJson } = await import('../system/atomic.ts');
  await writeJson(pathIn(stateHome), { v: 1, scopes: { ...scopesIn(stateHome), [scope]: [...others, answer] } });
}
