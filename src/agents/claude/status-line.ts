// The status line of a worker: it keeps the figures that Claude Code tells it, then draws what its user's own would.
import { join } from 'node:path';
import { z } from 'zod';
import { defined } from '../../model/defined.ts';
import { type Fields, fieldsOf, isFields, parseJson, wordOf } from '../../model/json.ts';
import { quoted } from '../../model/quote.ts';
import type { SandboxSpec } from '../agent.ts';
import type { StatusLine, StatusOrder } from '../status-line.ts';
import { configDir } from './traces.ts';

interface StatusLook {
  readonly status?: StatusOrder;
  readonly sandbox?: Pick<SandboxSpec, 'leftOut'>;
}

/**
 * Undefined where Claude Code would run no command of ours, or would draw another than the user's own: a project's
 * stays with Claude Code, which asks before it runs one.
 */
export function statusLineSetting({ status, sandbox }: StatusLook): Fields | undefined {
  if (status === undefined) return undefined;
  const out = sandbox?.leftOut?.sources ?? [];
  const place = (['project', 'local'] as const).filter((source) => !out.includes(source));
  const [user, ...others] = [status.user, ...place.map((source) => status[source])].map(settingsIn);
  if (user === undefined || [user, ...others].some((one) => one === undefined || one.disableAllHooks === true))
    return undefined;
  if (others.some((one) => one !== undefined && 'statusLine' in one)) return undefined;
  if (!('statusLine' in user)) return { type: 'command', command: keepCommand(status.path) };
  const fields = fieldsOf(user.statusLine);
  const command = wordOf(fields.command);
  if (fields.type !== 'command' || command === undefined || command === '') return undefined;
  return { ...fields, command: keepCommand(status.path, command) };
}

function settingsIn(text: string): Fields | undefined {
  if (text.trim() === '') return {};
  const settings = parseJson(text);
  return isFields(settings) ? settings : undefined;
}

/** `read` keeps the payload in the shell itself; the user's command gets it whole, as if it stood here alone. */
function keepCommand(path: string, own?: string): string {
  const [file, draft] = [quoted(path), `${quoted(path)}.$$`];
  const keep = `(umask 077; printf '%s\\n' "$p" >${draft} && mv -f ${draft} ${file}) 2>/dev/null`;
  const read = 'p=; while IFS= read -r l || [ -n "$l" ]; do p=$p$l; done';
  return [read, keep, own === undefined ? ':' : `printf '%s\\n' "$p" | eval ${quoted(own)}`].join('; ');
}

const windows: Readonly<Record<string, string>> = { five_hour: '5h', seven_day: '7d' };

const limit = z.looseObject({ used_percentage: z.number(), resets_at: z.number() });
const payload = z.looseObject({
  session_id: z.string(),
  cost: z.looseObject({ total_cost_usd: z.number().nonnegative() }).optional().catch(undefined),
  context_window: z.looseObject({ remaining_percentage: z.number().nullish() }).optional().catch(undefined),
  rate_limits: z.record(z.string(), limit.optional().catch(undefined)).optional().catch(undefined),
});

export const statusLine: StatusLine = {
  filesFor: ({ env }) => ({
    user: join(configDir(env), 'settings.json'),
    project: '.claude/settings.json',
    local: '.claude/settings.local.json',
  }),
  decode(text) {
    const { data } = payload.safeParse(parseJson(text));
    if (data === undefined) return undefined;
    const left = data.context_window?.remaining_percentage ?? undefined;
    const limits = Object.entries(data.rate_limits ?? {}).flatMap(([name, one]) =>
      one === undefined
        ? []
        : { window: windows[name] ?? name, used: one.used_percentage / 100, resetsAt: one.resets_at * 1_000 },
    );
    return {
      agentSessionId: data.session_id,
      ...defined({
        costUsd: data.cost?.total_cost_usd,
        contextLeft: left === undefined ? undefined : left / 100,
        limits: limits.length === 0 ? undefined : limits,
      }),
    };
  },
};
