// Makes a recording fit for the repository: no machine's paths, and no bulk.

const longestString = 1_000;

export const scrubber = (places: Readonly<Record<string, string>>) => (text: string) =>
  Object.entries(places)
    .reduce((scrubbed, [place, name]) => scrubbed.replaceAll(place, name), text)
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1');

/** Cut to its shape where it is large and says nothing of the conversation. */
export const trimmedTranscript = (text: string): string =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${JSON.stringify(shortened(JSON.parse(line)))}\n`)
    .join('');

const bulky = new Set(['base_instructions', 'dynamic_tools', 'state', 'tools', 'rate_limits', 'thread_settings']);

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestString ? `${value.slice(0, longestString)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 20).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, bulky.has(key) ? null : shortened(held)]));
}
