// Claude Code, as far as the crew has to know it.
import { launch } from './launch.ts';
import { traces } from './traces.ts';
export const claudeAgent = {
  type: 'claude' as const,
  launch,
  traces,
  planDelivery: (m: { text: string; asCommand: boolean }) => ({
    strokes: [{ paste: m.text }, { press: 'Enter' }],
    expect: m.text,
  }),
};
