// Runs once before the suite.
import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';
import { ensureAgents } from './install.ts';

/** On Linux, by the name of the package that brings each. */
const programs = { bubblewrap: 'bwrap', socat: 'socat', zsh: 'zsh', dash: 'dash' };

export async function setup(): Promise<void> {
  const needed = platform() === 'linux' ? Object.entries(programs) : [];
  const missing = needed.flatMap(([name, program]) => (isThere(program) ? [] : [name]));
  if (missing.length > 0)
    throw new Error(
      `The tests on real CLIs need ${missing.join(', ')}, and skip nothing. Get it with: ` +
        `sudo apt-get install -y ${missing.join(' ')}`,
    );
  await ensureAgents();
}

function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
