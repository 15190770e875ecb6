"""Every request that the server says it answers, as it goes over the wire."""

import random
import threading
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from pinebench.linter.suggest import fixes_for
from pinebench.lsp import closed_scripts
from pinebench.lsp.commands import summary
from pinebench.migration import migrate
from pinebench.profiling.kept import keep
from pinebench.profiling.measurement import LineCost, Profile
from pinebench.services import actions as service_actions
from pinebench.services import importers
from pinebench.services.across import uses_in
from pinebench.syntax.lines import LineIndex
from tests.lsp.client import Client, Failed
from tests.lsp.conftest import Connect
from tests.services.support import FILLED
from tests.soak.test_parser import real_scripts

URI = "file:///home/trader/scripts/some%20thing.pine"
DOCUMENT = {"uri": URI}
PUSHED = "textDocument/publishDiagnostics"


def at(text: str, word: str, inside: int = 1) -> dict[str, int]:
    """The position in the last `word` of `text`."""
    line, column = LineIndex(text).position(text.rindex(word) + inside)
    return {"line": line - 1, "character": column - 1}


def opened(connect: Connect, more: str, **capabilities: object) -> tuple[Client, str]:
    """A client that has opened FILLED and `more`."""
    client = connect(capabilities)
    client.open(URI, FILLED + more)
    return client, FILLED + more


def test_what_the_server_can_do_it_answers(connect: Connect) -> None:
    """Each capability has its request below, and each request answers for a script and for one that is not open."""
    client, text = opened(connect, "x = twice(level.price, 3)\nplot(x, color = #FF0000)\n")
    whole = {"start": {"line": 0, "character": 0}, "end": at(text, "plot")}
    place = at(text, "twice")
    item = {"name": "twice", "kind": 12, "uri": URI, "range": whole, "selectionRange": {"start": place, "end": place}}
    color = {"red": 1, "green": 0, "blue": 0, "alpha": 1}
    requests = {
        **{key: {"position": place} for key in ("hover", "definition", "declaration", "documentHighlight")},
        **{key: {"position": at(text, "level")} for key in ("typeDefinition", "completion", "signatureHelp")},
        **{key: {} for key in ("documentSymbol", "foldingRange", "codeLens", "documentLink", "documentColor")},
        **{key: {"position": place} for key in ("prepareRename", "prepareCallHierarchy")},
        **{key: {"range": whole} for key in ("semanticTokens/range", "inlayHint")},
        "semanticTokens/full": {},
        "references": {"position": place, "context": {"includeDeclaration": True}},
        "selectionRange": {"positions": [place]},
        "rename": {"position": place, "newName": "thrice"},
        "formatting": {"options": {"tabSize": 4, "insertSpaces": True}},
        "rangeFormatting": {"range": whole, "options": {"tabSize": 4, "insertSpaces": True}},
        "codeAction": {"range": whole, "context": {"diagnostics": []}},
        "colorPresentation": {"range": whole, "color": color},
        "semanticTokens/full/delta": {"previousResultId": "0"},
        "onTypeFormatting": {"position": place, "ch": "\n", "options": {"tabSize": 4, "insertSpaces": True}},
        "inlineValue": {"range": whole, "context": {"frameId": 0, "stoppedLocation": whole}},
        "diagnostic": {},
    }
    for name, params in requests.items():
        result = client.ask(f"textDocument/{name}", textDocument=DOCUMENT, **params)
        if name not in ("documentLink", "formatting", "rangeFormatting", "onTypeFormatting", "inlineValue"):
            assert result, name
        other = {"uri": "file:///nowhere.pine"}
        unknown = client.ask(f"textDocument/{name}", textDocument=other, **params)
        assert unknown is None or not unknown.get("items"), name
    for name in ("incomingCalls", "outgoingCalls"):
        assert isinstance(client.ask(f"callHierarchy/{name}", item=item), list)
    assert client.ask("workspace/symbol", query="lvl")[0]["name"] == "Level"


def _patched(data: list[int], edits: list[dict[str, Any]]) -> list[int]:
    """Packed tokens with the edits of an answer, as an editor makes them."""
    for edit in edits:
        data = [*data[: edit["start"]], *edit.get("data", []), *data[edit["start"] + edit["deleteCount"] :]]
    return data


def test_only_changed_tokens_are_sent_again(connect: Connect) -> None:
    client, text = opened(connect, "plot(close)\n")
    known = client.ask("textDocument/semanticTokens/full", textDocument=DOCUMENT)
    shuffler = random.Random(5)
    data, number = known["data"], known["resultId"]
    for version in range(2, 30):
        place = shuffler.choice([each for each in range(len(text)) if text[each] == "\n"]) + 1
        line, column = LineIndex(text).position(place)
        where = {"line": line - 1, "character": column - 1}
        more = shuffler.choice(["x = 1\n", "plot(open)\n", "// words\n", "\n"])
        text = text[:place] + more + text[place:]
        client.change(URI, version, {"range": {"start": where, "end": where}, "text": more})
        made = client.ask("textDocument/semanticTokens/full/delta", textDocument=DOCUMENT, previousResultId=number)
        assert "edits" in made and len(made["edits"]) <= 1
        data, number = _patched(data, made["edits"]), made["resultId"]
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 9999, "character": 0}}
        assert data == client.ask("textDocument/semanticTokens/range", textDocument=DOCUMENT, range=whole)["data"]
    # An answer that nobody knows any more is followed by a whole one.
    assert client.ask("textDocument/semanticTokens/full/delta", textDocument=DOCUMENT, previousResultId="1")["data"]


def test_enter_formats_the_line_that_it_ends_and_no_other(connect: Connect) -> None:
    client, text = opened(connect, "a=1\nb   =a+2\nplot(  b )\n")
    asked = {"ch": "\n", "options": {"tabSize": 4, "insertSpaces": True}}
    edits = client.ask("textDocument/onTypeFormatting", textDocument=DOCUMENT, position=at(text, "plot", 0), **asked)
    assert [each["newText"] for each in edits] == ["b = a + 2\n"]
    assert edits[0]["range"] == {"start": at(text, "b   =", 0), "end": at(text, "plot", 0)}
    # The part with a syntax error, as in the middle of typing, stays as it is; a block gets its indentation.
    client.change(URI, 2, {"text": "//@version=6\nindicator('x')\na=1\nif (\n"})
    place = {"line": 3, "character": 0}
    edits = client.ask("textDocument/onTypeFormatting", textDocument=DOCUMENT, position=place, **asked)
    assert [each["newText"] for each in edits] == ["a = 1\n"]
    client.change(URI, 3, {"text": "//@version=6\nindicator('x')\nif close>open\n"})
    edits = client.ask("textDocument/onTypeFormatting", textDocument=DOCUMENT, position=place, **asked)
    assert [each["newText"] for each in edits] == ["if close > open\n", "    "]


def test_constants_are_shown_as_inline_values(connect: Connect) -> None:
    client, text = opened(connect, 'days = 5\nhours = days * 24\nword = "a"\nplot(hours + close)\n')
    whole = {"start": at(text, "days = 5", 0), "end": at(text, "close)", 0)}
    context = {"frameId": 0, "stoppedLocation": whole}
    found = client.ask("textDocument/inlineValue", textDocument=DOCUMENT, range=whole, context=context)
    assert [each["text"] for each in found] == ["days = 5", "hours = 120", "days = 5", 'word = "a"', "hours = 120"]


def test_findings_are_pushed_and_follow_the_text(connect: Connect) -> None:
    client, text = opened(connect, "plot(valve)\n")
    found = client.note(PUSHED, version=1)
    assert [each["code"] for each in found["diagnostics"] if each["severity"] < 4] == ["CE10272"]
    assert found["diagnostics"][0]["codeDescription"]["href"].endswith("/errors/overview/")
    assert found["diagnostics"][0]["range"] == {"start": at(text, "valve", 0), "end": at(text, "valve", 5)}
    place = {"start": at(text, "valve", 0), "end": at(text, "valve", 5)}
    client.change(URI, 2, {"range": place, "text": "level.price"})
    assert "CE10272" not in [each["code"] for each in client.note(PUSHED, version=2)["diagnostics"]]
    client.notify("textDocument/didClose", textDocument=DOCUMENT)
    assert client.note(PUSHED, uri=URI, diagnostics=[])["diagnostics"] == []


def test_requests_that_were_called_off_or_are_stale_are_not_computed(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, _ = opened(connect, "plot(close)\n")
    computed: list[object] = []
    monkeypatch.setattr("pinebench.lsp.handlers.tokens", lambda view: computed.append(view) or [])
    monkeypatch.setattr("pinebench.lsp.server.QUIET", 0.5)  # all messages are there by then
    place = {"line": 0, "character": 0}
    numbers: list[int] = []
    for version in range(2, 14):
        client.change(URI, version, {"range": {"start": place, "end": place}, "text": "\n"})
        numbers.append(client.start("textDocument/semanticTokens/full", textDocument=DOCUMENT))
        if version % 2:
            client.notify("$/cancelRequest", id=numbers[-1])
    hover = client.start("textDocument/hover", textDocument=DOCUMENT, position=place)
    told = {message["id"]: message for message in (client.next_response() for _ in range(13))}
    assert "result" in told[hover]
    codes = [told[number].get("error", {}).get("code") for number in numbers]
    assert codes == [-32801, -32800] * 6 and not computed


def test_findings_of_an_earlier_text_under_the_same_name_are_not_told_as_unchanged(connect: Connect) -> None:
    client, _ = opened(connect, "plot(valve)\n", textDocument={"diagnostic": {}})
    found = client.ask("textDocument/diagnostic", textDocument=DOCUMENT)
    client.notify("textDocument/didClose", textDocument=DOCUMENT)
    client.open(URI, '//@version=6\nindicator("x")\nplot(close)\n')
    again = client.ask("textDocument/diagnostic", textDocument=DOCUMENT, previousResultId=found["resultId"])
    assert again["kind"] == "full" and again["items"] == []


def test_an_editor_that_asks_for_findings_gets_none_pushed(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    client, text = opened(connect, "plot(valve)\n", textDocument={"diagnostic": {}})
    found = client.ask("textDocument/diagnostic", textDocument=DOCUMENT)
    assert (
        found["kind"] == "full" and [each["code"] for each in found["items"]] == ["library-not-read", "CE10272"][::-1]
    )
    again = client.ask("textDocument/diagnostic", textDocument=DOCUMENT, previousResultId=found["resultId"])
    assert again == {"kind": "unchanged", "resultId": found["resultId"]}
    monkeypatch.setattr("pinebench.lsp.server.QUIET", 0.5)  # both messages are there by then
    number = client.start("textDocument/diagnostic", textDocument=DOCUMENT)
    place = {"start": at(text, "valve", 0), "end": at(text, "valve", 5)}
    client.change(URI, 2, {"range": place, "text": "close"})
    with pytest.raises(Failed) as stale:
        client.result(number)
    assert stale.value.code == -32801
    number = client.start("textDocument/diagnostic", textDocument=DOCUMENT)
    client.notify("$/cancelRequest", id=number)
    with pytest.raises(Failed) as cancelled:
        client.result(number)
    assert cancelled.value.code == -32800
    assert not [note for note in client.seen if note["method"] == PUSHED]


def test_completion_with_snippets_and_words_about_an_item(connect: Connect) -> None:
    snippets = {"completion": {"completionItem": {"snippetSupport": True}}}
    client, text = opened(connect, "plot(close, \n", textDocument=snippets)
    found = client.ask("textDocument/completion", textDocument=DOCUMENT, position=at(text, "plot(close, ", 12))
    items = {item["label"]: item for item in found["items"]}
    assert items["linewidth"]["textEdit"]["newText"] == "linewidth = $0"
    assert items["linewidth"]["insertTextFormat"] == 2
    assert [item["sortText"] for item in found["items"]] == sorted(item["sortText"] for item in found["items"])
    assert items["twice"]["detail"].startswith("twice(")
    told = client.ask("completionItem/resolve", **items["close"])
    assert "Closing price" in told["documentation"]["value"]


def test_without_snippets_plain_text_is_inserted(connect: Connect) -> None:
    client, text = opened(connect, "plot(close, \n")
    found = client.ask("textDocument/completion", textDocument=DOCUMENT, position=at(text, "plot(close, ", 12))
    items = {item["label"]: item for item in found["items"]}
    assert items["linewidth"]["textEdit"]["newText"] == "linewidth = "
    assert not any("$" in item["textEdit"]["newText"] for item in found["items"])


def test_a_refused_rename_says_why(connect: Connect) -> None:
    client, text = opened(connect, "x = close\n")
    with pytest.raises(Failed) as refused:
        client.ask("textDocument/rename", textDocument=DOCUMENT, position=at(text, "x = "), newName="level")
    assert refused.value.code == -32803 and "level" in refused.value.message


def test_actions_of_the_kinds_that_are_asked_for(connect: Connect) -> None:
    client, text = opened(connect, "value = 1\nplot(valve)\n")
    range_ = {"start": at(text, "valve"), "end": at(text, "valve")}

    def kinds(*only: str) -> set[str]:
        context = {"diagnostics": [], **({"only": list(only)} if only else {})}
        made = client.ask("textDocument/codeAction", textDocument=DOCUMENT, range=range_, context=context)
        return {action["kind"] for action in made}

    assert "quickfix" in kinds() and kinds("quickfix") == {"quickfix"}
    assert kinds("refactor") <= {"refactor.extract", "refactor.rewrite"}
    assert kinds("source.fixAll") <= {"source.fixAll"}


def test_compiling_by_name_with_progress(connect: Connect) -> None:
    client, _ = opened(connect, "plot(valve)\n", window={"workDoneProgress": True})
    result = client.ask(
        "workspace/executeCommand", command="pinebench.compile", arguments=[{"uri": URI, "with": "local"}]
    )
    assert (result["ok"], result["origin"]) == (False, "local")
    counts = {"errors": 0, "warnings": 0}
    for origin, words in (("local", "passes pinebench's check"), ("chart", "compiles")):
        told = summary({"ok": True, "origin": origin, "elapsed": 0.1, "summary": counts, "not_checked": []})
        assert told.startswith(words)
    assert [row["code"] for row in result["diagnostics"]] == ["CE10272"]
    kinds = [client.note("$/progress")["value"]["kind"] for _ in range(2)]
    assert kinds == ["begin", "end"]
    assert "1 error" in client.note("window/showMessage")["message"]
    for arguments in ([{"uri": URI, "with": "abacus"}], [{"uri": "file:///not/open.pine"}], []):
        with pytest.raises(Failed):
            client.ask("workspace/executeCommand", command="pinebench.compile", arguments=arguments)


def test_compiling_by_name_says_which_libraries_were_not_read(connect: Connect) -> None:
    client, _ = opened(connect, "import me/Foo/1 as f\nplot(f.g(close))\n", window={"workDoneProgress": True})
    result = client.ask(
        "workspace/executeCommand", command="pinebench.compile", arguments=[{"uri": URI, "with": "local"}]
    )
    assert result["ok"] and "me/Foo/1" in result["not_checked"]
    assert "me/Foo/1 were not checked" in client.note("window/showMessage")["message"]


def test_a_script_is_not_compiled_with_another_text_of_a_library_than_its_tab_has(
    connect: Connect, tmp_path: Path
) -> None:
    library = '//@version=6\nlibrary("Foo")\nexport g(float x) => x\n'
    (tmp_path / "Foo.pine").write_text(library, encoding="utf-8")
    client = connect(initializationOptions={"libraryPaths": [str(tmp_path)]})
    client.open(URI, FILLED + "import me/Foo/1 as f\nplot(f.g(close))\n")
    shelved = (tmp_path / "Foo.pine").as_uri()
    client.open(shelved, library)
    asked = {"command": "pinebench.compile", "arguments": [{"uri": URI, "with": "local"}]}
    assert client.ask("workspace/executeCommand", **asked)["ok"]
    client.change(shelved, 2, {"text": library.replace("g(", "h(")})
    with pytest.raises(Failed, match="me/Foo/1 has unsaved changes"):
        client.ask("workspace/executeCommand", **asked)


def test_published_findings_carry_their_fixes_which_are_looked_for_once(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched: list[str] = []

    def counted(program: Any, finding: Any, *rest: Any) -> Any:
        searched.append(finding.code)
        return fixes_for(program, finding, *rest)

    monkeypatch.setattr(service_actions, "fixes_for", counted)
    client = connect({"textDocument": {"publishDiagnostics": {"dataSupport": True}}})
    text = '//@version=6\nindicator("x")\nplot(ta.smaa(close, 9))\nplot(clos)\n'
    client.open(URI, text)
    assert not any("data" in each for each in client.note(PUSHED, uri=URI)["diagnostics"])
    found = client.note(PUSHED, uri=URI)["diagnostics"]
    carried = [each["data"] for each in found if "data" in each]
    assert len(carried) == 2 and {each["version"] for each in carried} == {1}
    before = len(searched)
    for each in found:
        actions = client.ask(
            "textDocument/codeAction", textDocument=DOCUMENT, range=each["range"], context={"diagnostics": [each]}
        )
        fix = next(action for action in actions if action.get("diagnostics") and "edit" in action)
        edits = fix["edit"]["changes"][URI]
        assert edits == each["data"]["fixes"][0]["edits"]
    assert len(searched) == before
    client.change(URI, 2, {"text": text.replace("smaa", "sma").replace("clos)", "close)")})
    assert client.note(PUSHED, uri=URI, version=2)["diagnostics"] == []


OLD = '//@version=5\nindicator("𝒙")  // kept\nplot(close, transp = 20)\nplot(close)\nplot(nope)\n'


def converting(client: Client, line: int = 3, **context: object) -> list[dict[str, Any]]:
    """The actions of the script that bring it to v6."""
    place = {"line": line, "character": 0}
    asked = {"diagnostics": [], **context}
    range_ = {"start": place, "end": place}
    made = client.ask("textDocument/codeAction", textDocument=DOCUMENT, range=range_, context=asked)
    return [action for action in made if action["title"] == "Convert to Pine v6"]


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """`text` after an editor's edits, whose columns are bytes here."""
    lines = text.encode().split(b"\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    result = text.encode()
    for edit in reversed(edits):
        start, end = (starts[edit["range"][at]["line"]] + edit["range"][at]["character"] for at in ("start", "end"))
        result = result[:start] + edit["newText"].encode() + result[end:]
    return result.decode()


@pytest.mark.parametrize("lazy", [False, True])
def test_an_old_script_is_converted_by_one_action(connect: Connect, lazy: bool) -> None:
    """From everywhere in it; its edit comes at once, or when it is chosen to an editor that says it asks then."""
    resolving = {"codeAction": {"resolveSupport": {"properties": ["edit"]}}} if lazy else {}
    client = connect({"general": {"positionEncodings": ["utf-8"]}, "textDocument": resolving})
    client.open(URI, OLD)
    [action] = converting(client)
    assert ("edit" not in action) is lazy and action["kind"] == "refactor.rewrite"
    action = client.ask("codeAction/resolve", **action) if lazy else action
    edits = action["edit"]["changes"][URI]
    assert applied(OLD, edits) == migrate(OLD).text
    assert [edit["range"]["start"]["line"] for edit in edits] == [0, 2]
    report = action["data"]["report"]
    assert report[0].startswith("line 5, look at: CE10272") and "line 3, changed" in report[-1]
    told = client.ask(
        "workspace/executeCommand", command=action["command"]["command"], arguments=action["command"]["arguments"]
    )
    assert told == report
    message = client.note("window/showMessage")["message"]
    assert message.startswith("Converted from Pine v5 to v6") and report[0] in message
    [quick] = converting(client, 0, only=["quickfix"])
    assert [each["code"] for each in quick["diagnostics"]] == ["PB0001"]
    assert not converting(client, 3, only=["quickfix"])
    client.change(URI, 2, {"text": applied(OLD, edits)})
    assert not converting(client)
    if lazy:
        with pytest.raises(Failed, match="changed"):
            client.ask("codeAction/resolve", **quick)
        assert client.ask("codeAction/resolve", title="Explain it") == {"title": "Explain it"}


def test_which_scripts_are_offered_to_be_converted(connect: Connect) -> None:
    client = connect()
    client.open(URI, 'study("x")\nplot(sma(close, 3))\n')
    [action] = converting(client, 0)
    assert [each["code"] for each in action["diagnostics"]] == ["version-missing"]
    assert action["edit"]["changes"][URI][0]["newText"].startswith("//@version=6\nindicator")
    client.change(URI, 2, {"text": '//@version=4\nstudy("x"\nx = (\n'})
    [action] = converting(client)
    assert "edit" not in action
    client.ask(
        "workspace/executeCommand", command=action["command"]["command"], arguments=action["command"]["arguments"]
    )
    assert "syntax error" in client.note("window/showMessage")["message"]
    for text in (FILLED, "", "plot(close)\n"):
        client.change(URI, 3, {"text": text})
        assert not converting(client, 0), text


def test_explaining_and_migrating_by_name(connect: Connect) -> None:
    client = connect()
    client.replies["workspace/applyEdit"] = {"applied": True}
    client.open(URI, OLD)
    assert "CE10272" in client.ask("workspace/executeCommand", command="pinebench.explain", arguments=["CE10272"])
    assert "CE10272" in client.note("window/showMessage")["message"]
    arguments = [{"uri": URI}]
    assert client.ask("workspace/executeCommand", command="pinebench.migrate", arguments=arguments) is True
    [asked] = [request for request in client.asked if request["method"] == "workspace/applyEdit"]
    change = asked["params"]["edit"]["documentChanges"][0]
    assert change["textDocument"] == {"uri": URI, "version": 1}
    assert change["edits"][0]["newText"].startswith("//@version=6")
    assert "Converted from Pine v5" in client.note("window/showMessage")["message"]


def test_costly_lines_of_a_profiled_text_show_their_costs(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '//@version=6\nindicator("x")\nplot(close)\n'
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))
    lines = [LineCost(3, 0.005, 1_200), LineCost(2, 0.0001, 1)]
    keep(text, Profile(10, 0.010, 0.010, lines, [], [], 0.0, 0.0))
    client = connect()
    client.open(URI, text)
    lenses = client.ask("textDocument/codeLens", textDocument=DOCUMENT)
    costs = [lens for lens in lenses if not lens["command"]["command"]]
    told = {lens["command"]["title"]: lens["range"]["start"]["line"] for lens in costs}
    assert told == {"5.0 ms (50 %), 1,200 runs": 2}


@pytest.mark.parametrize(
    ("declaration", "more"), [("indicator", ["Run"]), ("strategy", ["Run", "Back-test"]), ("library", list[str]())]
)
def test_lenses_offer_every_compiler_and_what_can_be_run(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declaration: str, more: list[str]
) -> None:
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path))  # nobody has profiled the script
    client = connect()
    client.open(URI, f'//@version=6\n{declaration}("x")\n{"plot(close)" if more else ""}\n')
    commands = [lens["command"] for lens in client.ask("textDocument/codeLens", textDocument=DOCUMENT)]
    assert [command["arguments"][0]["with"] for command in commands[:3]] == ["local", "online", "chart"]
    assert [command["title"] for command in commands[3:]] == more
    for command in commands[3:]:
        found = client.ask("workspace/executeCommand", command=command["command"], arguments=command["arguments"])
        assert found["ok"] and found["sample"] and found["bars"] == 500
        assert "made up for the sample market" in client.note("window/showMessage")["message"]


@pytest.mark.soak
def test_every_request_is_answered_anywhere_in_real_scripts(connect: Connect) -> None:
    """All that is declared at the start, at places by chance: an answer, or words for people."""
    client = connect({"textDocument": {"diagnostic": {}}})
    choose = random.Random(13)
    texts = [*real_scripts().values()]
    asked = 0
    for number, text in enumerate(choose.sample(texts, min(80, len(texts)))):
        uri = f"untitled:{number}"
        client.open(uri, text)
        document = {"uri": uri}
        lines = text.splitlines() or [""]
        for _ in range(4):
            line = choose.randrange(len(lines))
            place = {"line": line, "character": choose.randrange(len(lines[line]) + 2)}
            for method, params in questions(place):
                asked += 1
                try:
                    answer = client.ask(method, textDocument=document, **params)
                except Failed as error:
                    assert error.code == -32803, (method, text, place, error.message)
                    continue
                if method == "textDocument/prepareCallHierarchy" and answer:
                    assert client.ask("callHierarchy/incomingCalls", item=answer[0]) is not None
                    assert client.ask("callHierarchy/outgoingCalls", item=answer[0]) is not None
                if method == "textDocument/completion" and answer["items"]:
                    assert client.ask("completionItem/resolve", **answer["items"][0])["label"]
        assert client.ask("workspace/symbol", query="a") is not None
        client.notify("textDocument/didClose", textDocument=document)
    assert asked > 100


def questions(place: dict[str, int]) -> list[tuple[str, dict[str, Any]]]:
    """Every question about a place or about its script, by method, with what it holds besides the document."""
    range_ = {"start": place, "end": {"line": place["line"] + 3, "character": 0}}
    options = {"tabSize": 4, "insertSpaces": True}
    color = {"red": 1.0, "green": 0.5, "blue": 0.0, "alpha": 1.0}
    at = {"position": place}
    about = (
        *((name, at) for name in ("completion", "hover", "signatureHelp", "definition", "declaration")),
        *((name, at) for name in ("typeDefinition", "documentHighlight", "prepareRename", "prepareCallHierarchy")),
        ("references", {**at, "context": {"includeDeclaration": True}}),
        ("rename", {**at, "newName": "another"}),
        *((name, {}) for name in ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens")),
        *((name, {}) for name in ("documentLink", "documentColor", "diagnostic")),
        ("semanticTokens/range", {"range": range_}),
        ("inlayHint", {"range": range_}),
        ("selectionRange", {"positions": [place]}),
        ("codeAction", {"range": range_, "context": {"diagnostics": []}}),
        ("formatting", {"options": options}),
        ("rangeFormatting", {"range": range_, "options": options}),
        ("colorPresentation", {"range": range_, "color": color}),
    )
    return [(f"textDocument/{name}", dict(params)) for name, params in about]


CLOSED = """//@version=6
library("lib")
export twice(float x) => x * 2
export type Spot
    float price
export method moved(Spot this) => this
if close > open
    twist = 1
float twig = 2.0
"""


def test_symbols_of_scripts_that_are_not_open_are_found(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / "lib.pine").write_text(CLOSED, encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    asked = {query: client.ask("workspace/symbol", query=query) for query in ("twi", "spot", "mov", "")}
    found = {query: [(each["name"], each["kind"]) for each in answer] for query, answer in asked.items()}
    assert found == {"twi": [("twice", 12), ("twig", 13)], "spot": [("Spot", 5)], "mov": [("moved", 6)], "": []}
    assert asked["twi"][0]["location"]["range"]["start"] == {"line": 2, "character": 7}


def test_symbols_follow_the_files_and_hold_up_nobody(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed or deleted file counts at once, each file is read once, and other requests are answered meanwhile."""
    may_go_on, read = threading.Event(), list[str]()
    declared = closed_scripts.declared

    def slow(uri: str, text: str, encoding: str) -> Any:
        assert may_go_on.wait(60)
        read.append(uri.rpartition("/")[2])
        return declared(uri, text, encoding)

    monkeypatch.setattr(closed_scripts, "declared", slow)
    for name in ("a", "b"):
        (tmp_path / f"{name}.pine").write_text(f"//@version=6\nspot_{name} = 1\n", encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    client.open(URI, FILLED)

    def names() -> list[str]:
        return [each["name"] for each in client.ask("workspace/symbol", query="spot")]

    first = client.start("workspace/symbol", query="spot")
    assert client.ask("textDocument/hover", textDocument=DOCUMENT, position=at(FILLED, "twice"))
    assert read == []
    may_go_on.set()
    assert [each["name"] for each in client.result(first)] == ["spot_a", "spot_b"]
    (tmp_path / "a.pine").write_text("//@version=6\nspotted = 1\n", encoding="utf-8")
    assert names() == ["spotted", "spot_b"]
    (tmp_path / "b.pine").unlink()
    assert names() == ["spotted"]
    assert read == ["a.pine", "b.pine", "a.pine"]


BOX = '//@version=6\nlibrary("Box")\nexport twice(float x) =>\n    x * 2\n'
USES_BOX = '//@version=6\nindicator("x")\nimport me/Box/1 as box\nplot(box.twice(close))\n'


def test_a_search_for_uses_in_all_scripts_holds_up_nobody_and_can_be_called_off(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """References and renames read the workspace; each file is read once, and a stale rename changes nothing."""
    may_go_on, read = threading.Event(), list[str]()
    imported, reached = importers.imported, list[str]()

    def slow(text: str) -> Any:
        assert may_go_on.wait(60)
        read.append(text)
        return imported(text)

    monkeypatch.setattr(importers, "imported", slow)
    monkeypatch.setattr("pinebench.lsp.handlers.uses_in", lambda *each: reached.append("uses") or uses_in(*each))
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n', encoding="utf-8")
    for name in ("a", "b"):
        (tmp_path / f"{name}.pine").write_text(USES_BOX, encoding="utf-8")
    uri = (tmp_path / "Box.pine").as_uri()
    (tmp_path / "Box.pine").write_text(BOX, encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    client.open(uri, BOX)
    document, place = {"uri": uri}, {"line": 2, "character": 9}
    asked: dict[str, Any] = {"textDocument": document, "position": place}
    uses = {**asked, "context": {"includeDeclaration": False}}

    called_off = client.start("textDocument/references", **uses)
    assert client.ask("textDocument/hover", **asked)
    client.notify("$/cancelRequest", id=called_off)
    with pytest.raises(Failed) as failed:
        client.result(called_off)
    assert failed.value.code == -32800
    stale = client.start("textDocument/rename", **asked, newName="double")
    assert client.ask("textDocument/hover", **asked)
    client.change(uri, 2, {"range": {"start": place, "end": place}, "text": "d"})
    client.ask("textDocument/hover", **asked)  # the server has read the change once it answers
    may_go_on.set()
    with pytest.raises(Failed) as failed:
        client.result(stale)
    assert failed.value.code == -32801 and not reached
    client.change(uri, 3, {"range": {"start": place, "end": {**place, "character": 10}}, "text": ""})
    for _ in range(2):
        found = client.ask("textDocument/references", **uses)
        assert [each["uri"].rpartition("/")[2] for each in found] == ["a.pine", "b.pine"]
    assert read.count(USES_BOX) == 2, "a file that did not change is not read again, and none for nobody"
    assert read.count(BOX) <= 2, "the search that was called off ends with the file that it was at"


def test_a_search_that_leaves_scripts_out_says_so(
    connect: Connect, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importers, "MOST_FILES", 2)
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n', encoding="utf-8")
    (tmp_path / "A.pine").write_bytes(b"\xff\xfe\xff")
    for name in ("c", "d"):
        (tmp_path / f"{name}.pine").write_text(USES_BOX, encoding="utf-8")
    box = tmp_path / "Box.pine"
    box.write_text(BOX, encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    client.open(box.as_uri(), BOX)
    left = "only the first 2 of 4 scripts were searched; open a smaller folder"
    asked: dict[str, Any] = {"textDocument": {"uri": box.as_uri()}, "position": {"line": 2, "character": 9}}
    for _ in range(2):
        client.ask("textDocument/rename", **asked, newName="double")
        assert client.note("window/showMessage", message=left)["type"] == 2
        assert "A.pine" in client.note("window/showMessage", type=2)["message"]
    client.ask("workspace/symbol", query="twice")
    client.ask("workspace/symbol", query="twi")
    client.ask("workspace/executeCommand", command="pinebench.unusedExports", arguments=[box.as_uri()])
    told = [client.note("window/showMessage")["message"] for _ in range(3)]
    assert told[:2] == [left, left] and "A.pine" in told[2], "searches for symbols say it once"


@pytest.mark.parametrize("declared", ['library(\n  // the title\n  "Box")', 'library("""Box""")'])
def test_an_export_is_renamed_in_other_scripts_however_its_library_is_declared(
    connect: Connect, tmp_path: Path, declared: str
) -> None:
    text = BOX.replace('library("Box")', declared)
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n', encoding="utf-8")
    (tmp_path / "uses.pine").write_text(USES_BOX, encoding="utf-8")
    box = tmp_path / "Box.pine"
    box.write_text(text, encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    client.open(box.as_uri(), text)
    asked: dict[str, Any] = {"textDocument": {"uri": box.as_uri()}, "position": at(text, "twice")}
    changed = client.ask("textDocument/rename", **asked, newName="double")["changes"]
    assert sorted(uri.rpartition("/")[2] for uri in changed) == ["Box.pine", "uses.pine"]
    assert client.ask("workspace/executeCommand", command="pinebench.unusedExports", arguments=[box.as_uri()]) == []


UNREAD = "import who/Knows/1 as k\nx = 1\nif close > open\n    x = 2\nplot(k.f(x))\n"


def test_an_import_whose_source_is_missing_has_a_hint_and_a_finding_its_other_place(connect: Connect) -> None:
    client = connect({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}})
    client.open(URI, f'//@version=6\nindicator("x")\n{UNREAD}')
    found = client.note("textDocument/publishDiagnostics", uri=URI)["diagnostics"]
    [hint] = [each for each in found if each["severity"] == 4]
    assert hint["range"]["start"] == {"line": 2, "character": 0} and "library-paths" in hint["message"]
    [shadowed] = [each for each in found if each.get("code") == "CW10013"]
    [other] = shadowed["relatedInformation"]
    assert other["location"]["range"]["start"] == {"line": 3, "character": 0}


def test_folders_of_libraries_that_nobody_approved_are_told(connect: Connect, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["/elsewhere"]\n')
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    client.open((tmp_path / "a.pine").as_uri(), f'//@version=6\nindicator("x")\n{UNREAD}')
    told = client.note("window/showMessage")["message"]
    assert "/elsewhere" in told and "pinebench config --approve" in told


@pytest.mark.parametrize("capabilities", [{}, {"textDocument": {"diagnostic": {}}}], ids=["pushed", "pulled"])
def test_a_configuration_that_breaks_again_is_told_again(
    connect: Connect, tmp_path: Path, capabilities: dict[str, Any]
) -> None:
    file = tmp_path / "pinebench.toml"
    client = connect(capabilities, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    scripts = [(tmp_path / name).as_uri() for name in ("a.pine", "b.pine")]

    def look(text: str) -> int:
        """Write the configuration, wait for the findings of both scripts, and count what was told so far."""
        file.write_text(text, encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 2}])
        waiting = set(scripts)  # the one whose last check was quicker comes first
        while waiting and not capabilities:
            waiting.discard(client.note("textDocument/publishDiagnostics")["uri"])
        for uri in waiting:
            client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        return sum(each["method"] == "window/showMessage" for each in client.all_seen())

    for uri in scripts:
        client.open(uri, '//@version=6\nindicator("x")\nplot(close)\n')
        if not capabilities:
            client.note("textDocument/publishDiagnostics", uri=uri)
    assert [look(text) for text in ("[lint", "[lint", "[lint]", "[lint")] == [1, 1, 1, 2]


def test_a_script_that_nobody_looks_at_hides_no_trouble(connect: Connect, tmp_path: Path) -> None:
    """An editor asks only for the scripts that it shows: the other one was not judged while the file was right."""
    file = tmp_path / "pinebench.toml"
    client = connect({"textDocument": {"diagnostic": {}}}, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    shown, other = ((tmp_path / name).as_uri() for name in ("a.pine", "b.pine"))
    for uri in (shown, other):
        client.open(uri, '//@version=6\nindicator("x")\nplot(close)\n')

    def look(text: str, *scripts: str) -> int:
        """Write the configuration, ask for the findings of scripts, and count what was told so far."""
        file.write_text(text, encoding="utf-8")
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 2}])
        for uri in scripts:
            client.ask("textDocument/diagnostic", textDocument={"uri": uri})
        # After an answer about anything else, the server has read this configuration, so the next one can be written.
        client.ask("textDocument/documentSymbol", textDocument={"uri": shown})
        return sum(each["method"] == "window/showMessage" for each in client.all_seen())

    assert [look("[lint", shown, other), look("[lint]", shown), look("[lint", shown)] == [1, 1, 2]
    assert [look("[lint]"), look("[lint", shown)] == [2, 3], "nobody asked while the file was right"
    assert look("[lint", other, shown) == 3, "once for all scripts"


def test_a_script_is_not_formatted_or_fixed_while_its_configuration_cannot_be_used(
    connect: Connect, tmp_path: Path
) -> None:
    file = tmp_path / "pinebench.toml"
    file.write_text('[format]\nwidth = 60\n[lint]\nignore = ["CE"]\n', encoding="utf-8")
    client = connect(workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
    document = {"uri": (tmp_path / "a.pine").as_uri()}
    client.open(document["uri"], f'//@version=6\nindicator("x")\nlet y={" + ".join(["close"] * 12)}\nplot(y)\n')
    options = {"tabSize": 4, "insertSpaces": True}
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 4, "character": 0}}

    def fixes() -> list[Any]:
        context = {"diagnostics": [], "only": ["source.fixAll"]}
        found = client.ask("textDocument/codeAction", textDocument=document, range=whole, context=context)
        return [each for each in found or () if each["kind"] == "source.fixAll"]

    assert client.ask("textDocument/formatting", textDocument=document, options=options) is not None and not fixes()
    file.write_text('[format]\nwidth = 60\n[lint]\nignore = ["CE"\n', encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 2}])
    assert not fixes()
    with pytest.raises(Failed, match="is not TOML"):
        client.ask("textDocument/formatting", textDocument=document, options=options)
    end = {"line": 3, "character": 0}
    typed = {"textDocument": document, "position": end, "ch": "\n", "options": options}
    assert client.ask("textDocument/onTypeFormatting", **typed) == []
