"""Why a value inside a block or a function is what it is: the run of the line, its call, and blocks that did not run.
Each script is made so that the answer is known."""

import os
from pathlib import Path
from random import Random

import pytest

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.errors import DoesNotCompile, UnavailableError, UsageError
from pinebench.market import SymbolInfo
from pinebench.why.block_why import ScriptPlace, edits, why_at
from pinebench.why.why import Why
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.runtime.running import HEAD, bars_of
from tests.why.support import parts

BARS = bars_of([10.0, 11.0, 12.0, 11.0, 10.0, 9.0, 12.0, 13.0], minutes=60)
FIRST = HEAD.count("\n")
SAMPLES = Path(__file__).parents[2] / "pine" / "samples"
LONG = bars_of([100 + 10 * ((k * 7) % 13) / 13 + k / 50 for k in range(120)], minutes=60)


def ask(
    body: str, line: int, expression: str, bar: int, iteration: int | None = None, call: str = "", head: str = HEAD
) -> Why:
    """The answer at a line of the body (from 1)."""
    request = Request(head + body, BARS, SymbolInfo(timeframe="60"))
    place = ScriptPlace(line + head.count("\n"), iteration, call)
    return why_at(request, expression, bar, place)


RULES = """mean = ta.sma(close, 3)
scaled(float x, int n) =>
    total = 0.0
    for i = 1 to n
        part = x * i
        total += part
    total
half(x) => x / 2
if close > mean
    above = close - mean
    log.info(str.tostring(above))
else if close == mean
    same = close
    log.info(str.tostring(same))
else
    below = mean - close
    log.info(str.tostring(below))
word = switch
    close > 12 => "high"
    close > 11 =>
        twice = close * 2
        "middle" + str.tostring(twice)
    => "low"
both = scaled(close, 2) + scaled(open, 3)
plot(both + half(close))
"""


def line(number: int) -> str:
    """The name of a line of the body in an answer."""
    return f"line {number + FIRST}"


def test_a_name_of_a_block_has_its_value_and_its_parts() -> None:
    told = ask(RULES, 10, "above", 6)
    assert told.value == pytest.approx(12 - 31 / 3) and told.note == f"{line(10)} ran once on this bar"
    assert parts(told)["above = close - mean"] == told.value and parts(told)["close"] == 12
    assert [part.line for part in told.parts] == [10 + FIRST]
    assert ask(RULES, 16, "below > 0", 3).value is True
    assert ask(RULES, 16, "below > 100", 3).reasons == ["below > 100 is false: below is 0.3333333333"]


def test_a_block_that_did_not_run_names_its_condition_and_its_parts() -> None:
    told = ask(RULES, 10, "above", 3)
    assert told.value is None and not told.ran and told.text == "not evaluated"
    assert told.reasons == [
        f"{line(10)} did not run on this bar: the condition in {line(9)} was false",
        "close > mean is false: close is 11, mean is 11.33333333",
    ]
    assert parts(told)["close > mean"] is False and parts(told)["mean"] == pytest.approx(34 / 3)
    other = ask(RULES, 16, "below", 6)
    assert other.reasons[0] == f"{line(16)} did not run on this bar: the condition in {line(9)} was true"
    case = ask(RULES, 21, "twice", 7)
    assert case.reasons[0] == f"{line(21)} did not run on this bar: the condition in {line(19)} was true"


def test_a_global_name_in_a_block_that_did_not_run_still_has_its_value() -> None:
    told = ask(RULES, 10, "close > mean", 3)
    assert told.value is False and told.ran
    assert told.reasons[0] == f"{line(10)} did not run on this bar: the condition in {line(9)} was false"
    assert told.reasons[-1] == "close > mean is false: close is 11, mean is 11.33333333"


def test_a_case_of_a_switch_and_a_body_beside_its_head() -> None:
    assert ask(RULES, 21, "twice", 6).value == 24
    told = ask(RULES, 8, "x", 4)
    assert told.value == 10 and told.note == f"{line(8)} ran once on this bar, in half(close) ({line(25)})"
    assert parts(told) == {"close": 10}


def test_a_function_names_its_call_and_the_run_of_a_loop() -> None:
    told = ask(RULES, 5, "part", 2)
    assert told.value == 33 and told.note == (
        f"{line(5)} ran 5 times on this bar; this is run 5, in scaled(open, 3) ({line(24)});"
        f" it also ran in scaled(close, 2) ({line(24)})"
    )
    assert parts(told) == {"part = x * i": 33, "x * i": 33, "x": 11, "open": 11, "i": 3}
    first = ask(RULES, 5, "part", 2, call="scaled(close,2)")
    assert first.value == 24 and first.note == (
        f"{line(5)} ran 2 times on this bar in the call 'scaled(close,2)'; this is run 2,"
        f" in scaled(close, 2) ({line(24)})"
    )
    assert ask(RULES, 5, "part", 2, 1, "scaled(close, 2)").value == 12
    assert ask(RULES, 6, "total", 2, 4).value == 11 + 22
    assert [ask(RULES, 6, "total", 2, k).value for k in (1, 2, 3, 5)] == [12, 36, 11, 66]
    assert ask(RULES, 7, "total > 66", 2).value is False
    assert ask(RULES, 2, "total", 2).value == 66, "the head of a function means its end"
    assert ask(RULES, 4, "i", 2, call=str(24 + FIRST)).value == 3, "a name of the loop, on its head"


def test_a_part_of_another_run_of_the_line_is_not_told() -> None:
    body = "n = 0\nfor i = 0 to 3\n    c = i < 3 and i > 1\n    n += c ? 1 : 0\nplot(n)\n"
    told = ask(body, 3, "c", 2)
    assert told.value is False and told.reasons == ["i < 3 is false: i is 3"]
    assert parts(told)["i > 1"] is ..., "it is true in the run before, and was not evaluated in this one"
    assert parts(ask(body, 3, "c", 2, 3))["i > 1"] is True


CALLED_TWICE = """f(x) =>
    var int head = 0
    late = false
    got = head
    if x > 11
        head += 1
        late := true
    late
a = f(open)
b = f(close)
c = f(9)
plot(a or b or c ? 1 : 0)
"""


def test_an_assignment_of_another_call_is_not_told() -> None:
    late = ask(CALLED_TWICE, 8, "late", 2)
    assert late.value is False and parts(late) == {"late = false": False, "late := true": ...}
    assert parts(ask(CALLED_TWICE, 8, "late", 2, call="f(close)")) == {"late = false": False, "late := true": True}
    got = ask(CALLED_TWICE, 4, "got", 2)
    assert parts(got) == {"got = head": 0, "head": 0, "var int head = 0": ..., "head += 1": ...}


def test_a_nested_call_names_all_calls() -> None:
    body = "f(x) =>\n    y = x + 1\n    y\ng(x) =>\n    z = f(x * 2)\n    z\nplot(g(close))\n"
    told = ask(body, 2, "y", 0)
    assert told.note.endswith(f"in f(x * 2) ({line(5)}), in g(close) ({line(7)})") and told.value == 21


def test_na_in_a_function_is_explained_by_its_argument() -> None:
    body = "late = close[5]\nf(x) =>\n    y = x * 2\n    y\nplot(f(late) + f(close))\n"
    told = ask(body, 3, "y", 2, call="f(late)")
    assert told.value is None
    assert told.reasons == ["x * 2 is na because x is na", "close[5] is na: its first value is on bar 5"]


@pytest.mark.parametrize(
    ("body", "at", "reason"),
    [
        (
            "xs = array.new<float>()\nfor x in xs\n    y = x\n    log.info(str.tostring(y))\nplot(close)\n",
            3,
            "the loop did not run, because xs is empty",
        ),
        (
            "int n = na\nfor k = 0 to n\n    y = k\n    log.info(str.tostring(y))\nplot(close)\n",
            3,
            "the loop did not run, because n is na",
        ),
        (
            "f() =>\n    y = close\n    y\nx = close > 100 ? f() : na\nplot(x)\n",
            2,
            "did not run on this bar: the condition in line 6 was false",
        ),
        ("f() =>\n    y = close\n    y\nplot(close)\n", 2, "no code calls its function"),
        ("while close > 100\n    y = close\n    break\nplot(close)\n", 2, "close > 100 is false: close is 10"),
    ],
)
def test_why_a_line_did_not_run(body: str, at: int, reason: str) -> None:
    told = ask(body, at, "y", 4)
    assert told.value is None and not told.ran and any(reason in one for one in told.reasons), told.reasons


def test_what_cannot_be_asked_is_told() -> None:
    for at, words, match in (
        (10, "gone", "not an expression at line"),
        (99, "close", "no line"),
        (10, "", "expected an expression on one line"),
        (5, "log.info('x')", "not an expression at line"),
        (10, "array.pop(array.from(1))", "has side effects"),
    ):
        with pytest.raises((UsageError, DoesNotCompile), match=match):
            ask(RULES, at, words, 2)
    with pytest.raises(UsageError, match="ran 5 times on this bar"):
        ask(RULES, 5, "part", 2, 9)
    with pytest.raises(UsageError, match="did not run in a call 'scaled\\(high, 2\\)'"):
        ask(RULES, 5, "part", 2, call="scaled(high, 2)")
    with pytest.raises(UsageError, match="not inside a block or a function"):
        ask(RULES, 1, "mean", 2, 1)


def test_a_line_of_the_global_scope_is_asked_as_without_a_line() -> None:
    for at in (1, 9, 24, 25):
        told = ask(RULES, at, "mean", 3)
        assert told.value == pytest.approx(34 / 3) and told.note == ""


RESULTS = """f(x) =>
    if x > 11
        up = x * 2
    else
        down = x / 2
g(x) =>
    var n = 0
    n := n + 1
k(x) => [x, x + 1]
h(x) =>
    [a, b] = k(x)
v = f(close)
w = g(close)
[p, q] = h(close)
u = if close > open
    s = close
else
    s = open
plot(v + w + p + q + u)
"""


@pytest.mark.parametrize(
    ("at", "expression"), [(2, "up"), (3, "up"), (5, "down"), (5, "x"), (8, "n"), (11, "b"), (16, "s"), (18, "s")]
)
def test_asking_changes_no_result(at: int, expression: str) -> None:
    """The last line of a block is its result, which must stay what it is."""
    assert unchanged(HEAD + RESULTS, at + FIRST, expression) or (expression == "up" and at == 2)


def unchanged(source: str, line: int, expression: str) -> int:
    """Check that a script with an expression at a line shows what it shows without; return how many were checked."""
    program = open_program(source)
    count = 0
    for edit in edits(program, line, expression):
        if any(found.severity is Severity.ERROR for found in open_program(edit.text).diagnostics):
            continue
        plain, asked = (shown(text) for text in (source, edit.text))
        assert plain == asked, (line, edit.text)
        count += 1
    return count


def shown(source: str) -> object:
    ran = perform(Request(source, LONG, SymbolInfo(timeframe="60")))
    trades = [repr(trade) for trade in ran.tested.trades] if ran.tested is not None else []
    result = ran.result
    error = result.error.code if result.error is not None else None
    return repr([one.columns for one in result.outputs]), [one.message for one in result.logs], trades, error


@pytest.mark.soak
def test_asking_changes_no_result_of_real_scripts() -> None:
    folder = Path(os.environ.get("PINEBENCH_CORPUS") or SAMPLES)
    random = Random(35)
    files = sorted(folder.rglob("*.pine"))
    checked = 0
    for file in random.sample(files, min(120, len(files))):
        source = file.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        lines = [number for number, text in enumerate(source.splitlines(), 1) if text.startswith(("    ", "\t"))]
        for line in random.sample(lines, min(3, len(lines))):
            try:
                checked += unchanged(source, line, "close + 1")
            except (UsageError, UnavailableError):  # not computed here
                break
    print(checked, "changed scripts")
    assert checked > 100 or not os.environ.get("PINEBENCH_CORPUS")
