import { describe, expect, test } from 'vitest';
import { workerEnvironment } from '../../src/agents/environment.ts';

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
    'AWS_PROFILE',
    'GOOGLE_APPLICATION_CREDENTIALS',
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
  ])('%s stays with the manager', (name) => {
    expect(keeps(name)).toBe(false);
  });

  test('values arrive unchanged and what is unset stays unset', () => {
    expect(workerEnvironment({ HOME: '/home/ada', PATH: '/bin:/x y', LANG: undefined, USER: '' })).toEqual({
      HOME: '/home/ada',
      PATH: '/bin:/x y',
      USER: '',
    });
  });
});
