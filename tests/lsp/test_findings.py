"""The findings that an editor is sent while somebody types, by a server in a process of its own."""

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.lsp.client import Client, client_of, start_server

URI = "untitled:typed"
IDLE = [f"idle{number}" for number in range(5)]
TEXT = '//@version=6\nindicator("x")\n' + "".join(f"{name} = 1\n" for name in IDLE) + "plot(close)\n"
END = {"line": 8, "character": 0}
WARNING = 2


@pytest.fixture
def typing() -> Iterator[Client]:
    process = start_server()
    yield client_of(process)
    process.kill()
    with contextlib.suppress(ValueError):  # the input is closed already
        process.communicate()


def _warned(findings: list[dict[str, Any]]) -> list[str]:
    """The names in the lines of the warnings of a text that begins as TEXT does."""
    lines = TEXT.split("\n")
    return [lines[each["range"]["start"]["line"]].split(" ")[0] for each in findings if each["severity"] >= WARNING]


def _at(line: int, column: int) -> dict[str, Any]:
    place = {"line": line, "character": column}
    return {"start": place, "end": place}


TYPED = (
    "z = ta.sma(close, ",
    "if close > open\n    ",
    "x = (",
    "for i = 0 to ",
    "f(a) =>\n",
    'y = "open',
    "plot(close,\n",
)
"""Lines that are incomplete, typed at the end."""


@pytest.mark.parametrize("pulls", [False, True], ids=["pushed", "pulled"])
def test_warnings_stay_while_a_line_is_incomplete(typing: Client, pulls: bool) -> None:
    """No letter makes the other warnings of the script vanish, and the finished text has its own findings."""
    typing.begin({"textDocument": {"diagnostic": {}}} if pulls else {})

    def found(version: int) -> list[dict[str, Any]]:
        if pulls:
            return typing.ask("textDocument/diagnostic", textDocument={"uri": URI})["items"]
        return typing.note("textDocument/publishDiagnostics", uri=URI, version=version)["diagnostics"]

    typing.open(URI, TEXT)
    assert _warned(found(1)) == IDLE
    version, broken = 1, 0
    for words in TYPED:
        line, column = 8, 0
        for letter in words:
            version += 1
            typing.change(URI, version, {"range": _at(line, column), "text": letter})
            line, column = (line + 1, 0) if letter == "\n" else (line, column + 1)
            told = found(version)
            kept = [
                name for name in _warned([each for each in told if each["range"]["start"]["line"] < 8]) if name in IDLE
            ]
            assert kept == IDLE, (words, letter)
            broken += any(each["severity"] < WARNING for each in told)
        version += 1
        typing.change(URI, version, {"range": {"start": END, "end": {"line": line, "character": column}}, "text": ""})
        assert _warned(found(version)) == IDLE
    assert broken > 20, "most of these texts have errors"
    version += 1
    typing.change(URI, version, {"text": TEXT.replace("idle2 = 1", "two = 1").replace("close)", "close + two)")})
    assert _warned(found(version)) == [name for name in IDLE if name != "idle2"]
