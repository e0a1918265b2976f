import { defined } from '../model/defined.ts';
import { trackerHelpInput, trackerHelpOutput } from '../wire/status.ts';
import { defineTool } from './tool.ts';
import { lines } from './words.ts';

export const issueTrackerHelp = defineTool({
  name: 'issue_tracker_help',
  set: 'admin',
  title: 'Issue tracker help',
  description: `Says which issue tracker a project uses (Beads or Pebbles), how to work with its command line, and what to tell a worker about it. Use it before you give workers a bead. Where a project has none, tracker is null. It reads no issues and changes none.`,
  input: trackerHelpInput,
  output: trackerHelpOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  handler: (crew, { project_path: project }, { here }) => crew.trackerHelp({ project, ...defined({ here }) }),
  text: ({ tracker, help, quick_commands }) =>
    lines([
      tracker === null ? 'No issue tracker found.' : `Issue tracker: ${tracker}.`,
      help,
      ...Object.entries(quick_commands).map(([what, command]) => `${what}: ${command}`),
    ]),
});
