// The screens as our own reader understands them, beside what it understands of the real ones.
import { describe, expect, it } from 'vitest';
import { claudeAgent } from '../../../src/agents/claude/claude.ts';
import {
  type Dialog,
  panel,
  permissionDialog,
  planDialog,
  questionDialog,
  trustDialog,
} from '../../../src/demo/agent/dialog.ts';
import { type Draft, draftOf, emptyDraft } from '../../../src/demo/agent/draft.ts';
import { bottomRows, type View } from '../../../src/demo/agent/view.ts';

const columns = 100;
const view = (more: Partial<View>): View => ({
  columns,
  name: 'ada',
  draft: emptyDraft,
  live: '',
  busy: undefined,
  queued: [],
  dialog: undefined,
  permissionMode: 'default',
  hint: undefined,
  tasks: undefined,
  ...more,
});
const read = (more: Partial<View>) => claudeAgent.readScreen(bottomRows(view(more)).join('\n'));

describe('the prompt box', () => {
  const drafts: readonly (readonly [string, Draft, string])[] = [
    ['nothing', emptyDraft, ''],
    ['one letter', draftOf('x'), 'x'],
    ['words', draftOf('half a thought'), 'half a thought'],
    ['words with the cursor in them', { ...draftOf('half a thought'), cursor: 5 }, 'half a thought'],
    ['several lines', draftOf('one\n\n  two'), 'one\n\n  two'],
    ['a shell line', { ...draftOf('ls'), isShell: true }, '!ls'],
  ];
  it.each(drafts)('shows %s', (_, draft, expected) => {
    expect(read({ draft })).toEqual({ draft: expected });
  });

  it('shows no draft where prompts are queued, and none under a hint', () => {
    expect(read({ queued: ['more'], busy: 'Working… (1s)' })).toEqual({ draft: '' });
    expect(read({ hint: 'Press Ctrl-C again to exit' })).toEqual({ draft: '' });
  });
});

describe('a dialog', () => {
  const asked = { cwd: '/project', bySubagent: false };
  const dialogs: readonly (readonly [string, Dialog, object])[] = [
    [
      'for a command',
      permissionDialog({ ...asked, tool: 'Bash', input: { command: 'touch x', description: 'Run it' } }),
      { waitingFor: 'permission', title: 'Bash command', options: { length: 3 } },
    ],
    [
      'for a file',
      permissionDialog({ ...asked, tool: 'Write', input: { file_path: '/project/a.txt', content: 'hi\n' } }),
      { waitingFor: 'permission', title: 'Create file', options: { length: 3 } },
    ],
    [
      'for a question',
      questionDialog({
        questions: [{ question: 'Which?', header: 'Choice', options: [{ label: 'Red' }, { label: 'Blue' }] }],
      }),
      { waitingFor: 'question', title: 'Which?', options: ['Red', 'Blue', 'Type something.', 'Chat about this'] },
    ],
    ['for a plan', planDialog, { waitingFor: 'plan_approval', title: 'Exit plan mode?', options: { length: 2 } }],
    [
      'for trust',
      trustDialog('/project'),
      { waitingFor: 'trust', title: 'Accessing workspace:', options: ['No, exit', 'Yes, I trust this folder'] },
    ],
    [
      'that is a panel',
      panel(['Help  General', '', 'Words']),
      { waitingFor: 'dialog', title: 'Help  General', options: [] },
    ],
  ];
  it.each(dialogs)('%s is known for what it is, with its choices', (_, dialog, expected) => {
    for (let selected = 0; selected < Math.max(dialog.count, 1); selected++) {
      const reading = read({ dialog: dialog.rows(columns, selected) });
      expect(reading.draft).toBeUndefined();
      expect(reading.dialog).toMatchObject(expected);
    }
  });
});
