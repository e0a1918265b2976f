import { expect, it } from 'vitest';
import { codexEntry, withCodexEntry } from '../../src/cli/codex-config.ts';

const entry = codexEntry({ command: ['npx', '-y', 'crewmux'], variables: ['HOME', 'TMUX', 'AWS_PROFILE'] });

it('the entry names each variable once, what is set here too, and none that Codex passes by itself', () => {
  expect(entry).toMatchInlineSnapshot(`
    "[mcp_servers.crewmux]
    command = "npx"
    args = ["-y", "crewmux"]
    startup_timeout_sec = 60
    # Each tool that changes something asks first; "approve" runs them unasked, and approval policy "never" needs it.
    # default_tools_approval_mode = "approve"
    env_vars = [
      "TMUX", "TMUX_PANE", "TMUX_TMPDIR", "TMPDIR", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "CREWMUX_HOME",
      "CREWMUX_CONFIG", "CREWMUX_PROJECT_DIR", "CREWMUX_TMUX_SOCKET", "CREWMUX_COMMAND", "CREWMUX_CODEX_COMMAND",
      "CREWMUX_LOG_LEVEL", "CREWMUX_WORKER", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME",
      "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL",
      "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_BASE_URL", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY",
      "AWS_PROFILE",
    ]
    "
  `);
});

it.each([
  '[mcp_servers.crewmux]\ncommand = "x"',
  '  [ mcp_servers . "crewmux" ]',
  '[mcp_servers.crewmux.env]\nA = "b"',
  'mcp_servers.crewmux.command = "x"',
  'mcp_servers.crewmux = { command = "x" }',
  '[mcp_servers]\nother = { command = "y" }\ncrewmux = { command = "x" }',
  "[mcp_servers]\n'crewmux'.command = 'x'",
])('%s is seen as an entry that is there', (text) => {
  expect(withCodexEntry(`model = "m"\n${text}\n`, entry)).toEqual({ is: 'present' });
});

it.each([
  '# [mcp_servers.crewmux]',
  '[mcp_servers.crewmux2]\ncommand = "x"',
  '[mcp_servers.other]\ncommand = "crewmux"',
  '[mcp_servers]\nother = { command = "y" }\n[tools]\ncrewmux = true',
  '[profiles.crewmux]',
])('%s is not', (text) => {
  expect(withCodexEntry(text, entry)).toEqual({ is: 'added', text: `${text}\n\n${entry}` });
});

it('a closed table of servers is told apart, since nothing can be appended to it', () => {
  expect(withCodexEntry('mcp_servers = {}', entry)).toEqual({ is: 'inline' });
});
