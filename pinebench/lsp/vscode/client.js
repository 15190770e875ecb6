// Starts `pinebench lsp` and lets it answer for every Pine script.
const { commands, window, workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const COMPILERS = { compileLocal: 'local', compileOnline: 'online', compileChart: 'chart' };
let client;

async function start() {
  const settings = workspace.getConfiguration('pinebench');
  const server = { command: settings.get('command', 'pinebench'), args: ['lsp'] };
  client = new LanguageClient('pinebench', 'Pinebench', server, {
    documentSelector: [{ language: 'pine' }],
    initializationOptions: { libraryPaths: settings.get('libraryPaths'), inlayHints: settings.get('inlayHints') },
  });
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`pinebench could not be started: ${error.message}. Is it installed, with the extra "lsp"?`);
  }
}

async function activate(context) {
  for (const [name, compiler] of Object.entries(COMPILERS)) {
    const compile = () => {
      const editor = window.activeTextEditor;
      if (!editor || !client) return undefined;
      const uri = editor.document.uri.toString();
      return client.sendRequest('workspace/executeCommand', {
        command: 'pinebench.compile',
        arguments: [{ uri, with: compiler }],
      });
    };
    context.subscriptions.push(commands.registerCommand(`pinebench.${name}`, compile));
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
