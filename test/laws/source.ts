// Our own source as the laws read it: files, what they import, and their syntax trees.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';
import { z } from 'zod';

export const root = resolve(import.meta.dirname, '../..');

export interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: object): value is Node =>
  'type' in value && typeof value.type === 'string' && 'start' in value && typeof value.start === 'number';

export interface Import {
  /** A path from the root for our own files, else the specifier. */
  readonly target: string;
  readonly own: boolean;
  readonly typeOnly: boolean;
  /** What is taken, where that is known by name. */
  readonly names: readonly string[];
}

export interface SourceFile {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lineCount: number;
  readonly nodes: readonly { readonly node: Node; readonly parent: Node | undefined }[];
  readonly imports: readonly Import[];
  /** Line of an offset, from 1. */
  lineOf(offset: number): number;
}

/** Every TypeScript file below the folders, parsed. */
export const sourcesIn = (...folders: readonly string[]): readonly SourceFile[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.includes('fixtures'))
        .map((name) => parse(posix.join(folder, name.split('\\').join('/'))))
        .sort((a, b) => a.path.localeCompare(b.path)),
    );

const parsedFiles = new Map<string, SourceFile>();

function parse(path: string): SourceFile {
  const held = parsedFiles.get(path) ?? parseFile(path);
  parsedFiles.set(path, held);
  return held;
}

function parseFile(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const { program, errors } = parseSync(path, text, { preserveParens: false });
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  const nodes = collect(program, undefined);
  return {
    path,
    text,
    lineCount: text.trimEnd().split('\n').length,
    nodes,
    imports: nodes.flatMap((found) => importOf(found.node, path)),
    lineOf: (offset) => text.slice(0, offset).split('\n').length,
  };
}

type Found = { readonly node: Node; readonly parent: Node | undefined };

function collect(value: unknown, parent: Node | undefined, found: Found[] = []): Found[] {
  if (Array.isArray(value)) for (const item of value) collect(item, parent, found);
  else if (value !== null && typeof value === 'object') {
    if (isNode(value)) found.push({ node: value, parent });
    const holder = isNode(value) ? value : parent;
    for (const child of Object.values(value)) collect(child, holder, found);
  }
  return found;
}

const importNode = z.looseObject({
  type: z.enum(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression']),
  source: z.looseObject({ value: z.string() }),
  importKind: z.string().optional(),
  exportKind: z.string().optional(),
  specifiers: z
    .array(
      z.looseObject({ importKind: z.string().optional(), imported: z.looseObject({ name: z.string() }).optional() }),
    )
    .optional(),
});

function importOf(found: Node, path: string): readonly Import[] {
  if (!/^(Import|Export)/.test(found.type)) return [];
  const parsed = importNode.safeParse(found);
  if (!parsed.success) return [];
  const { source, importKind, exportKind, specifiers = [] } = parsed.data;
  const own = source.value.startsWith('.');
  const inlineTypes = specifiers.length > 0 && specifiers.every((one) => one.importKind === 'type');
  return [
    {
      target: own ? posix.join(dirname(path), source.value) : source.value,
      own,
      typeOnly: importKind === 'type' || exportKind === 'type' || inlineTypes,
      names: specifiers.flatMap((one) => one.imported?.name ?? []),
    },
  ];
}

/** The name of an identifier node, else undefined. */
export const nameOf = (value: unknown): string | undefined =>
  value !== null && typeof value === 'object' && 'name' in value && typeof value.name === 'string'
    ? value.name
    : undefined;
