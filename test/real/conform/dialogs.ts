// Situations in which someone is needed, and those in which nobody is there any more.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Fields } from '../../support/mcp.ts';
import { answer, needOf } from '../asking.ts';
import type { RealCrew } from '../crew.ts';
import { attachPerson } from '../person.ts';
import { requestsOf } from './deliver.ts';
import { now } from './facts.ts';
import { idle, type Situation, streaming, thinking } from './situation.ts';
import type { Stage } from './stage.ts';

const anything = z.looseObject({});
const completed = { ended: 'completed' };
const interrupted = { ended: 'interrupted' };

async function permission(stage: Stage): Promise<void> {
  await willAsk(stage);
  const cause = stage.release('think');
  await stage.is('waiting: permission', stage.sees(stage.subject.sees.permission), { cause });
}

const people = new WeakMap<RealCrew, { readonly repo: string; last: Promise<unknown> }>();

/** A person looks at all workers of a repository: theirs are in one that is nobody else's, and play in turn. */
function withPerson(stage: Stage, play: (repo: string) => Promise<void>): Promise<void> {
  const { home } = stage.crew;
  const seat = people.get(stage.crew) ?? { repo: home.repo(home.spareName()), last: Promise.resolve() };
  const played = seat.last.then(() => play(seat.repo));
  people.set(stage.crew, { ...seat, last: played.catch(() => undefined) });
  return played;
}

/** The dialog is the person's who sits at the pane; nothing is typed into it. */
async function permissionAtThePane(stage: Stage, project_path: string): Promise<{ leave(): void }> {
  await willAsk(stage, { project_path });
  const person = await attachPerson(stage.crew, stage.worker);
  const cause = stage.release('think');
  await stage.is('waiting: permission', stage.sees(stage.subject.sees.dialog), { cause });
  const { attention } = await stage.crew.wait([stage.worker.session_id], { on_attention: 'any' });
  expect(attention).toMatchObject([{ session_id: stage.worker.session_id, waiting_for: 'permission' }]);
  const steered = await stage.crew.message(stage.worker, 'SAY not now', { delivery: 'steer' });
  expect(steered).toMatchObject({ success: false, verdict: 'held' });
  expect(stage.crew.screen(stage.worker)).not.toContain('not now');
  return person;
}

const hasHeardOfIt = ({ crew, worker }: Stage): boolean =>
  requestsOf(crew, worker).some(({ texts }) => texts.some((text) => text.includes('not now')));

const willAsk = (stage: Stage, config: Fields = {}): Promise<void> =>
  thinking(stage, `${stage.subject.asks(stage.untilGo)}\nSAY done`, { skip_permissions: false, ...config });

const panePid = ({ crew, worker }: Stage): number =>
  Number(crew.home.sandbox.tmux('display-message', '-p', '-t', (worker.terminal_id ?? '').slice(5), '#{pane_pid}'));

function kill(stage: Stage) {
  const pid = panePid(stage);
  const cause = now();
  process.kill(pid, 'SIGKILL');
  return { cause, fact: stage.gone(pid) };
}

export const dialogs: readonly Situation[] = [
  {
    name: 'asks for permission, which its person gives',
    play: (stage) =>
      withPerson(stage, async (repo) => {
        const person = await permissionAtThePane(stage, repo);
        try {
          const cause = await stage.answers(stage.subject.sees.dialog, stage.subject.allow);
          await stage.is('working: tool', stage.began(), { cause });
          stage.go();
          await stage.is('idle', stage.answered(stage.mark), completed);
          expect(hasHeardOfIt(stage)).toBe(false);
        } finally {
          person.leave();
        }
      }),
  },
  {
    name: 'asks for permission, which its person refuses',
    play: (stage) =>
      withPerson(stage, async (repo) => {
        const person = await permissionAtThePane(stage, repo);
        try {
          const cause = await stage.answers(stage.subject.sees.dialog, 'Escape');
          await stage.is('idle', stage.seesNot(stage.subject.sees.dialog), { cause, ...interrupted });
          await stage.hears('SAY go on');
          expect(existsSync(join(stage.worker.project_path, `began${stage.mark}`))).toBe(false);
        } finally {
          person.leave();
        }
      }),
  },
  {
    name: 'asks for permission, which its manager gives',
    async play(stage) {
      await permission(stage);
      const cause = now();
      const answered = answer(stage.crew, await needOf(stage.crew, stage.worker));
      await stage.is('working: tool', stage.began(), { cause });
      await answered;
      stage.go();
      await stage.is('idle', stage.answered(stage.mark), completed);
    },
  },
  {
    name: 'asks for permission, which its manager refuses',
    async play(stage) {
      await permission(stage);
      const cause = now();
      await answer(stage.crew, await needOf(stage.crew, stage.worker), { decision: 'deny', message: 'Not now.' });
      await stage.is('idle', stage.answered(stage.mark), { cause, ...completed });
    },
  },
  {
    name: 'asks to write a file, which its manager refuses',
    async play(stage) {
      const { directive, permission_mode, words } = stage.subject.asksToWrite;
      await thinking(stage, `${directive}\nSAY done`, { skip_permissions: false, permission_mode });
      const cause = stage.release('think');
      await stage.is('waiting: permission', stage.sees(words), { cause });
      const refusal = now();
      await answer(stage.crew, await needOf(stage.crew, stage.worker), { decision: 'deny', message: 'Not now.' });
      await stage.is('idle', stage.answered(stage.mark), { cause: refusal, ...completed });
    },
  },
  {
    name: 'asks a question, which its person answers',
    async play(stage) {
      await thinking(stage, 'ASK Which colour?|Red|Blue\nSAY thanks', { skip_permissions: false });
      const cause = stage.release('think');
      await stage.is('waiting: question', stage.sees(/Enter to select/), { cause });
      const choice = await stage.answers(/Enter to select/, 'Enter');
      await stage.is('idle', stage.answered(stage.mark), { cause: choice, ...completed });
    },
  },
  {
    name: 'has a plan, which its person refuses',
    async play(stage) {
      const config = { skip_permissions: false, permission_mode: 'plan' };
      await thinking(stage, 'PLAN # The plan\\n1. do it\nSAY planned', config);
      const cause = stage.release('think');
      const dialog = /Exit plan mode\?|Would you like to proceed/;
      await stage.is('waiting: plan_approval', stage.sees(dialog), { cause });
      const refusal = await stage.answers(dialog, 'Escape');
      await stage.is('idle', stage.seesNot(/Exit plan mode\?/), { cause: refusal, ...interrupted });
    },
  },
  {
    name: 'has a panel of its own open',
    async play(stage) {
      await idle(stage);
      const cause = now();
      const sent = stage.crew.message(stage.worker, stage.subject.panel.command, { as_command: true });
      await stage.is('waiting: dialog', stage.sees(stage.subject.panel.words), { cause });
      await sent;
      const close = await stage.answers(stage.subject.panel.words, 'Escape');
      await stage.is('idle', stage.seesNot(stage.subject.panel.words), { cause: close });
    },
  },
  {
    name: 'is killed while it answers',
    async play(stage) {
      await streaming(stage);
      const { cause, fact } = kill(stage);
      await stage.is('dead', fact, { cause });
    },
  },
  {
    name: 'is killed while it is idle',
    async play(stage) {
      await idle(stage);
      const { cause, fact } = kill(stage);
      await stage.is('dead', fact, { cause });
    },
  },
  {
    name: 'is closed',
    async play(stage) {
      await idle(stage);
      const pid = panePid(stage);
      const cause = now();
      const closing = stage.crew.call('close_workers', anything, { session_ids: [stage.worker.session_id] });
      await stage.is('closed', stage.gone(pid), { cause });
      await closing;
    },
  },
];
