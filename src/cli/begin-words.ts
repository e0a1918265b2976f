// The rows of the table of words that begin something, and wait for it.
import { defined } from '../model/defined.ts';
import { enterWork } from './task-words.ts';
import { type Word, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const agent = { type: 'string', value: 'agent', help: 'claude, codex or a configured one' } as const;
const role = { type: 'string', value: 'name', help: 'of its worker' } as const;
const base = {
  type: 'string',
  value: 'branch',
  help: 'branch, commit or tag to start from; HEAD unless given',
} as const;

const projectHere = async (world: CommandWorld) => (await import('../settings/paths.ts')).resolveProject('auto', world);

const mostSeconds = 86_400;

export const beginWords: readonly Word[] = [
  word({
    name: 'spawn',
    summary: 'start a worker on a task, as in: spawn "Fix the cart." --name Ada',
    positionals: ['<prompt…>'],
    flags: {
      agent,
      name: { type: 'string', value: 'name', help: 'of the worker, or of the plan; a free one unless given' },
      base,
      role,
      template: { type: 'string', value: 'name', help: 'begin a plan by this template instead; the task is its goal' },
    },
    async run({ positionals, text }, world) {
      const [prompt, project_path] = [positionals.join(' '), await projectHere(world)];
      const [name, agent_type, asked, from] = [text('name'), text('agent'), text('role'), text('base')];
      const template = text('template');
      if (template === undefined) {
        const worktree = from === undefined ? undefined : { base: from };
        const worker = { project_path, prompt, ...defined({ name, agent_type, role: asked, worktree }) };
        return (await import('./act.ts')).actByServer({ tool: 'spawn_workers', args: { workers: [worker] } }, world);
      }
      if (agent_type !== undefined || asked !== undefined)
        return world.complain(
          'crewmux spawn: --template says the agents and roles of its jobs; leave --agent and --role out.\n',
        );
      const args = { project_path, template, goal: prompt, ...defined({ name, base: from }) };
      return enterWork('create_plan', args, world);
    },
  }),
  word({
    name: 'wait',
    summary: 'wait until workers are idle, all of this project unless named; exit 1 for any other end',
    positionals: ['[worker…]'],
    flags: { timeout: { type: 'string', value: 'seconds', help: 'at most; 600 unless given' } },
    async run({ positionals, text }, world) {
      const seconds = Number(text('timeout') ?? 600);
      if (!(seconds >= 0 && seconds <= mostSeconds))
        return world.complain(
          `crewmux wait: --timeout takes seconds up to ${mostSeconds}, and got ${text('timeout')}.\n`,
        );
      const [{ wait }, { workerNamed, workersHere }] = await Promise.all([import('./wait.ts'), import('./roster.ts')]);
      const here = (await workersHere(world)).filter(({ phase }) => phase !== 'dead');
      const named = await Promise.all(positionals.map((ref) => workerNamed(ref, world)));
      const meant = positionals.length === 0 ? here : named;
      if (meant.length === 0) return world.write('No workers here.\n');
      return wait({ workers: [...new Set(meant.map(({ id }) => id))], timeoutMs: seconds * 1_000 }, world);
    },
  }),
];
