// The rows of the table of words that are about schedules.
import { defined } from '../model/defined.ts';
import { plainJson } from '../model/plain-text.ts';
import { titleOf } from './task-words.ts';
import { inFiles, json, type WordGroup, word } from './word.ts';
import type { CommandWorld } from './world.ts';

const list = (name: string) =>
  word({
    name,
    summary: 'show the schedules of this project, with their next and last runs',
    flags: { json },
    async run({ has }, world) {
      const [{ scheduleLines }, { outward }, { scheduleTaskOutput }, crew] = await Promise.all([
        import('./schedule-text.ts'),
        import('../wire/spoken.ts'),
        import('../wire/schedules.ts'),
        world.look(),
      ]);
      const found = outward(scheduleTaskOutput, await crew.jobs.schedules().finally(() => crew.dispose()));
      return world.write(has('json') ? plainJson(found) : `${scheduleLines(found).join('\n')}\n`);
    },
  });

const order = (args: Readonly<Record<string, unknown>>, world: CommandWorld) => inFiles('schedule_task', args, world);

const about = (action: 'remove' | 'enable' | 'disable', summary: string) =>
  word({
    name: action,
    summary,
    positionals: ['<id>'],
    run: ({ positionals: [id = ''] }, world) => order({ action, id }, world),
  });

export const scheduleWords: WordGroup = {
  name: 'schedule',
  summary: 'show what is entered again and again; add, remove, enable or disable it',
  otherwise: list('schedule'),
  words: [
    list('list'),
    word({
      name: 'add',
      summary: 'enter a task by cron, as in: add "30 2 * * 1-5" "Update the packages."',
      positionals: ['<cron>', '<prompt…>'],
      flags: {
        title: {
          type: 'string',
          value: 'text',
          help: 'a few words for lists; the first line of the prompt unless given',
        },
        timezone: { type: 'string', value: 'zone', help: "such as Europe/Berlin; the machine's unless given" },
        check: { type: 'string', value: 'command', help: 'enter it only where this exits with 0' },
        role: { type: 'string', value: 'name', help: 'of its worker' },
        'on-complete': { type: 'string', value: 'what', help: 'merge or pr; else its work stays on its branch' },
        template: { type: 'string', value: 'name', help: 'a plan by this template instead; the prompt is its goal' },
      },
      run({ positionals: [cron = '', ...words], text }, world) {
        const prompt = words.join(' ');
        const [timezone, check, role, template] = [text('timezone'), text('check'), text('role'), text('template')];
        const on_complete = text('on-complete');
        const title = text('title') ?? titleOf(prompt);
        const entered =
          template === undefined
            ? { task: { title, prompt, ...defined({ role, on_complete }) } }
            : { plan: { template, goal: prompt, ...defined({ name: text('title'), on_complete }) } };
        return order({ action: 'add', cron, ...entered, ...defined({ timezone, check }) }, world);
      },
    }),
    about('remove', 'remove a schedule; what it has entered goes on'),
    about('enable', 'let a schedule go on, from its next time'),
    about('disable', 'keep a schedule, and let it rest'),
  ],
};
