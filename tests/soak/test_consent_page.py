"""The consent page of the chart server in a real browser, whose rules about forms and origins no other client has."""

import http.server
import json
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import websocket

from tests.mcp.web.support import PASSPHRASE, Server, pkce
from tests.tradingview.support import start_browser

pytestmark = pytest.mark.soak


class Program:
    """A program of the user's computer that waits for its code."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                asked.append(self.path)
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                del format, args

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.redirect = f"http://127.0.0.1:{self._server.server_port}/callback"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class Tab:
    """A page of the browser."""

    def __init__(self, port: int) -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as answer:
            page = next(each for each in json.load(answer) if each["type"] == "page")
        self._line = websocket.create_connection(page["webSocketDebuggerUrl"], suppress_origin=True, timeout=30)
        self._number = 0

    def ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._line.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while (told := json.loads(self._line.recv())).get("id") != self._number:
            pass
        return told.get("result", {})

    def run(self, script: str) -> Any:
        return self.ask("Runtime.evaluate", expression=script).get("result", {}).get("value")

    def wait_for(self, script: str) -> None:
        """Wait until a script gives something true; a page that loads may not answer."""
        for _ in range(300):
            if self.run(script):
                return
            time.sleep(0.1)
        raise AssertionError(
            f"never true: {script}, at {self.run('location.href')}: {self.run('document.body.innerText')}"
        )


@pytest.fixture
def tab(tmp_path: Path) -> Iterator[Tab]:
    launched = start_browser(tmp_path / "profile")
    yield Tab(launched.port)
    launched.stop()


def test_a_person_allows_a_client_in_the_browser(tab: Tab, tmp_path: Path) -> None:
    program = Program()
    (tmp_path / "state").mkdir()
    with Server(tmp_path / "state", groups="chart") as server:
        pair = pkce()
        client = server.client(program.redirect)
        asked = {"client_id": client, "redirect_uri": program.redirect, "response_type": "code", "state": "s"}
        tab.ask("Page.navigate", url=f"{server.url}/authorize?{urlencode({**asked, 'code_challenge': pair.challenge})}")
        tab.wait_for("!!document.querySelector('input[type=password]')")
        assert tab.run("document.querySelectorAll('input[type=checkbox]:checked').length") == 3
        tab.run("document.querySelector('input[type=password]').value = 'wrong one'")
        tab.run("document.querySelector('button[value=allow]').click()")
        tab.wait_for("document.body.innerText.includes('This is not the passphrase')")
        tab.run(f"document.querySelector('input[type=password]').value = {json.dumps(PASSPHRASE)}")
        tab.run("document.querySelector('button[value=allow]').click()")
        tab.wait_for(f"location.href.startsWith({json.dumps(program.redirect)})")
        code = parse_qs(urlsplit(program.asked[0]).query)["code"][0]
        told = server.exchange(client, code, pair.verifier, redirect_uri=program.redirect)
        assert told.told["scope"] == "charts alerts trading"
    program.close()
