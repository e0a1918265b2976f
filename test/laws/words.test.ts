import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Node, nameOf, root, type SourceFile, sourcesIn } from './source.ts';

const everywhere = () => sourcesIn('src', 'test', 'bench');

const offences = (files: readonly SourceFile[], isOffence: (node: Node, file: SourceFile) => boolean) =>
  files.flatMap((file) =>
    file.nodes.filter(({ node }) => isOffence(node, file)).map(({ node }) => `${file.path}:${file.lineOf(node.start)}`),
  );

describe('the type system is not talked over', () => {
  it('with any', () => {
    expect(offences(everywhere(), ({ type }) => type === 'TSAnyKeyword')).toEqual([]);
  });

  it('with as, but for constants and the branding of ids', () => {
    const isAs = (node: Node, file: SourceFile) =>
      (node.type === 'TSTypeAssertion' || (node.type === 'TSAsExpression' && !isConst(node))) &&
      file.path !== 'src/model/ids.ts';
    expect(offences(everywhere(), isAs)).toEqual([]);
  });

  it('with a promise that something is there', () => {
    expect(
      offences(
        everywhere(),
        (node) => node.type === 'TSNonNullExpression' || (node.type === 'VariableDeclarator' && node.definite === true),
      ),
    ).toEqual([]);
  });

  it('with enum, namespace or parameter properties', () => {
    expect(
      offences(everywhere(), ({ type }) => /^TS(EnumDeclaration|ModuleDeclaration|ParameterProperty)$/.test(type)),
    ).toEqual([]);
  });

  it('with comments that silence a checker', () => {
    const silencers = everywhere().filter(({ text }) => /(@ts-(ignore|expect-error|nocheck)|biome-ignore)/.test(text));
    expect(silencers.map(({ path }) => path).filter((path) => path !== 'test/laws/words.test.ts')).toEqual([]);
  });
});

const isConst = (node: Node): boolean => JSON.stringify(node.typeAnnotation).includes('"name":"const"');

describe('names', () => {
  /** The wire has this word for whoever leads a crew. */
  const wire = ['src/tools/worker/ask-manager.ts', 'askManager'];
  const vague = /(^|-)(utils?|helpers?|common|misc|manager|service|base)(\.|$)/;

  it('of files are thoughts, in kebab-case', () => {
    const names = everywhere().flatMap(({ path }) => (wire.includes(path) ? [] : [path]));
    const bad = names.filter((path) => path.split('/').some((part) => vague.test(part) || !/^[a-z0-9.-]+$/.test(part)));
    expect(bad).toEqual([]);
  });

  it('of exports are neither managers, services nor helpers', () => {
    const bad = sourcesIn('src').flatMap((file) =>
      file.nodes
        .filter(
          ({ node, parent }) =>
            node.type === 'Identifier' &&
            parent?.id === node &&
            /(Manager|Service|Helpers?|Utils?)$/.test(nameOf(node) ?? '') &&
            !wire.includes(nameOf(node) ?? ''),
        )
        .map(({ node }) => `${file.path}:${file.lineOf(node.start)} ${nameOf(node)}`),
    );
    expect(bad).toEqual([]);
  });

  it('are exported by name, never by default', () => {
    expect(offences(sourcesIn('src', 'bench'), ({ type }) => type === 'ExportDefaultDeclaration')).toEqual([]);
  });
});

describe('nouns', () => {
  const isType = /^(TSInterfaceDeclaration|TSTypeAliasDeclaration|ClassDeclaration)$/;

  const exported = sourcesIn('src').flatMap(({ path, nodes }) => {
    const direct = nodes.filter(({ parent }) => parent?.type === 'ExportNamedDeclaration').map(({ node }) => node);
    const lists = new Set(direct.filter(({ type }) => type === 'VariableDeclaration'));
    const inLists = nodes.filter(({ parent }) => parent !== undefined && lists.has(parent)).map(({ node }) => node);
    return [...direct, ...inLists].flatMap((node) => {
      const name = nameOf(node.id);
      return name === undefined ? [] : [{ name, isType: isType.test(node.type), path }];
    });
  });
  const types = exported.filter(({ isType }) => isType);
  const wordsOf = (name: string): readonly string[] =>
    name
      .split(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/)
      .filter((word) => word !== '')
      .map((word) => word.toLowerCase());

  it('stand for one thing each: no two exported types share a name', () => {
    const shared = types.filter(({ name }, at) => types.findIndex((one) => one.name === name) !== at);
    expect(shared.map(({ name, path }) => `${path}: ${name}`)).toEqual([]);
  });

  it('that only we would understand are in no name of an exported type', () => {
    const ours = /^(lane|shelf|sight|glance|badge|born|room|told)s?$/;
    expect(types.filter(({ name }) => wordsOf(name).some((word) => ours.test(word)))).toEqual([]);
  });

  it('of the glossary are words of the code', () => {
    const [, glossary = ''] = /## Glossary\n(.*)/.exec(readFileSync(join(root, 'AGENTS.md'), 'utf8')) ?? [];
    const nouns = glossary.split(' · ').map((entry) => entry.split(':')[0] ?? '');
    expect(nouns.length).toBeGreaterThan(20);
    const singular = (word: string) => word.replace(/s$/, '');
    const used = new Set(exported.flatMap(({ name, path }) => [...wordsOf(name), ...wordsOf(path)]).map(singular));
    expect(nouns.filter((noun) => !noun.split(' ').every((word) => used.has(singular(word))))).toEqual([]);
  });
});

describe('tests', () => {
  it('are all run', () => {
    const skips = (node: Node) =>
      node.type === 'MemberExpression' &&
      /^(skip|skipIf|runIf|only|todo|fails)$/.test(nameOf(node.property) ?? '') &&
      /^(it|test|describe)$/.test(nameOf(node.object) ?? '');
    expect(offences(sourcesIn('test'), skips)).toEqual([]);
  });

  it('lie where the file they test lies', () => {
    const sources = new Set(
      sourcesIn('src').flatMap(({ path }) => [path.slice(4, -3), path.slice(4).split('/').slice(0, -1).join('/')]),
    );
    const free = /^test\/(laws|e2e|real|support|fixtures|scripts)\//;
    const lost = sourcesIn('test')
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.test.ts') && !free.test(path))
      .filter(
        (path) => !sources.has(path.slice(5, -8)) && !sources.has(path.slice(5).split('/').slice(0, -1).join('/')),
      )
      .filter((path) => !path.startsWith('test/server'));
    expect(lost).toEqual([]);
  });
});
