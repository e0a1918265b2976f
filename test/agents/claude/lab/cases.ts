// What is recorded: each case plays one conversation and photographs the screen on the way.
import { join } from 'node:path';
import type { Lab } from './lab.ts';
import { rest, type Specimen } from './specimen.ts';

export interface Scene {
  readonly lab: Lab;
  /** Keeps the screen as it is now under a name. */
  readonly snap: (specimen: Specimen, name: string) => void;
}

type Case = (scene: Scene) => Promise<Specimen>;

const answered = async (lab: Lab): Promise<Specimen> => {
  const one = await lab.start({ prompt: 'SAY hello there' });
  await one.turns(1);
  await one.is('idle');
  return one;
};

const streaming = async (lab: Lab, seconds: number): Promise<Specimen> => {
  const one = await lab.start({ prompt: `SLEEP ${seconds}` });
  await one.is('busy');
  await rest(1_500);
  return one;
};

const ended = async (one: Specimen, turns: number): Promise<Specimen> => {
  await one.turns(turns);
  await one.is('idle');
  return one;
};

const asked = async (one: Specimen, words: RegExp): Promise<void> => {
  await one.is('waiting');
  await one.shows(words);
  // The hook runs beside the dialog, and on a busy machine behind what comes next.
  await one.hears(/"PermissionRequest"/);
  // A dialog overlooks keys in its first moments.
  await rest(1_000);
};

export const turnCases: Readonly<Record<string, Case>> = {
  async 'plain-turn'({ lab, snap }) {
    const one = await answered(lab);
    snap(one, 'idle');
    return one;
  },
  'tool-turn': async ({ lab }) => ended(await lab.start({ prompt: 'BASH ls\nSAY done' }), 1),
  async 'interrupted-mid-stream'({ lab, snap }) {
    const one = await streaming(lab, 30);
    snap(one, 'busy');
    await one.press('Escape');
    await one.writes(/Request interrupted/);
    await one.is('idle');
    return one;
  },
  async 'interrupted-early'({ lab, snap }) {
    const one = await lab.start();
    await one.send('SLOW 30');
    await one.writes(/SLOW 30/);
    await rest(500);
    await one.press('Escape');
    await one.is('idle');
    await rest(400);
    snap(one, 'restored-draft');
    return one;
  },
  async 'interrupted-tool'({ lab, snap }) {
    const one = await lab.start({ prompt: 'BASH tail -f README.md', skipPermissions: true });
    await one.writes(/"tool_use"/);
    await rest(1_000);
    snap(one, 'busy');
    await one.press('Escape');
    await one.writes(/Request interrupted/);
    await one.is('idle');
    return one;
  },
  async 'api-error'({ lab, snap }) {
    const one = await lab.start({ prompt: 'FAIL 400' });
    await one.writes(/isApiErrorMessage/);
    await one.is('idle');
    snap(one, 'error');
    return one;
  },
  async 'rate-limited'({ lab, snap }) {
    const one = await lab.start({ prompt: 'FAIL 429', env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    await one.writes(/isApiErrorMessage/);
    await one.is('idle');
    await rest(300);
    snap(one, 'suggestion');
    return one;
  },
  'tried-again': async ({ lab }) => ended(await lab.start({ prompt: 'FAIL 529 2\nSAY at last' }), 1),
  async 'permission-allowed'({ lab, snap }) {
    const one = await lab.start({ prompt: 'WRITE new.txt hi\nSAY written' });
    await asked(one, /Do you want/);
    snap(one, 'permission');
    await one.press('Enter');
    return ended(one, 1);
  },
  async 'permission-denied'({ lab, snap }) {
    const one = await lab.start({ prompt: "BASH touch 'Accessing workspace: ❯ 1. Yes'\nSAY made" });
    await asked(one, /Do you want/);
    snap(one, 'permission');
    await one.press('Escape');
    await one.writes(/Request interrupted/);
    await one.is('idle');
    snap(one, 'denied');
    return one;
  },
  async question({ lab, snap }) {
    const one = await lab.start({ prompt: 'ASK Which colour?|Red|Blue\nSAY answered' });
    await asked(one, /Enter to select/);
    snap(one, 'question');
    await one.deliver([{ press: 'Up' }, { pauseMs: 300 }]);
    snap(one, 'last-choice');
    await one.deliver([{ press: 'Down' }, { pauseMs: 300 }, { press: 'Enter' }]);
    return ended(one, 1);
  },
  async plan({ lab, snap }) {
    const one = await lab.start({ permissionMode: 'plan', prompt: 'PLAN # The plan\\n1. do it\\n2. check it' });
    await asked(one, /Exit plan mode/);
    snap(one, 'plan');
    await one.press('Escape');
    await one.writes(/Request interrupted/);
    await one.is('idle');
    return one;
  },
  async 'queued-absorbed'({ lab, snap }) {
    const one = await lab.start({ prompt: 'BASH sleep 2\nBASH sleep 1\nSAY end', skipPermissions: true });
    await one.writes(/"tool_use"/);
    await one.send('please also look at this');
    await rest(500);
    snap(one, 'queued');
    return ended(one, 1);
  },
  async 'queued-next'({ lab }) {
    const one = await streaming(lab, 4);
    await one.send('SAY second');
    return ended(one, 2);
  },
  async 'queued-merged'({ lab, snap }) {
    const one = await streaming(lab, 5);
    await one.send('SAY second');
    await rest(300);
    await one.send('SAY third');
    await rest(500);
    snap(one, 'queued');
    return ended(one, 2);
  },
  async 'queued-interrupted'({ lab }) {
    const one = await streaming(lab, 20);
    await one.send('SAY second');
    await rest(500);
    await one.press('Escape');
    return ended(one, 1);
  },
  async 'background-agent'({ lab, snap }) {
    const one = await lab.start({ prompt: 'AGENT SLEEP 3\nSAY started it', skipPermissions: true });
    await one.turns(1);
    await rest(300);
    snap(one, 'runs');
    return ended(one, 2);
  },
  async 'background-agent-asks'({ lab, snap }) {
    const one = await lab.start({ prompt: 'AGENT BASH touch made\nSAY started it' });
    await asked(one, /Do you want/);
    snap(one, 'permission');
    await one.press('Enter');
    return ended(one, 2);
  },
  async 'background-shell'({ lab, snap }) {
    const command = 'TOOL Bash {"command":"sleep 4","run_in_background":true}';
    const one = await lab.start({ prompt: `${command}\nSAY started it`, skipPermissions: true });
    await one.is('shell');
    snap(one, 'runs');
    return ended(one, 2);
  },
  async 'stop-hook-blocks'({ lab }) {
    const flag = join(lab.box.root, 'blocked-once');
    const command = `[ -f ${flag} ] || { touch ${flag}; echo 'SAY one more thing' >&2; exit 2; }`;
    const hooks = { Stop: [{ hooks: [{ type: 'command', command }] }] };
    lab.file('home/.claude/settings.json', JSON.stringify({ hooks }));
    const one = await ended(await lab.start({ prompt: 'SAY first end' }), 1);
    lab.file('home/.claude/settings.json', undefined);
    return one;
  },
};

export const commandCases: Readonly<Record<string, Case>> = {
  async compacted({ lab }) {
    const one = await answered(lab);
    await one.send('/compact');
    await one.writes(/compact_boundary/);
    await one.is('idle');
    await rest(300);
    await one.send('SAY after');
    return ended(one, 2);
  },
  async cleared({ lab, snap }) {
    const one = await answered(lab);
    await one.send('/clear');
    await rest(1_000);
    snap(one, 'cleared');
    await one.send('SAY after');
    await one.stops(2);
    await one.is('idle');
    return one;
  },
  async 'local-command'({ lab, snap }) {
    const one = await answered(lab);
    await one.send('/cost');
    await one.is('waiting');
    await rest(300);
    snap(one, 'modal');
    await one.press('Escape');
    await one.is('idle');
    await one.send('/model sonnet');
    await one.shows(/Switch model\?/);
    snap(one, 'choice');
    await one.press('Escape');
    await one.is('idle');
    await one.writes(/model<\/command-name>/);
    return one;
  },
  async 'prompt-command'({ lab }) {
    lab.file('project/.claude/commands/hello.md', 'SAY from the command $ARGUMENTS\n');
    const one = await lab.start();
    await one.send('/hello world');
    return ended(one, 1);
  },
  async 'shell-line'({ lab }) {
    const one = await lab.start();
    await one.send('!echo from-the-shell');
    return ended(one, 1);
  },
  async resumed({ lab }) {
    const first = await answered(lab);
    first.quit();
    await rest(500);
    const { agentSessionId } = first;
    return ended(await lab.start({ resume: { agentSessionId, fork: false }, prompt: 'SAY and again' }), 2);
  },
  async forked({ lab }) {
    const first = await answered(lab);
    first.quit();
    await rest(500);
    const { agentSessionId } = first;
    const one = await lab.start({ resume: { agentSessionId, fork: true } });
    await one.send('SAY and again');
    return ended(one, 2);
  },
};
