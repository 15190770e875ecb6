"""A script is parsed once and checked once, however many ask about it: counted for each command that judges one."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pinebench import cli
from pinebench.authoring import session
from pinebench.authoring.author import AuthorBudget
from pinebench.authoring.events import CompiledEvent
from pinebench.authoring.quickfix import QuickFix
from pinebench.checker import open_program, program, read_script
from pinebench.cli.commands import watch
from pinebench.cli.console import style_for
from pinebench.cli.watch import watcher
from pinebench.compilers.local import LocalCompiler
from pinebench.compilers.online import OnlineCompiler
from pinebench.context import Context
from pinebench.diagnostics import Severity
from pinebench.linter import suggest
from pinebench.syntax import document
from tests.authoring.fake_anthropic import edits, script
from tests.authoring.support import OUTPUT, claude, ending, isolate, service
from tests.compilers.peers import Answer, Peer

HEAD = '//@version=6\nindicator("Opened {}")\n'
LIBRARY = '//@version=6\nlibrary("Lib")\nexport twice(float x) =>\n    x * 2\n'


class Opened:
    """How often each text was parsed from its beginning, and checked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.parsed: Counter[str] = Counter()
        self.checked: Counter[str] = Counter()
        parse, check = document._Chunks.all, program.run

        def parsed(chunks: Any) -> Any:
            self.parsed[chunks.source[:-1]] += 1
            return parse(chunks)

        def checked(snapshot: Any, *more: Any) -> Any:
            self.checked[snapshot.text] += 1
            return check(snapshot, *more)

        monkeypatch.setattr(document._Chunks, "all", parsed)
        monkeypatch.setattr(program, "run", checked)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Opened]:
    """Counts what is opened while a test runs in a folder of its own."""
    isolate(monkeypatch, tmp_path)
    yield Opened(monkeypatch)


def own(request: pytest.FixtureRequest, body: str) -> str:
    """A script with `body` that no other test has."""
    return HEAD.format(request.node.name) + body


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize("body", ["plot(close)\n", "plot(clsoe)\n"])
def test_compile(opened: Opened, request: pytest.FixtureRequest, body: str, form: str) -> None:
    text = own(request, body)
    Path("a.pine").write_text(text)
    cli.main(["compile", "a.pine", "--format", form])
    assert (opened.parsed, opened.checked) == ({text: 1}, {text: 1})


WRAPPED = "plot(close +\n     open)\n"


def refusal(column: int) -> Answer:
    """What the service says about something in the third line; beyond its end, on the joined line."""
    place = {"start": {"line": 3, "column": column}, "end": {"line": 3, "column": column + 2}}
    return Answer({"success": True, "result": {"errors": [{"code": "CE10272", "message": "no", **place}]}})


@pytest.mark.parametrize(("column", "parses"), [(6, 0), (14, 1)])
def test_an_answer_of_the_service_needs_the_tree_only_where_lines_are_joined(
    opened: Opened, request: pytest.FixtureRequest, column: int, parses: int
) -> None:
    text = own(request, WRAPPED)
    with Peer(refusal(column)) as peer:
        verdict = OnlineCompiler(peer.url, back_off=(), gap=0.0).compile(text, Context())
    assert text[verdict.diagnostics[0].span.start :].startswith("open" if parses else "close")
    assert (opened.parsed.total(), opened.checked.total()) == (parses, 0)


def test_watch(opened: Opened, request: pytest.FixtureRequest) -> None:
    text = own(request, "plot(clsoe)\n")
    Path("a.pine").write_text(text)
    (event,) = watcher.Watcher(["a.pine"], LocalCompiler())._compile("a.pine")
    assert watch._as_object(event)["diagnostics"]
    watch.Board("local", style_for(sys.stdout)).note(event, "12:00:00")
    assert (opened.parsed, opened.checked) == ({text: 1}, {text: 1})


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize("body", ["plot(clsoe)\nplot(ta.smma(close, 3))\n", "plot(nothing_like_it)\n"])
def test_fix(opened: Opened, request: pytest.FixtureRequest, body: str, unsafe: bool) -> None:
    text = own(request, body)
    Path("a.pine").write_text(text)
    cli.main(["fix", "a.pine", *(["--unsafe-fixes"] if unsafe else [])])
    after = Path("a.pine").read_text()
    # What is tried is parsed only where it differs; the result is opened as any script that is compiled.
    assert opened.parsed == dict.fromkeys({text, after}, 1)
    assert opened.checked[text] == 1


def test_a_round_with_a_model(opened: Opened, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    text = own(request, "plot(ta.no_such_function(close))\n")
    after = text.replace("no_such_function(close)", "sma(close, 3)")
    with service(monkeypatch, script(text), edits(("no_such_function(close)", "sma(close, 3)"))):
        events = session.write(
            "an average", claude(), LocalCompiler(), AuthorBudget(), Context(), template="none", output=OUTPUT
        )
        _, finished = ending(events)
    assert (finished.success, finished.attempts, finished.source) == (True, 2, after)
    assert opened.parsed == {text: 1, after: 1}
    assert opened.checked == {text: 1, after: 1}


@pytest.mark.parametrize("column", [6, 14])
def test_a_round_with_a_model_and_another_compiler(
    opened: Opened, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, column: int
) -> None:
    text = own(request, WRAPPED)
    after = text.replace("open", "high")
    steps = script(text), edits(("open", "high"))
    with Peer(refusal(column), Answer()) as peer, service(monkeypatch, *steps):
        compiler = OnlineCompiler(peer.url, back_off=(), gap=0.0)
        events = session.write("a sum", claude(), compiler, AuthorBudget(), Context(), template="none", output=OUTPUT)
        _, finished = ending(events)
    assert (finished.success, finished.origin, finished.source) == (True, "online", after)
    assert opened.parsed == {text: 1, after: 1}
    assert opened.checked == {text: 1, after: 1}


def test_a_verdict_carries_the_script_and_a_journal_does_not(request: pytest.FixtureRequest) -> None:
    text = own(request, "plot(clsoe)\n")
    verdict = LocalCompiler().compile(text, Context())
    assert verdict.program is not None
    assert verdict.program.document is read_script(text)
    assert verdict.diagnostics == tuple(verdict.program.diagnostics)


def test_what_is_held_by_nobody_is_parsed_again(opened: Opened, request: pytest.FixtureRequest) -> None:
    text = own(request, "plot(close)\n")
    for _ in range(2):
        assert open_program(text).diagnostics == []
    assert opened.parsed == {text: 2}


def test_the_loop_sees_the_libraries_of_the_script_whoever_compiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    Path("Lib.pine").write_text(LIBRARY)
    Path("pinebench.toml").write_text('[check]\nlibrary-paths = ["."]\n')
    Path("a.pine").write_text('//@version=6\nindicator("x")\nimport Me/Lib/1 as lib\nplot(lib.twize(close))\n')
    with Peer(Answer()) as peer:
        compiler = OnlineCompiler(peer.url, back_off=(), gap=0.0)
        events, _ = ending(session.fix("a.pine", QuickFix(), compiler, AuthorBudget(), Context()))
        assert peer.posted == []
    first = next(event for event in events if isinstance(event, CompiledEvent))
    assert [(first.verdict.origin, found.code) for found in first.verdict.errors] == [("local", "CE10271")]


def test_who_writes_is_told_what_the_libraries_make_of_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    isolate(monkeypatch, tmp_path)
    Path("Lib.pine").write_text(LIBRARY)
    base = '//@version=6\nindicator("x")\nimport Me/Lib/1 as lib\nplot(lib.twice("text"))\n'
    Path("a.pine").write_text(base)
    mended = base.replace('"text"', "close")
    with service(monkeypatch, edits(('"text"', "close"))) as fake:
        author = claude(libraries=(str(tmp_path),))
        compiler = LocalCompiler((str(tmp_path),))
        events = session.write("mend it", author, compiler, AuthorBudget(), Context(), base="a.pine", output=OUTPUT)
        _, finished = ending(events)
        assert "CE10123" in fake.requests[0].text
    assert finished.source == mended
    assert not [found for found in open_program(mended).diagnostics if found.severity is Severity.ERROR]


def test_fixes_are_looked_for_once_in_what_was_reported(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    isolate(monkeypatch, tmp_path)
    text = own(request, "plot(clsoe)\nplot(ta.smma(close, 3))\n")
    looked: Counter[str] = Counter()
    look = suggest.with_fixes

    def counted(program: Any, *more: Any) -> Any:
        looked[program.document.text] += 1
        return look(program, *more)

    monkeypatch.setattr(suggest, "with_fixes", counted)
    monkeypatch.setenv("PINEBENCH_CACHE_DIR", str(tmp_path / "cache"))
    for command in (["lint", "a.pine", "--fix"], ["fix", "a.pine"], ["fix", "a.pine", "--unsafe-fixes"]):
        Path("a.pine").write_text(text)
        looked.clear()
        cli.main(command)
        assert "plot(close)" in Path("a.pine").read_text()
        assert looked[text] == 1, command
