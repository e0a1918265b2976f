import { describe, expect, test } from 'vitest';
import { type Worker, workerEnvironment } from '../../src/agents/environment.ts';

const keeps = (name: string) => name in workerEnvironment({ [name]: 'value' });

describe('workerEnvironment', () => {
  test.each([
    'HOME',
    'PATH',
    'SHELL',
    'USER',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'TZ',
    'XDG_CONFIG_HOME',
    'XDG_RUNTIME_DIR',
    'SSH_AUTH_SOCK',
    'CLAUDE_CONFIG_DIR',
    'CODEX_HOME',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_DEFAULT_OPUS_MODEL',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_SKIP_VERTEX_AUTH',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'CLAUDE_CODE_MAX_OUTPUT_TOKENS',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'VERTEX_REGION_CLAUDE_4_6_OPUS',
    'DISABLE_TELEMETRY',
    'HTTPS_PROXY',
    'https_proxy',
    'NODE_EXTRA_CA_CERTS',
    'IS_SANDBOX',
    'GIT_AUTHOR_NAME',
    'GIT_COMMITTER_EMAIL',
  ])('%s reaches the worker', (name) => {
    expect(keeps(name)).toBe(true);
  });

  test.each([
    'CLAUDECODE',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_PARENT_SESSION_ID',
    'CLAUDE_CODE_CHILD_SESSION',
    'CLAUDE_CODE_MESSAGING_SOCKET',
    'CLAUDE_CODE_MESSAGING_SOCKET_TOKEN',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_TASK_LIST_ID',
    'CLAUDE_CODE_SIMPLE',
    'CLAUDE_PROJECT_DIR',
    'CLAUDE_PLUGIN_ROOT',
    'CLAUDE_ENV_FILE',
    'CLAUDE_PID',
    'ANTHROPIC_UNIX_SOCKET',
    'ANTHROPIC_SESSION_ID',
    'TMUX',
    'TMUX_PANE',
    'TMUX_TMPDIR',
    'TERM',
    'TERM_PROGRAM',
    'GIT_DIR',
    'GIT_INDEX_FILE',
    'GIT_WORK_TREE',
    'GIT_EDITOR',
    'npm_config_registry',
    'npm_lifecycle_event',
    'INIT_CWD',
    'NODE_OPTIONS',
    'PWD',
    'OLDPWD',
    'SHLVL',
    'CREWMUX_HOME',
    'GITHUB_TOKEN',
    'MY_DATABASE_PASSWORD',
    'AWS_PROFILE',
    'AWS_SECRET_ACCESS_KEY',
    'AZURE_OPENAI_API_KEY',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'CLOUDSDK_CONFIG',
    'ANTHROPIC_FOUNDRY_API_KEY',
  ])('%s stays with the manager', (name) => {
    expect(keeps(name)).toBe(false);
  });

  const aws = ['AWS_PROFILE', 'AWS_SECRET_ACCESS_KEY', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION'];
  const google = ['GOOGLE_APPLICATION_CREDENTIALS', 'GCLOUD_PROJECT', 'CLOUDSDK_CONFIG', 'CLOUD_ML_REGION'];
  const azure = ['AZURE_CLIENT_SECRET', 'AZURE_TENANT_ID', 'ANTHROPIC_FOUNDRY_API_KEY', 'ANTHROPIC_FOUNDRY_RESOURCE'];
  const all = Object.fromEntries([...aws, ...google, ...azure].map((name) => [name, 'value']));
  const cloudsOf = (env: object, worker: Worker) =>
    Object.keys(workerEnvironment({ ...all, ...env }, worker)).filter((name) => name in all);

  test.each<[string, object, Worker, readonly string[]]>([
    ['Bedrock', { CLAUDE_CODE_USE_BEDROCK: '1' }, { agentType: 'claude' }, aws],
    ['Bedrock by Mantle', { CLAUDE_CODE_USE_MANTLE: 'true' }, { agentType: 'claude' }, aws],
    ['Vertex', { CLAUDE_CODE_USE_VERTEX: 'yes' }, { agentType: 'claude' }, google],
    ['Foundry', { CLAUDE_CODE_USE_FOUNDRY: 'On' }, { agentType: 'claude' }, azure],
    ["Bedrock by the worker's own flag", {}, { agentType: 'claude', own: { CLAUDE_CODE_USE_BEDROCK: '1' } }, aws],
    ['none', {}, { agentType: 'claude' }, []],
    ['none, as a flag says that is off', { CLAUDE_CODE_USE_BEDROCK: '0' }, { agentType: 'claude' }, []],
    ['none, as a flag says that is empty', { CLAUDE_CODE_USE_VERTEX: '' }, { agentType: 'claude' }, []],
    [
      'none any more',
      { CLAUDE_CODE_USE_BEDROCK: '1' },
      { agentType: 'claude', own: { CLAUDE_CODE_USE_BEDROCK: '0' } },
      [],
    ],
    ["another agent's", { CLAUDE_CODE_USE_BEDROCK: '1' }, { agentType: 'codex' }, []],
    ['that of no agent', { CLAUDE_CODE_USE_BEDROCK: '1' }, {}, []],
  ])('of clouds, a worker that uses %s gets only its own', (_, env, worker, expected) => {
    expect(cloudsOf(env, worker)).toEqual(expected);
  });

  test('a variable that the user names comes along, and none that only begins like it', () => {
    const env = { NPM_TOKEN: 'a', NPM_TOKEN_2: 'b', AWS_PROFILE: 'c', AWS_REGION: 'd' };
    expect(workerEnvironment(env, { agentType: 'codex', passes: ['NPM_TOKEN', 'AWS_PROFILE', 'NOT_SET'] })).toEqual({
      NPM_TOKEN: 'a',
      AWS_PROFILE: 'c',
    });
  });

  test('what a worker was given by name lies over all else', () => {
    expect(
      workerEnvironment({ LANG: 'C', NPM_TOKEN: 'a' }, { passes: ['NPM_TOKEN'], own: { NPM_TOKEN: 'b' } }),
    ).toEqual({
      LANG: 'C',
      NPM_TOKEN: 'b',
    });
  });

  test('values arrive unchanged and what is unset stays unset', () => {
    expect(workerEnvironment({ HOME: '/home/ada', PATH: '/bin:/x y', LANG: undefined, USER: '' })).toEqual({
      HOME: '/home/ada',
      PATH: '/bin:/x y',
      USER: '',
    });
  });
});
