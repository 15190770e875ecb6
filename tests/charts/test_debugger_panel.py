"""The chart view of the extension for VS Code, as its page in a real Chromium with the answers of a real session."""

import json
from pathlib import Path
from typing import Any

from pinebench.tradingview import browser
from tests.debugger.client import Client
from tests.docs.browsing import Reader
from tests.tradingview.support import patience

PAGE = Path(__file__).resolve().parents[2] / "pinebench" / "lsp" / "vscode" / "chart.html"
HOST = """<script nonce="n">
window.sent = [];
window.acquireVsCodeApi = () => ({ getState() {}, setState() {}, postMessage: (message) => window.sent.push(message) });
</script>"""
"""What VS Code gives a page: it keeps what the page says to the extension."""
SCRIPT = '//@version=6\nindicator("<b>Shown</b>", overlay = true)\nplot(ta.sma(close, 5))\nplot(close)\n'


class Panel:
    """The page, and what the extension does for it (`chart.js`)."""

    def __init__(self, reader: Reader, client: Client, folder: Path) -> None:
        self.reader = reader
        self._client = client
        text = PAGE.read_text("utf-8").replace("%NONCE%", "n")
        page = folder / "panel.html"
        page.write_text(text.replace("<head>", f"<head>{HOST}", 1), "utf-8")
        reader.open(page.as_uri())

    def serve(self) -> list[dict[str, Any]]:
        """Wait until the page asks for something, do it, and return what it asked for."""
        self.reader.until("window.sent.length")
        sent = self.reader.js("window.sent.splice(0)")
        for message in sent:
            if "move" in message:
                self._client.go(message["move"])
        look = next((message["look"] for message in reversed(sent) if "look" in message), {})
        self.show(**look)
        return sent

    def show(self, **look: object) -> None:
        """Send the page the chart of this stop."""
        told = self._client.ask("pinebench/chart", **look)
        self.say(svg=told["svg"], where=told["where"], isStopped=True)
        image = "document.getElementById('chart')"
        self.reader.until(
            f"{image}.complete && {image}.naturalWidth > 0 && {image}.alt.includes({json.dumps(told['where'])})"
        )

    def say(self, **message: object) -> None:
        """Send the page a message of the extension."""
        self.reader.js(f"window.postMessage({json.dumps(message)}, '*')")

    def text(self, name: str) -> str:
        return self.reader.js(f"document.getElementById('{name}').textContent")


def test_the_panel_shows_the_chart_of_each_stop_and_moves_the_run(
    chromium: browser.RunningBrowser, tmp_path: Path
) -> None:
    path = tmp_path / "shown.pine"
    path.write_text(SCRIPT, "utf-8")
    client = Client()
    with patience():
        reader = Reader(chromium, 760, 620)
        try:
            client.launch(path, [{"line": 4, "condition": "bar_index == 60"}], data="sample:AAPL@60x120")
            client.stopped()
            client.set_breakpoints(path, [])
            panel = Panel(reader, client, tmp_path)
            assert reader.js("document.getElementById('next').disabled") is True
            [asked] = panel.serve()
            look = asked["look"]
            assert look == {"bars": 150, "width": 760, "height": look["height"], "theme": "light"}
            assert panel.text("where").startswith("bar 60, 20")
            reader.js("document.getElementById('next').click()")
            assert panel.serve() == [{"move": "pinebench/nextBar"}]
            assert panel.text("where").startswith("bar 61, ")
            reader.js("document.getElementById('previous').click()")
            assert panel.serve() == [{"move": "pinebench/previousBar"}]
            assert panel.text("where").startswith("bar 60, ")
            reader.js("document.getElementById('fewer').click()")
            [asked] = panel.serve()
            assert asked["look"]["bars"] == 100
            reader.resize(420, 700)
            [asked] = panel.serve()
            assert asked["look"]["width"] == 420
            assert reader.js("document.documentElement.scrollWidth <= innerWidth")
            assert reader.violations() == []
            reader.js("document.body.classList.add('vscode-dark')")
            [asked] = panel.serve()
            assert asked["look"]["theme"] == "dark"
            panel.say(where="The script is running.", isStopped=False)
            reader.until("document.getElementById('where').textContent === 'The script is running.'")
            assert reader.js("document.getElementById('next').disabled") is True
            assert reader.faults == []
        finally:
            reader.close()
            client.close()
