// What is recorded: each case plays one conversation and photographs the screen on the way.
import type { Lab, StartOptions } from './lab.ts';
import { rest, type Specimen } from './specimen.ts';

export interface Scene {
  readonly lab: Lab;
  /** A stdio MCP server with a tool `echo`. */
  readonly server: string;
  /** Keeps the screen as it is now under a name. */
  readonly snap: (specimen: Specimen, name: string) => void;
}

export type Case = (scene: Scene) => Promise<Specimen>;

const played = async (lab: Lab, options: StartOptions): Promise<Specimen> => {
  const one = await lab.start(options);
  await one.turns(1);
  await one.ready();
  return one;
};

const streaming = async (lab: Lab): Promise<Specimen> => {
  const one = await lab.start({ prompt: 'SLEEP 20' });
  await one.shows(/tick tick/);
  return one;
};

const asked = async (lab: Lab, prompt: string): Promise<Specimen> => {
  const one = await lab.start({ prompt });
  await one.shows(/Press enter to confirm/);
  await rest(300);
  return one;
};

export const turnCases: Readonly<Record<string, Case>> = {
  async 'plain-turn'({ lab, snap }) {
    const one = await played(lab, { prompt: 'SAY hello there' });
    snap(one, 'idle');
    return one;
  },
  'tool-turn': ({ lab }) => played(lab, { prompt: 'BASH echo out; exit 3\nSAY done' }),
  'patch-turn': ({ lab }) => played(lab, { prompt: 'PATCH patched.txt|one line\nSAY done' }),
  async 'approval-allowed'({ lab, snap }) {
    const one = await asked(lab, 'ESCALATE touch allowed\nSAY done');
    snap(one, 'approval');
    one.press('y');
    await one.turns(1);
    return one;
  },
  async 'approval-denied'({ lab }) {
    const one = await asked(lab, 'ESCALATE touch denied\nSAY done');
    one.press('Escape');
    await one.turns(1);
    return one;
  },
  async 'patch-approval'({ lab, snap }) {
    const one = await lab.start({ prompt: 'PATCH plan.txt|one line\nSAY done', permissionMode: 'plan' });
    await one.shows(/Press enter to confirm/);
    await rest(300);
    snap(one, 'approval');
    one.press('Escape');
    await one.turns(1);
    return one;
  },
  async 'server-approval'({ lab, server, snap }) {
    const mcpServers = { fake: { type: 'stdio', command: process.execPath, args: [server] } };
    const one = await lab.start({ mcpServers });
    await one.ready();
    await rest(2_000);
    await one.send('TOOL mcp__fake/echo {"text":"hi"}\nSAY done');
    await one.shows(/enter to submit/);
    await rest(300);
    snap(one, 'approval');
    one.press('Enter');
    await one.turns(1);
    return one;
  },
  async interrupted({ lab, snap }) {
    const one = await streaming(lab);
    snap(one, 'streams');
    one.press('Escape');
    await one.turns(1);
    await one.shows(/Conversation interrupted/);
    snap(one, 'interrupted');
    return one;
  },
  async 'api-error'({ lab, snap }) {
    const one = await played(lab, { prompt: 'FAIL 400' });
    snap(one, 'error');
    return one;
  },
  async queued({ lab, snap }) {
    const one = await streaming(lab);
    await one.send(
      'SAY after it, in a line that is so long that the screen must break it, and with\nmore\nlines\nbelow',
      'queue',
    );
    await one.send('SAY last', 'queue');
    await one.shows(/↳ SAY last/);
    snap(one, 'queue');
    one.press('Escape');
    await one.turns(1);
    await one.shows(/› SAY after it/);
    snap(one, 'given-back');
    return one;
  },
  async 'queued-turn'({ lab }) {
    const one = await lab.start({ prompt: 'HOLD queue\nSAY first' });
    await one.writes(/"UserMessage"/);
    await one.send('SAY second', 'queue');
    await one.shows(/↳ SAY second/);
    lab.model.release('queue');
    await one.turns(2);
    return one;
  },
  async steered({ lab }) {
    const one = await streaming(lab);
    await one.send('SAY steered', 'steer');
    await one.turns(1);
    return one;
  },
  async 'steered-at-tool'({ lab, snap }) {
    const one = await lab.start({ prompt: 'BASH sleep 3\nSAY done' });
    await one.writes(/"function_call"/);
    await one.send('SAY besides', 'steer');
    await one.shows(/↳ SAY besides/);
    snap(one, 'held-up');
    await one.turns(1);
    return one;
  },
  async 'left-running'({ lab, snap }) {
    const one = await played(lab, { prompt: 'LEAVE sleep 3\nSAY done' });
    await one.shows(/background terminal running/);
    snap(one, 'runs');
    await one.writes(/"CommandExecution"/);
    return one;
  },
  async resumed({ lab }) {
    const agentSessionId = (await played(lab, { prompt: 'SAY before' })).agentSessionId();
    await lab.sweep();
    return played(lab, { prompt: 'SAY after', resume: { agentSessionId, fork: false } });
  },
  async forked({ lab }) {
    const agentSessionId = (await played(lab, { prompt: 'SAY before' })).agentSessionId();
    await lab.sweep();
    return played(lab, { prompt: 'SAY after', resume: { agentSessionId, fork: true } });
  },
  async compacted({ lab, snap }) {
    const one = await played(lab, { prompt: 'SAY before' });
    await one.send('/compact');
    await one.turns(2);
    snap(one, 'compacted');
    await one.send('SAY after');
    await one.turns(3);
    return one;
  },
  async cleared({ lab, snap }) {
    const one = await played(lab, { prompt: 'SAY before' });
    await one.send('/clear');
    await rest(1_000);
    snap(one, 'cleared');
    await one.send('SAY after');
    await one.writes(/SAY after/);
    await one.turns(1);
    return one;
  },
  async 'open-elsewhere'({ lab, snap }) {
    const agentSessionId = (await played(lab, { prompt: 'SAY before' })).agentSessionId();
    const other = await lab.start({ resume: { agentSessionId, fork: false } });
    await other.shows(/open in another/);
    await rest(400);
    snap(other, 'locked');
    return other;
  },
  async 'own-queue'({ lab, snap }) {
    const one = await played(lab, { prompt: 'SAY before' });
    await one.draft('half a thought');
    await lab.queue(one.agentSessionId(), 'SAY from the queue');
    await one.turns(2);
    snap(one, 'taken');
    return one;
  },
  async 'shell-command'({ lab, snap }) {
    const one = await played(lab, { prompt: 'SAY before' });
    await one.send('!sleep 1; echo by hand');
    await rest(500);
    snap(one, 'runs');
    await one.turns(2);
    return one;
  },
};
