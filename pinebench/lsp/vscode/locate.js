// Finds the program that is started, and says what to do where there is none. It needs nothing of VS Code.
const fs = require('fs');
const path = require('path');

const NAME = 'pinebench';
const ENVIRONMENTS = ['.venv', 'venv', 'env'];

function isFile(file) {
  try {
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function names(windows) {
  return windows ? [`${NAME}.exe`, `${NAME}.cmd`] : [NAME];
}

// The program to start and, where none is found, why. `setting` is what the user chose (empty: nothing), `folders` are
// the folders of the workspace that the user trusts, `searched` is the PATH.
function locate({ setting = '', folders = [], searched = '', windows = process.platform === 'win32' }) {
  if (setting) {
    const named = path.isAbsolute(setting) || setting.includes('/') || setting.includes('\\');
    if (named) {
      return isFile(setting) ? { command: setting } : { reason: `the setting pinebench.command names ${setting}, which is not a file` };
    }
  }
  const wanted = setting && setting !== NAME ? [setting] : names(windows);
  const inside = setting && setting !== NAME ? [] : folders.flatMap((folder) => ENVIRONMENTS.map((each) => path.join(folder, each, windows ? 'Scripts' : 'bin')));
  const onPath = searched.split(windows ? ';' : ':').filter(Boolean);
  for (const folder of [...onPath, ...inside]) {
    const found = wanted.map((each) => path.join(folder, each)).find(isFile);
    if (found) return { command: found };
  }
  const places = inside.length ? `, and not in ${ENVIRONMENTS.join(', ')} of this workspace` : '';
  return { reason: `${wanted[0]} was not found on the PATH that VS Code has${places}. Install it with pip, or set its path.` };
}

// What the server said last before it ended: the line for people, without the program's name.
function lastWords(said, code) {
  const lines = said.split(/\r?\n/).filter((line) => line.trim());
  const told = lines.filter((line) => !/^\s|^Traceback/.test(line)).slice(-2).join(' ');
  return told || `it ended with the exit code ${code}`;
}

module.exports = { locate, lastWords };
