import { describe, expect, it } from 'vitest';
import { resolveProject, stateHome, userConfigPath } from '../../src/settings/paths.ts';

const userHome = '/home/u';

describe('the project', () => {
  const facts = { userHome, cwd: '/cwd', env: {} };
  it.each([
    ['a path as it is', '/p', facts, '/p'],
    ['a relative path from the cwd', 'sub/../p', facts, '/cwd/p'],
    ['a path in the home', '~/p', facts, '/home/u/p'],
    ['not the configured one when a path is given', '/p', { ...facts, env: { CREWMUX_PROJECT_DIR: '/c' } }, '/p'],
    ['the cwd where nothing else is known', 'auto', facts, '/cwd'],
    ["the client's root before the cwd", 'auto', { ...facts, clientRoot: '/root' }, '/root'],
    [
      'the configured one before the root',
      'auto',
      { ...facts, clientRoot: '/root', env: { CREWMUX_PROJECT_DIR: '/c' } },
      '/c',
    ],
    ['the one of the older name', 'auto', { ...facts, env: { CLAUDE_TEAM_PROJECT_DIR: '~/c' } }, '/home/u/c'],
    [
      'the newer name before the older',
      'auto',
      { ...facts, env: { CREWMUX_PROJECT_DIR: '/new', CLAUDE_TEAM_PROJECT_DIR: '/old' } },
      '/new',
    ],
    ['not an empty variable', 'auto', { ...facts, env: { CREWMUX_PROJECT_DIR: '' } }, '/cwd'],
  ])('is %s', (_, path, given, expected) => {
    expect(resolveProject(path, given)).toBe(expected);
  });
});

describe('the folders', () => {
  it.each([
    [{}, '/home/u/.config/crewmux/config.json', '/home/u/.local/state/crewmux'],
    [{ XDG_CONFIG_HOME: '/x', XDG_STATE_HOME: '/s' }, '/x/crewmux/config.json', '/s/crewmux'],
    [
      { XDG_CONFIG_HOME: 'relative', XDG_STATE_HOME: '' },
      '/home/u/.config/crewmux/config.json',
      '/home/u/.local/state/crewmux',
    ],
    [{ CREWMUX_CONFIG: '/c.json', CREWMUX_HOME: '/h', XDG_STATE_HOME: '/s' }, '/c.json', '/h'],
  ])('with %j are %s and %s', (env, config, state) => {
    expect(userConfigPath({ env, userHome })).toBe(config);
    expect(stateHome({ env, userHome })).toBe(state);
  });
});
