// Makes a recording fit for the repository: no machine's paths, and no bulk.

const longestString = 1_000;

/** Paths of the sandbox become `/sandbox`, also where they are part of a folder's name. */
export const scrubber = (root: string) => (text: string) =>
  text
    .replaceAll(root, '/sandbox')
    .replaceAll(root.replace(/[^a-zA-Z0-9]/g, '-'), '-sandbox')
    .replace(/linux:[0-9a-f]{16,}:pid:\[\d+\]/g, 'linux:0')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:1');

/** Keeps the first line of each kind that is large and says nothing of the conversation, cut to its shape; and each further try of a request. */
export function trimmedTranscript(text: string): string {
  const seen = new Set<string>();
  const requests = new Set<string>();
  const kept = text.split('\n').filter((line) => {
    if (line === '') return false;
    const kind = /"attachment":\{"type":"(\w+)"|^\{"type":"(api-request[a-z-]*)"/.exec(line)?.slice(1).join('');
    if (kind === undefined || kind === 'queued_command') return true;
    const digest = /"requestDigest":"(\w+)"/.exec(line)?.[1];
    const isKept = !seen.has(kind) || (digest !== undefined && requests.has(digest));
    seen.add(kind);
    if (digest !== undefined) requests.add(digest);
    return isKept;
  });
  return kept.map((line) => `${JSON.stringify(shortened(JSON.parse(line)))}\n`).join('');
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestString ? `${value.slice(0, longestString)}…` : value;
  if (Array.isArray(value)) return value.slice(0, 20).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  const bulky = new Set(['shape', 'params', 'rendered', 'systemPrompt', 'tools']);
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, bulky.has(key) ? null : shortened(held)]));
}
