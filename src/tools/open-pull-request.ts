import { z } from 'zod';
import { argWord, sessionId } from './parameters.ts';
import { list, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

const pieces = ['remote', 'github_remote', 'gh', 'gh_login', 'base'] as const;

export const openPullRequest = defineTool({
  name: 'open_pull_request',
  title: 'Propose a worker',
  description: `Pushes a worker's branch and opens a pull request on GitHub with gh. Use it when the user wants an idle worker's work reviewed there instead of landed by merge_worker. When a piece is missing nothing is pushed: it is named, and the text kept at body_path. An open one gets the new commits. Refuses while the worker works or has uncommitted changes; never pushes by force.`,
  input: z.strictObject({
    session_id: sessionId,
    title: z.string().min(1).max(250).exactOptional().describe('Its only commit or its label unless given.'),
    body: z
      .string()
      .max(60_000)
      .exactOptional()
      .describe("Made of its report, commits and the project's template unless given."),
    draft: z.boolean().default(false).describe('As a draft.'),
    base: argWord(1_000).exactOptional().describe('Branch to merge into; the one it was begun from unless given.'),
    remote: argWord(1_000).exactOptional().describe('The push remote of the branch, else origin, unless given.'),
  }),
  output: z.object({
    success: z.boolean(),
    session_id: z.string(),
    url: z.string().exactOptional(),
    branch: z.string(),
    remote: z.string().nullable(),
    base: z.string(),
    title: z.string(),
    body_path: z.string(),
    commits: z.number(),
    pushed: z.boolean(),
    existing: z.boolean(),
    missing: list(z.enum(pieces)),
    reason: z.string().exactOptional(),
    hint: z.string().exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  handler: (crew, args, call) => crew.propose(args, call),
  text: ({ success, url, branch, base, remote, pushed, existing, missing, reason, hint, body_path }) =>
    lines([
      success
        ? `${branch} -> ${base}: ${existing ? 'was open' : 'opened'} at ${url}`
        : `${branch} -> ${base}: not opened; ${pushed ? `pushed to ${remote}` : 'nothing pushed'}. Text: ${body_path}`,
      ...(missing.length === 0 ? [] : [`Missing: ${missing.join(', ')}`]),
      ...(reason === undefined ? [] : [reason]),
      ...(hint === undefined ? [] : [hint]),
    ]),
});
