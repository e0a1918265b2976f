import { describe, expect, it } from 'vitest';
import {
  type Ended,
  type HowAsked,
  type PlannedRestart,
  plannedRestart,
} from '../../../src/crew/lifecycle/restart-plan.ts';

const ended: Ended = {
  id: 'a1',
  name: 'ada',
  agentType: 'claude',
  lives: false,
  folder: { path: '/tree', is: 'there' },
  conversation: { is: 'there', id: 'c1', path: '/c1.jsonl' },
  prompt: 'Write the parser.',
  stopped: undefined,
};
const gone: Ended['conversation'] = { is: 'gone', id: 'c1' };
const swept: HowAsked = { fresh: false, isNamed: false };
const named: HowAsked = { fresh: false, isNamed: true };
const freshly: HowAsked = { fresh: true, isNamed: true };

describe('a worker', () => {
  it.each<[what: string, Partial<Ended>, HowAsked, PlannedRestart['action'], reason: string | RegExp]>([
    ['that has its conversation goes on in it', {}, swept, 'restart', 'its conversation c1 goes on in /tree'],
    [
      'whose folder is gone goes on where its branch brings it back',
      { folder: { path: '/tree', is: 'branch' } },
      swept,
      'restart',
      'its conversation c1 goes on in /tree, made again from its branch',
    ],
    [
      'whose folder is gone for good stays',
      { folder: { path: '/tree', is: 'gone' } },
      freshly,
      'leave',
      /gone: \/tree$/,
    ],
    [
      'of which nobody can tell whether it lives stays',
      { lives: true, unseen: 'no list' },
      named,
      'leave',
      'nobody can tell whether it lives: no list',
    ],
    ['that is alive stays', { lives: true }, freshly, 'leave', 'it is alive'],
    ['whose conversation is gone stays', { conversation: gone }, named, 'leave', /c1 is gone/],
    [
      'whose conversation is gone begins anew for whoever sends it a message next',
      { conversation: gone },
      { ...named, orAnew: true },
      'fresh',
      /c1 is gone: .*, so it begins a new one in \/tree$/,
    ],
    [
      'whose conversation is gone begins anew where somebody asks for that',
      { conversation: gone },
      freshly,
      'fresh',
      'it begins a new conversation in /tree; its last prompt is "Write the parser."',
    ],
    [
      'of which no prompt is known begins anew all the same',
      { prompt: undefined },
      freshly,
      'fresh',
      /no prompt of its own is known$/,
    ],
    ['begins anew beside a conversation that is there', {}, freshly, 'fresh', /^it begins a new conversation/],
    [
      'that nobody has asked anything begins its first conversation',
      { conversation: { is: 'unbegun' } },
      swept,
      'fresh',
      'it had no conversation yet, and begins one in /tree',
    ],
    [
      'of an agent that writes nothing down goes on by its own words for that',
      { agentType: 'aider', conversation: { is: 'unwritten', resumes: true } },
      swept,
      'restart',
      'aider goes on with its last conversation in /tree',
    ],
    [
      'of an agent without such words begins a new one',
      { agentType: 'aider', conversation: { is: 'unwritten', resumes: false } },
      swept,
      'fresh',
      /aider has no resume_args/,
    ],
    ['that failed too often stays', { stopped: 'it failed 3 times' }, swept, 'leave', 'it failed 3 times'],
    ['that failed too often is tried when it is named', { stopped: 'it failed 3 times' }, named, 'restart', /goes on/],
  ])('%s', (_, one, asked, action, reason) => {
    const planned = plannedRestart({ ...ended, ...one }, asked);
    expect(planned).toMatchObject({ id: 'a1', name: 'ada', action });
    expect(planned.reason).toMatch(reason);
  });

  it('that stays for want of something is offered with the call that brings it back', () => {
    const hint = (one: Partial<Ended>) => plannedRestart({ ...ended, ...one }, swept).hint;
    expect([hint({ conversation: gone }), hint({ stopped: 'it failed' }), hint({ lives: true })]).toEqual([
      'restart_workers {"session_ids":["a1"],"fresh":true} begins a new one with its last prompt.',
      'restart_workers {"session_ids":["a1"]} tries again.',
      undefined,
    ]);
  });

  it('is named with the beginning of a long prompt alone', () => {
    const { reason } = plannedRestart({ ...ended, prompt: `${'word '.repeat(100)}\nend` }, freshly);
    expect(reason.length).toBeLessThan(150);
    expect(reason).toMatch(/…"$/);
  });
});
