import { defined } from '../model/defined.ts';
import { pullRequestInput, pullRequestOutput } from '../wire/landing.ts';
import { exactlyOne } from './job-tool.ts';
import { defineTool } from './mixed-tool.ts';
import { lines } from './words.ts';

export const openPullRequest = defineTool({
  name: 'open_pull_request',
  set: 'git',
  title: 'Propose work',
  description: `Pushes a worker's branch, or a plan's, and opens a pull request on GitHub with gh. Use it when the user wants finished work reviewed there instead of landed by merge_worker. When a piece is missing nothing is pushed: it is named, and the text kept at body_path. Refuses while the worker works or has uncommitted changes; never forces.`,
  input: pullRequestInput,
  output: pullRequestOutput,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  async handler(crew, { session_id: worker, plan_id: planId, ...wish }, call) {
    exactlyOne({ session_id: worker, plan_id: planId });
    if (worker !== undefined) return crew.propose({ worker, ...wish }, call);
    const { session_id: _, ...proposed } = await crew.jobs.propose({ planId: planId ?? '', ...wish }, call);
    return { ...proposed, ...defined({ plan_id: planId }) };
  },
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
