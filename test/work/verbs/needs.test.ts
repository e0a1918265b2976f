// What a wait asks somebody for.
import { expect, it } from 'vitest';
import type { Work } from '../../../src/crew/api.ts';
import { needsOf } from '../../../src/work/verbs/wait.ts';
import type { TaskGiven } from '../../support/tasks.ts';
import { bookOf, ended, need, task, work, worker } from '../parts.ts';

const asks: readonly [string, TaskGiven, Partial<Work>, readonly string[]][] = [
  ['what its worker asks', { state: 'running' }, { status: 'waiting', attention: [need()] }, ['ada asks permission']],
  ['nothing while it is at work', { state: 'running' }, { status: 'working' }, []],
  [
    'a word where it was interrupted',
    { state: 'waiting', reason: 'interrupted' },
    { turn: ended('interrupted') },
    ['t stands still'],
  ],
  [
    'a word where it is blocked, also of the worker of another server',
    { state: 'waiting', reason: 'ada reports that it is blocked: no key' },
    { turn: ended(), alarm: { status: 'blocked', message: 'no key', at: 15 }, isOthers: true },
    ['t stands still'],
  ],
  ['nothing once it was answered', { state: 'waiting', reason: 'ada asks' }, { status: 'waiting' }, []],
  ['nothing once it was written to', { state: 'waiting', reason: 'ada asks' }, { status: 'working' }, []],
  ['nothing once its work is over', { state: 'waiting', reason: 'ada asks' }, { turn: ended() }, []],
  [
    'nothing once its agent has ended, which its driver sees to',
    { state: 'running' },
    { status: 'dead', isIdle: false, attention: [need()] },
    [],
  ],
  ['nothing after its end', { state: 'done' }, { attention: [need()] }, []],
];

it.each(asks)('asks for %s', (_title, given, seen, titles) => {
  const one = task({ worker, ...given });
  const needs = needsOf({ book: bookOf([one]), task: one, works: new Map([['w', work(seen)]]) });
  expect(needs.map(({ title }) => title)).toEqual(titles);
});
