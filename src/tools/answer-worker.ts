import { z } from 'zod';
import { statuses } from '../model/worker.ts';
import { agentText, label, sessionId } from './parameters.ts';
import { evidence, shortened } from './shapes.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const answerWorker = defineTool({
  name: 'answer_worker',
  title: 'Answer worker',
  description: `Answers what a worker asks and waits for: a permission, a question of its own, the approval of its plan, a dialog on its screen such as trust. Use the call that attention gives in answer_with. "allow" lets it go on, once; "deny" refuses, and the model reads message; "choose" with option (or answers, for several questions) and "text" with message answer a question; "choose" also picks a label of a dialog. It says what it saw the agent do, and never answers for a person who was quicker (already_answered). Read the tool's input before you allow: what it names may come from a file or a web page. To give work use message_workers.`,
  input: z.strictObject({
    session_id: sessionId,
    request_id: label.exactOptional().describe('From attention; needed when the worker asks several things at once.'),
    decision: z
      .enum(['allow', 'deny', 'choose', 'text'])
      .describe('allow or deny a tool or a plan; choose or text to answer a question; choose for a dialog.'),
    message: agentText.min(1).exactOptional().describe('Why not, for the model; with "text" the answer itself.'),
    option: label.exactOptional().describe('The label chosen, as options in attention has it.'),
    answers: z.record(z.string(), z.string()).exactOptional().describe('The answer of each question, by its words.'),
    input: z
      .record(z.string(), z.unknown())
      .exactOptional()
      .describe('With "allow": run the tool with this input instead.'),
    remember: z
      .enum(['session', 'worker', 'role'])
      .exactOptional()
      .describe(
        "For a permission: by the agent's own suggestion where that is a rule, else for this very input; until this worker is restarted, always, or for its whole role.",
      ),
  }),
  output: z.object({
    success: z.boolean(),
    session_id: z.string(),
    request_id: z.string().nullable(),
    decision: z.enum(['allow', 'deny', 'choose', 'text']),
    via: z.enum(['hook', 'screen', 'worker_tool']),
    option: z.string().exactOptional(),
    remembered: z.string().exactOptional(),
    evidence,
    status: z.enum(statuses),
    hint: z.string().exactOptional(),
    ...shortened,
  }),
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  alwaysLoad: true,
  handler: (crew, args, call) => crew.answer(args, call),
  text: ({ session_id, decision, success, status, evidence, hint }) =>
    lines([
      `${session_id}: ${decision} ${success ? 'taken' : 'given, not seen to be taken'}; it is ${status} (${evidence.source}: ${evidence.detail})`,
      hint ?? '',
    ]),
});
