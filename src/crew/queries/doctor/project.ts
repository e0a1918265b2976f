// The project: its repository, whether its agents trust it, its settings and rules, and folders left behind.

import { readFile, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { advise, call } from '../../../model/advice.ts';
import { counted } from '../../../model/plural.ts';
import { ruleLists } from '../../../model/rule.ts';
import { type AgentType, builtInAgents } from '../../../model/worker.ts';
import { agentFilesIn, namesOf, waitingFiles } from '../../../settings/agent-files.ts';
import { readAgreements } from '../../../settings/agreements.ts';
import { waitingKey } from '../../../settings/counting.ts';
import type { ProjectFile } from '../../../settings/project-file.ts';
import { builtInSource, findRoles } from '../../../settings/roles/find.ts';
import { changedSettings, type Settings } from '../../../settings/settings.ts';
import { exists } from '../../../system/disk.ts';
import { type Finding, ok, warn } from '../../../wire/doctor.ts';
import { type FolderFacts, inspectFolder } from '../../../worktree/git/inspect.ts';
import { countOrphans } from '../../../worktree/removal/list.ts';
import { agentCommand } from './programs.ts';
import { lookAtSalvages } from './salvages.ts';
import type { Checks, DoctorSources, WrittenDown } from './sources.ts';

export const projectChecks: Checks = {
  project: lookAtRepository,
  trust: lookAtTrust,
  trust_config: async ({ loaded }) => trustConfigFinding(loaded),
  project_hooks: lookAtAgentFiles,
  roles: lookAtRoles,
  templates: async ({ templates }) => writtenFindings('template', await templates()),
  settings: async ({ loaded }) => settingsFindings(loaded),
  permissions: async ({ loaded }) => permissionFinding(loaded.settings),
  worktrees: lookAtWorktrees,
  salvages: lookAtSalvages,
};

const folderOf = ({ env, project }: DoctorSources): Promise<FolderFacts | undefined> =>
  inspectFolder({ path: project, env });

async function lookAtRepository(sources: DoctorSources): Promise<Finding | readonly Finding[]> {
  const folder = await folderOf(sources);
  if (folder !== undefined) {
    const { submodules: takesSubmodules } = sources.loaded.settings.worktrees;
    const hasSubmodules = await exists(join(folder.worktreeRoot ?? folder.mainRepoPath, '.gitmodules'));
    return repositoryFindings({ folder, hasSubmodules, takesSubmodules });
  }
  const fix = 'Run `git init` and commit once if workers are to have worktrees of their own.';
  return warn('project', `${sources.project} is not in a git repository; workers share the folder`, fix);
}

async function lookAtTrust(sources: DoctorSources): Promise<readonly Finding[]> {
  const { workerEnv: env } = sources;
  const repository = (await folderOf(sources))?.mainRepoPath;
  const isRepository = repository !== undefined;
  const folder = repository ?? (await realpath(sources.project));
  const findings = await Promise.all(
    Object.values(sources.agents).map(async ({ type, trust }): Promise<readonly Finding[]> => {
      if (trust === undefined) return [];
      if (!(await isUsed(sources, type)))
        return [ok('trust', `${type} is not installed, and is asked about no folder`)];
      const text = await readFile(trust.fileFor(env), 'utf8').catch(() => '');
      if (trust.isTrusted(text, { folder, isRepository, env })) return [ok('trust', `${type} trusts ${folder}`)];
      const fix = `Run \`${type}\` once in ${folder} and trust it; its worktrees inherit that.`;
      return [warn('trust', `${type} has not been told to trust ${folder}: its workers would stop to ask`, fix)];
    }),
  );
  return findings.flat();
}

/** Installed, or the agent of workers that name none. */
async function isUsed(sources: DoctorSources, type: AgentType): Promise<boolean> {
  if (sources.loaded.settings.defaults.agent_type === type) return true;
  return agentCommand(sources, type).then(
    () => true,
    () => false,
  );
}

/** Pure. */
export function trustConfigFinding({ problems, agreement: { file, is } }: DoctorSources['loaded']): Finding {
  const check = 'trust_config';
  const waiting = problems.find(({ key }) => key === waitingKey);
  if (waiting !== undefined) {
    return warn(check, waiting.message, `Run \`crewmux trust\` at a terminal in ${dirname(dirname(file))}.`);
  }
  return ok(check, is === 'agreed' ? `you agreed to ${file} as it is` : `${file} holds nothing that waits for you`);
}

/** Read where workers have them from: the main checkout, and the project where that is a folder of it. */
async function lookAtAgentFiles(sources: DoctorSources): Promise<Finding> {
  const main = (await folderOf(sources))?.mainRepoPath ?? sources.project;
  const folders = [...new Set([sources.project, main])];
  const files = folders.flatMap((folder) => builtInAgents.flatMap((agent) => agentFilesIn(folder, agent)));
  const waiting = waitingFiles(files, readAgreements(sources.home));
  const { project_hooks: mode, sandbox } = sources.loaded.settings.defaults;
  return agentFilesFinding({ mode, sandbox, project: main, files, waiting });
}

interface AgentFilesLook {
  readonly mode: Settings['defaults']['project_hooks'];
  readonly sandbox: Settings['defaults']['sandbox'];
  readonly project: string;
  readonly files: readonly ProjectFile[];
  readonly waiting: readonly ProjectFile[];
}

/** Pure. */
export function agentFilesFinding({ mode, sandbox, project, files, waiting }: AgentFilesLook): Finding {
  const check = 'project_hooks';
  const names = namesOf(files, project);
  if (files.length === 0) return ok(check, `${project} has no files by which an agent starts programs`);
  if (sandbox === 'off') return ok(check, `${names} load in every worker: defaults.sandbox is "off"`);
  if (mode === 'agent')
    return warn(
      check,
      `${names} load in sandboxed workers too, and what they name runs outside of the sandbox`,
      'Set defaults.project_hooks to "trusted" or "off" (`crewmux config set defaults.project_hooks trusted`).',
    );
  if (mode === 'off') return ok(check, `sandboxed Claude Code workers start without ${names}; Codex loads its own`);
  if (waiting.length === 0) return ok(check, `you agreed to ${names}; what they name runs outside of the sandbox`);
  return warn(
    check,
    `nobody has agreed to ${namesOf(waiting, project)} as it is: sandboxed Claude Code workers start without the project's files, and those of Codex load as a hole in its sandbox`,
    `Read them, then run \`crewmux trust\` at a terminal in ${project}.`,
  );
}

async function lookAtRoles(sources: DoctorSources): Promise<readonly Finding[]> {
  const main = (await folderOf(sources))?.mainRepoPath ?? sources.project;
  const { workerEnv, home, project } = sources;
  const env = { ...workerEnv, CREWMUX_HOME: home };
  const folders = [...new Set([project, main])];
  const { roles, aside } = findRoles({ env, userHome: workerEnv.HOME ?? '/', folders });
  return writtenFindings('role', { known: roles.map(({ role: { name }, source }) => ({ name, source })), aside });
}

/** Pure. */
export function writtenFindings(noun: 'role' | 'template', { known, aside }: WrittenDown): readonly Finding[] {
  const check = `${noun}s`;
  if (aside.length > 0) {
    const fix = `\`crewmux ${check}\` lists what counts; docs/${check}.md has the format.`;
    return aside.map(({ why }) => warn(check, why, fix));
  }
  const written = known.filter(({ source }) => source !== builtInSource).map(({ name }) => name);
  const more = written.length === 0 ? 'none of your own' : `of your own: ${written.join(', ')}`;
  return [ok(check, `${counted(known.length, noun)}, ${more}`)];
}

/** Pure. */
export function settingsFindings({
  settings,
  problems,
  origins,
}: Pick<DoctorSources['loaded'], 'settings' | 'problems' | 'origins'>): readonly Finding[] {
  const check = 'settings';
  const wrong = problems
    .filter(({ key }) => key !== waitingKey)
    .map(({ message }) => warn(check, message, 'Mend it there, or with `crewmux config set`.'));
  const changed = changedSettings({ settings, origins });
  const files = [...new Set(changed.map(({ file }) => file))];
  const named = files.map((file) => {
    const keys = changed.filter((one) => one.file === file).map(({ key }) => key);
    return `${keys.join(', ')} (${file})`;
  });
  if (named.length > 0) return [...wrong, ok(check, `not the default: ${named.join('; ')}`)];
  return wrong.length > 0 ? wrong : [ok(check, 'all are the default')];
}

/** Pure. */
export function permissionFinding({ defaults, permissions, agents }: DoctorSources['loaded']['settings']): Finding {
  if (defaults.skip_permissions) {
    return warn(
      'permissions',
      'defaults.skip_permissions is on: workers ask nobody, and in a sandbox the network is open, localhost too',
      advise`Switch it off (\`crewmux config set defaults.skip_permissions false\`) and ${call('give rules with set_permissions', 'have your manager give rules')}.`,
    );
  }
  const { default: always, roles } = permissions;
  const count = ruleLists.reduce((sum, name) => sum + (always[name]?.length ?? 0), 0);
  const preset = always.preset === undefined ? '' : `, preset ${always.preset}`;
  const others = Object.keys(agents);
  const beyond = others.length === 0 ? '' : `; no rule reaches ${others.join(', ')}`;
  const rules = `${counted(count, 'configured rule')}${preset}, ${counted(Object.keys(roles).length, 'role')} with rules of their own`;
  return ok('permissions', `workers ask; ${rules}${beyond}`);
}

async function lookAtWorktrees(sources: DoctorSources): Promise<Finding | readonly Finding[]> {
  const folder = await folderOf(sources);
  if (folder === undefined) return [];
  const { dir } = sources.loaded.settings.worktrees;
  const count = await countOrphans({ repo: folder, root: dir });
  if (count === 0) return ok('worktrees', `no folder under ${dir} is left behind`);
  const fix = advise`${call('list_worktrees shows them; with remove_orphans it takes away', 'Your manager can list them, and remove')} those that hold nothing.`;
  return warn('worktrees', `worktrees of nobody lie under ${dir}: ${counted(count, 'folder')}`, fix);
}

const check = 'project';

interface RepositoryLook {
  readonly folder: Pick<FolderFacts, 'mainRepoPath' | 'isBare' | 'head'>;
  readonly hasSubmodules: boolean;
  /** `worktrees.submodules`. */
  readonly takesSubmodules: boolean;
}

/** Every matter that is not well; one that says so where all is. */
export function repositoryFindings({ folder, hasSubmodules, takesSubmodules }: RepositoryLook): readonly Finding[] {
  const { mainRepoPath: path, isBare, head } = folder;
  const wrong = [
    ...(isBare
      ? [
          warn(
            check,
            `${path} is a bare repository, without a checkout`,
            'Work in a worktree of it (`git worktree add`).',
          ),
        ]
      : []),
    ...(head.sha === undefined
      ? [warn(check, `${path} has no commit yet, so workers get no worktree`, 'Commit once.')]
      : []),
    ...(head.sha !== undefined && head.branch === undefined
      ? [
          warn(
            check,
            `HEAD of ${path} is detached at ${head.sha.slice(0, 12)}: work that begins there has no branch to land on`,
            'Check out a branch, or name a base for each worker.',
          ),
        ]
      : []),
    ...(hasSubmodules && !takesSubmodules
      ? [
          warn(
            check,
            `${path} has submodules, and worktrees of workers begin with empty folders in their place`,
            'Run `crewmux config set worktrees.submodules true`.',
          ),
        ]
      : []),
  ];
  if (wrong.length > 0) return wrong;
  const more = hasSubmodules ? ', and worktrees get its submodules' : '';
  return [ok(check, `${path} is a git repository${more}`)];
}
