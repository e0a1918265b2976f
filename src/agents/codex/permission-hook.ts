import { deniedUnsaid, type PermissionHook } from '../agent.ts';
import { beforeTool, onRequest, questionIn } from '../permission-json.ts';
import { actOf, changeOf } from './act.ts';

const unanswered = 'Nobody has answered yet whether this may be done. Go on without it, or ask your manager.';

type Said = Parameters<PermissionHook['say']>[1];

export const permissionHook: PermissionHook = {
  asked: (payload) => questionIn(payload, () => ({ asksInVain: false, hidesDialog: true, kind: 'permission' })),
  actOf,
  changeOf,
  proposed: () => ({ rules: [] }),
  say: ({ when }, answer) => (when === 'before' ? beforehand(answer) : asked(answer)),
  // It runs the tool when its hook says "ask".
  asksWhenTold: false,
  changesInput: false,
};

/** The output before a tool when our program fails: Codex itself would not ask. */
export const unjudged = beforehand({
  decision: 'deny',
  message: 'crewmux could not look at this, and it is to look at everything. Tell the user.',
});

function beforehand({ decision, message }: Said): string {
  if (decision === 'allow' || decision === 'text') return '';
  return beforeTool('deny', decision === 'let-go' ? unanswered : (message ?? deniedUnsaid));
}

function asked({ decision, message }: Said): string {
  if (decision === 'let-go') return '';
  return onRequest(
    decision === 'deny' ? { behavior: 'deny', message: message ?? deniedUnsaid } : { behavior: 'allow' },
  );
}
