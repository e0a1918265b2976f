// Where Claude Code remembers the folders its user trusts.
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../model/json.ts';
import type { Agent } from '../agent.ts';

const file = z.looseObject({ projects: z.record(z.string(), z.unknown()) });
const trusted = z.looseObject({ hasTrustDialogAccepted: z.literal(true) });

export const trust: NonNullable<Agent['trust']> = {
  fileFor: (env) => join(env.CLAUDE_CONFIG_DIR ?? env.HOME ?? '/', '.claude.json'),
  isTrusted(text, { folder, isRepository, env }) {
    if (env.CLAUDE_CODE_SANDBOXED === '1') return true;
    const { projects = {} } = file.safeParse(parseJson(text)).data ?? {};
    // A folder that is trusted covers the plain folders in it, and no repository; the root covers nothing.
    const places = isRepository ? [folder] : withParents(folder).filter((place) => place !== '/');
    return places.some((place) => Object.hasOwn(projects, place) && trusted.safeParse(projects[place]).success);
  },
};

const withParents = (folder: string): readonly string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...withParents(dirname(folder))];
