// The hooks that settings ask for, from every layer of them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, fieldsIn, fieldsOf, listOf, wordOf } from '../../model/json.ts';
import { mapRules, type Rules } from '../../model/rule.ts';

export interface HookSpec {
  readonly matcher: string | undefined;
  readonly command: string;
  /** Given, the command is a program and these its arguments; else it is a line of sh. */
  readonly args: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly isAsync: boolean;
}

export interface Settings {
  readonly hooks: ReadonlyMap<string, readonly HookSpec[]>;
  /** `Bash(npm test:*)`, `Write` and their like, as the files have them now. */
  readonly rules: () => Rules;
}

/** The settings, or the words with which the program would end. */
export function readSettings(spec: {
  readonly given: readonly string[];
  readonly configDir: string;
  readonly cwd: string;
}): Settings | { readonly complaint: string } {
  const missing = spec.given.find((one) => !one.trim().startsWith('{') && !existsSync(one));
  if (missing !== undefined) return { complaint: `Error: Settings file not found: ${missing}` };
  const live = [
    join(spec.configDir, 'settings.json'),
    join(spec.cwd, '.claude', 'settings.json'),
    join(spec.cwd, '.claude', 'settings.local.json'),
  ];
  const given = spec.given.map(layerIn);
  const layersNow = () => [...live.filter((path) => existsSync(path)).map(layerIn), ...given];
  const layers = layersNow();
  const hooks = new Map<string, readonly HookSpec[]>();
  for (const layer of layers) {
    for (const [event, groups] of Object.entries(fieldsOf(layer.hooks))) {
      hooks.set(event, [...(hooks.get(event) ?? []), ...listOf(groups).flatMap((group) => specsIn(fieldsOf(group)))]);
    }
  }
  const rules = () => {
    const now = layersNow();
    return mapRules((list) =>
      now.flatMap((layer) => listOf(fieldsOf(layer.permissions)[list])).flatMap((rule) => wordOf(rule) ?? []),
    );
  };
  return { hooks, rules };
}

const layerIn = (one: string): Fields => fieldsIn(one.trim().startsWith('{') ? one : readFileSync(one, 'utf8'));

const defaultTimeoutSeconds = 60;

function specsIn(group: Fields): readonly HookSpec[] {
  return listOf(group.hooks)
    .map(fieldsOf)
    .flatMap((hook) => {
      const command = wordOf(hook.command);
      if (hook.type !== 'command' || command === undefined) return [];
      const seconds = typeof hook.timeout === 'number' ? hook.timeout : defaultTimeoutSeconds;
      return [
        {
          matcher: wordOf(group.matcher),
          command,
          args: Array.isArray(hook.args) ? listOf(hook.args).map(String) : undefined,
          timeoutMs: seconds * 1_000,
          isAsync: hook.async === true,
        },
      ];
    });
}
