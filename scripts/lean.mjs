// What the bundle leaves out of libraries, since every start would pay for it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

export const lean = {
  name: 'lean',
  setup(build) {
    const rewrite = (filter, change, loader = 'js') =>
      build.onLoad({ filter }, async ({ path }) => ({ contents: change(await readFile(path, 'utf8'), path), loader }));
    // The SDK's server imports a JSON schema compiler that ours never uses.
    rewrite(/sdk\/dist\/esm\/validation\/ajv-provider\.js$/, () => 'export class AjvJsonSchemaValidator {}');
    // zod brings its messages in forty languages.
    rewrite(/zod\/v4\/locales\/index\.js$/, () => "export { default as en } from './en.js';");
    // esbuild drops what nobody uses of a namespace only where it is imported as one.
    rewrite(
      /\/(src|test)\/.*\.ts$/,
      (text) => text.replace("import { z } from 'zod';", "import * as z from 'zod';"),
      'ts',
    );
    rewrite(/sdk\/dist\/esm\/types\.js$/, onlyUsedSchemas);
    // The client, which only the demo uses, gets schemas of its own, so that the server starts without those.
    rewrite(/sdk\/dist\/esm\/client\/index\.js$/, (text) => text.replace("'../types.js'", "'../types.js?client'"));
    build.onResolve({ filter: /^\.\.\/types\.js\?client$/ }, ({ resolveDir }) => ({
      path: join(resolveDir, '../types.js'),
      suffix: '?client',
    }));
  },
};

/**
 * The SDK makes a schema of every message there is; made in functions, those that nobody asks for can be dropped.
 * zod would compile each that is left, which takes longer than the few messages it judges.
 */
function onlyUsedSchemas(text, path) {
  const made = parseSync(path, text).program.body.flatMap((statement) => {
    const { type, declarations = [] } = statement.declaration ?? statement;
    if (type !== 'VariableDeclaration') return [];
    return declarations.flatMap(({ init }) => (init?.type === 'CallExpression' ? [init] : []));
  });
  let at = 0;
  let changed = '';
  for (const { start, end } of made) {
    changed += `${text.slice(at, start)}/* @__PURE__ */ (() => ${text.slice(start, end)})()`;
    at = end;
  }
  return `z.config({ jitless: true });\n${changed}${text.slice(at)}\nz.config({ jitless: false });\n`;
}
