// The signals of Codex's hooks. SessionStart runs when the conversation's first prompt is sent.
import type { HookSignal } from '../../model/turn.ts';
import { hookSignals } from '../hook-line.ts';

export const decodeHook = (line: string): readonly HookSignal[] =>
  hookSignals(line, { waitingFor: () => 'permission', placeOf: () => ({ hidden: true }) });
