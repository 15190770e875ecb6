"""Scripts use libraries that lie in a folder: functions with state, types, enums and constants."""

from pathlib import Path

import pytest

from pinebench.checker import open_program
from pinebench.market.bars import SymbolInfo
from pinebench.runtime.refusals import NotComputed
from pinebench.runtime.runtime import Runtime
from tests.runtime.running import HEAD, bars_of

LIBRARY = """//@version=6
library("Tools")
export const float FACTOR = 10.0
base = FACTOR * 2
pair() => [close, high * 2]
[least, most] = pair()
export type Point
    float x = 1
    float y
export enum Side
    long = "Long side"
    short
export method total(Point this) =>
    this.x + this.y
export count(float step = 1) =>
    var float sum = 0
    sum += step
    sum
helper(float x) => x * base
export scaled(float x) => helper(x) + FACTOR
export between() => most[1] - least
export longer(simple string tf) => request.security("", tf, close)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "someone" / "Tools"
    place.mkdir(parents=True)
    (place / "1.pine").write_text(LIBRARY, encoding="utf8")
    return tmp_path


def last(source: str, folder: Path) -> list[float]:
    program = open_program(f"{HEAD}import someone/Tools/1 as t\n{source}", (str(folder),))
    result = Runtime(program, bars_of([1.0, 2.0, 3.0, 4.0]), SymbolInfo(timeframe="15")).run()
    assert result.error is None, result.error
    return [output.values[-1] for output in result.plots]


def test_functions_keep_state_at_each_call(folder: Path) -> None:
    assert last("plot(t.count())\nplot(t.count(10))", folder) == [4, 40]


def test_functions_reach_what_is_private_to_the_library(folder: Path) -> None:
    assert last("plot(t.scaled(close))\nplot(t.FACTOR)", folder) == [90, 10]


def test_functions_reach_the_items_of_a_tuple_in_the_global_code(folder: Path) -> None:
    assert last("plot(t.between())\nplot(t.between() + t.scaled(0))", folder) == [2 * (3 + 1) - 4, 2 * (3 + 1) - 4 + 10]


def test_types_methods_and_enums(folder: Path) -> None:
    source = """
p = t.Point.new(y = close)
q = p.copy()
q.x := 100
s = close > 2 ? t.Side.long : t.Side.short
plot(p.total() + q.total() * 1000)
plot(s == t.Side.long ? 1 : 0)
plot(str.length(str.tostring(s)))
"""
    assert last(source, folder) == [5 + 104_000, 1, 9]


def test_a_request_within_a_library(folder: Path) -> None:
    assert last('plot(t.longer("30"))\nplot(request.security("", "30", t.count()))', folder) == [4, 2]


@pytest.mark.parametrize("used", ["plot(o.f(close))", "plot(o.Side.long == o.Side.short ? 1 : 0)"])
def test_a_library_that_is_not_at_hand_is_refused_by_name(used: str) -> None:
    program = open_program(f"{HEAD}import someone/Other/2 as o\n{used}")
    told = r"someone/Other/2, a library whose source was not found or cannot be read, .* \(line 4\)"
    with pytest.raises(NotComputed, match=told):
        Runtime(program, bars_of([1.0]), SymbolInfo(timeframe="15"))


def test_a_method_of_a_library_that_is_not_at_hand_names_the_library() -> None:
    program = open_program(f"{HEAD}import someone/Other/2 as o\nplot(close.scaled(2))")
    told = r"scaled\(\), a method of someone/Other/2, a library whose source was not found or cannot be read"
    with pytest.raises(NotComputed, match=told):
        Runtime(program, bars_of([1.0]), SymbolInfo(timeframe="15"))
