// Makes a copy of the memory of a Python that has loaded pinebench, so that a browser does not have to load it:
//   node snapshot.mjs PYODIDE SITE EXAMPLES TARGET
// PYODIDE is the package's folder, SITE a folder to import from, EXAMPLES a JSON list of scripts to run once.
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

const [pyodide, site, examples, target] = process.argv.slice(2);
const PACKAGES = '/lib/site';

const { loadPyodide } = await import(pathToFileURL(join(pyodide, 'pyodide.mjs')));
const python = await loadPyodide({ indexURL: pyodide + sep, _makeSnapshot: true });

for (const entry of readdirSync(site, { recursive: true })) {
  const path = join(site, entry);
  const name = `${PACKAGES}/${relative(site, path).split(sep).join('/')}`;
  if (statSync(path).isDirectory()) {
    python.FS.mkdirTree(name);
  } else {
    python.FS.mkdirTree(name.slice(0, name.lastIndexOf('/')));
    python.FS.writeFile(name, new Uint8Array(readFileSync(path)));
  }
}
python.globals.set('examples', readFileSync(examples, 'utf8'));
python.runPython(`
import gc, json, sys
sys.path.insert(0, "${PACKAGES}")
import playground
from playground import answer
playground.prepare(json.loads(examples))
del examples
gc.collect()
`);
writeFileSync(target, gzipSync(python.makeMemorySnapshot(), { level: constants.Z_BEST_COMPRESSION }));
