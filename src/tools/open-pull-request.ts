import { pullRequestInput, pullRequestOutput } from '../wire/landing.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const openPullRequest = defineTool({
  name: 'open_pull_request',
  title: 'Propose a worker',
  description: `Pushes a worker's branch and opens a pull request on GitHub with gh. Use it when the user wants an idle worker's work reviewed there instead of landed by merge_worker. When a piece is missing nothing is pushed: it is named, and the text kept at body_path. An open one gets the new commits. Refuses while the worker works or has uncommitted changes; never pushes by force.`,
  input: pullRequestInput,
  output: pullRequestOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  handler: (crew, { session_id: worker, ...wish }, call) => crew.propose({ worker, ...wish }, call),
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
