// Starts `pinebench lsp` and lets it answer for every Pine script.
const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const COMMANDS = {
  compileLocal: ['pinebench.compile', { with: 'local' }],
  compileOnline: ['pinebench.compile', { with: 'online' }],
  compileChart: ['pinebench.compile', { with: 'chart' }],
  runScript: ['pinebench.run', {}],
  backtestScript: ['pinebench.backtest', {}],
};
let client;

async function start() {
  const settings = workspace.getConfiguration('pinebench');
  const server = { command: settings.get('command', 'pinebench'), args: ['lsp'] };
  client = new LanguageClient('pinebench', 'Pinebench', server, {
    documentSelector: [{ language: 'pine' }],
    initializationOptions: { libraryPaths: settings.get('libraryPaths'), inlayHints: settings.get('inlayHints'), data: settings.get('data') },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`pinebench could not be started: ${error.message}. Is it installed, with the extra "lsp"?`);
  }
}

async function activate(context) {
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
  const restart = async () => {
    if (client) await client.stop();
    await start();
  };
  context.subscriptions.push(commands.registerCommand('pinebench.restart', restart));
  await start();
}

async function deactivate() {
  if (client) await client.stop();
}

module.exports = { activate, deactivate };
