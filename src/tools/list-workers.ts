import { defined } from '../model/defined.ts';
import { type Status, statuses } from '../model/worker.ts';
import { type ListRequest, listInput, listOutput } from '../wire/worker.ts';
import { defineTool } from './tool.ts';
import { attentionLines, lines, workerLine } from './words.ts';

export const listWorkers = defineTool({
  name: 'list_workers',
  set: 'core',
  title: 'List workers',
  description: `Lists the workers of the crew with status, evidence, place of work, and who needs someone. Use it to find ids and names, also after a restart: workers outlive this server. For one worker in depth use examine_worker, for a summary crew_status, for agents crewmux did not start discover_workers.`,
  input: listInput,
  output: listOutput,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  alwaysLoad: true,
  long: { field: 'workers', hint: 'Pass status_filter or project_filter, or fields "brief", for the rest.' },
  handler: (crew, args) =>
    crew.list({
      ...defined({ status: statusOf(args.status_filter), project: args.project_filter }),
      includeClosed: args.include_closed,
      fields: args.fields,
    }),
  text: ({ workers, attention }) =>
    lines(workers.length === 0 ? ['No workers.'] : [...workers.map(workerLine), ...attentionLines(attention)]),
});

const today: Readonly<Record<string, Status>> = { ready: 'idle', busy: 'working', spawning: 'starting' };

const statusOf = (asked: ListRequest['status_filter']): Status | undefined =>
  statuses.find((status) => status === asked) ?? today[asked ?? ''];
