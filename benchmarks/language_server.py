"""Measure how long an editor waits: `python benchmarks/language_server.py FOLDER`, with a folder of real scripts.

A separate server process gets a script of 2,000 lines, joined from scripts of the folder, over its pipes. The program
prints milliseconds of elapsed time, so it needs an idle machine: medians from a keystroke to its findings and to its
completions; from a burst of cancelled requests to the next answer; and of searches for symbols and for uses of a
library's export in all scripts of the folder. It returns 1 if a median is over its limit.
"""

import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from pathlib import Path
from queue import Queue
from typing import Any

import recheck

from pinebench.syntax import parse
from pinebench.syntax.lines import LineIndex

LINES = 2000
KEYS = 40
BURST = 12
LIMITS = {"keystroke to findings": 60.0, "keystroke to completions": 40.0, "after a burst that was called off": 200.0}
_WORD = re.compile(r"(?m)^[^/\"'\n]*?\b([A-Za-z_]\w{3,})")
LIBRARY = '//@version=6\nlibrary("Bench")\nexport doubled(float x) =>\n    x * 2\n'
IMPORTING = '//@version=6\nindicator("x")\nimport me/Bench/1 as bench\nplot(bench.doubled(close))\n'


class Editor:
    """A client over pipes that can wait for messages."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "pinebench", "lsp"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._number = 0
        self._version = 1
        self.answers: dict[int, dict[str, Any]] = {}
        self.found: Queue[dict[str, Any]] = Queue()
        self._came = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()
        folders = [{"uri": folder.as_uri(), "name": "bench"}]
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders})
        self.tell("initialized", {})

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            length = int(line.partition(b":")[2])
            while self.process.stdout.readline().strip():
                pass  # further headers
            message = json.loads(self.process.stdout.read(length))
            if message.get("method") == "textDocument/publishDiagnostics":
                self.found.put(message["params"])
            elif "id" in message and "method" not in message:
                with self._came:
                    self.answers[message["id"]] = message
                    self._came.notify_all()

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method: str, params: dict[str, Any]) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def start(self, method: str, params: dict[str, Any]) -> int:
        """Send a request and return its id."""
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer to the request `number`."""
        with self._came:
            self._came.wait_for(lambda: number in self.answers)
        return self.answers[number]

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer."""
        return self.answer(self.start(method, params))

    def open(self, uri: str, text: str) -> None:
        """Open a script and wait for its findings."""
        item = {"uri": uri, "languageId": "pine", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": item})
        while self.found.get()["uri"] != uri:
            pass

    def type(self, uri: str, place: dict[str, int], removed: int, text: str) -> int:
        """Replace `removed` characters at a position by `text`, and return the new version number of the document."""
        self._version += 1
        end = {"line": place["line"], "character": place["character"] + removed}
        change = {"range": {"start": place, "end": end}, "text": text}
        document = {"uri": uri, "version": self._version}
        self.tell("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        return self._version

    def wait_for(self, version: int) -> None:
        """Wait for the findings of a version of the document."""
        while self.found.get().get("version") != version:
            pass


def script_of(folder: Path) -> str:
    """Return the first `LINES` lines, in whole statements, of a script that is joined from real ones."""
    kept: list[str] = []
    lines = 0
    for chunk in parse(recheck.long_scripts(folder)[2]).chunks:
        if lines + chunk.text.count("\n") > LINES:
            break
        kept.append(chunk.text)
        lines += chunk.text.count("\n")
    return "".join(kept)


def measure(editor: Editor, text: str, times: defaultdict[str, list[float]]) -> None:
    """Type at random names of the script, and send the requests that an editor sends."""
    uri, choose = "file:///bench.pine", random.Random(3)
    lines = LineIndex(text)
    places = [lines.position(match.start(1) + 1) for match in _WORD.finditer(text)]
    since = time.perf_counter()
    editor.open(uri, text)
    times["opening to findings"].append(since_ms(since))
    for _ in range(KEYS):
        found = choose.choice(places)
        place = {"line": found.line - 1, "character": found.column - 1}
        after = {"line": place["line"], "character": place["character"] + 1}
        since = time.perf_counter()
        editor.wait_for(editor.type(uri, place, 0, "a"))
        times["keystroke to findings"].append(since_ms(since))
        editor.wait_for(editor.type(uri, place, 1, ""))
        since = time.perf_counter()
        version = editor.type(uri, place, 0, "a")
        editor.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": after})
        times["keystroke to completions"].append(since_ms(since))
        editor.wait_for(version)
        editor.wait_for(editor.type(uri, place, 1, ""))
    for _ in range(5):
        burst(editor, uri, choose.choice(places), times)


def burst(editor: Editor, uri: str, found: Any, times: defaultdict[str, list[float]]) -> None:
    """Type and request tokens, cancel each request, and then wait for one answer."""
    place = {"line": found.line - 1, "character": found.column - 1}
    asked: list[int] = []
    version = 0
    since = time.perf_counter()
    for number in range(BURST):
        version = editor.type(uri, place, number % 2, "" if number % 2 else "a")
        asked.append(editor.start("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}}))
        editor.tell("$/cancelRequest", {"id": asked[-1]})
    editor.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": place})
    times["after a burst that was called off"].append(since_ms(since))
    times["requests of it that were computed"].append(sum("result" in editor.answer(each) for each in asked))
    editor.wait_for(version)


def search(editor: Editor, folder: Path, times: defaultdict[str, list[float]]) -> None:
    """Search all scripts of the folder, and send another request meanwhile."""
    uri = "file:///bench.pine"
    for number in range(6):
        name = "first search for symbols" if not number else "later searches for symbols"
        since = time.perf_counter()
        asked = editor.start("workspace/symbol", {"query": "len"})
        position = {"line": 1, "character": 2}
        editor.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})
        times["hover while symbols are searched"].append(since_ms(since))
        editor.answer(asked)
        times[name].append(since_ms(since))
    library = (folder / "Bench.pine").as_uri()
    editor.open(library, LIBRARY)
    asked_for = {"textDocument": {"uri": library}, "position": {"line": 2, "character": 9}}
    for _ in range(3):
        since = time.perf_counter()
        found = editor.ask("textDocument/references", {**asked_for, "context": {"includeDeclaration": True}})
        times["uses of an export in all scripts"].append(since_ms(since))
        assert len(found["result"]) == 2, found


def since_ms(since: float) -> float:
    """Return the milliseconds since a time of `time.perf_counter()`."""
    return 1000 * (time.perf_counter() - since)


def main(arguments: list[str]) -> int:
    """Print the table. Return 1 if a median is over its limit."""
    if not arguments:
        sys.exit("language_server: name a folder with real scripts")
    text = script_of(Path(arguments[0]))
    times: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shutil.copytree(arguments[0], folder / "scripts")
        (folder / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n', encoding="utf-8")
        (folder / "Bench.pine").write_text(LIBRARY, encoding="utf-8")
        (folder / "importing.pine").write_text(IMPORTING, encoding="utf-8")
        editor = Editor(folder)
        try:
            measure(editor, text, times)
            search(editor, folder, times)
        finally:
            editor.process.kill()
    print(f"a script of {text.count(chr(10))} lines, {len(list(Path(arguments[0]).rglob('*.pine')))} scripts around it")
    missed = 0
    for name, values in times.items():
        limit = LIMITS.get(name)
        value = statistics.median(values)
        missed += limit is not None and value > limit
        unit = "" if name.startswith("requests") else " ms"
        print(f"{name:<36}{value:8.1f}{unit}" + (f"  (limit {limit:.0f})" if limit else ""))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
