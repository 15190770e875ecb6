// The state of the language server in the status bar of scripts: whether it runs, its version, and what is checked.
const { LanguageStatusSeverity, commands, languages, window } = require('vscode');

const RESTART = { title: 'Restart', command: 'pinebench.restart' };
const SETTING = { title: 'Set the path', command: 'workbench.action.openSettings', arguments: ['pinebench.command'] };
const VERSION = /^\s*\/\/\s*@version\s*=\s*(\d+)/m;
const NEWEST = 6;
let item;
let version;

const counted = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

// What is checked of a script, and what was found.
function checked(document) {
  const written = Number(VERSION.exec(document.getText())?.[1] ?? NEWEST);
  if (written < NEWEST) return `This script is Pine v${written}. Only v${NEWEST} is checked; convert the script first.`;
  const found = languages.getDiagnostics(document.uri).filter((each) => each.source === 'pinebench');
  const errors = found.filter((each) => each.severity === 0).length;
  const others = found.filter((each) => each.severity === 1 || each.severity === 2).length;
  return `Checks the compiler's errors and warnings and the rules, offline: ${counted(errors, 'error')}, ${counted(others, 'other finding')}`;
}

function update() {
  const document = window.activeTextEditor?.document;
  if (version !== undefined && document?.languageId === 'pine') item.detail = checked(document);
}

// Shows that the server starts, that it runs, or why it does not.
function starting() {
  version = undefined;
  Object.assign(item, { busy: true, text: 'Pinebench', detail: 'The language server starts.', severity: LanguageStatusSeverity.Information, command: RESTART });
}

function running(told) {
  version = told ?? '';
  Object.assign(item, { busy: false, text: `Pinebench ${version}`.trim(), detail: '', severity: LanguageStatusSeverity.Information, command: RESTART });
  void commands.executeCommand('setContext', 'pinebench.isRunning', true);
  update();
}

function stopped(reason) {
  version = undefined;
  Object.assign(item, { busy: false, text: 'Pinebench does not run', detail: `Nothing is checked: ${reason}`, severity: LanguageStatusSeverity.Error, command: SETTING });
  void commands.executeCommand('setContext', 'pinebench.isRunning', false);
}

// Follows the script that is shown; returns what ends this.
function follow() {
  item = languages.createLanguageStatusItem('pinebench.server', { language: 'pine' });
  item.name = 'Pinebench';
  starting();
  return [item, window.onDidChangeActiveTextEditor(update), languages.onDidChangeDiagnostics(update)];
}

module.exports = { follow, running, starting, stopped };
