// The rows of the table of words that are about tasks.
import { defined } from '../model/defined.ts';
import { oneLine, plain, plainJson } from '../model/plain-text.ts';
import { taskStates } from '../model/task-progress.ts';
import type { ListTasksResult } from '../wire/tasks.ts';
import { personsHint } from './persons-call.ts';
import { json, type WordGroup, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const taskWord = '<task>';
const titleLength = 80;

/** A few words for lists. Pure. */
export const titleOf = (prompt: string): string => prompt.trim().split('\n')[0]?.slice(0, titleLength) ?? '';

const list = (name: string) =>
  word({
    name,
    summary: 'show the tasks and jobs of this project, those that have not ended first',
    flags: { state: { type: 'string', value: 'state', help: 'only those in it, as in: queued' }, json },
    async run({ text, has }, world) {
      const asked = text('state');
      const state = taskStates.find((one) => one === asked);
      if (asked !== undefined && state === undefined)
        return world.complain(`crewmux task list: --state is one of ${taskStates.join(', ')}, and not ${asked}.\n`);
      const crew = await world.look();
      const found = await crew.jobs.list(defined({ state })).finally(() => crew.dispose());
      if (!has('json')) return world.write(tasksText(found));
      const [{ outward }, { listTasksOutput }] = await Promise.all([
        import('../wire/spoken.ts'),
        import('../wire/tasks.ts'),
      ]);
      return world.write(plainJson(outward(listTasksOutput, found)));
    },
  });

/** A line each. Pure. */
export function tasksText({ tasks }: Pick<ListTasksResult, 'tasks'>): string {
  const lines = tasks.map(({ taskId, title, name = title, state, kind, worker, held, reason }) => {
    const by = worker === undefined ? '' : ` (${worker.name})`;
    const how = held === true ? 'not started yet' : state;
    const why = reason === undefined ? '' : `: ${personsHint(oneLine(reason))}`;
    return plain(`${kind} ${taskId} ${oneLine(name ?? '')}: ${how}${by}${why}`);
  });
  return `${lines.length === 0 ? 'No tasks here.' : lines.join('\n')}\n`;
}

const alone = 'No server is at work for this project: this goes on once `crewmux keep` or a client starts one.\n';

/** Writes it into the book of tasks, by the living server or by us, and says so where nobody drives the book. */
export async function enterWork(
  tool: string,
  args: Readonly<Record<string, unknown>>,
  world: CommandWorld,
): Promise<number> {
  const [{ actHere }, { serversHere }] = await Promise.all([import('./act.ts'), import('./servers.ts')]);
  const code = await actHere({ tool, args }, world);
  if (code === 0 && (await serversHere(world)).length === 0) world.complain(alone);
  return code;
}

const about = (action: 'start' | 'cancel', summary: string) =>
  word({
    name: action,
    summary,
    positionals: [taskWord],
    async run({ positionals: [asked = ''] }, world) {
      const { jobBegun } = await import('./jobs-begun.ts');
      return enterWork('update_task', { task_id: await jobBegun('task', asked, world), action }, world);
    },
  });

export const taskWords: WordGroup = {
  name: 'task',
  summary: 'show the tasks of this project; submit, start or cancel one',
  otherwise: list('task'),
  words: [
    word({
      name: 'submit',
      summary: 'queue a task, as in: submit "Fix the cart." --on-complete merge',
      positionals: ['<prompt…>'],
      flags: {
        title: { type: 'string', value: 'text', help: 'a few words; the first line of the prompt unless given' },
        agent: { type: 'string', value: 'agent', help: 'claude, codex, a configured one, or any' },
        role: { type: 'string', value: 'name', help: 'of its worker' },
        base: { type: 'string', value: 'branch', help: 'branch, commit or tag to start from; HEAD unless given' },
        'on-complete': { type: 'string', value: 'what', help: 'merge or pr; else its work stays on its branch' },
        test: { type: 'string', value: 'command', help: 'must pass before it lands' },
        hold: { type: 'boolean', help: 'let it wait for `crewmux task start`' },
      },
      async run({ positionals, has, text }, world) {
        const { resolveProject } = await import('../settings/paths.ts');
        const [prompt, project_path] = [positionals.join(' '), resolveProject('auto', world)];
        const [agent_type, role, base, test_command] = [text('agent'), text('role'), text('base'), text('test')];
        const asked = defined({ agent_type, role, base, on_complete: text('on-complete'), test_command });
        const title = text('title') ?? titleOf(prompt);
        return enterWork('submit_task', { title, prompt, project_path, start: !has('hold'), ...asked }, world);
      },
    }),
    list('list'),
    about('start', 'let a task begin that was held'),
    about('cancel', 'end a task: its turn is interrupted, and its branch stays'),
  ],
};
