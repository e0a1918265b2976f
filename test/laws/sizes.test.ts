import { expect, it } from 'vitest';
import { type Node, nameOf, sourcesIn } from './source.ts';

const fileLimit = 300;
const functionLimit = 60;

it(`no file is longer than ${fileLimit} lines`, () => {
  const offences = sourcesIn('src', 'test', 'bench')
    .filter(({ lineCount }) => lineCount > fileLimit)
    .map(({ path, lineCount }) => `${path} has ${lineCount} lines: find its second thought and give it a file`);
  expect(offences).toEqual([]);
});

it(`no function is longer than ${functionLimit} lines`, () => {
  const offences = sourcesIn('src', 'test', 'bench').flatMap(({ path, nodes, lineOf }) =>
    nodes
      .filter(({ node, parent }) => isFunction(node) && !isGroupOfTests(parent))
      .map(({ node }) => ({ first: lineOf(node.start), last: lineOf(node.end) }))
      .filter(({ first, last }) => last - first + 1 > functionLimit)
      .map(({ first, last }) => `${path}:${first} is a function of ${last - first + 1} lines`),
  );
  expect(offences).toEqual([]);
});

const isFunction = (node: Node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);

/** `describe` groups; what it holds are functions of their own. */
const isGroupOfTests = (parent: Node | undefined) =>
  parent?.type === 'CallExpression' &&
  JSON.stringify(parent.callee).includes('"name":"describe"') &&
  nameOf(parent) === undefined;
