// The tests beside scripts (`*.test.toml`) in the Test Explorer. `pinebench test` lists and runs them, so that the
// names and the results here are those of the command.
const { spawn } = require('child_process');
const { writeFile } = require('fs/promises');
const path = require('path');
const { Location, Position, Range, RelativePattern, TestMessage, TestRunProfileKind, TestRunRequest, Uri, commands, tests, window, workspace } = require('vscode');

const ENDING = '.test.toml';
const PATTERN = `**/*${ENDING}`;
const FOREIGN = '**/node_modules/**';
const CREATE = 'Create a test';
// Milliseconds without a change of test files before they are listed again.
const PAUSE = 300;
const UNTOLD = 'pinebench reported no result of this test';
const CANCELLED = 'cancelled';

// The output of `pinebench test` with these arguments, in a folder. It ends when `token` is cancelled.
function told(command, folder, given, token) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, ['test', '--format', 'json', ...given], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    const heard = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => { heard.out += text; });
    child.stderr.setEncoding('utf8').on('data', (text) => { heard.err += text; });
    child.once('error', reject);
    child.once('close', () => resolve(heard));
    token?.onCancellationRequested(() => child.kill());
  });
}

// The tests in an answer of pinebench. Throws an error with its words if it has none.
function read({ out, err }) {
  let answer;
  try {
    answer = JSON.parse(out);
  } catch {
    throw new Error(err.trim() || 'pinebench answered something that is not JSON');
  }
  if (!Array.isArray(answer.tests)) throw new Error([answer.error ?? err.trim(), answer.hint].filter(Boolean).join('\n'));
  return answer.tests;
}

const wordsOf = (each) => [each.error, each.hint].filter(Boolean).join('\n');
const folderOf = (uri) => workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);

// The Test Explorer's tests. `find` gives `{ command }`, or `{ reason }` where there is no program.
class Explorer {
  constructor(find) {
    this.find = find;
    this.scripts = new Map();
    this.listed = Promise.resolve();
    this.controller = tests.createTestController('pinebench', 'Pinebench');
    this.controller.refreshHandler = () => this.list();
    this.controller.createRunProfile('Run', TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    const watcher = workspace.createFileSystemWatcher(PATTERN);
    const soon = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.list(), PAUSE);
    };
    this.disposables = [this.controller, watcher, watcher.onDidChange(soon), watcher.onDidCreate(soon), watcher.onDidDelete(soon)];
  }

  // Lists the tests of the workspace again, after a listing that goes on.
  list() {
    this.listed = this.listed.catch(() => undefined).then(() => this.listAll());
    return this.listed;
  }

  // A folder that nobody trusts has no tests, because listing them starts a program.
  async listAll() {
    this.scripts.clear();
    const items = [];
    for (const folder of workspace.isTrusted ? workspace.workspaceFolders ?? [] : []) {
      const found = await workspace.findFiles(new RelativePattern(folder, PATTERN), FOREIGN);
      if (found.length) items.push(...await this.itemsOf(folder.uri.fsPath, found));
    }
    this.controller.items.replace(items);
  }

  // The items of test files, each with its tests below it.
  async itemsOf(folder, files) {
    const items = new Map();
    for (const uri of files) {
      const label = path.relative(folder, uri.fsPath);
      items.set(path.normalize(uri.fsPath), this.controller.createTestItem(uri.toString(), label, uri));
    }
    const problem = await this.fill(folder, items).catch((error) => error.message);
    if (problem) for (const item of items.values()) item.error = problem;
    return [...items.values()];
  }

  async fill(folder, items) {
    const { command, reason } = this.find();
    if (!command) return reason;
    for (const each of read(await told(command, folder, ['--list', '--', ...items.keys()]))) {
      const file = items.get(path.normalize(path.resolve(folder, each.file)));
      if (!file) continue;
      if (each.error) file.error = wordsOf(each);
      else file.children.add(this.itemOf(file, each, folder));
    }
    return undefined;
  }

  itemOf(file, each, folder) {
    const item = this.controller.createTestItem(`${file.id}#${each.name}`, each.name, file.uri);
    const start = new Position(each.line - 1, 0);
    item.range = new Range(start, start);
    this.scripts.set(item, path.normalize(path.resolve(folder, each.script)));
    return item;
  }

  // The chosen tests by their files. A file stands for all of its tests.
  chosen(request) {
    const excluded = new Set(request.exclude ?? []);
    const roots = request.include ?? [...this.controller.items].map(([, item]) => item);
    const found = new Map();
    for (const item of roots) {
      const file = item.parent ?? item;
      const below = item.parent ? [item] : [...item.children].map(([, child]) => child);
      const all = found.get(file) ?? new Set();
      for (const each of below.length ? below : [file]) if (!excluded.has(each) && !excluded.has(file)) all.add(each);
      if (all.size) found.set(file, all);
    }
    return found;
  }

  async run(request, token) {
    const run = this.controller.createTestRun(request);
    try {
      const files = this.chosen(request);
      for (const items of files.values()) for (const item of items) run.enqueued(item);
      for (const [file, items] of files) await this.runFile(run, file, items, token);
    } finally {
      run.end();
    }
  }

  // Runs tests of one file. Each of them gets a result: a test that pinebench does not report never passes.
  async runFile(run, file, items, token) {
    let outcomes = [];
    let problem;
    for (const item of items) run.started(item);
    try {
      outcomes = await this.outcomes(run, file, items, token);
    } catch (error) {
      problem = error.message;
    }
    const named = new Map(outcomes.map((each) => [each.name, each]));
    const ofFile = outcomes.find((each) => each.error && !each.passed && each.name === path.basename(file.uri.fsPath));
    for (const item of items) {
      if (token.isCancellationRequested) run.skipped(item);
      else tell(run, item, problem, named.get(item.label) ?? ofFile);
    }
  }

  async outcomes(run, file, items, token) {
    const { command, reason } = this.find();
    if (!command) throw new Error(reason);
    if (token.isCancellationRequested) throw new Error(CANCELLED);
    const isWhole = items.size >= file.children.size;
    const only = isWhole ? [] : [...items].map((item) => `--only=${item.label}`);
    const heard = await told(command, folderOf(file.uri), [...only, '--', file.uri.fsPath], token);
    if (heard.err) run.appendOutput(heard.err.replace(/\r?\n/g, '\r\n'));
    return read(heard);
  }

  // Runs the tests of the script, or of the test file, that the editor shows.
  async runShown() {
    const shown = window.activeTextEditor?.document;
    if (!shown) return undefined;
    if (shown.uri.scheme !== 'file') return window.showInformationMessage('Save the script first: its tests are in a file beside it.');
    await this.list();
    const place = path.normalize(shown.uri.fsPath);
    const files = [...this.controller.items].map(([, item]) => item);
    const items = shown.uri.fsPath.endsWith(ENDING)
      ? files.filter((each) => path.normalize(each.uri.fsPath) === place)
      : [...this.scripts].filter(([, script]) => script === place).map(([item]) => item);
    if (!items.length) return this.offer(shown);
    await commands.executeCommand('workbench.panel.testResults.view.focus').then(undefined, () => undefined);
    const token = { isCancellationRequested: false, onCancellationRequested: () => undefined };
    return this.run(new TestRunRequest(items), token);
  }

  // Offers a first test for a script that has none.
  async offer(document) {
    const name = path.basename(document.uri.fsPath);
    const chosen = await window.showInformationMessage(`No test file of this workspace names ${name}.`, CREATE);
    return chosen === CREATE ? create(document) : undefined;
  }
}

// Tells the result of one test.
function tell(run, item, problem, outcome) {
  const place = new Location(item.uri, item.range ?? new Range(new Position(0, 0), new Position(0, 0)));
  const messages = (texts) => texts.map((text) => Object.assign(new TestMessage(text), { location: place }));
  if (problem || !outcome) run.errored(item, messages([problem ?? UNTOLD]));
  else if (outcome.error) run.errored(item, messages([wordsOf(outcome)]));
  else if (outcome.failures?.length) run.failed(item, messages(outcome.failures));
  else if (outcome.passed === true) run.passed(item);
  else run.errored(item, messages([UNTOLD]));
}

// Writes a first test beside a script and opens it. A file that is there stays as it is.
async function create(document) {
  const file = document.uri.fsPath.replace(/\.[^.\\/]*$/, '') + ENDING;
  const text = `script = ${JSON.stringify(path.basename(document.uri.fsPath))}\nbars = "BTCUSDT"\ntimeframe = "60"\nexpect = ["bars>0"]\nno-repaint = true\n`;
  await writeFile(file, text, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return window.showTextDocument(await workspace.openTextDocument(Uri.file(file)));
}

module.exports = { Explorer };
