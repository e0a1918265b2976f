// Chunks that import each other become one file that compiles each when it is first imported.
import { transform } from 'esbuild';

/** A chunk is carried as a string: reading one costs a start far less than compiling and running it, needed or not. */
export async function oneFile(chunks, { first, target }) {
  const bodies = await Promise.all(chunks.map(async ({ name, text }) => [name, await functionBody(text, target)]));
  return `#!/usr/bin/env node
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

const builtin = createRequire(import.meta.url);
const loaded = {};
const load = (name) => (name in chunks ? (loaded[name] ??= run(name)) : builtin(name));
const run = (name) => {
  const module = { exports: {} };
  const filename = \`crewmux/\${name.slice(2)}\`;
  compileFunction(chunks[name], ['require', 'module', 'fileUrl'], { filename })(load, module, import.meta.url);
  return module.exports;
};

const chunks = ${JSON.stringify(Object.fromEntries(bodies), undefined, 1)};

load(${JSON.stringify(first)});
`;
}

/** node reads a file of plain characters several times faster; esbuild escapes the others except in regular expressions. */
const ascii = (code) => code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Imports become calls of `require`, exports fields of `module.exports`; both stay live. */
async function functionBody(text, target) {
  const { code } = await transform(text, {
    format: 'cjs',
    platform: 'node',
    target,
    minify: true,
    // What was a module is strict; what is a function has to say so.
    banner: "'use strict';",
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'fileUrl' },
  });
  return ascii(code.trim());
}
