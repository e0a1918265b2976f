// What a client may read of the crew by address: the answers of the tools that look.
import type { Crew } from '../crew/api.ts';
import { CrewError } from '../model/errors.ts';
import { nearest } from '../model/nearest.ts';
import { crewStatus } from '../tools/crew-status.ts';
import { examineWorker } from '../tools/examine-worker.ts';
import { listWorkers } from '../tools/list-workers.ts';
import { planStatus } from '../tools/plan-status.ts';
import { readWorkerLogs } from '../tools/read-worker-logs.ts';
import { readWorkerScreen } from '../tools/read-worker-screen.ts';
import type { Tool } from '../tools/tool.ts';
import type { Workshop } from '../work/api.ts';
import type { Resource, Resources } from './profile.ts';
import { type RolesAndTemplates, type WrittenKind, writtenKinds } from './roles-and-templates.ts';

interface View extends Pick<Resource, 'name' | 'description'> {
  readonly tool: Tool<Workshop>;
  readonly mimeType: 'application/json' | 'text/plain';
}

const ofCrew: Readonly<Record<string, View>> = {
  'sessions://list': {
    name: 'workers',
    description: 'All workers with their state, and who needs someone.',
    tool: listWorkers,
    mimeType: 'application/json',
  },
  'crew://status': {
    name: 'crew',
    description: 'The crew at one look.',
    tool: crewStatus,
    mimeType: 'application/json',
  },
};

const ofWorker: Readonly<Record<string, View>> = {
  status: {
    name: 'status',
    description: 'State, last words, tokens and branch of one worker.',
    tool: examineWorker,
    mimeType: 'application/json',
  },
  screen: {
    name: 'screen',
    description: "The text on one worker's screen.",
    tool: readWorkerScreen,
    mimeType: 'text/plain',
  },
  logs: {
    name: 'logs',
    description: "The newest page of one worker's conversation.",
    tool: readWorkerLogs,
    mimeType: 'text/plain',
  },
};

const ofPlan: View = {
  name: 'plan',
  description: 'One plan: its jobs, and what it waits for.',
  tool: planStatus,
  mimeType: 'application/json',
};

const described = ({ description, mimeType }: View) => ({ description, mimeType });
const templateOf = (part: string): string => `sessions://{session_id}/${part}`;
const planTemplate = 'plans://{plan_id}';
const ofWritten: Readonly<Record<WrittenKind, string>> = {
  roles: 'What a role makes of its worker, with the file that says so.',
  templates: 'The jobs and parameters of a template of plans.',
};
const templates = [
  ...Object.entries(ofWorker).map(([part, view]) => ({
    uriTemplate: templateOf(part),
    name: view.name,
    ...described(view),
  })),
  { uriTemplate: planTemplate, name: ofPlan.name, ...described(ofPlan) },
  ...writtenKinds.map((kind) => ({
    ...{ uriTemplate: `${kind}://{name}`, name: kind, description: ofWritten[kind], mimeType: 'application/json' },
  })),
];
const known = [...Object.keys(ofCrew), ...templates.map(({ uriTemplate }) => uriTemplate)];

export const resourcesOf = (written: RolesAndTemplates): Resources<Workshop> => ({
  templates,
  async list(open) {
    const workers = await workersOf(open);
    const fixed = Object.entries(ofCrew).map(([uri, view]) => ({ uri, name: view.name, ...described(view) }));
    const each = workers.flatMap(({ session_id: id, name }) =>
      Object.entries(ofWorker).map(([part, view]) => ({
        uri: `sessions://${id}/${part}`,
        name: `${name}/${view.name}`,
        ...described(view),
      })),
    );
    return [...fixed, ...each, ...(await listWritten(written))];
  },
  async read(uri, { open, context }) {
    const [, kind, name] = /^(roles|templates):\/\/([^/]+)$/.exec(uri) ?? [];
    if (name !== undefined) return readWritten(written, { uri, kind: kind === 'roles' ? kind : 'templates', name });
    const { tool, mimeType, args } = viewAt(uri);
    const { text, structured } = await tool.call(open, args, context);
    return { uri, mimeType, text: mimeType === 'text/plain' ? text : JSON.stringify(structured) };
  },
  async complete(template, { name, value }, open) {
    if (!known.includes(template)) throw unknownResource(template);
    const kind = writtenKinds.find((one) => template.startsWith(`${one}:`));
    const words = kind === undefined ? await idWords(name, open) : (await written.read())[kind].map((one) => one.name);
    return words.filter((word) => word.toLowerCase().startsWith(value.toLowerCase()));
  },
});

async function listWritten(written: RolesAndTemplates): Promise<readonly Resource[]> {
  const found = await written.read();
  return writtenKinds.flatMap((kind) =>
    found[kind].map(({ name, description }) => ({
      ...{ uri: `${kind}://${encodeURIComponent(name)}`, name, description, mimeType: 'application/json' },
    })),
  );
}

interface WrittenAt {
  readonly uri: string;
  readonly kind: WrittenKind;
  readonly name: string;
}

async function readWritten(written: RolesAndTemplates, { uri, kind, name }: WrittenAt) {
  const all = (await written.read())[kind];
  const asked = decoded(name);
  const found = all.find((one) => one.name === asked);
  if (found !== undefined) return { uri, mimeType: 'application/json', text: JSON.stringify(found.whole) };
  const names = all.map((one) => one.name);
  const close = nearest(asked, names);
  throw new CrewError(
    'invalid_argument',
    `There is no ${kind === 'roles' ? 'role' : 'template'} ${JSON.stringify(asked)}.`,
    `${close === undefined ? '' : `Did you mean "${close}"? `}Known: ${names.join(', ')}.`,
  );
}

const workersOf = async (open: () => Promise<Crew>) =>
  (await (await open()).list({ includeClosed: false, fields: 'brief' })).workers;

async function idWords(name: string, open: () => Promise<Workshop>): Promise<readonly string[]> {
  if (name === 'session_id') return workerWords(open);
  return name === 'plan_id' ? planWords(open) : [];
}

async function workerWords(open: () => Promise<Crew>): Promise<readonly string[]> {
  const workers = await workersOf(open);
  return [...workers.map(({ name }) => name), ...workers.map(({ session_id }) => session_id)];
}

/** Plans come and go without a notice, so they are no part of the list. */
async function planWords(open: () => Promise<Workshop>): Promise<readonly string[]> {
  const { plans = [] } = await (await open()).jobs.planStatus({});
  return [...plans.map(({ name }) => name), ...plans.map(({ planId }) => planId)];
}

function viewAt(uri: string) {
  const view = Object.hasOwn(ofCrew, uri) ? ofCrew[uri] : undefined;
  if (view !== undefined) return { ...view, args: {} };
  const [, plan] = /^plans:\/\/([^/]+)$/.exec(uri) ?? [];
  if (plan !== undefined) return { ...ofPlan, args: { plan_id: decoded(plan) } };
  const [, worker = '', part = ''] = /^sessions:\/\/([^/]+)\/([^/]+)$/.exec(uri) ?? [];
  const ofOne = Object.hasOwn(ofWorker, part) ? ofWorker[part] : undefined;
  if (ofOne === undefined) throw unknownResource(uri);
  return { ...ofOne, args: { session_id: decoded(worker) } };
}

/** A name may come as it is, or as a part of an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unknownResource(uri: string): CrewError {
  const close = nearest(uri, known);
  return new CrewError(
    'invalid_argument',
    `No resource ${JSON.stringify(uri)}.`,
    `${close === undefined ? '' : `Did you mean ${close}? `}Resources: ${known.join(', ')}.`,
  );
}
