// Values as TOML on one line, the form `-c key=value` takes.

export type TomlValue = string | number | boolean | readonly TomlValue[] | TomlTable;
export interface TomlTable {
  readonly [key: string]: TomlValue;
}

export function toToml(value: TomlValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(toToml).join(',')}]`;
  const pairs = Object.entries(value).map(([key, held]) => `${quoted(key)}=${toToml(held)}`);
  return `{${pairs.join(',')}}`;
}

/** The flags of a command line that lay these settings over those of the user. */
export const settingFlags = (settings: TomlTable): readonly string[] =>
  Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${toToml(value)}`]);

const isList = (value: readonly TomlValue[] | TomlTable): value is readonly TomlValue[] => Array.isArray(value);

/** A basic string: JSON's escapes are TOML's, but for DEL, which JSON leaves as it is. */
const quoted = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

/** The part of a JSON value that TOML can hold; TOML has no null. */
export function asToml(value: unknown): TomlValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return value.map(asToml).filter((item) => item !== undefined);
  if (typeof value !== 'object' || value === null) return undefined;
  const pairs = Object.entries(value).map(([key, held]) => [key, asToml(held)] as const);
  return Object.fromEntries(pairs.flatMap(([key, held]) => (held === undefined ? [] : [[key, held]])));
}
