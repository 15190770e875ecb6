// Bundles the page into ../static: `node build.mjs`, or `node build.mjs --watch` while working on it.
import { copyFile, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '..', 'static');
const fresh = `${target}.${process.pid}.new`;

const options = {
  entryPoints: {
    studio: join(here, 'src/main.tsx'),
    'editor.worker': join(here, 'node_modules/monaco-editor/esm/vs/editor/editor.worker.js'),
  },
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'chrome115',
  jsx: 'automatic',
  outdir: fresh,
  assetNames: '[name]',
  publicPath: '/studio/assets',
  loader: { '.ttf': 'file', '.woff2': 'file' },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
};

const licences = [
  ['React and React DOM', 'node_modules/react/LICENSE'],
  ['Monaco Editor', 'node_modules/monaco-editor/LICENSE'],
  ['Monaco Editor, third parties', 'node_modules/monaco-editor/ThirdPartyNotices.txt'],
  ['Lightweight Charts', 'node_modules/lightweight-charts/LICENSE'],
  ['Inter', 'node_modules/@fontsource-variable/inter/LICENSE'],
  ['JetBrains Mono', 'node_modules/@fontsource-variable/jetbrains-mono/LICENSE'],
];

async function copyRest(folder) {
  await copyFile(join(here, 'src/index.html'), join(folder, 'index.html'));
  // For pages that stand alone, such as the report of a back-test.
  const charts = 'node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.js';
  await copyFile(join(here, charts), join(folder, 'charts.js'));
  const notice = 'TradingView Lightweight Charts™, Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/\n';
  const texts = await Promise.all(
    licences.map(async ([name, file]) => `${name}\n${'='.repeat(name.length)}\n${await readFile(join(here, file), 'utf8')}`),
  );
  await writeFile(join(folder, 'LICENSES.txt'), [notice, ...texts].join('\n\n'));
}

if (process.argv.includes('--watch')) {
  await mkdir(target, { recursive: true });
  await copyRest(target);
  const context = await esbuild.context({ ...options, outdir: target, minify: false, sourcemap: 'inline' });
  await context.watch();
} else {
  // Build beside the old page and swap, so that a running studio or a failed build never sees half a page.
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    await esbuild.build(options);
    await copyRest(fresh);
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target).catch(() => cp(fresh, target, { recursive: true }));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
