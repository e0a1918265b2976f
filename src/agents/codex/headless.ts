// Codex without a screen: `codex exec`, whose sandbox lets it read.
import { defined } from '../../model/defined.ts';
import { type Fields, fieldsIn, fieldsOf, isFields, parseJson, wordOf } from '../../model/json.ts';
import { type Headless, otherLine, type PrintedLine, type QuestionPlan, type QuestionSpec } from '../headless.ts';
import { normaliseMessage } from '../plain-message.ts';
import { commandSettings } from './launch.ts';
import { sandboxSettings } from './permissions.ts';
import { tokensOf } from './rollout.ts';
import { tokenCounts } from './rollout-line.ts';
import { settingFlags, type TomlTable } from './toml.ts';

export const headless: Headless = {
  servers: {
    argv: (at) => [...at.command, 'mcp', 'list', '--json', ...settingFlags(outside(at))],
    namesIn(printed) {
      const rows = parseJson(printed);
      if (!Array.isArray(rows)) return undefined;
      const names = rows.map((row: unknown) => wordOf(fieldsOf(row).name));
      return names.every((name) => name !== undefined) ? names : undefined;
    },
  },
  ask,
  readLine,
};

/** The project's own configuration, which can name programs, counts for nothing, and neither does what brings servers. */
const outside = ({ cwd, repoPath }: Pick<QuestionSpec, 'cwd' | 'repoPath'>): TomlTable => ({
  projects: Object.fromEntries([repoPath, cwd].map((folder) => [folder, { trust_level: 'untrusted' }])),
  'features.apps': false,
  'features.plugins': false,
});

function ask(spec: QuestionSpec): QuestionPlan {
  const { command, resume, model, env, mark, sandbox, standingPrompt, servers } = spec;
  const settings: TomlTable = {
    ...outside(spec),
    ...readOnly(spec),
    approval_policy: 'never',
    check_for_update_on_startup: false,
    ...commandSettings({ env, ...defined({ sandbox }) }),
    // By it a command is found that has left the process group.
    'shell_environment_policy.set.CREWMUX_WORKER': mark,
    ...(standingPrompt ? { developer_instructions: standingPrompt } : {}),
    ...(servers.length === 0
      ? {}
      : { mcp_servers: Object.fromEntries(servers.map((name) => [name, { enabled: false }])) }),
  };
  const words = [...command, 'exec', ...(resume === undefined ? [] : ['resume'])];
  const named = model === undefined ? [] : ['-m', model];
  const last = [...(resume === undefined ? [] : [resume]), normaliseMessage(spec.question)];
  return {
    argv: [...words, '--json', '--skip-git-repo-check', ...settingFlags(settings), ...named, '--', ...last],
    env: { ...env, ...defined({ TMPDIR: sandbox?.temp }), CREWMUX_WORKER: mark },
    files: [],
  };
}

/** The mode named on a command line would take the place of the profile. */
function readOnly({ sandbox, rules }: QuestionSpec): TomlTable {
  if (sandbox === undefined) return { sandbox_mode: 'read-only' };
  return sandboxSettings({ sandbox, rules, skipPermissions: false, permissionMode: 'plan' });
}

function readLine(line: string): PrintedLine {
  const fields = fieldsIn(line);
  switch (fields.type) {
    case 'thread.started':
      return typeof fields.thread_id === 'string' ? { is: 'begun', agentSessionId: fields.thread_id } : otherLine;
    case 'item.completed':
      return said(fieldsOf(fields.item));
    case 'turn.completed':
      return { is: 'ended', ...(isFields(fields.usage) && { usage: usageIn(fields.usage) }) };
    case 'turn.failed':
      return { is: 'ended', trouble: wordOf(fieldsOf(fields.error).message) ?? 'an error' };
    default:
      return otherLine;
  }
}

function said({ type, text }: Fields): PrintedLine {
  return type === 'agent_message' && typeof text === 'string' ? { is: 'said', text } : otherLine;
}

const usageIn = (usage: Fields) => ({ of: 'conversation' as const, tokens: [tokensOf(tokenCounts.parse(usage))] });
