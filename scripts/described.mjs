// Writes the tools as clients see them into the bundle: to make that of the schemas would be a part of each start.
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { lean } from './lean.mjs';

export const described = {
  name: 'described',
  setup({ onLoad }) {
    // Before `lean`, which reads every source file.
    onLoad({ filter: /\/src\/mcp\/described\.ts$/ }, async ({ path }) => ({ contents: await written(dirname(path)) }));
  },
};

async function written(folder) {
  const boxes = {
    manager: (await loaded(join(folder, 'manager-toolbox.ts'))).managerToolbox,
    worker: (await loaded(join(folder, 'worker-toolbox.ts'))).workerToolbox,
  };
  const texts = Object.entries(boxes).map(([name, box]) => {
    const json = JSON.stringify(JSON.stringify(box.describeTools()));
    return `${name}: () => JSON.parse(${json})`;
  });
  return `export const described = { ${texts.join(', ')} };`;
}

async function loaded(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    plugins: [lean],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
