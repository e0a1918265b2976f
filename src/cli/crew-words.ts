// The rows of the table of words that are about workers.
import { type Given, json, plainFlag, screenMissing, twoForms, type Word, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const force = { type: 'boolean', help: 'also one that works; work that is not merged is saved first' } as const;

const act = async (order: import('./act.ts').CommandAct, world: CommandWorld) =>
  (await import('./act.ts')).act(order, world);

const find = async (ref: string, world: CommandWorld) => (await import('./roster.ts')).workerNamed(ref, world);

/** Beside what may be read by a program. */
async function sayAbsence(world: CommandWorld): Promise<void> {
  const [{ absenceWords, absentSince }, { systemClock }] = await Promise.all([
    import('./absence.ts'),
    import('../system/clock.ts'),
  ]);
  const since = await absentSince(world);
  if (since !== undefined) world.complain(`${absenceWords(since, systemClock.now())}\n`);
}

export const crewWords: readonly Word[] = [
  word({
    name: 'status',
    aliases: ['list'],
    summary: 'show the workers (who needs somebody comes first), then plans and tasks',
    flags: { json, watch: { type: 'boolean', help: 'go on, on the whole terminal; q ends' }, plain: plainFlag },
    run: status,
  }),
  word({
    name: 'board',
    summary: 'show the crew with a cursor, and a key for each of these words; ? lists the keys, q ends',
    flags: { plain: { type: 'boolean', help: 'print it once, in lines without columns' } },
    run: ({ has }, world) => board(has('plain'), world),
  }),
  word({
    name: 'usage',
    summary: 'show what workers have used: tokens first, money second',
    flags: { json, by: { type: 'string', value: 'group', help: 'day, role, plan or worker; worker unless given' } },
    async run({ has, text }, world) {
      const { groupNamed, groupWords, readUsage, usageJson, usageText } = await import('./usage.ts');
      const by = groupNamed(text('by') ?? 'worker');
      if (by === undefined) return world.complain(groupWords(text('by') ?? ''));
      const crew = await world.look();
      const rows = await readUsage(crew, by).finally(() => crew.dispose());
      return world.write(has('json') ? usageJson(rows) : usageText(rows, by));
    },
  }),
  word({
    name: 'attach',
    summary: "open a worker's pane in tmux, or the crew; C-b d leaves",
    positionals: ['[worker]'],
    flags: {
      'read-only': { type: 'boolean', help: 'look, and type nothing' },
      restart: { type: 'boolean', help: 'start the worker again first where it has ended' },
    },
    async run({ positionals: [worker], has }, world) {
      if (has('restart')) {
        if (worker === undefined) return world.complain('crewmux attach: --restart takes a worker.\n');
        const { restartEnded } = await import('./restart.ts');
        const code = await restartEnded(worker, world);
        if (code !== undefined) return code;
      }
      const { attach } = await import('./attach.ts');
      return attach({ ...(worker === undefined ? {} : { worker }), readOnly: has('read-only') }, world);
    },
  }),
  word({
    name: 'logs',
    summary: "print a worker's conversation",
    isForeign: true,
    positionals: ['<worker>'],
    flags: {
      follow: { type: 'boolean', short: 'f', help: 'go on as it goes on, until the worker ends' },
      messages: { type: 'string', short: 'n', value: 'count', help: 'the last so many messages; 20 unless given' },
    },
    async run({ positionals: [ref = ''], has, text }, world) {
      const messages = Number(text('messages') ?? 20);
      if (!Number.isInteger(messages) || messages < 1 || messages > 500)
        return world.complain(`crewmux logs: --messages takes a number from 1 to 500, and got ${text('messages')}.\n`);
      const [{ logs }, worker] = await Promise.all([import('./logs.ts'), find(ref, world)]);
      await sayAbsence(world);
      return logs({ worker, messages, follows: has('follow') }, world);
    },
  }),
  word({
    name: 'answer',
    summary: 'show what waits for somebody, and answer with one key each; without a terminal only show',
    flags: { plain: plainFlag },
    run: async ({ has }, world) => (await import('./answer.ts')).answer(world, { isPlain: has('plain') }),
  }),
  word({
    name: 'message',
    summary: 'type a message into a worker, and print its verdict',
    positionals: ['<worker>', '<text…>'],
    flags: { keep: { type: 'boolean', help: 'let crewmux keep it, and type it once nothing is in the way' } },
    isVerbatim: true,
    run: ({ positionals: [worker = '', ...text], has }, world) =>
      act(
        {
          tool: 'message_workers',
          workers: [worker],
          argsFor: (workers) => ({ session_ids: workers, message: text.join(' '), keep: has('keep') }),
        },
        world,
      ),
  }),
  word({
    name: 'diff',
    summary: 'print what a worker has changed since its base, committed or not',
    isForeign: true,
    positionals: ['<worker>'],
    flags: { stat: { type: 'boolean', help: 'files and counts alone' } },
    async run({ positionals: [ref = ''], has }, world) {
      const [{ diffWords }, { paintsFor }, worker] = await Promise.all([
        import('./diff.ts'),
        import('./paint.ts'),
        find(ref, world),
      ]);
      const crew = await world.look();
      const order = { worker: worker.id, stat: has('stat'), maxChars: Number.MAX_SAFE_INTEGER };
      const diff = await crew.diff(order).finally(() => crew.dispose());
      const isTerminal = world.columns !== undefined;
      await sayAbsence(world);
      return world.write(diffWords(diff, { paints: paintsFor(world), isTerminal }));
    },
  }),
  word({
    name: 'merge',
    summary: "merge a worker's branch into the one it was begun from",
    positionals: ['<worker>'],
    flags: {
      into: { type: 'string', value: 'branch', help: 'another local branch' },
      'dry-run': { type: 'boolean', help: 'do all but move the branch' },
      test: { type: 'string', value: 'command', help: "run this first; found from the project's files unless given" },
      'send-back': { type: 'boolean', help: 'where it conflicts: have the worker solve that' },
    },
    run: ({ positionals: [worker = ''], has, text }, world) =>
      act(
        {
          tool: 'merge_worker',
          workers: [worker],
          argsFor: ([one]) => ({
            session_id: one,
            dry_run: has('dry-run'),
            send_back: has('send-back'),
            into: text('into') ?? null,
            test_command: text('test') ?? null,
          }),
        },
        world,
      ),
  }),
  word({
    name: 'close',
    elsewhere: ['kill'],
    summary: 'end workers for good; branches are kept, and worktrees that hold work',
    positionals: ['[worker…]'],
    flags: {
      all: { type: 'boolean', help: 'every worker of this project; asks' },
      yes: { type: 'boolean', help: 'do not ask; --all needs it where there is no terminal' },
      force,
    },
    async run({ positionals, has }, world) {
      if (has('all') === positionals.length > 0)
        return world.complain('crewmux close: name workers, or pass --all alone.\n');
      const workers = has('all') ? await allHere(world) : positionals;
      if (workers.length === 0) return world.write('No workers here.\n');
      if (has('all') && !has('yes')) {
        if (world.ask === undefined) return world.complain('crewmux close: --all without a terminal needs --yes.\n');
        if (!(await world.ask(`Close ${workers.join(', ')}? [y/N] `))) return world.write('Nobody was closed.\n');
      }
      const argsFor = (session_ids: readonly string[]) => ({ session_ids, force: has('force') });
      return act({ tool: 'close_workers', workers, argsFor }, world);
    },
  }),
  word({
    name: 'adopt',
    summary: 'take an agent that runs in tmux into the crew, by its id of `crewmux sessions`',
    positionals: ['<session>'],
    async run({ positionals: [id = ''] }, world) {
      const { actHere } = await import('./act.ts');
      return actHere({ tool: 'adopt_worker', args: { agent_session_id: id } }, world);
    },
  }),
  word({
    name: 'restart',
    summary: 'start dead or closed workers again, each with its conversation',
    positionals: ['[worker…]'],
    flags: {
      all: { type: 'boolean', help: 'every dead worker of this project; prints the plan, and asks' },
      yes: { type: 'boolean', help: 'do not ask; --all needs it where there is no terminal' },
      'dry-run': { type: 'boolean', help: 'print who would come back and how, and start nobody' },
      fresh: { type: 'boolean', help: 'begin a new conversation with the last prompt' },
    },
    async run({ positionals, has }, world) {
      if (has('all') === positionals.length > 0)
        return world.complain('crewmux restart: name workers, or pass --all alone.\n');
      const { restart } = await import('./restart.ts');
      const workers = has('all') ? undefined : positionals;
      return restart({ workers, fresh: has('fresh'), dryRun: has('dry-run'), yes: has('yes') }, world);
    },
  }),
];

async function status(given: Given<'json' | 'watch' | 'plain'>, world: CommandWorld): Promise<number> {
  const two = twoForms(given, ['watch', 'json', 'plain']);
  if (two !== undefined) return world.complain(`crewmux status: ${two}`);
  if (given.has('watch')) return watch(world);
  const [{ readSummary, readCrew, statusText, plainStatus }, { paintsFor }, { systemClock }, { plainJson }, absence] =
    await Promise.all([
      import('./status.ts'),
      import('./paint.ts'),
      import('../system/clock.ts'),
      import('../model/plain-text.ts'),
      import('./absence.ts'),
    ]);
  const [crew, since] = await Promise.all([world.look(), absence.absentSince(world)]);
  if (given.has('json')) {
    const table = await readCrew(crew).finally(() => crew.dispose());
    return world.write(plainJson({ ...table, ...absence.absenceField(since) }));
  }
  const table = await readSummary(crew).finally(() => crew.dispose());
  const now = systemClock.now();
  const drawing = { now, width: world.columns ?? 200, paints: paintsFor(world) };
  const text = given.has('plain') ? plainStatus(table, now) : statusText(table, drawing);
  return world.write(text + absence.absenceLine(since, now));
}

async function watch(world: CommandWorld): Promise<number> {
  const { screen } = world;
  if (screen === undefined) return world.complain(`crewmux status: --watch ${screenMissing}`);
  const [{ watchStatus }, { systemClock }, { absentSince }] = await Promise.all([
    import('./watch.ts'),
    import('../system/clock.ts'),
    import('./absence.ts'),
  ]);
  const crew = await world.look();
  const watching = { ...world, screen, now: systemClock.now, absence: () => absentSince(world) };
  return watchStatus(crew, watching).finally(() => crew.dispose());
}

async function board(isPlain: boolean, world: CommandWorld): Promise<number> {
  const { screen, person } = world;
  if (!isPlain && (screen === undefined || person === undefined))
    return world.complain(`crewmux board ${screenMissing}`);
  const [{ board, boardOnce }, { systemClock: clock }, { absentSince }] = await Promise.all([
    import('./board.ts'),
    import('../system/clock.ts'),
    import('./absence.ts'),
  ]);
  const crew = await world.look();
  const seen = { ...world, clock, absence: () => absentSince(world) };
  const shown = screen && person && !isPlain ? board(crew, { ...seen, screen, person }) : boardOnce(crew, seen);
  return shown.finally(() => crew.dispose());
}

async function allHere(world: CommandWorld): Promise<readonly string[]> {
  const { recordsOf, shortest, workersHere } = await import('./roster.ts');
  const [here, all] = await Promise.all([workersHere(world), recordsOf(world)]);
  return here.map((record) => shortest(record, all));
}
