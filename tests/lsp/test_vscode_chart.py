"""The extension's part of the chart view (`chart.js`), in Node: what it asks the adapter and tells its page."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "pinebench" / "lsp" / "vscode"
NODE = shutil.which("node") or "node"
PROGRAM = """
const Module = require('module');
const heard = {}; const told = []; const asked = []; let resolve;
const panel = {
  visible: true,
  webview: {
    postMessage: (message) => told.push(message),
    onDidReceiveMessage: (on) => { heard.page = on; },
  },
  onDidDispose: (on) => { heard.closed = on; },
  onDidChangeViewState: (on) => { heard.view = on; },
};
const editor = {
  ViewColumn: { Beside: -2 },
  window: { createWebviewPanel: () => panel },
  debug: {
    onDidReceiveDebugSessionCustomEvent: (on) => { heard.event = on; },
    onDidTerminateDebugSession: (on) => { heard.ended = on; },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === 'vscode' ? editor : load(name, ...rest));
const chart = require('./chart');
let count = 0;
const session = { type: 'pinebench', customRequest: (request, look) => {
  asked.push([request, look ?? null]);
  return new Promise((yes, no) => {
    resolve = (error) => (error ? no(new Error(error)) : yes({ svg: `<${++count}>`, where: `bar ${count}` }));
  });
} };
const turn = () => new Promise((go) => setImmediate(go));
const stop = (one = session) => heard.event({ event: 'pinebench/bar', session: one });
const run = (one = session) => heard.event({ event: 'pinebench/running', session: one });
const look = (bars) => heard.page({ look: { bars } });
(async () => {
  chart.follow();
  await (async () => { STEPS })();
  console.log(JSON.stringify({ told, asked, html: panel.webview.html?.length ?? 0 }));
  process.exit(0);
})();
"""


def played(steps: str) -> dict[str, Any]:
    """What the panel told its page and asked the adapter after these steps."""
    program = PROGRAM.replace("STEPS", steps)
    ended = subprocess.run([NODE, "-e", program], capture_output=True, text=True, cwd=FOLDER, timeout=60)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def test_each_stop_shows_its_chart_and_only_one_is_asked_for_at_a_time() -> None:
    seen = played(
        "stop(); chart.show(); await turn(); look(150); await turn(); stop(); stop(); await turn();"
        "resolve(); await turn(); resolve(); await turn();"
    )
    assert seen["html"] > 1000
    assert seen["asked"] == [["pinebench/chart", {"bars": 150}]] * 2
    assert seen["told"] == [{"svg": f"<{number}>", "where": f"bar {number}", "isStopped": True} for number in (1, 2)]


def test_a_panel_that_is_not_seen_and_a_run_that_goes_on_ask_for_nothing() -> None:
    seen = played(
        "chart.show(); look(20); await turn(); panel.visible = false; stop(); await turn();"
        "stop({ type: 'node' }); panel.visible = true; run(); heard.view(); await turn();"
    )
    assert seen["asked"] == []
    assert played(
        "chart.show(); look(20); panel.visible = false; stop(); panel.visible = true; heard.view(); await turn();"
    )["asked"] == [["pinebench/chart", {"bars": 20}]]


def test_a_chart_of_an_earlier_stop_is_not_shown_while_the_run_goes_on() -> None:
    seen = played("chart.show(); look(20); stop(); await turn(); run(); resolve(); await turn();")
    assert seen["told"] == []


def test_the_page_is_told_why_there_is_no_chart_and_that_the_session_has_ended() -> None:
    seen = played(
        "chart.show(); look(20); stop(); await turn(); resolve('the script has ended'); await turn();"
        "run(); heard.ended({ type: 'pinebench' }); heard.ended(session);"
    )
    assert seen["told"] == [
        {"where": "the script has ended", "isStopped": True},
        {"where": "The session has ended.", "isStopped": False},
    ]


def test_the_buttons_move_a_stopped_run_and_do_nothing_else() -> None:
    move = "heard.page({ move: 'pinebench/nextBar' }); await turn();"
    seen = played(f"chart.show(); {move} stop(); {move} heard.page({{ move: 'evaluate' }}); run(); {move}")
    assert seen["asked"] == [["pinebench/nextBar", None]]
