// Bundles the playground of the site into a folder: `node playground.mjs FOLDER`.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const common = { bundle: true, minify: true, target: 'chrome115', legalComments: 'none', logLevel: 'warning', outdir: process.argv[2] };

await esbuild.build({
  ...common,
  entryPoints: {
    playground: join(here, 'src/playground/main.ts'),
    'editor.worker': join(here, 'node_modules/monaco-editor/esm/vs/editor/editor.worker.js'),
  },
  format: 'iife',
  alias: { react: join(here, 'src/chart/none.ts') }, // nothing that is drawn there uses components
  loader: { '.ttf': 'file' },
});
await esbuild.build({ ...common, entryPoints: { worker: join(here, 'src/playground/worker.ts') }, format: 'esm' });
