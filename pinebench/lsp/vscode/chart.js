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
// The session that stopped last, and the bar; the session is undefined while it runs.
let stopped;
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
    if (MOVES.includes(message.move)) return stopped?.session.customRequest(message.move).then(undefined, () => undefined);
    return update();
  });
  panel.webview.html = html();
  return undefined;
}

function say(message) {
  void panel?.webview.postMessage(message);
}

// Asks the adapter for the chart and shows it, if the panel is seen and the run has stopped.
async function update() {
  isOutdated = true;
  if (isAsking || !panel?.visible || !look) return;
  isAsking = true;
  while (isOutdated && stopped && panel?.visible) {
    isOutdated = false;
    const { session } = stopped;
    try {
      const told = await session.customRequest('pinebench/chart', look);
      if (stopped?.session === session) say({ svg: told.svg, where: told.where, isStopped: true });
    } catch (error) {
      if (stopped?.session === session) say({ where: error?.message ?? String(error), isStopped: true });
    }
  }
  isAsking = false;
}

function ran(session, where) {
  if (stopped?.session !== session) return;
  stopped = undefined;
  say({ where, isStopped: false });
}

// Follows the sessions; returns what ends this.
function follow() {
  return [
    debug.onDidReceiveDebugSessionCustomEvent(({ event, session }) => {
      if (session.type !== TYPE) return;
      if (event === 'pinebench/bar') {
        stopped = { session };
        void update();
      }
      if (event === 'pinebench/running') ran(session, 'The script is running.');
    }),
    debug.onDidTerminateDebugSession((session) => ran(session, 'The session has ended.')),
  ];
}

module.exports = { follow, show };
