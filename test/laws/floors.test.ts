import { expect, it } from 'vitest';
import { type Import, sourcesIn } from './source.ts';

interface Room {
  readonly room: string;
  /** What the room may use besides itself and the floor of values. */
  readonly uses: readonly string[];
  readonly why: string;
}

const beneath = ['src/system/'];
const one = (room: string, uses: readonly string[] = beneath): Room => ({
  room,
  uses,
  why: 'rooms of floor 1 use model and system, and never each other; what joins two of them belongs in crew/',
});
const contracts = [
  'src/agents/agent.ts',
  'src/agents/environment.ts',
  'src/backends/terminal.ts',
  'src/backends/joined-terminals.ts',
];

const rooms: readonly Room[] = [
  { room: 'src/model/', uses: [], why: 'model is pure and uses nothing but itself' },
  one('src/system/', []),
  one('src/turn/', []),
  one('src/settings/', []),
  one('src/agents/'),
  one('src/backends/'),
  one('src/worktree/'),
  one('src/jsonl/'),
  one('src/store/', [...beneath, 'src/jsonl/']),
  one('src/trackers/'),
  one('src/permissions/'),
  one('src/wire/', []),
  one('src/draw/', []),
  one('src/usage/', []),
  {
    room: 'src/sessions/',
    uses: [...beneath, 'src/agents/agent-sessions.ts', 'src/usage/', 'src/wire/'],
    why: "sessions is an index over traces: it reads, by the agents' contract, and knows no crew",
  },
  {
    room: 'src/crew/',
    uses: [
      ...beneath,
      ...contracts,
      'src/turn/',
      'src/settings/',
      'src/worktree/',
      'src/jsonl/',
      'src/store/',
      'src/trackers/',
      'src/permissions/',
      'src/draw/',
      'src/usage/',
      'src/wire/',
    ],
    why: 'crew knows agents and backends by their contracts alone; the concrete ones are handed in by graph.ts',
  },
  {
    room: 'src/worker/',
    uses: [...beneath, 'src/jsonl/', 'src/store/', 'src/wire/'],
    why: "a worker's end of the crew is files; what acts on them belongs in crew/",
  },
  {
    room: 'src/tools/worker/',
    uses: ['type:src/worker/api.ts', 'src/tools/', 'src/wire/'],
    why: 'a tool is words over a shape of wire/ and the desk as a type; the work belongs in worker/',
  },
  {
    room: 'src/work/',
    uses: ['type:src/crew/api.ts', ...beneath, 'src/draw/', 'src/store/', 'src/wire/'],
    why: 'work stands on the verbs of the crew and knows neither git, tmux nor an agent',
  },
  {
    room: 'src/tools/',
    uses: ['type:src/crew/api.ts', 'type:src/work/api.ts', 'src/wire/'],
    why: 'a tool is words over a shape of wire/ and crew and work as types; the work belongs there',
  },
  {
    room: 'src/mcp/',
    uses: [
      'type:src/crew/api.ts',
      'type:src/work/api.ts',
      'type:src/worker/api.ts',
      'src/tools/',
      'src/draw/',
      'src/wire/',
      ...beneath,
    ],
    why: 'the server sees tools and the crew as a type; the work belongs in crew/',
  },
  {
    room: 'src/cli/',
    uses: [
      'type:src/crew/api.ts',
      'type:src/work/api.ts',
      ...beneath,
      'src/draw/',
      'src/settings/',
      'src/store/',
      'src/wire/',
    ],
    why: 'a word of the command line sees settings, state and the crew as a type',
  },
  {
    room: 'src/hook/',
    uses: [...beneath, 'src/agents/', 'src/backends/', 'src/draw/', 'src/jsonl/', 'src/store/', 'src/permissions/'],
    why: 'the hook is a program of its own, which an agent waits for: it uses what decides and what lies in files',
  },
  {
    room: 'src/demo/agent/',
    uses: [...beneath, 'src/agents/', 'src/draw/', 'src/jsonl/'],
    why: 'the scripted agent is a program of its own',
  },
  { room: 'src/demo/', uses: ['src/'], why: 'the demo is a program of its own' },
  { room: 'src/graph.ts', uses: ['src/'], why: '' },
  { room: 'src/bin/', uses: ['src/'], why: '' },
];

const roomOf = (path: string) => rooms.find(({ room }) => (room.endsWith('/') ? path.startsWith(room) : path === room));

const allowed = (from: Room, { target, typeOnly }: Import): boolean =>
  roomOf(target) === from ||
  target.startsWith('src/model/') ||
  from.uses.some((use) => {
    const path = use.replace('type:', '');
    if (use.startsWith('type:') && !typeOnly) return false;
    return path.endsWith('/') ? target.startsWith(path) : target === path;
  });

it('every source file lies in a room', () => {
  const homeless = sourcesIn('src').filter(({ path }) => roomOf(path) === undefined);
  expect(
    homeless.map(({ path }) => `${path} lies in no room; add the room to the floor plan or move the file`),
  ).toEqual([]);
});

it('imports go down, to what a room may use', () => {
  const offences = sourcesIn('src').flatMap(({ path, imports }) => {
    const from = roomOf(path);
    if (from === undefined) return [];
    return imports
      .filter((one) => one.own && one.target.startsWith('src/') && !allowed(from, one))
      .map((one) => `${path} imports ${one.target}${one.typeOnly ? ' (type)' : ''}: ${from.why}`);
  });
  expect(offences).toEqual([]);
});

it('only bin/ reaches outside src, and only for the package description', () => {
  const outside = sourcesIn('src').flatMap(({ path, imports }) =>
    imports
      .filter(({ own, target }) => own && !target.startsWith('src/'))
      .map(({ target }) => `${path} imports ${target}`),
  );
  expect(outside).toEqual(['src/bin/crewmux.ts imports package.json']);
});

it('imports of our own files name the file, ending included', () => {
  const offences = sourcesIn('src', 'test').flatMap(({ path, imports }) =>
    imports
      .filter(({ own, target }) => own && !/\.(ts|mjs|json)$/.test(target))
      .map(({ target }) => `${path} imports ${target} without its ending`),
  );
  expect(offences).toEqual([]);
});

/** The rooms of the crew, each of which may use those after it; what stands beside them lies below them all. */
const order = [
  'asking',
  'queries',
  'lifecycle',
  'keeping',
  'proposing',
  'landing',
  'comparing',
  'attention',
  'messages',
  'screen',
  'workers',
];
const below = ['context', 'environments', 'orders', 'place'];
/** These build the crew of all its rooms. */
const above = ['crew', 'api'];

const partOf = (path: string): string => /^src\/crew\/([\w-]+)/.exec(path)?.[1] ?? '';

const depthOf = (path: string): number => {
  const part = partOf(path);
  if (above.includes(part)) return -1;
  return below.includes(part) ? order.length : order.indexOf(part);
};

it('every file of the crew lies in one of its rooms, or beside them by name', () => {
  const known = [...order, ...below, ...above];
  expect(sourcesIn('src/crew').flatMap(({ path }) => (known.includes(partOf(path)) ? [] : [path]))).toEqual([]);
});

it('in the crew, a room uses only those after it', () => {
  const inCrew = sourcesIn('src/crew');
  const up = inCrew.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith('src/crew/') && depthOf(target) < depthOf(path))
      .map(({ target }) => `${path} -> ${target}`),
  );
  expect(up).toEqual([]);
});

it('in the crew, no room asks for the verbs of another: they are for whoever stands above all rooms', () => {
  const askers = sourcesIn('src/crew').flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => /^src\/crew\/.*\/verbs\.ts$/.test(target) && !above.includes(partOf(path)))
      .map(({ target }) => `${path} imports ${target}: what both use belongs in a file below them`),
  );
  expect(askers).toEqual([]);
});

/** Files of messages/ and screen/ that decide and do nothing. */
const pure = ['src/crew/screen/dialog-choice.ts'];

it('nothing in queries reaches messages or screen by value, whatever lies between', () => {
  const files = new Map(sourcesIn('src/crew').map(({ path, imports }) => [path, imports]));
  const offences: string[] = [];
  const seen = new Set<string>();
  const follow = (path: string, way: readonly string[]): void => {
    if (seen.has(path) || pure.includes(path)) return;
    seen.add(path);
    if (/^src\/crew\/(messages|screen)\//.test(path)) {
      offences.push([...way, path].join(' -> '));
      return;
    }
    for (const { target, typeOnly } of files.get(path) ?? []) if (!typeOnly) follow(target, [...way, path]);
  };
  for (const path of files.keys()) if (path.startsWith('src/crew/queries/')) follow(path, []);
  expect(offences).toEqual([]);
});

/** The rooms of worktree/, floor by floor: each uses itself and those below it. */
const gitFloors: readonly (readonly string[])[] = [
  ['removal'],
  ['landing', 'salvage'],
  ['making', 'proposing', 'state', 'objects'],
  ['git'],
];

it('in worktree, a room uses only those below it', () => {
  const roomIn = (path: string): string => /^src\/worktree\/([\w-]+)\//.exec(path)?.[1] ?? path;
  const floorOf = (room: string): number => gitFloors.findIndex((floor) => floor.includes(room));
  const inWorktree = sourcesIn('src/worktree');
  expect(
    inWorktree.flatMap(({ path }) => (floorOf(roomIn(path)) < 0 ? [`${path} lies in no room of worktree/`] : [])),
  ).toEqual([]);
  const up = inWorktree.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith('src/worktree/') && roomIn(target) !== roomIn(path))
      .filter(({ target }) => floorOf(roomIn(target)) <= floorOf(roomIn(path)))
      .map(
        ({ target }) =>
          `${path} imports ${target}: removal > landing, salvage > making, proposing, state, objects > git`,
      ),
  );
  expect(up).toEqual([]);
});

it('in work, what decides knows nothing of what acts, and the loop nothing of who asks', () => {
  const floors = ['judge', 'drive', 'verbs'];
  const floorIn = (path: string): number => floors.indexOf(/^src\/work\/(\w+)\//.exec(path)?.[1] ?? '');
  const inWork = sourcesIn('src/work').filter(({ path }) => floorIn(path) >= 0);
  const up = inWork.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => floorIn(target) > floorIn(path))
      .map(({ target }) => `${path} imports ${target}: verbs > drive > judge`),
  );
  const impure = inWork
    .filter(({ path }) => floorIn(path) === 0)
    .flatMap(({ path, imports }) =>
      imports
        .filter(
          ({ target, typeOnly, own }) => own && !typeOnly && !/^src\/(work\/judge|model|draw|wire)\//.test(target),
        )
        .map(({ target }) => `${path} imports ${target}: judge/ is pure; it reads facts and returns steps and words`),
    );
  expect([...up, ...impure]).toEqual([]);
});
