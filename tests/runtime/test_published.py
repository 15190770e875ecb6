"""Scripts that import published libraries run with pinebench's own versions of them, and say so."""

from pathlib import Path

import pytest

from pinebench import reference
from pinebench.checker import (
    OwnVersions,
    Program,
    check,
    open_program,
    own_version,
    own_version_names,
    own_version_numbers,
)
from pinebench.diagnostics import Severity
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.published import runnable
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.report import report
from pinebench.runtime.runtime import Runtime
from tests.runtime.running import HEAD, bars_of, run

BARS = bars_of([float(number) for number in range(1, 40)])
CHANGE = f"{HEAD}import TradingView/ta/8 as t\nplot(t.changePercent(close, close[1]))\n"
NOTE = "TradingView/ta/8 is pinebench's own version of this published library"


def opened(path: str) -> Program:
    snapshot = own_version(path)
    assert snapshot is not None, path
    return check(snapshot, OwnVersions(None))


def test_own_versions_are_libraries_without_any_finding_that_export_only_what_is_published() -> None:
    assert len(own_version_names()) >= 8
    for name in own_version_names():
        own: set[str] = set()
        published: set[str] = set()
        for number in own_version_numbers(name):
            path = f"{name}/{number}"
            program = opened(path)
            assert program.diagnostics == [], path
            functions = (function for group in program.bindings.functions.values() for function in group)
            own = {function.name for function in functions if function.exported}
            assert own, path
            published |= reference.library_exports(path) or own
        assert own <= published, f"{name} exports {sorted(own - published)}"


def test_a_run_with_an_own_version_says_so_in_its_report() -> None:
    result = run(CHANGE, BARS)
    assert result.plots[0].values[-1] == pytest.approx(100 / 38)
    assert [note.startswith(NOTE) for note in report(result)["notes"]] == [True]


def test_an_own_version_is_not_used_to_check_a_script() -> None:
    """Only TradingView's compiler knows the library; a wrong call of ours must not become its error."""
    for wrong in ("t.changePercent(close)", 't.changePercent("a", 1)', "t.requestVolumeDelta()"):
        program = open_program(f"{HEAD}import TradingView/ta/8 as t\nx = {wrong}\nplot(close)\n")
        assert [each for each in program.diagnostics if each.severity is Severity.ERROR] == [], wrong


@pytest.mark.parametrize(
    ("used", "named"),
    [
        ("import jdehorty/MLExtensions/2 as t\nplot(t.tanhTransform(close, 10, 2))", "tanhTransform"),
        ("import TradingView/ta/11 as t\nplot(t.changePercent(close))", "changePercent"),
        ("import TradingView/ta/11 as t\nt.Setting x = t.Setting.new()\nplot(x.size)", "Setting"),
    ],
)
def test_what_an_own_version_lacks_is_refused_by_name_and_says_what_to_do(used: str, named: str) -> None:
    program = open_program(f"{HEAD}{used}\n")
    with pytest.raises(
        NotComputed, match=rf"(TradingView/ta/11|jdehorty/MLExtensions/2) .*{named}.*\(line 4\)"
    ) as refused:
        Runtime(program, BARS, SymbolInfo(timeframe="15"))
    assert refused.value.hint is not None and "library folders" in refused.value.hint


def test_another_version_of_a_known_library_is_refused_with_the_versions_that_are_known() -> None:
    program = open_program(CHANGE.replace("ta/8", "ta/3"))
    with pytest.raises(
        NotComputed, match="TradingView/ta/3, a library whose source was not found or cannot be read"
    ) as refused:
        Runtime(program, BARS, SymbolInfo(timeframe="15"))
    assert refused.value.hint is not None and "TradingView/ta/7, TradingView/ta/8" in refused.value.hint


def test_a_library_of_the_user_goes_before_ours_and_may_import_one_of_ours(tmp_path: Path) -> None:
    (tmp_path / "TradingView").mkdir()
    mine = tmp_path / "TradingView" / "ta.pine"
    mine.write_text('//@version=6\nlibrary("ta")\nexport changePercent(float a, float b) => 7.0\n', "utf8")
    program = open_program(CHANGE, (str(tmp_path),), fresh=True)
    assert runnable(program).own_versions == ()
    result = Runtime(program, BARS, SymbolInfo(timeframe="15")).run()
    assert (result.plots[0].values[-1], result.notes) == (7.0, [])
    mine.unlink()
    (tmp_path / "me").mkdir()
    text = (
        '//@version=6\nlibrary("Mine")\nimport TradingView/ta/8 as t\nexport f() => t.changePercent(close, close[1])\n'
    )
    (tmp_path / "me" / "Mine.pine").write_text(text, "utf8")
    program = open_program(f"{HEAD}import me/Mine/1 as m\nplot(m.f())\n", (str(tmp_path),), fresh=True)
    result = Runtime(program, BARS, SymbolInfo(timeframe="15")).run()
    assert result.plots[0].values[-1] == pytest.approx(100 / 38)
    assert [note.startswith(NOTE) for note in result.notes] == [True]


def test_a_broken_library_of_the_user_is_not_replaced_by_ours(tmp_path: Path) -> None:
    (tmp_path / "ta.pine").write_text('//@version=6\nlibrary("ta")\nexport f( =>\n', "utf8")
    program = open_program(CHANGE, (str(tmp_path),), fresh=True)
    with pytest.raises(NotComputed, match="TradingView/ta/8"):
        Runtime(program, BARS, SymbolInfo(timeframe="15"))


def test_a_script_with_errors_of_its_own_is_told_them() -> None:
    program = open_program(CHANGE + "plot(nothing)\n")
    assert runnable(program).program is program or runnable(program).own_versions == ("TradingView/ta/8",)


def test_the_documentation_names_each_own_version_and_what_it_lacks() -> None:
    page = (Path(__file__).parents[2] / "docs" / "projects.md").read_text("utf8")
    rows = {
        cells[1].strip("` "): cells[2:4] for cells in (line.split("|") for line in page.splitlines()) if len(cells) == 5
    }
    for name in own_version_names():
        versions, lacking = rows[name]
        numbers = own_version_numbers(name)
        assert versions.strip() in (", ".join(numbers), f"{numbers[0]} to {numbers[-1]}"), name
        for number in numbers:
            program = opened(f"{name}/{number}")
            own = {each for each, group in program.bindings.functions.items() if group[0].exported}
            for missing in (reference.library_exports(f"{name}/{number}") or own) - own:
                assert f"`{missing}`" in lacking, f"{missing} of {name}/{number}"
