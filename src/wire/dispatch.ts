// What a worker is started with: spawn_workers, a task and a plan's job take it alike. spawn_workers describes it.
import { z } from 'zod';
import { presetNames } from '../model/rule.ts';
import { agentText, argWord } from './parts.ts';

const relativePaths = z.array(z.string().min(1).max(1_000)).max(200);

const servers = z.record(z.string(), z.unknown());
const mcpFile = z.strictObject({ mcpServers: servers });

export const dispatch = {
  agent_type: argWord(100).exactOptional(),
  model: argWord(200).exactOptional(),
  role: argWord(100).exactOptional(),
  preset: z.enum(presetNames).exactOptional(),
  permission_mode: argWord(100).exactOptional(),
  sandbox: z.boolean().exactOptional(),
  skip_permissions: z.boolean().exactOptional(),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(32_000))
    .refine((variables) => Object.keys(variables).length <= 200, 'expected at most 200 variables')
    .exactOptional(),
  /** Callers tend to have a whole `.mcp.json` at hand: its servers count. */
  mcp_config: servers.transform((given) => mcpFile.safeParse(given).data?.mcpServers ?? given).exactOptional(),
  append_system_prompt: agentText.exactOptional(),
  bead: argWord(200).exactOptional(),
  copy_files: relativePaths.exactOptional(),
  symlink_dirs: relativePaths.exactOptional(),
  setup_commands: z.array(z.string().min(1).max(4_000)).max(50).exactOptional(),
};

/** What it may use, of which each of them says what happens there. */
export const bounds = {
  max_turns: z.int().min(1).max(1_000).exactOptional(),
  max_cost_usd: z.number().positive().exactOptional(),
};
