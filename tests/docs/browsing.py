"""A browser on a folder that is served as a static site, with everything that its pages ask for."""

import functools
import http.server
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pinebench.tradingview import targets
from pinebench.tradingview.browser import RunningBrowser
from pinebench.tradingview.tab import Tab
from pinebench.tradingview.targets import Target
from tests.tradingview.support import LIMIT

AXE = Path(__file__).parents[2] / "pinebench/studio/page/node_modules/axe-core/axe.min.js"


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as the class above has it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class Site:
    """A static site on a free port; it can be taken away to see what works offline."""

    def __init__(self, folder: Path) -> None:
        self._server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder))
        )
        self.address = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    """Serve a folder while the block runs."""
    site = Site(folder)
    try:
        yield site
    finally:
        site.close()


class Reader:
    """A tab in which somebody reads the site. `asked` has the address of every request of the page and its workers."""

    def __init__(self, launched: RunningBrowser, width: int = 1440, height: int = 900) -> None:
        self.port = launched.port
        entry = targets.ask_browser("127.0.0.1", self.port, "/json/new?about:blank", "PUT")
        self.id = entry["id"]
        self.tab = Tab("127.0.0.1", self.port, Target(self.id, "page", "", "about:blank"))
        self.tab.start()
        self.asked: list[str] = []
        self.faults: list[str] = []
        self.tab.event_handlers["Network.requestWillBeSent"] = self._note
        self.tab.event_handlers["Runtime.exceptionThrown"] = lambda **told: self.faults.append(json.dumps(told)[:400])
        for domain in ("Network", "Runtime", "Page"):
            self.tab.request(f"{domain}.enable", {}, LIMIT)
        self.resize(width, height)

    def _note(self, request: dict[str, Any], **_: Any) -> None:
        self.asked.append(request["url"])

    def resize(self, width: int, height: int) -> None:
        """Give the page another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.tab.request("Emulation.setDeviceMetricsOverride", size, LIMIT)

    def prefer(self, scheme: str) -> None:
        """Prefer the colours `light` or `dark`."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.tab.request("Emulation.setEmulatedMedia", {"features": features}, LIMIT)

    def go_offline(self) -> None:
        """Take the network away from the page."""
        none = {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
        self.tab.request("Network.emulateNetworkConditions", none, LIMIT)

    def open(self, address: str) -> None:
        """Load a page and wait until it is complete."""
        self.tab.request("Page.navigate", {"url": address}, LIMIT)
        self.until(f"location.href.startsWith({json.dumps(address.partition('#')[0])})")
        self.until("document.readyState === 'complete'")

    def js(self, expression: str) -> Any:
        """The value of an expression on the page, awaited if it is a promise."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        answer = self.tab.request("Runtime.evaluate", asked, LIMIT)
        assert "exceptionDetails" not in answer, json.dumps(answer)[:500]
        return answer["result"].get("value")

    def until(self, expression: str) -> Any:
        """Wait until an expression is true on the page, and return its value."""
        end = time.monotonic() + LIMIT
        while not (value := self.js(expression)):
            assert time.monotonic() < end, f"still not true: {expression}; {self.faults}"
            time.sleep(0.02)
        return value

    def violations(self) -> list[tuple[str, str, list[str]]]:
        """The faults that axe-core finds: rule, impact and places."""
        if self.js("typeof window.axe") != "object":
            self.js(f"{AXE.read_text(encoding='utf-8')}; 1")
        found: list[dict[str, Any]] = self.js(
            "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations"
            ".map(({id, impact, nodes}) => ({id, impact, nodes: nodes.map((one) => one.target.join(' '))})))"
        )
        return [(one["id"], one["impact"], one["nodes"][:5]) for one in found]

    def close(self) -> None:
        """Close the tab."""
        targets.ask_browser("127.0.0.1", self.port, f"/json/close/{self.id}", "GET")


def write(reader: Reader, text: str) -> None:
    """Replace the script in the playground."""
    reader.js(f"window.pineVerdicts.write({json.dumps(text)})")
