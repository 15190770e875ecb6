"""What editors really send: encodings, URIs, folders, libraries, settings, and their ends."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest

from pinebench.files.resources import folder
from pinebench.lsp.documents import key_of, path_of
from pinebench.syntax.lines import LineIndex
from tests.lsp.client import Client, Failed, client_of, start_server
from tests.lsp.conftest import Connect

HEAD = '//@version=6\nindicator("x")\n'
PUSHED = "textDocument/publishDiagnostics"


@pytest.mark.parametrize(("encoding", "column"), [(None, 15), ("utf-16", 15), ("utf-8", 17), ("utf-32", 14)])
def test_columns_are_counted_as_agreed(connect: Connect, encoding: str | None, column: int) -> None:
    capabilities = {"general": {"positionEncodings": [encoding]}} if encoding else {}
    client = connect(capabilities)
    client.open("untitled:a", HEAD + "x = '\N{ROCKET}ab' + valve\nplot(x)\n")
    found = client.note(PUSHED, uri="untitled:a")["diagnostics"]
    place = next(each["range"] for each in found if each["code"] == "CE10272")
    assert place["start"] == {"line": 2, "character": column - 2}
    client.change("untitled:a", 2, {"range": place, "text": "'\N{ROCKET}'"})
    client.change(
        "untitled:a",
        3,
        {"range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 1}}, "text": "y"},
    )
    after = client.note(PUSHED, version=3)["diagnostics"]
    assert [each["code"] for each in after if each["severity"] == 1] == ["CE10272"]
    symbols = client.ask("textDocument/documentSymbol", textDocument={"uri": "untitled:a"})
    assert [symbol["name"] for symbol in symbols] == ["y"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("file:///c%3A/Users/My%20Scripts/a.pine", "file:///C:/Users/My Scripts/a.pine"),
        ("file:///home/me/%C3%A4.pine", "file:///home/me/ä.pine"),
        ("untitled:Untitled-1", "untitled:Untitled-1"),
        ("file:///a/%5Bb%5D%23.pine", "file:///a/[b]%23.pine"),
    ],
)
def test_a_script_is_the_same_however_its_uri_is_written(connect: Connect, one: str, other: str) -> None:
    assert key_of(one) == key_of(other)
    client = connect()
    client.open(one, HEAD + "plot(close)\n")
    client.change(other, 2, {"text": HEAD + "value = 1\n"})
    assert client.note(PUSHED, uri=one, version=2)
    assert client.ask("textDocument/documentSymbol", textDocument={"uri": other})[0]["name"] == "value"


def test_paths_of_uris() -> None:
    assert path_of("file:///home/a%20b.pine") == "/home/a b.pine"
    assert path_of("file:///c%3A/x.pine") in ("c:/x.pine", "c:\\x.pine")
    assert path_of("untitled:Untitled-1") is None and path_of("git:/a/b.pine") is None


LIBRARY = '//@version=6\nlibrary("Box")\nexport {name}(float x) =>\n    x * 2\n'
IMPORTING = HEAD + "import me/Box/1 as box\nplot(box.{name}(close))\n"


def workspace(tmp_path: Path) -> tuple[Path, Path, str]:
    """A folder whose configuration names libraries, with one of them; and the URI of a script in it."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["lib"]\n', encoding="utf-8")
    library = tmp_path / "lib" / "Box.pine"
    library.write_text(LIBRARY.format(name="double"), encoding="utf-8")
    return tmp_path, library, (tmp_path / "script.pine").as_uri()


def errors(client: Client, uri: str) -> list[str]:
    """The codes of the errors that are pushed next for a script."""
    return [each["code"] for each in client.note(PUSHED, uri=uri)["diagnostics"] if each["severity"] == 1]


@pytest.mark.parametrize("written", ["", "me", "me/", "me/Bo", "me/Box/", "Box"])
def test_an_import_offers_the_libraries_of_the_workspace_and_replaces_the_whole_path(
    connect: Connect, tmp_path: Path, written: str
) -> None:
    root, library, uri = workspace(tmp_path)
    (root / "lib" / "me").mkdir()
    library.rename(root / "lib" / "me" / "Box.pine")
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(uri, f"{HEAD}import {written}\nplot(close)\n")
    place = {"line": 2, "character": 7 + len(written)}
    answer = client.ask("textDocument/completion", textDocument={"uri": uri}, position=place)
    first = min(answer["items"], key=lambda item: item["sortText"])
    edit = first["textEdit"]
    assert (first["label"], edit["newText"]) == ("me/Box/1", "me/Box/1")
    assert edit["range"] == {"start": {"line": 2, "character": 7}, "end": place}


def test_an_open_library_beats_the_one_on_disk(connect: Connect, tmp_path: Path) -> None:
    root, library, uri = workspace(tmp_path)
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(uri, IMPORTING.format(name="triple"))
    assert errors(client, uri) == ["CE10271"]
    client.open(library.as_uri(), LIBRARY.format(name="triple"))
    assert errors(client, uri) == []
    link = client.ask("textDocument/documentLink", textDocument={"uri": uri})[0]
    assert link["target"] == library.as_uri()
    place = {"line": 3, "character": 11}
    found = client.ask("textDocument/definition", textDocument={"uri": uri}, position=place)
    assert found["uri"] == library.as_uri() and found["range"]["start"] == {"line": 2, "character": 7}
    client.change(library.as_uri(), 2, {"text": LIBRARY.format(name="other")})
    assert errors(client, uri) == ["CE10271"]
    client.notify("textDocument/didClose", textDocument={"uri": library.as_uri()})
    library.write_text(LIBRARY.format(name="triple"), encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": library.as_uri(), "type": 2}])
    while errors(client, uri):
        pass  # the library's closing was told first


def test_a_library_whose_declaration_is_broken_for_a_moment_is_still_followed(connect: Connect, tmp_path: Path) -> None:
    root, library, uri = workspace(tmp_path)
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    whole, at = LIBRARY.format(name="triple"), library.as_uri()
    broken = LIBRARY.format(name="other").replace("library(", "librar(")
    client.open(at, whole)
    client.open(uri, IMPORTING.format(name="triple"))
    assert errors(client, uri) == []
    client.change(at, 2, {"text": broken})
    wait_for_errors(client, uri, True)
    client.change(at, 3, {"text": broken.replace("other", "triple")})
    wait_for_errors(client, uri, False)
    client.change(at, 4, {"text": broken})
    wait_for_errors(client, uri, True)
    library.write_text(whole, encoding="utf-8")
    client.notify("textDocument/didClose", textDocument={"uri": at})
    wait_for_errors(client, uri, False)


def test_a_library_that_was_never_saved_is_forgotten_when_its_declaration_is_gone(
    connect: Connect, tmp_path: Path
) -> None:
    root, library, uri = workspace(tmp_path)
    library.unlink()
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open("untitled:Untitled-7", LIBRARY.format(name="other"))
    client.open(uri, IMPORTING.format(name="triple"))
    assert errors(client, uri) == ["CE10271"]
    client.change("untitled:Untitled-7", 2, {"text": "//@version=6\n"})
    wait_for_errors(client, uri, False)


def wait_for_errors(client: Client, uri: str, expected: bool) -> None:
    """Wait until a push says whether a script has errors as expected."""
    while bool(errors(client, uri)) is not expected:
        pass


def test_a_library_that_was_never_saved_is_found_by_its_name(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    uri = (tmp_path / "script.pine").as_uri()
    client.open("untitled:Untitled-7", LIBRARY.format(name="triple"))
    client.open(uri, IMPORTING.format(name="double"))
    assert errors(client, uri) == ["CE10271"]


def test_several_folders_have_each_its_own_configuration(connect: Connect, tmp_path: Path) -> None:
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        root.mkdir()
    (roots[1] / "pinebench.toml").write_text('[lint]\nignore = ["CW"]\n', encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": root.name} for root in roots])
    text = HEAD + "close = 1\nplot(close)\n"
    told: list[set[str]] = []
    for root in roots:
        client.open((root / "a.pine").as_uri(), text)
        found = client.note(PUSHED, uri=(root / "a.pine").as_uri())["diagnostics"]
        told.append({each["code"] for each in found})
    assert "CW10011" in told[0] and "CW10011" not in told[1]
    (roots[1] / "pinebench.toml").write_text("[lint]\nignore = []\n", encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", changes=[])
    found = client.note(PUSHED, uri=(roots[1] / "a.pine").as_uri())["diagnostics"]
    assert "CW10011" in {each["code"] for each in found}
    (roots[1] / "pinebench.toml").write_text("[lint\n", encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", changes=[])
    assert "pinebench.toml" in client.note("window/showMessage")["message"]


def test_settings_come_from_the_editor(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "Box.pine").write_text(LIBRARY.format(name="double"), encoding="utf-8")
    client = connect(initializationOptions={"libraryPaths": [str(tmp_path)], "inlayHints": {"types": False}})
    client.open("untitled:a", IMPORTING.format(name="double") + "x = twice(1)\n")
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    document = {"uri": "untitled:a"}
    assert errors(client, "untitled:a") == ["CE10271"]  # twice() alone: the library was found
    assert client.ask("textDocument/inlayHint", textDocument=document, range=whole) == []
    client.notify("workspace/didChangeConfiguration", settings={"pinebench": {"inlayHints": {"types": True}}})
    client.change("untitled:a", 2, {"text": HEAD + "value = close\n"})
    hints = client.ask("textDocument/inlayHint", textDocument=document, range=whole)
    assert [hint["label"] for hint in hints] == ["series float"]


def test_files_are_watched_where_the_editor_can(connect: Connect) -> None:
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}, "configuration": True}}
    client = connect(capabilities)
    client.open("untitled:a", HEAD)
    client.note(PUSHED)
    asked = {request["method"] for request in client.asked}
    assert "client/registerCapability" in asked


def test_changes_apply_one_after_the_other(connect: Connect) -> None:
    client = connect()
    client.open("untitled:a", "a\r\nb\r\n")
    start = {"line": 1, "character": 0}
    client.change(
        "untitled:a",
        2,
        {"range": {"start": start, "end": start}, "text": "x = 1\r\n"},
        {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "text": "yy"},
        {"range": {"start": {"line": 99, "character": 0}, "end": {"line": 99, "character": 9}}, "text": "z = 2"},
    )
    symbols = client.ask("textDocument/documentSymbol", textDocument={"uri": "untitled:a"})
    assert [symbol["name"] for symbol in symbols] == ["yy", "z"]


def edited(client: Client, text: str, edits: int, seed: int) -> None:
    """Edit a script at random with questions between, and compare the answers with those of a new document."""
    choose = random.Random(seed)
    client.open("untitled:live", text)
    pieces = [
        "(",
        ")",
        ".",
        " ",
        "\n",
        "\n    ",
        "x",
        "ta.",
        "= ",
        '"',
        "//",
        ",",
        "if close\n    y = 1\n",
        "close",
        "[",
    ]
    for version in range(2, edits + 2):
        start = choose.randrange(len(text) + 1)
        end = min(len(text), start + choose.choice((0, 0, 0, 1, 1, 5, 40)))
        piece = choose.choice(pieces)
        lines = text[:start].split("\n"), text[:end].split("\n")
        first, last = ({"line": len(each) - 1, "character": len(each[-1])} for each in lines)
        client.change("untitled:live", version, {"range": {"start": first, "end": last}, "text": piece})
        text = text[:start] + piece + text[end:]
        place = text[: start + len(piece)].split("\n")
        position = {"line": len(place) - 1, "character": len(place[-1])}
        fresh = f"untitled:fresh{version}"
        client.open(fresh, text)
        assert answers(client, "untitled:live", position) == answers(client, fresh, position), (version, text)
        client.notify("textDocument/didClose", textDocument={"uri": fresh})


def answers(client: Client, uri: str, position: dict[str, int]) -> list[Any]:
    """What is said of a place and its script, without what tells the document."""
    document = {"uri": uri}
    found: list[Any] = []
    for method in ("completion", "hover", "signatureHelp", "definition", "documentHighlight", "prepareRename"):
        try:
            answer = client.ask(f"textDocument/{method}", textDocument=document, position=position)
        except Failed as error:
            assert error.code == -32803, error
            answer = error.message
        if method == "completion":
            answer = [{key: value for key, value in item.items() if key != "data"} for item in answer["items"]]
        found.append(answer)
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "diagnostic"):
        answer = client.ask(f"textDocument/{method}", textDocument=document)
        found.append(_plain(method, answer))
    return [str(each).replace(uri, "") for each in found]


def _plain(method: str, answer: Any) -> Any:
    """An answer without the number that it has among others."""
    if method == "diagnostic":
        errors = [each for each in answer["items"] if each["severity"] == 1]
        return errors or answer["items"]  # with errors, what was said of an earlier state stays
    return answer["data"] if method.startswith("semanticTokens") else answer


def scripts() -> list[str]:
    """Samples of some length."""
    paths = sorted(folder("samples").rglob("*.pine"))
    return [path.read_bytes().decode().replace("\r\n", "\n") for path in paths if path.stat().st_size < 6000]


def test_answers_after_edits_are_those_of_a_fresh_text(connect: Connect) -> None:
    client = connect({"textDocument": {"diagnostic": {}}})
    edited(client, random.Random(2).choice(scripts()), 25, seed=3)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_answers_after_a_thousand_edits_are_those_of_a_fresh_text(connect: Connect, seed: int) -> None:
    client = connect({"textDocument": {"diagnostic": {}}})
    edited(client, random.Random(seed).choice(scripts()), 100, seed)


def test_the_server_ends_with_its_editor() -> None:
    """Over its own pipes: after `exit` with 0, and with 1 when the pipe ends without a word."""
    told, silent = start_server(), start_server("--stdio")
    client = client_of(told)
    client.begin()
    client.end()
    silent_client = client_of(silent)
    silent_client.begin()
    assert silent.stdin is not None
    silent.stdin.close()
    assert told.wait(120) == 0
    assert silent.wait(120) == 1
    for process in (told, silent):
        assert process.stderr is not None and b"Traceback" not in process.stderr.read()


@pytest.mark.skipif(os.name == "nt", reason="on Windows the end of the pipe tells")
def test_a_server_at_a_port_ends_when_the_editors_process_is_gone() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    editor = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    server = start_server("--tcp", str(port))
    assert server.stderr is not None
    server.stderr.readline()
    connection = _connected(port)
    stream = connection.makefile("rwb")
    client = Client(cast("Any", stream), cast("Any", stream))
    assert client.ask("initialize", processId=editor.pid, capabilities={}, rootUri=None)["capabilities"]
    editor.send_signal(signal.SIGKILL)
    editor.wait()
    assert server.wait(120) == 1
    connection.close()


def _connected(port: int) -> socket.socket:
    """A connection to a server that is starting."""
    deadline = time.monotonic() + 120
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)


WIDE = HEAD + "import me/Box/1 as box\n// double is told of here\nplot(box.double(close), box.double(x = open))\n"


def replaced(edit: dict[str, Any], uri: str, text: str) -> str:
    """The text after the edits of a workspace edit for one script."""
    lines = LineIndex(text)
    for each in sorted(
        edit["changes"].get(uri, []), key=lambda one: tuple(one["range"]["start"].values()), reverse=True
    ):
        start, end = (each["range"][name] for name in ("start", "end"))
        first = lines.offset(start["line"] + 1, start["character"] + 1)
        last = lines.offset(end["line"] + 1, end["character"] + 1)
        text = text[:first] + each["newText"] + text[last:]
    return text


def test_what_a_library_exports_is_found_and_renamed_in_the_scripts_that_import_it(
    connect: Connect, tmp_path: Path
) -> None:
    root, library, uri = workspace(tmp_path)
    closed = root / "strategies" / "closed.pine"
    closed.parent.mkdir()
    closed.write_text(WIDE, encoding="utf-8")
    (root / "apart.pine").write_text(WIDE.replace("me/Box/1", "you/Other/1"), encoding="utf-8")
    text, lib = IMPORTING.format(name="double"), LIBRARY.format(name="double")
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(uri, text)
    for asked, place in ((uri, {"line": 3, "character": 11}), (library.as_uri(), {"line": 2, "character": 9})):
        if asked != uri:
            client.open(asked, lib)
        document = {"uri": asked}
        context = {"includeDeclaration": True}
        found = client.ask("textDocument/references", textDocument=document, position=place, context=context)
        assert sorted((each["uri"], each["range"]["start"]["line"]) for each in found) == sorted(
            [(library.as_uri(), 2), (uri, 3), (closed.as_uri(), 4), (closed.as_uri(), 4)]
        )
        assert client.ask("textDocument/prepareRename", textDocument=document, position=place)
        edit = client.ask("textDocument/rename", textDocument=document, position=place, newName="twice")
        assert set(edit["changes"]) == {library.as_uri(), uri, closed.as_uri()}
        assert replaced(edit, uri, text) == IMPORTING.format(name="twice")
        assert replaced(edit, library.as_uri(), lib) == LIBRARY.format(name="twice")
        after = replaced(edit, closed.as_uri(), WIDE)
        assert after == WIDE.replace("box.double", "box.twice")
    versioned = connect(
        {"workspace": {"workspaceEdit": {"documentChanges": True}}},
        workspaceFolders=[{"uri": root.as_uri(), "name": "w"}],
    )
    versioned.open(uri, text, version=7)
    document, place = {"uri": uri}, {"line": 3, "character": 11}
    edit = versioned.ask("textDocument/rename", textDocument=document, position=place, newName="twice")
    versions = {each["textDocument"]["uri"]: each["textDocument"]["version"] for each in edit["documentChanges"]}
    assert versions == {library.as_uri(): None, uri: 7, closed.as_uri(): None} and "changes" not in edit
    parameter = {"line": 2, "character": 20}
    edit = client.ask("textDocument/rename", textDocument={"uri": library.as_uri()}, position=parameter, newName="from")
    assert replaced(edit, closed.as_uri(), WIDE) == WIDE.replace("x = open", "from = open")
    assert replaced(edit, library.as_uri(), lib) == lib.replace("float x", "float from").replace("x * 2", "from * 2")


@pytest.mark.parametrize(
    ("importer", "words"),
    [
        (WIDE + "f(x =>\n", "syntax errors"),
        (f"{HEAD}import me/Box/1 as box\nmethod twice(float x) =>\n    x\nplot(close.double())\n", "closed.pine"),
    ],
)
def test_renaming_is_refused_where_a_script_around_would_break(
    connect: Connect, tmp_path: Path, importer: str, words: str
) -> None:
    root, library, _ = workspace(tmp_path)
    lib = '//@version=6\nlibrary("Box")\nexport method double(float x) =>\n    x * 2\n'
    (root / "closed.pine").write_text(importer, encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(library.as_uri(), lib)
    with pytest.raises(Failed) as failed:
        place = {"line": 2, "character": 16}
        document = {"uri": library.as_uri()}
        client.ask("textDocument/rename", textDocument=document, position=place, newName="twice")
    assert words in failed.value.message


ASKING = {"documentChanges": True, "changeAnnotationSupport": {"groupsOnLabel": True}}


def test_no_file_is_changed_that_its_user_neither_sees_nor_is_told_of(connect: Connect, tmp_path: Path) -> None:
    """An editor that can ask does so for each edit of a file that is not open; for another one, a message names it."""
    root, library, uri = workspace(tmp_path)
    (root / "closed.pine").write_text(WIDE, encoding="utf-8")
    folders = [{"uri": root.as_uri(), "name": "w"}]
    asked = {"textDocument": {"uri": uri}, "position": {"line": 3, "character": 11}, "newName": "twice"}
    client = connect({"workspace": {"workspaceEdit": ASKING}}, workspaceFolders=folders)
    client.open(uri, IMPORTING.format(name="double"))
    edit = client.ask("textDocument/rename", **asked)
    [annotation] = [name for name, each in edit["changeAnnotations"].items() if each["needsConfirmation"]]
    for change in edit["documentChanges"]:
        is_open = change["textDocument"]["uri"] == uri
        assert all(each.get("annotationId") == (None if is_open else annotation) for each in change["edits"])
    client.open(library.as_uri(), LIBRARY.format(name="double"))
    client.open((root / "closed.pine").as_uri(), WIDE)
    assert "changeAnnotations" not in client.ask("textDocument/rename", **asked)
    for capabilities in ({}, {"workspace": {"workspaceEdit": {"documentChanges": True}}}):
        other = connect(capabilities, workspaceFolders=folders)
        other.open(uri, IMPORTING.format(name="double"))
        other.ask("textDocument/rename", **asked)
        told = other.note("window/showMessage")["message"]
        assert "2 files that are not open" in told and str(library) in told and "closed.pine" in told


def test_a_function_moves_to_a_library_or_the_reason_is_told(connect: Connect, tmp_path: Path) -> None:
    root, library, uri = workspace(tmp_path)
    library.write_text(LIBRARY.format(name="double"), encoding="utf-8")
    own = "f(x) =>\n    x + 1\nplot(f(close))\n"
    text = IMPORTING.format(name="double") + own
    asked: dict[str, Any] = {"textDocument": {"uri": uri}}
    asked["context"] = {"diagnostics": [], "only": ["refactor.move"]}
    place = {"line": 4, "character": 0}
    asked["range"] = {"start": place, "end": place}
    plain = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    plain.open(uri, text)
    [action] = plain.ask("textDocument/codeAction", **asked)
    assert "me/Box/1" in action["title"] and "publish the library again" in action["title"]
    after = replaced(action["edit"], library.as_uri(), LIBRARY.format(name="double"))
    assert after.endswith("\n\nexport f(float x) =>\n    x + 1\n")
    assert replaced(action["edit"], uri, text).endswith("plot(box.double(close))\nplot(box.f(close))\n")
    plain.change(uri, 2, {"text": text.replace("x + 1", "x + level").replace("import", "level = 1\nimport")})
    below = {"line": 5, "character": 0}
    assert plain.ask("textDocument/codeAction", **{**asked, "range": {"start": below, "end": below}}) == []
    lazy = {"textDocument": {"codeAction": {"resolveSupport": {"properties": ["edit"]}}}}
    client = connect(lazy, workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(uri, text)
    [action] = client.ask("textDocument/codeAction", **asked)
    assert "edit" not in action
    assert set(client.ask("codeAction/resolve", **action)["edit"]["changes"]) == {uri, library.as_uri()}
    assert str(library) in client.note("window/showMessage")["message"]
    client.change(uri, 2, {"text": text.replace("x + 1", "x + nope").replace("f(x)", "nope = 1\nf(x)")})
    asked["range"] = {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 0}}
    [action] = client.ask("textDocument/codeAction", **asked)
    with pytest.raises(Failed, match="it uses 'nope', which"):
        client.ask("codeAction/resolve", **action)


EXPORTS = (
    '//@version=6\nlibrary("Box")\nexport double(float x) => x * 2\nexport half(float x) => x / 2\n'
    "export type Spot\n    float price\nexport enum Way\n    up\nlocal(float x) => half(x)\n"
)


def test_exports_that_no_script_uses_are_named(connect: Connect, tmp_path: Path) -> None:
    root, library, uri = workspace(tmp_path)
    (root / "closed.pine").write_text(WIDE + "box.Spot s = na\n", encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(library.as_uri(), EXPORTS)
    command = {"command": "pinebench.unusedExports", "arguments": [{"uri": library.as_uri()}]}
    found = client.ask("workspace/executeCommand", **command)
    assert found == [{"name": "half", "line": 4}, {"name": "Way", "line": 7}]
    told = client.note("window/showMessage")["message"]
    assert "half (line 4), Way (line 7)" in told and "Scripts elsewhere may" in told
    client.open(uri, IMPORTING.format(name="half").replace("plot(", "w = box.Way.up\nplot("))
    assert client.ask("workspace/executeCommand", **command) == []
    client.open(uri, IMPORTING.format(name="half").replace("(close))", "(close) +* 2)"))
    found = client.ask("workspace/executeCommand", **command)
    assert found == [{"name": "Way", "line": 7}], "a script with syntax errors may use what it names"
    with pytest.raises(Failed, match="not a library"):
        client.ask("workspace/executeCommand", command=command["command"], arguments=[{"uri": uri}])


def test_a_library_whose_title_is_a_later_argument_is_renamed_in_the_scripts_that_import_it(
    connect: Connect, tmp_path: Path
) -> None:
    root, library, uri = workspace(tmp_path)
    text = EXPORTS.replace('library("Box")', 'library(overlay = true, title = "Box")')
    library.write_text(text, encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": root.as_uri(), "name": "w"}])
    client.open(library.as_uri(), text)
    client.open(uri, IMPORTING.format(name="half"))
    asked: dict[str, Any] = {"textDocument": {"uri": library.as_uri()}, "position": {"line": 3, "character": 8}}
    made = client.ask("textDocument/rename", **asked, newName="halved")
    assert {library.as_uri(), uri} == {*made["changes"]}
