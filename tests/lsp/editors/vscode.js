// What of VS Code the extension uses, so that it runs in Node: it keeps what the extension registers, shows and reports.
const Module = require('module');
const fs = require('fs');
const path = require('path');

class Items extends Map {
  add(item) { item.parent = this.owner; this.set(item.id, item); }
  replace(items) { this.clear(); for (const item of items) this.set(item.id, item); }
  [Symbol.iterator]() { return this.entries(); }
}

class Emitter {
  constructor() { this.heard = []; this.event = (on) => { this.heard.push(on); return { dispose() {} }; }; }
  fire(what) { return Promise.all(this.heard.map((on) => on(what))); }
}

const uriOf = (file) => ({ scheme: 'file', fsPath: file, toString: () => `file://${file}` });
const seen = { commands: {}, results: [], messages: [], controllers: [], contexts: {}, shown: [], items: [], ended: 0 };
const happened = { trust: new Emitter(), folders: new Emitter(), diagnostics: new Emitter(), editor: new Emitter(), state: new Emitter() };
const host = { trusted: true, folders: [], settings: {}, diagnostics: [], answer: undefined, fails: undefined };

function filesIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((each) => {
    const place = path.join(folder, each.name);
    return each.isDirectory() ? filesIn(place) : place.endsWith('.test.toml') ? [place] : [];
  });
}

const namesOf = (item) => (item.parent ? item.label : `${item.label} (file)`);
const editor = {
  Position: class { constructor(line, character) { Object.assign(this, { line, character }); } },
  Range: class { constructor(start, end) { Object.assign(this, { start, end }); } },
  Location: class { constructor(uri, range) { Object.assign(this, { uri, range }); } },
  RelativePattern: class { constructor(base, pattern) { Object.assign(this, { base, pattern }); } },
  TestMessage: class { constructor(message) { this.message = message; } },
  TestRunRequest: class { constructor(include) { this.include = include; } },
  TestRunProfileKind: { Run: 1 },
  LanguageStatusSeverity: { Information: 0, Warning: 1, Error: 2 },
  ViewColumn: { Beside: -2 },
  Uri: { file: uriOf },
  DebugAdapterExecutable: class {},
  commands: {
    registerCommand(name, run) { seen.commands[name] = run; return { dispose() {} }; },
    async executeCommand(name, ...given) { if (name === 'setContext') seen.contexts[given[0]] = given[1]; },
  },
  debug: {
    onDidReceiveDebugSessionCustomEvent: () => ({ dispose() {} }),
    onDidTerminateDebugSession: () => ({ dispose() {} }),
    registerDebugAdapterDescriptorFactory: () => ({ dispose() {} }),
    registerDebugConfigurationProvider: () => ({ dispose() {} }),
  },
  languages: {
    createLanguageStatusItem(id, selector) { const item = { id, selector, dispose() {} }; seen.items.push(item); return item; },
    getDiagnostics: () => host.diagnostics,
    onDidChangeDiagnostics: happened.diagnostics.event,
  },
  tests: {
    createTestController(id, label) {
      const items = new Items();
      const controller = {
        id, label, items, profiles: [], dispose() {},
        createTestItem(name, text, uri) {
          const item = { id: name, label: text, uri, children: new Items() };
          item.children.owner = item;
          return item;
        },
        createRunProfile(name, kind, run, isDefault) { controller.profiles.push({ name, kind, run, isDefault }); },
        createTestRun: () => ({
          enqueued() {}, started() {}, appendOutput() {},
          passed: (item) => seen.results.push([namesOf(item), 'passed']),
          skipped: (item) => seen.results.push([namesOf(item), 'skipped']),
          failed: (item, told) => seen.results.push([namesOf(item), 'failed', told.map((each) => each.message), told[0].location.range.start.line]),
          errored: (item, told) => seen.results.push([namesOf(item), 'errored', told.map((each) => each.message)]),
          end: () => { seen.ended += 1; },
        }),
      };
      seen.controllers.push(controller);
      return controller;
    },
  },
  window: {
    activeTextEditor: undefined,
    onDidChangeActiveTextEditor: happened.editor.event,
    async showInformationMessage(message) { seen.messages.push(message); return host.answer; },
    async showErrorMessage(message) { seen.messages.push(message); return undefined; },
    async showTextDocument(document) { seen.shown.push(document); return document; },
  },
  workspace: {
    get isTrusted() { return host.trusted; },
    get workspaceFolders() { return host.folders.length ? host.folders.map((each) => ({ uri: uriOf(each), name: path.basename(each) })) : undefined; },
    getConfiguration: () => ({ get: (name, usual) => host.settings[name] ?? usual }),
    getWorkspaceFolder(uri) { const found = host.folders.find((each) => uri.fsPath.startsWith(each)); return found && { uri: uriOf(found) }; },
    async findFiles(pattern) { return filesIn(pattern.base.uri.fsPath).map(uriOf); },
    createFileSystemWatcher: () => ({ onDidChange: () => ({ dispose() {} }), onDidCreate: () => ({ dispose() {} }), onDidDelete: () => ({ dispose() {} }), dispose() {} }),
    onDidGrantWorkspaceTrust: happened.trust.event,
    onDidChangeWorkspaceFolders: happened.folders.event,
    onDidChangeConfiguration: () => ({ dispose() {} }),
    async openTextDocument(what) { return what; },
  },
};
class LanguageClient {
  constructor(_id, _name, serve) { Object.assign(this, { serve, onDidChangeState: happened.state.event, initializeResult: { serverInfo: { version: '9.9' } } }); }
  async start() {
    if (!host.fails) return;
    await this.serve();
    throw new Error(host.fails);
  }
  async stop() {}
  createDefaultErrorHandler() { return {}; }
}
const client = { LanguageClient, CloseAction: {}, ErrorAction: {}, State: { Stopped: 1, Running: 2, Starting: 3 } };
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? editor : name === 'vscode-languageclient/node' ? client : load(name, ...rest));

module.exports = { editor, happened, host, seen, uriOf, turn: () => new Promise((go) => setTimeout(go, 5)) };
