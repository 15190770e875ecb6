"""Errors of a bundle are told in the file and line that a person wrote."""

import contextlib
import os
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from pinebench import compilers
from pinebench.cli import main as pinebench
from pinebench.cli.watch import ScriptCompiled, VerdictFailure, Watcher
from pinebench.compilers import Verdict
from pinebench.compilers.online import read_answer
from pinebench.context import Context
from pinebench.diagnostics import TextPosition
from pinebench.errors import UsageError
from pinebench.lsp.commands import compile_script
from pinebench.projects.bundle import library_faults
from pinebench.projects.compiler import BundlingCompiler
from pinebench.projects.project import library_files, text_to_send
from pinebench.projects.refusals import NotBundled
from pinebench.projects.source_map import SourceMap, decode
from pinebench.studio.compile import compile_source, translate_light
from pinebench.syntax.lines import LineIndex
from pinebench.tui.compile_commands import compiler as workbench_compiler
from pinebench.workers.dispatch import execute
from pinebench.workers.jobs import perform
from tests.projects.faults import planted
from tests.projects.nasty import PROJECTS, library, script
from tests.projects.splitting import splits
from tests.projects.support import bundled, opened, request, write

if TYPE_CHECKING:
    from pinebench.tui.app import Workbench

ROOT = Path(__file__).parents[2]
CORPUS = os.environ.get("PINEBENCH_CORPUS", "")


class StudioCompiler:
    """The compiler of the studio, asked as its page asks it: what it finds goes through the facade's answer."""

    name = "chart"

    def reach(self, context: Context) -> None:
        """The compiler is in this process."""

    def compile(self, source: str, context: Context) -> Verdict:
        """The verdict that the facade's answer gives."""
        ok, findings = read_answer(translate_light(compile_source(source), "3"), source)
        return Verdict(ok, tuple(findings), "studio", 0.0)


def places_told(main: Path) -> tuple[bool, set[tuple[str, int]]]:
    """Whether the script compiles as a bundle, and the files and lines that are named."""
    text = main.read_bytes().decode()
    try:
        verdict = BundlingCompiler(StudioCompiler(), str(main)).compile(text, Context())
    except NotBundled as refused:
        return False, {(os.path.basename(each.file), each.position.line) for each in refused.refusals}
    found = {(main.name, LineIndex(text).position(each.span.start).line) for each in verdict.diagnostics}
    for file, findings in verdict.elsewhere.items():
        lines = LineIndex(Path(file).read_bytes().decode())
        found |= {(os.path.basename(file), lines.position(each.span.start).line) for each in findings}
    return verdict.ok, found


def untold(folder: Path, projects: Iterable[Mapping[str, str]], count: int) -> list[str]:
    """The planted faults that are not told in their own file and line: `count` faults in each project."""
    missed: list[str] = []
    for number, files in enumerate(projects):
        main = write(folder / str(number), files)
        for fault in islice(planted(files, seed=number), count):
            place = main.parent / fault.file
            place.write_text(fault.text, encoding="utf-8", newline="")
            expected = (place.name, fault.line)
            ok, told = places_told(main)
            if ok:  # code that the script does not use is not in the bundle; its library is faulty all the same
                program = opened(main)
                known = library_faults(program, library_files(program, (str(main.parent / "libs"),)))
                told = {(os.path.basename(each.file), each.position.line) for each in known}
            if expected not in told:
                missed.append(f"{main.parent.name}: {expected} told as {sorted(told)}")
            place.write_text(files[fault.file], encoding="utf-8", newline="")
    return missed


def test_a_planted_fault_is_told_in_its_own_file_and_line(tmp_path: Path) -> None:
    assert untold(tmp_path, PROJECTS.values(), 5) == []


@pytest.mark.soak
@pytest.mark.skipif(not CORPUS, reason="PINEBENCH_CORPUS names no folder")
def test_faults_planted_in_divided_scripts_of_the_corpus_are_told(tmp_path: Path) -> None:
    texts = ((path.name, path.read_text("utf-8", "replace")) for path in sorted(Path(CORPUS).rglob("*.pine"))[::7])
    projects = [files for _, _, files in islice(splits(each for each in texts if len(each[1]) < 40_000), 30)]
    assert len(projects) == 30
    assert untold(tmp_path, projects, 17) == []


def test_a_script_is_not_sent_without_a_library_that_cannot_be_read(tmp_path: Path) -> None:
    files = {"main.pine": script("import me/T/1 as t", "plot(t.twice(2))\n"), "libs/me/T.pine": ""}
    main = write(tmp_path, files)
    (tmp_path / "libs/me/T.pine").write_bytes(b"// caf\xe9\n")
    with pytest.raises(UsageError, match="is not UTF-8"):
        text_to_send(files["main.pine"], str(main))
    told = [each.message for each in compile_source(files["main.pine"], (str(tmp_path / "libs"),)).diagnostics]
    assert any("is not UTF-8" in each for each in told), told


def test_a_fault_of_the_bundle_itself_is_told_with_the_names_that_were_written(tmp_path: Path) -> None:
    files = {
        "main.pine": script("import me/T/1 as t", 'plot(t.twice("a"))\n'),
        "libs/me/T.pine": library("T", "export twice(float x) => x * 2\n"),
    }
    main = write(tmp_path, files)
    verdict = BundlingCompiler(StudioCompiler(), str(main)).compile(files["main.pine"], Context())
    (finding,) = verdict.diagnostics
    assert '"t.twice"' in finding.message or "t.twice" in finding.message
    assert "t_twice" not in finding.message
    assert LineIndex(files["main.pine"]).position(finding.span.start) == TextPosition(4, 14)


def test_a_run_time_error_names_the_library_and_the_line_of_the_call(tmp_path: Path) -> None:
    main = write(tmp_path, PROJECTS["a-strategy-with-orders-logs-and-an-error"])
    error = execute(request(main)).result.error
    assert error is not None
    assert error.line == 8
    assert error.place("main.pine") == "main.pine:8 (me/Check/1:5)"
    made = bundled(main)
    same = execute(request(main, made.text)).result.error
    assert same is not None and same.line is not None
    assert made.source_map.line(same.line) == (str(tmp_path / "libs/me/Check.pine"), 5)
    assert [made.source_map.line(call.line) for call in same.stack] == [
        (str(tmp_path / "libs/me/Check.pine"), 5),
        (str(tmp_path / "libs/me/Trade.pine"), 8),
        (str(tmp_path / "main.pine"), 8),
    ]


def test_editors_and_watching_tell_the_findings_of_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's compiler gets the bundle; a warning in a library is told in its file, and the bundle is pushed."""
    files = {
        "main.pine": script("import me/T/1 as t", "if close > open\n    log.info(str.tostring(t.mean(close)))\n"),
        "libs/me/T.pine": library("T", "export mean(float x) =>\n    x > 1 ? ta.sma(x, 3) : na\n"),
    }
    main = write(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    library_file = os.path.join("libs", "me", "T.pine")
    monkeypatch.setattr(compilers, "get", lambda who, **options: StudioCompiler())
    told = compile_script(files["main.pine"], str(main), (str(tmp_path / "libs"),), "chart", Context())
    assert {(each["path"], each["line"]) for each in told["diagnostics"]} >= {(library_file, 4)}
    pushed: list[str] = []
    watcher = Watcher(["main.pine"], BundlingCompiler(StudioCompiler(), "."), push=pushed.append, poll=True)
    events = []
    for event in watcher.run():
        events.append(event)
        if isinstance(event, ScriptCompiled | VerdictFailure):
            watcher.stop()
    (compiled,) = [each for each in events if isinstance(each, ScriptCompiled)]
    assert compiled.verdict.ok and library_file in compiled.verdict.elsewhere
    assert pushed == [bundled(main).text] and compiled.pushed


def test_every_place_of_the_files_is_found_again(tmp_path: Path) -> None:
    for number, (name, files) in enumerate(PROJECTS.items()):
        made = bundled(write(tmp_path / str(number), files))
        lines, texts = (
            LineIndex(made.text),
            {file.file: Path(file.file).read_text("utf-8") for file in made.source_map.files},
        )
        exact = [each for each in made.source_map.ranges if each.exact]
        for each in exact:
            place = made.source_map.place(each.start, each.end)
            assert place is not None, name
            there, text = LineIndex(texts[place.file]), texts[place.file]
            copied = text[there.offset(*place.start) : there.offset(*place.end)]
            assert copied == made.text[lines.offset(*each.start) : lines.offset(*each.end)], name


def test_a_map_is_read_as_it_was_written(tmp_path: Path) -> None:
    import json

    made = bundled(write(tmp_path, PROJECTS["text-comments-and-lines"]))
    again = decode(json.dumps(made.source_map.encode()).encode(), "map")
    assert isinstance(again, SourceMap)
    assert (again.ranges, again.names, again.files) == (
        made.source_map.ranges,
        made.source_map.names,
        made.source_map.files,
    )
    assert again.fits(made.text) and not again.fits(made.text + " ")


def test_the_command_writes_a_bundle_with_its_map_and_tells_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, PROJECTS["a-diamond-of-imports"])
    monkeypatch.chdir(tmp_path)
    assert pinebench(["bundle", "main.pine", "-o", "out.pine"]) == 0
    text = (tmp_path / "out.pine").read_text("utf-8")
    line = text.splitlines().index("left_go(float x) => base_half(x) + base_STEP") + 1
    capsys.readouterr()
    assert pinebench(["bundle", "out.pine", "--where", f"{line}:3"]) == 0
    assert capsys.readouterr().out == f"{os.path.join('libs', 'me', 'Left.pine')}:4:8\n"
    (tmp_path / "signs.pine").write_text('//@version=6\nindicator("\U0001f468\u200d\U0001f467")\nplot(1)\n', "utf-8")
    assert pinebench(["bundle", "signs.pine"]) == 0
    assert capsys.readouterr().out == (tmp_path / "signs.pine").read_text("utf-8"), "joined signs stay joined"
    assert pinebench(["bundle", "out.pine", "--where", "1"]) == 0
    assert capsys.readouterr().out == "main.pine:1\n"
    for place in ("0", f"{line}:0", f"{line}:99", "999"):
        assert pinebench(["bundle", "out.pine", "--where", place]) == 2
        assert "out.pine has no such place" in capsys.readouterr().err
    (tmp_path / "out.pine").write_text(text + "\n", encoding="utf-8")
    assert pinebench(["bundle", "out.pine", "--where", f"{line}"]) == 2
    assert "was changed after its source map was made" in capsys.readouterr().err
    (tmp_path / "libs/me/Base.pine").write_text(library("Base", "export half(float x) => y\n"), encoding="utf-8")
    assert pinebench(["bundle", "main.pine", "-o", "out.pine", "--force"]) == 1
    assert f"{os.path.join('libs', 'me', 'Base.pine')}:3:25: CE10272" in capsys.readouterr().err
    assert (tmp_path / "out.pine").read_text("utf-8") == text + "\n", "nothing was written"


def test_an_alert_of_a_library_is_not_lost_because_the_script_has_one_on_the_same_line(tmp_path: Path) -> None:
    """Both calls are on line 5 of their texts. Each is told on a line of the script: its own, or the import's."""
    files = {
        "main.pine": script(
            "import me/T/1 as t", "if close > open\n    alert('main')\nt.say(close > open)\nplot(close)\n"
        ),
        "libs/me/T.pine": library("T", "export say(bool up) =>\n    if up\n        alert('lib')\n    up\n"),
    }
    main = write(tmp_path, files)
    alone = perform(request(main)).result.alerts
    made = bundled(main)
    together = perform(request(main, made.text)).result.alerts
    assert len(alone) == len(together) > 100
    assert {(each.message, each.line) for each in alone} == {("main", 5), ("lib", 3)}
    assert {(each.message, made.source_map.line(each.line)) for each in together} == {
        ("main", (str(main), 5)),
        ("lib", (str(tmp_path / "libs/me/T.pine"), 5)),
    }


class RecordingCompiler(StudioCompiler):
    """The studio's compiler, which remembers what it got."""

    def __init__(self) -> None:
        self.got: list[str] = []

    def compile(self, source: str, context: Context) -> Verdict:
        self.got.append(source)
        return super().compile(source, context)


def test_push_verify_compile_and_the_workbench_send_the_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, PROJECTS["a-diamond-of-imports"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    expected = bundled(Path("main.pine")).text
    sent: list[str] = []

    def pushed(_: object, text: str) -> SimpleNamespace:
        sent.append(text)
        return SimpleNamespace(normalised=(), lines=text.count("\n") + 1)

    monkeypatch.setattr("pinebench.cli.page.connect", lambda _: contextlib.nullcontext())
    monkeypatch.setattr("pinebench.tradingview.page.Page", lambda connection: connection)
    monkeypatch.setattr("pinebench.tradingview.editor.PageEditor.__init__", lambda self, page: None)
    monkeypatch.setattr("pinebench.tradingview.editor.PageEditor.push", pushed)
    assert pinebench(["push", "main.pine"]) == 0
    assert "bundled with its libraries: me/Base/1" in capsys.readouterr().err

    def asked(_: object, tool: str, given: dict[str, str]) -> SimpleNamespace:
        sent.append(given["source"])
        return SimpleNamespace(error=UsageError("no chart here"))

    monkeypatch.setattr("pinebench.tools.tool_calls.answer", asked)
    assert pinebench(["verify", "--script", "main.pine", "--study", "x"]) == 2
    judge = RecordingCompiler()
    monkeypatch.setattr(compilers, "get", lambda who, **options: judge)
    assert pinebench(["compile", "main.pine", "--with", "chart"]) == 0
    bench = cast("Workbench", SimpleNamespace(say_from_thread=print))
    text = Path("main.pine").read_text("utf-8")
    assert workbench_compiler(bench, "chart", "main.pine").compile(text, Context()).ok
    assert [*sent, *judge.got] == [expected] * 4
    faulty = PROJECTS["a-diamond-of-imports"]["libs/me/Base.pine"].replace("=> x / 2", "=> y / 2")
    Path("libs/me/Base.pine").write_text(faulty, "utf-8")
    capsys.readouterr()
    assert pinebench(["compile", "main.pine", "--with", "chart"]) == 1
    assert f"{os.path.join('libs', 'me', 'Base.pine')}:5:25" in capsys.readouterr().out
