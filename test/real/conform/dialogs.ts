// Situations in which someone is needed, and those in which nobody is there any more.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Fields } from '../../support/mcp.ts';
import { answer, needOf } from '../asking.ts';
import { attachPerson } from '../person.ts';
import { idle, type Situation, streaming, thinking } from './situation.ts';
import { now, type Stage } from './stage.ts';
import { untilGo } from './stage-home.ts';

const anything = z.looseObject({});
const completed = { ended: 'completed' };
const interrupted = { ended: 'interrupted' };

async function permission(stage: Stage): Promise<void> {
  await willAsk(stage);
  const cause = stage.release('think');
  await stage.is('waiting: permission', stage.sees(stage.subject.sees.permission), { cause });
}

/** The dialog is the person's who sits at the pane; in a repository of its own, since they look at the whole crew. */
async function permissionAtThePane(stage: Stage): Promise<{ leave(): void }> {
  const { home } = stage.crew;
  await willAsk(stage, { project_path: home.repo(home.spareName()) });
  const person = await attachPerson(stage.crew, stage.worker);
  const cause = stage.release('think');
  await stage.is('waiting: permission', stage.sees(stage.subject.sees.dialog), { cause });
  return person;
}

const willAsk = (stage: Stage, config: Fields = {}): Promise<void> =>
  thinking(stage, `${stage.subject.asks(untilGo())}\nSAY done`, { skip_permissions: false, ...config });

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
    async play(stage) {
      const person = await permissionAtThePane(stage);
      try {
        const cause = stage.press(stage.subject.allow);
        await stage.is('working: tool', stage.finds('began'), { cause });
        writeFileSync(join(stage.worker.project_path, 'go'), '');
        await stage.is('idle', stage.answered(stage.mark), completed);
      } finally {
        person.leave();
      }
    },
  },
  {
    name: 'asks for permission, which its person refuses',
    async play(stage) {
      const person = await permissionAtThePane(stage);
      try {
        const cause = stage.press('Escape');
        await stage.is('idle', stage.seesNot(stage.subject.sees.dialog), { cause, ...interrupted });
      } finally {
        person.leave();
      }
    },
  },
  {
    name: 'asks for permission, which its manager gives',
    async play(stage) {
      await permission(stage);
      const cause = now();
      const answered = answer(stage.crew, await needOf(stage.crew, stage.worker));
      await stage.is('working: tool', stage.finds('began'), { cause });
      await answered;
      writeFileSync(join(stage.worker.project_path, 'go'), '');
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
      const choice = stage.press('Enter');
      await stage.is('idle', stage.answered(stage.mark), { cause: choice, ...completed });
    },
  },
  {
    name: 'has a plan, which its person refuses',
    async play(stage) {
      const config = { skip_permissions: false, permission_mode: 'plan' };
      await thinking(stage, 'PLAN # The plan\\n1. do it\nSAY planned', config);
      const cause = stage.release('think');
      await stage.is('waiting: plan_approval', stage.sees(/Exit plan mode\?|Would you like to proceed/), { cause });
      const refusal = stage.press('Escape');
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
      const close = stage.press('Escape');
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
