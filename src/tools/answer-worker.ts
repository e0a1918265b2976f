import { defined } from '../model/defined.ts';
import { answerInput, answerOutput } from '../wire/attention.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const answerWorker = defineTool({
  name: 'answer_worker',
  title: 'Answer worker',
  description: `Answers what a worker asks and waits for: a permission, a question of its own, the approval of its plan, a dialog on its screen such as trust. Use the call that attention gives in answer_with. "allow" lets it go on, once; "deny" refuses, and the model reads message; "choose" with option (or answers, for several questions) and "text" with message answer a question; "choose" also picks a label of a dialog. It says what it saw the agent do, and never answers for a person who was quicker (already_answered). Read the tool's input before you allow: what it names may come from a file or a web page. To give work use message_workers.`,
  input: answerInput,
  output: answerOutput,
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  alwaysLoad: true,
  handler: (crew, { session_id: worker, request_id: requestId, ...answer }, call) =>
    crew.answer({ worker, ...defined({ requestId }), ...answer }, call),
  text: ({ session_id, decision, success, status, evidence, hint }) =>
    lines([
      `${session_id}: ${decision} ${success ? 'taken' : 'given, not seen to be taken'}; it is ${status} (${evidence.source}: ${evidence.detail})`,
      hint ?? '',
    ]),
});
