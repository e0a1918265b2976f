// Chunks that import each other become one file that compiles each when it is first imported.
import { transform } from 'esbuild';

/**
 * A chunk is carried as the comment of a function that nobody calls, and taken from its source when it is needed:
 * node passes over a comment several times faster than it reads a string, let alone compiles it.
 */
export async function oneFile(chunks, { first, target }) {
  const methods = await Promise.all(
    chunks.map(
      async ({ name, text }) => `${JSON.stringify(name)}() {/*${inComment(await functionBody(text, target))}*/}`,
    ),
  );
  return `#!/usr/bin/env node
import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';

const builtin = createRequire(import.meta.url);
const loaded = {};
const load = (name) => (name in chunks ? (loaded[name] ??= run(name)) : builtin(name));
const codeOf = (name) => {
  const text = String(chunks[name]);
  return text.slice(text.indexOf('/*') + 2, -3).replaceAll('*\\x7f/', '*/');
};
const run = (name) => {
  const module = { exports: {} };
  const filename = \`crewmux/\${name.slice(2)}\`;
  compileFunction(codeOf(name), ['require', 'module', 'fileUrl'], { filename })(load, module, import.meta.url);
  return module.exports;
};

const chunks = {
${methods.join(',\n')}
};

load(${JSON.stringify(first)});
`;
}

/** The end of a comment gets a character between that no code holds as it is. */
function inComment(code) {
  if (code.includes('\x7f')) throw new Error('A chunk holds the character that marks the end of a comment in it.');
  return code.replaceAll('*/', '*\x7f/');
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
