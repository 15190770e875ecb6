"""Messages that break the protocol: each request gets an error, and the next one its result."""

import copy
import json
from typing import Any

import pytest

from tests.lsp.client import Client, Failed
from tests.lsp.conftest import Connect
from tests.services.support import FILLED

URI = "file:///home/trader/scripts/a.pine"
DOCUMENT = {"uri": URI}
PLACE = {"line": 1, "character": 3}
WHOLE = {"start": {"line": 0, "character": 0}, "end": PLACE}
REQUESTS: dict[str, dict[str, Any]] = {
    "textDocument/hover": {"textDocument": DOCUMENT, "position": PLACE},
    "textDocument/completion": {"textDocument": DOCUMENT, "position": PLACE, "context": {"triggerKind": 1}},
    "textDocument/signatureHelp": {"textDocument": DOCUMENT, "position": PLACE},
    "textDocument/definition": {"textDocument": DOCUMENT, "position": PLACE},
    "textDocument/references": {"textDocument": DOCUMENT, "position": PLACE, "context": {"includeDeclaration": True}},
    "textDocument/rename": {"textDocument": DOCUMENT, "position": PLACE, "newName": "other"},
    "textDocument/codeAction": {"textDocument": DOCUMENT, "range": WHOLE, "context": {"diagnostics": []}},
    "textDocument/formatting": {"textDocument": DOCUMENT, "options": {"tabSize": 4, "insertSpaces": True}},
    "textDocument/selectionRange": {"textDocument": DOCUMENT, "positions": [PLACE]},
    "textDocument/semanticTokens/range": {"textDocument": DOCUMENT, "range": WHOLE},
    "textDocument/documentSymbol": {"textDocument": DOCUMENT},
    "workspace/executeCommand": {"command": "pinebench.explain", "arguments": ["CE10272"]},
}
WRONG: tuple[Any, ...] = (-1, 2**31, 2**53, 1.5, "x", None, [], {}, True)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of everything inside `value`."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path] + [found for key, each in inner for found in _places(each, (*path, key))]


def _changed(params: Any, path: tuple[Any, ...], value: Any) -> Any:
    """`params` with `value` at `path`; with nothing there for `...`."""
    if not path:
        return value
    made = copy.deepcopy(params)
    holder = made
    for key in path[:-1]:
        holder = holder[key]
    if value is ...:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return made


def _open(connect: Connect) -> Client:
    client = connect({})
    client.open(URI, FILLED)
    return client


@pytest.mark.parametrize("method", REQUESTS)
def test_every_request_is_answered_whatever_is_in_it(connect: Connect, method: str) -> None:
    client = _open(connect)
    params = REQUESTS[method]
    sent: list[int] = []
    for path in _places(params):
        for value in (*WRONG, ...):
            if path or value is not ...:
                sent.append(client.send_request(method, _changed(params, path, value)))
    for number in sent:
        try:
            client.result(number)
        except Failed as failed:
            assert failed.message and "Traceback" not in failed.message
    assert client.ask("textDocument/hover", textDocument=DOCUMENT, position={"line": 2, "character": 3}) is not ...


def test_the_error_says_where_the_fault_is(connect: Connect) -> None:
    client = _open(connect)
    with pytest.raises(Failed) as failed:
        client.ask("textDocument/hover", textDocument=DOCUMENT, position={"line": -1, "character": 0})
    assert failed.value.code == -32602 and "line" in failed.value.message
    with pytest.raises(Failed) as failed:
        client.ask("textDocument/completion", textDocument=DOCUMENT, position=PLACE, context={})
    assert failed.value.code == -32602 and "triggerKind" in failed.value.message


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"5", -32600),
        (b'{"id": 3, "method": "textDocument/hover"}', -32600),
        (b'{"jsonrpc": "1.0", "id": 3, "method": "textDocument/hover", "params": {}}', -32602),
    ],
)
def test_what_is_not_a_message_is_answered_too(connect: Connect, body: bytes, code: int) -> None:
    client = _open(connect)
    client.send_raw(body)
    answer = client.next_response()
    assert answer["error"]["code"] == code
    assert client.ask("textDocument/documentSymbol", textDocument=DOCUMENT)


def test_notifications_that_break_the_protocol_end_nothing(connect: Connect) -> None:
    client = _open(connect)
    for params in ({}, {"textDocument": DOCUMENT}, {"textDocument": 5, "contentChanges": []}, None, []):
        for method in ("textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"):
            client.send_raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())
    client.open(URI, FILLED)
    far = {"start": {"line": 9, "character": 0}, "end": {"line": 3, "character": 0}}
    client.change(URI, 2, {"range": far, "text": "x"})
    client.change(URI, 3, {"text": FILLED})
    assert client.ask("textDocument/documentSymbol", textDocument=DOCUMENT)
