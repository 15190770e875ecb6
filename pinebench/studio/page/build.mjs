// Bundles the page into ../static: `node build.mjs`, or `node build.mjs --watch` while working on it.
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '..', 'static');
const fresh = `${target}.${process.pid}.new`;

const options = {
  entryPoints: {
    studio: join(here, 'src/main.tsx'),
    app: join(here, 'src/market/main.tsx'), // the page of a chart server
    'editor.worker': join(here, 'node_modules/monaco-editor/esm/vs/editor/editor.worker.js'),
  },
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'chrome115',
  jsx: 'automatic',
  outdir: fresh,
  assetNames: '[name]-[hash]', // of letters, which browsers keep for good
  publicPath: '/studio/assets',
  loader: { '.ttf': 'file', '.woff2': 'file' },
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'none',
  logLevel: 'warning',
};

// For charts in files that stand alone. The licence of the library stays in the script.
const chart = {
  ...options,
  entryPoints: { chart: join(here, 'src/chart/main.ts') },
  alias: { react: join(here, 'src/chart/none.ts') }, // nothing that is drawn there uses components
  legalComments: 'inline',
};

const licences = [
  ['React and React DOM', 'node_modules/react/LICENSE'],
  ['Monaco Editor', 'node_modules/monaco-editor/LICENSE'],
  ['Monaco Editor, third parties', 'node_modules/monaco-editor/ThirdPartyNotices.txt'],
  ['Lightweight Charts', 'node_modules/lightweight-charts/LICENSE'],
  ['Inter', 'node_modules/@fontsource-variable/inter/LICENSE'],
  ['JetBrains Mono', 'node_modules/@fontsource-variable/jetbrains-mono/LICENSE'],
];

// For reports that are written as one file, too.
const formats = {
  ...options,
  entryPoints: { formats: join(here, 'src/model/formats.ts') },
  globalName: 'formats',
};

async function copyRest(folder) {
  // The page asks for its letters by the names that they have in the stylesheet.
  const built = await readdir(folder);
  const page = await readFile(join(here, 'src/index.html'), 'utf8');
  const named = page.replace(/([\w-]+)\.woff2/g, (plain, name) => built.find((file) => file.startsWith(`${name}-`)) ?? plain);
  await writeFile(join(folder, 'index.html'), named);
  // For pages that stand alone, such as the report of a back-test.
  const charts = 'node_modules/lightweight-charts/dist/lightweight-charts.standalone.production.js';
  await copyFile(join(here, charts), join(folder, 'charts.js'));
  const notice = 'TradingView Lightweight Charts™, Copyright (c) 2025 TradingView, Inc. https://www.tradingview.com/\n';
  const texts = await Promise.all(
    licences.map(async ([name, file]) => `${name}\n${'='.repeat(name.length)}\n${await readFile(join(here, file), 'utf8')}`),
  );
  await writeFile(join(folder, 'LICENSES.txt'), [notice, ...texts].join('\n\n'));
}

/** Put a `.br` beside every text, so that no request waits for a compression. */
async function pack(folder) {
  const texts = (await readdir(folder)).filter((name) => /\.(js|css|ttf)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const body = await readFile(join(folder, name));
      const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } };
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(body, quality));
    }),
  );
}

if (process.argv.includes('--watch')) {
  await mkdir(target, { recursive: true });
  for (const name of await readdir(target)) if (name.endsWith('.br')) await rm(join(target, name)); // of an older build
  const context = await esbuild.context({ ...options, outdir: target, minify: false, sourcemap: 'inline' });
  await context.rebuild();
  const drawn = await esbuild.context({ ...chart, outdir: target, minify: false });
  await drawn.rebuild();
  const written = await esbuild.context({ ...formats, outdir: target });
  await written.rebuild();
  await copyRest(target);
  await Promise.all([context.watch(), drawn.watch(), written.watch()]);
} else {
  // Build beside the old page and swap, so that a running studio or a failed build never sees half a page.
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  try {
    await esbuild.build(options);
    await esbuild.build(chart);
    await esbuild.build(formats);
    await copyRest(fresh);
    await pack(fresh);
    await rm(target, { recursive: true, force: true });
    await rename(fresh, target).catch(() => cp(fresh, target, { recursive: true }));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}
