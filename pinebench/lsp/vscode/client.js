// Starts `pinebench lsp` and lets it answer for every Pine script.
const { spawn } = require('child_process');
const { DebugAdapterExecutable, commands, debug, window, workspace } = require('vscode');
const { CloseAction, ErrorAction, LanguageClient, State } = require('vscode-languageclient/node');
const chart = require('./chart');
const { lastWords, locate } = require('./locate');
const status = require('./status');
const { Explorer } = require('./tests');

// The commands of the palette, by what their names end in, with the server's command and what is added to its argument.
// The client registers the server's commands by their names, so none of ours can have such a name.
const COMMANDS = {
  compileLocal: ['pinebench.compile', { with: 'local' }],
  compileOnline: ['pinebench.compile', { with: 'online' }],
  compileChart: ['pinebench.compile', { with: 'chart' }],
  runScript: ['pinebench.run', {}],
  backtestScript: ['pinebench.backtest', {}],
  findUnusedExports: ['pinebench.unusedExports', {}],
};
const SETTING = 'Set the path';
const AGAIN = 'Try again';
// Milliseconds that a server which fails has to say why.
const PATIENCE = 2000;
// Milliseconds that a person has to trust the folder before a message tells what is missing.
const TRUST_PATIENCE = 20000;
let client;
let isTold = false;

// Says nothing by itself before it has started: one message of ours tells the reason and what to do.
class Client extends LanguageClient {
  error(message, data, show) {
    super.error(message, data, client === this ? show : false);
  }
}

// Restarts a server that ran, but not one that could not start.
function handler(usual, isRunning) {
  const quiet = { handled: true };
  return {
    error: (...what) => (isRunning() ? usual().error(...what) : { action: ErrorAction.Shutdown, ...quiet }),
    closed: () => (isRunning() ? usual().closed() : { action: CloseAction.DoNotRestart, ...quiet }),
  };
}

const trusted = () => new Promise((tell) => workspace.onDidGrantWorkspaceTrust(tell));
const later = (milliseconds) => new Promise((tell) => setTimeout(tell, milliseconds));

// Starts the server, and keeps what it says for people in case that it ends.
function started(command) {
  return new Promise((resolve, reject) => {
    const server = spawn(command, ['lsp'], { stdio: 'pipe' });
    server.said = '';
    server.stderr.on('data', (bytes) => {
      server.said = (server.said + bytes).slice(-4000);
    });
    server.once('error', reject);
    server.ended = new Promise((tell) => server.once('close', (code, signal) => tell(code ?? signal)));
    server.once('spawn', () => resolve(server));
  });
}

// The program, or the reason why there is none.
function program() {
  const folders = workspace.isTrusted ? (workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath) : [];
  const setting = workspace.getConfiguration('pinebench').get('command', '');
  return locate({ setting, folders, searched: process.env.PATH ?? '' });
}

async function start() {
  status.starting();
  const settings = workspace.getConfiguration('pinebench');
  const found = program();
  if (!found.command) {
    // The workspace's own environment may help once its folder is trusted, which VS Code is asking now.
    const wasTrusted = workspace.isTrusted;
    if (!wasTrusted) await Promise.race([later(TRUST_PATIENCE), trusted()]);
    return workspace.isTrusted && !wasTrusted && workspace.workspaceFolders ? undefined : refuse(found.reason);
  }
  let server;
  const options = {
    documentSelector: [{ language: 'pine' }],
    initializationOptions: { libraryPaths: settings.get('libraryPaths'), inlayHints: settings.get('inlayHints'), data: settings.get('data') },
    initializationFailedHandler: () => false,
    errorHandler: handler(() => (usual ??= made.createDefaultErrorHandler()), () => client === made),
  };
  let usual;
  const made = new Client('pinebench', 'Pinebench', async () => (server = await started(found.command)), options);
  try {
    await made.start();
    client = made;
    const told = made.initializeResult?.serverInfo?.version;
    status.running(told);
    // The library restarts a server that crashed, and gives up after some times.
    made.onDidChangeState(({ newState }) => {
      if (client !== made) return;
      if (newState === State.Running) status.running(told);
      else if (newState === State.Starting) status.starting();
      else status.stopped('the language server has ended');
    });
    return undefined;
  } catch (error) {
    const code = server ? await Promise.race([server.ended, later(PATIENCE)]) : undefined;
    // A server that was told to end did not fail: the client did.
    return refuse(code ? lastWords(server.said, code) : error?.message ?? String(error));
  }
}

// Tells why nothing was started, and offers what helps; once, until a person asks again.
async function refuse(reason) {
  client = undefined;
  status.stopped(reason);
  if (isTold) return;
  isTold = true;
  const chosen = await window.showErrorMessage(`pinebench could not be started: ${reason}`, SETTING, AGAIN);
  if (chosen === SETTING) await commands.executeCommand('workbench.action.openSettings', 'pinebench.command');
  if (chosen === AGAIN) await restart();
}

async function restart() {
  const running = client;
  isTold = false;
  client = undefined;
  if (running) await running.stop().catch(() => undefined);
  await start();
}

// Starts `pinebench debug` for a debug session, with the same program as the language server.
const adapters = {
  createDebugAdapterDescriptor() {
    const found = program();
    if (!found.command) throw new Error(found.reason);
    return new DebugAdapterExecutable(found.command, ['debug']);
  },
};

// Completes a launch without a configuration: it debugs the script in the editor, on the bars of the settings.
const launches = {
  resolveDebugConfiguration(_folder, given) {
    const file = window.activeTextEditor?.document;
    if (!given.type && file?.languageId === 'pine') Object.assign(given, { type: 'pinebench', request: 'launch', name: 'Debug the script' });
    given.program ??= file?.languageId === 'pine' ? file.uri.fsPath : undefined;
    given.data ??= workspace.getConfiguration('pinebench').get('data') || undefined;
    return given;
  },
};

// Moves a stopped session by a whole bar.
const BARS = { nextBar: 'pinebench/nextBar', previousBar: 'pinebench/previousBar' };

const FIRST = '//@version=6\nindicator("My script", overlay = true)\nlength = input.int(20, "Length", minval = 1)\nplot(ta.sma(close, length), "Average")\n';

// Opens a new script that is not a file yet.
async function newScript() {
  return window.showTextDocument(await workspace.openTextDocument({ language: 'pine', content: FIRST }));
}

async function activate(context) {
  const explorer = new Explorer(program);
  context.subscriptions.push(
    ...status.follow(),
    ...explorer.disposables,
    commands.registerCommand('pinebench.testScript', () => explorer.runShown()),
    commands.registerCommand('pinebench.newScript', newScript),
    workspace.onDidGrantWorkspaceTrust(() => explorer.list()),
    workspace.onDidChangeWorkspaceFolders(() => explorer.list()),
  );
  for (const [name, request] of Object.entries(BARS)) {
    const move = () => debug.activeDebugSession?.customRequest(request);
    context.subscriptions.push(commands.registerCommand(`pinebench.${name}`, move));
  }
  context.subscriptions.push(
    ...chart.follow(),
    commands.registerCommand('pinebench.showChart', chart.show),
    debug.registerDebugAdapterDescriptorFactory('pinebench', adapters),
    debug.registerDebugConfigurationProvider('pinebench', launches),
  );
  for (const [name, [command, more]] of Object.entries(COMMANDS)) {
    const run = () => {
      const editor = window.activeTextEditor;
      if (!editor || !client) return undefined;
      const uri = editor.document.uri.toString();
      return client.sendRequest('workspace/executeCommand', {
        command,
        arguments: [{ uri, ...more }],
      });
    };
    context.subscriptions.push(commands.registerCommand(`pinebench.${name}`, run));
  }
  const changed = (event) => (event.affectsConfiguration('pinebench.command') ? restart() : undefined);
  context.subscriptions.push(
    commands.registerCommand('pinebench.restart', restart),
    workspace.onDidChangeConfiguration(changed),
    workspace.onDidGrantWorkspaceTrust(() => (client ? undefined : start())),
  );
  // Nobody waits for the person who reads the message.
  void start();
  void explorer.list();
}

async function deactivate() {
  if (client) await client.stop();
}

module.exports = { activate, deactivate };
