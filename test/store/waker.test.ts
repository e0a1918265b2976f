import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bellsIn, hasWaiter, keepWaiter, ring } from '../../src/store/waker.ts';
import { processStart } from '../../src/system/process.ts';
import { eventually } from '../support/sandbox.ts';

const shells = ['dash', 'bash', 'sh'].filter((shell) => {
  try {
    execFileSync(shell, ['-c', ':']);
    return true;
  } catch {
    return false;
  }
});

describe.each(shells)('the waiter in %s', (shell) => {
  let home: string;
  let claude: ChildProcess;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'crewmux-waker-'));
    mkdirSync(join(home, 'untold'));
    await keepWaiter(home);
    claude = spawn('sleep', ['1000'], { stdio: 'ignore' });
  });
  afterEach(() => {
    claude.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });
  const pid = () => claude.pid ?? 0;
  const untoldAt = () => join(home, 'untold', String(pid()));
  const tell = (news: string) => writeFileSync(untoldAt(), `n1 ${process.pid}\n{"for":"the prompt"}\n${news}\n`);
  const bells = () => readdirSync(bellsIn(home));

  function start() {
    const env = { PATH: process.env.PATH, CLAUDE_PID: String(pid()) };
    const child = spawn(shell, [join(home, 'waiter.sh'), home, '0.1'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let told = '';
    child.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    const ended = once(child, 'close').then(([code]) => ({ code, told }));
    return { child, ended, isUp: () => existsSync(join(bellsIn(home), `${pid()}-${child.pid}`)) };
  }

  async function begin() {
    const waiter = start();
    await eventually('it has a bell', waiter.isUp);
    return waiter;
  }

  it('sleeps until it is rung, tells the news once, and leaves nothing', async () => {
    const { ended } = await begin();
    expect(hasWaiter(home, pid())).toBe(true);
    expect(hasWaiter(home, 1)).toBe(false);
    // Without news a bell is no reason to wake anybody.
    expect(ring(home, pid())).toBe(true);
    const news = `bruno asks: "$(id)" '\n  \\n second line`;
    tell(news);
    expect(ring(home, pid())).toBe(true);
    expect(await ended).toEqual({ code: 2, told: `${news}\n` });
    expect(bells()).toEqual([]);
    expect(readFileSync(`${untoldAt()}.shown`, 'utf8')).toBe('n1\n');
    expect(ring(home, pid())).toBe(false);
  });

  it.each([1, 2, 3])(
    'gives way to a newer one of its session alone, and of several that begin at once one stays, time %i',
    async () => {
      const first = await begin();
      const others = [start(), start(), start()];
      expect(await first.ended).toEqual({ code: 0, told: '' });
      const isOver = async (one: ReturnType<typeof start>) =>
        (await Promise.race([one.ended, undefined])) !== undefined;
      await eventually(
        'one is left',
        async () => (await Promise.all(others.map(isOver))).filter((is) => is).length === 2,
      );
      tell('news');
      ring(home, pid());
      const ends = await Promise.all(others.map((one) => one.ended));
      expect(ends.toSorted((a, b) => Number(a.code) - Number(b.code))).toEqual([
        { code: 0, told: '' },
        { code: 0, told: '' },
        { code: 2, told: 'news\n' },
      ]);
    },
  );

  it('ends with its session, with all that it started, also where that was killed', async () => {
    const { child, ended } = await begin();
    const family = execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' });
    claude.kill('SIGKILL');
    expect(await ended).toEqual({ code: 0, told: '' });
    const pids = family.trim().split(/\s+/).map(Number);
    await eventually('nothing of it is left', async () =>
      (await Promise.all(pids.map(processStart))).every((start) => start === undefined),
    );
    expect(bells()).toEqual([]);
  });

  it('that was killed is found out, and its bell is gone', async () => {
    const { child } = await begin();
    child.kill('SIGKILL');
    await eventually('its bell is gone', () => bells().length === 0);
    expect(ring(home, pid())).toBe(false);
  });
});
