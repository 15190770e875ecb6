// A panel with the chart of the debugged run, up to the bar at which the run stopped.
const { randomBytes } = require('crypto');
const { readFileSync } = require('fs');
const { join } = require('path');
const { ViewColumn, debug, window } = require('vscode');

const TYPE = 'pinebench';
const TITLE = 'Chart of the run';
const MOVES = ['pinebench/previousBar', 'pinebench/nextBar'];
let panel;
// What the page wants to show: bars, width, height and theme.
let look;
// The session that stopped last, and whether it is still stopped.
let session;
let isStopped = false;
// Milliseconds after which the panel tells that the script runs, so that it does not flicker with each step.
const PATIENCE = 300;
// Only one picture is asked for at a time; what happens meanwhile is shown by the next one.
let isAsking = false;
let isOutdated = false;

function html() {
  const page = readFileSync(join(__dirname, 'chart.html'), 'utf8');
  return page.replaceAll('%NONCE%', randomBytes(16).toString('hex'));
}

// Opens the panel beside the script, or shows it again.
function show() {
  if (panel) return panel.reveal(undefined, true);
  const options = { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] };
  panel = window.createWebviewPanel('pinebench.chart', TITLE, { viewColumn: ViewColumn.Beside, preserveFocus: true }, options);
  panel.onDidDispose(() => { panel = undefined; look = undefined; });
  panel.onDidChangeViewState(() => void update());
  panel.webview.onDidReceiveMessage((message) => {
    if (message.look) look = message.look;
    if (MOVES.includes(message.move)) return move(message.move);
    return update();
  });
  panel.webview.html = html();
  return undefined;
}

async function move(request) {
  if (isStopped) await session.customRequest(request).then(undefined, () => undefined);
}

function say(message) {
  void panel?.webview.postMessage(message);
}

// Asks the adapter for the chart and shows it, if the panel is seen and the run has stopped.
async function update() {
  isOutdated = true;
  if (isAsking || !panel?.visible || !look) return;
  isAsking = true;
  while (isOutdated && isStopped && panel?.visible) {
    isOutdated = false;
    const asked = session;
    const told = await asked.customRequest('pinebench/chart', look).then(
      ({ svg, where }) => ({ svg, where }),
      (error) => ({ where: error?.message ?? String(error) }),
    );
    if (isStopped && asked === session) say({ ...told, isStopped });
  }
  isAsking = false;
}

// Follows the sessions; returns what ends this.
function follow() {
  const heard = debug.onDidReceiveDebugSessionCustomEvent((told) => {
    if (told.session.type !== TYPE) return;
    if (told.event === 'pinebench/bar') {
      session = told.session;
      isStopped = true;
      void update();
    }
    if (told.event === 'pinebench/running' && told.session === session) {
      isStopped = false;
      setTimeout(() => !isStopped && session && say({ where: 'The script is running.', isStopped }), PATIENCE);
    }
  });
  const ended = debug.onDidTerminateDebugSession((one) => {
    if (one !== session) return;
    session = undefined;
    isStopped = false;
    say({ where: 'The session has ended.', isStopped });
  });
  return [heard, ended];
}

module.exports = { follow, show };
