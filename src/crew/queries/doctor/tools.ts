// tmux, git and gh: there, new enough, and answering.

import { run } from '../../../system/exec.ts';
import type { Finding } from '../../../wire/doctor.ts';
import { fail, ok, warn } from '../../../wire/doctor.ts';
import { compareReleases, readRelease, releaseText } from './release.ts';
import type { Check, DoctorSources } from './sources.ts';

const versionCeilingMs = 4_000;
/** The oldest that everything here was seen to work with. */
const oldestGit = [2, 39];

export const checkTmux = (sources: DoctorSources): readonly Check[] => [
  { check: 'tmux', look: () => lookAtTmux(sources) },
  { check: 'tmux_server', look: () => lookAtServer(sources) },
];

async function lookAtTmux({ terminalHealth }: DoctorSources): Promise<readonly Finding[]> {
  const { version, missing, isSupported, isFast } = await terminalHealth();
  const install = 'Install a newer one: `apt install tmux` or `brew install tmux`.';
  if (missing !== undefined)
    return [fail('tmux', `tmux does not run: ${missing}`, install.replace(' a newer one', ' it'))];
  if (!isSupported) return [fail('tmux', `${version} is too old; 3.0 is the oldest that works`, install)];
  if (!isFast)
    return [warn('tmux', `${version} works, with a process for every command`, `From 3.2 on it is fast. ${install}`)];
  return [ok('tmux', version)];
}

async function lookAtServer({ panesOf, loaded }: DoctorSources): Promise<readonly Finding[]> {
  const { socket } = loaded.settings.tmux;
  const panes = await panesOf(socket);
  if (panes.length === 0) return [ok('tmux_server', `socket "${socket}": not running; the first worker starts it`)];
  const dead = panes.filter((pane) => pane.dead).length;
  return [ok('tmux_server', `socket "${socket}": ${panes.length} panes, ${dead} of them with an ended program`)];
}

export const checkGit = ({ env }: DoctorSources): Check => ({
  check: 'git',
  async look() {
    const { stdout, startError, timedOut } = await run('git', ['--version'], { env, timeoutMs: versionCeilingMs });
    const install = 'Install git: `apt install git` or `brew install git`.';
    if (startError !== undefined) return [fail('git', `git does not run: ${startError}`, install)];
    const release = readRelease(stdout);
    if (timedOut || release === undefined)
      return [warn('git', 'git tells no version', 'Run `git --version` to see why.')];
    const text = `git ${releaseText(release)}`;
    if (compareReleases(release, oldestGit) >= 0) return [ok('git', text)];
    return [warn('git', `${text} is older than any that was tested (${releaseText(oldestGit)})`, install)];
  },
});

/** Nothing else needs it, so a context without it is in order. */
export const checkGh = ({ env }: DoctorSources): Check => ({
  check: 'gh',
  async look() {
    const { stdout, startError } = await run('gh', ['--version'], { env, timeoutMs: versionCeilingMs });
    const release = readRelease(stdout);
    if (startError === undefined && release !== undefined) return [ok('gh', `gh ${releaseText(release)}`)];
    return [ok('gh', 'gh does not run; without it open_pull_request writes the text and opens nothing')];
  },
});
