// Writes the tools as clients see them into the bundle: rendering their schemas would slow down each start.
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { lean } from './lean.mjs';

export const described = {
  name: 'described',
  setup({ onLoad }) {
    // Before `lean`, which reads every source file.
    onLoad({ filter: /\/src\/mcp\/described\.ts$/ }, async ({ path }) => ({ contents: await written(dirname(path)) }));
  },
};

/** The keys are those that `src/mcp/profiles.ts` gives its toolboxes. */
const entry = `
import { describeTool } from './describe-tool.ts';
import { tools } from '../tools/index.ts';
import { workerTools } from '../tools/worker/index.ts';
const listed = (tools) => tools.map((tool) => ({ set: tool.set, tool: describeTool(tool) }));
export const boxes = { manager: listed(tools), worker: listed(workerTools) };
`;

async function written(folder) {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: folder },
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    plugins: [lean],
  });
  const text = Buffer.from(outputFiles[0].contents).toString('base64');
  const { boxes } = await import(`data:text/javascript;base64,${text}`);
  const texts = Object.entries(boxes).map(([name, tools]) => {
    const json = JSON.stringify(JSON.stringify(tools));
    return `${name}: () => JSON.parse(${json})`;
  });
  return `export const described = { ${texts.join(', ')} };`;
}
