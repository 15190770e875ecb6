"""What an author is told: never more than the limit, always the place, and the signature of the built-in at fault."""

import pytest

from pinebench.authoring.feedback import BYTES_PER_TOKEN, LIMIT_TOKENS, feedback
from pinebench.compilers.local import check_locally
from pinebench.linter import usage
from tests.authoring.mutants import KINDS, Mutant, mutants
from tests.tables import each

EACH = 12
WITH_BUILTIN = [kind for kind, change in KINDS.items() if change.builtin]


def single_faults() -> list[Mutant]:
    return [mutant for kind in KINDS for mutant in mutants(kind, EACH, seed=2)]


@pytest.fixture(scope="module")
def faults() -> list[Mutant]:
    return single_faults()


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.soak)])
def test_feedback_stays_within_the_limit_and_shows_the_place(faults: list[Mutant], step: int) -> None:
    assert len(faults) >= 200
    for mutant in faults[::step]:
        verdict = check_locally(mutant.text)
        told = feedback(mutant.text, verdict)
        assert len(told.encode()) <= LIMIT_TOKENS * BYTES_PER_TOKEN, told
        first = min(verdict.errors, key=lambda error: error.span.start)
        assert first.code in told
        assert "^" in told
        line = mutant.text[: first.span.start].count("\n")
        shown = mutant.text.splitlines()[line : line + 1]
        assert not shown or shown[0][:40] in told or "..." in told


@pytest.mark.parametrize("kind", WITH_BUILTIN)
def test_feedback_holds_the_signature_of_the_builtin_at_fault(kind: str) -> None:
    found = list(mutants(kind, EACH, seed=2))
    assert found
    for mutant in found:
        assert mutant.builtin is not None
        told = feedback(mutant.text, check_locally(mutant.text))
        signature = usage.signatures(mutant.builtin)[0]
        assert signature[:200] in told, f"{mutant.builtin}\n{told}"
        assert f"for example: {mutant.builtin}(" in told


def test_a_hundred_errors_are_cut_with_a_count() -> None:
    text = '//@version=6\nindicator("x")\n' + "".join(f"plot(ta.smaa(clsoe{n}, {n}))\n" for n in range(100))
    told = feedback(text, check_locally(text))
    assert len(told.encode()) <= LIMIT_TOKENS * BYTES_PER_TOKEN
    assert "more, which are reported once these are repaired" in told


def test_eleven_errors_are_told_each_and_the_section_names_the_function_of_the_hint() -> None:
    """An error that is not told costs a whole round."""
    lines = [
        "type Range",
        "    float hi = 0.0",
        "var r = Range.new()",
        "if close > open",
        "    r.hi := max(r.hi, high)",
    ]
    lines += [f"plot(ta.sma(clsoe{n}, {n + 2}))" for n in range(9)]
    lines += ['alertcondition(close > open, "t", "x " + str.tostring(close))']
    text = '//@version=6\nindicator("x")\n' + "\n".join(lines) + "\n"
    verdict = check_locally(text)
    assert len(verdict.errors) == 11
    told = feedback(text, verdict)
    assert len(told.encode()) <= LIMIT_TOKENS * BYTES_PER_TOKEN and "more, which" not in told
    assert [error.message for error in verdict.errors if error.message[:200] not in told] == []
    assert "`math.max`" in told and "  math.max(" in told and "  ta.max(" not in told


def test_long_lines_and_tabs_keep_the_caret_in_place() -> None:
    text = '//@version=6\nindicator("x")\nif close > open\n\tlabel.new(bar_index, clsoe)\n'
    rows = feedback(text, check_locally(text)).splitlines()
    caret = next(row for row in rows if row.rstrip().endswith("^"))
    source = rows[rows.index(caret) - 1]
    assert source[caret.index("^") :].startswith("clsoe")
    long = f'//@version=6\nindicator("x")\nx = {" + ".join(["close"] * 2000)} + clsoe\nplot(x)\n'
    assert len(feedback(long, check_locally(long)).encode()) <= LIMIT_TOKENS * BYTES_PER_TOKEN


def test_warnings_are_told_when_nothing_is_worse() -> None:
    text = '//@version=6\nindicator("x")\nx = 1\nif close > open\n    x = 2\nplot(x)\n'
    assert "CW10013" in feedback(text, check_locally(text))


def test_other_lines_with_an_unknown_name_are_named_and_calls_around_it_are_not_explained() -> None:
    text = '//@version=6\nindicator("x")\na = ta.ema(clsoe, 3)\nb = 1\nplot(clsoe)\nplot(a + b + clsoe)\n'
    told = feedback(text, check_locally(text))
    assert "clsoe is also in line 5, 6" in told
    assert "4 | b = 1" in told
    about = told.partition("Also in this script:")[0]
    assert "ta.ema(" not in about.replace("a = ta.ema(clsoe, 3)", "")


@each(
    ("line", "shown"),
    [
        ('plot(ta.sma(close > "x", 3))', ()),
        ("plot(ta.sma(close := 1, 3))", ()),
        ("plot(ta.sma(close 3))", ()),
        ("plot(ta.sma(close, 3)", ()),
        ("plot(ta.sma(close == na ? 1 : 2, 3))", ()),
        ('plot(ta.sma(close, "3"))', ("ta.sma(",)),
        ("plot(ta.sma(close))", ("ta.sma(",)),
        ("plot(ta.sma(source = close, 3))", ("ta.sma(",)),
        ("plot(ta.sma(close, length = 3, length = 4))", ("ta.sma(",)),
        ("plot(ta.sma(close, lenght = 3))", ("ta.sma(",)),
    ],
)
def test_a_signature_is_shown_where_the_call_is_at_fault_and_nowhere_else(line: str, shown: tuple[str, ...]) -> None:
    text = f'//@version=6\nindicator("x")\n{line}\n'
    told = feedback(text, check_locally(text))
    assert "error" in told
    rows = told.partition("Built-ins involved:")[2].splitlines()
    assert [start for start in ("plot(", "ta.sma(") if any(row.startswith(f"  {start}") for row in rows)] == [*shown]


def test_long_signatures_take_no_room_from_other_errors() -> None:
    calls = (
        "table.new(position.top_left, 1, 1",
        "label.new(bar_index, high",
        "box.new(bar_index, high, bar_index, low",
        'strategy.entry("L", strategy.long',
        'strategy.exit("X", "L"',
        "line.new(bar_index, high, bar_index, low",
    )
    text = '//@version=6\nstrategy("x")\n' + "".join(f"{call}, wrong = 1)\n" for call in calls)
    told = feedback(text, check_locally(text))
    assert len(told.encode()) <= LIMIT_TOKENS * BYTES_PER_TOKEN
    assert [line for line in range(3, 9) if f" at {line}:" not in told] == []
    assert "  table.new(" in told


BOTH = '//@version=6\nindicator("x")\nplot(clsoe)\nx = 1\nif close > open\n    x = 2\nplot(x)\n'


def test_warnings_stand_behind_errors_where_everything_is_told() -> None:
    verdict = check_locally(BOTH)
    assert {"CE10272", "CW10013"} <= {found.code for found in verdict.diagnostics}
    told = feedback(BOTH, verdict, everything=True)
    assert told.index("CE10272 at") < told.index("CW10013 at")
    assert "1 error and 1 warning" in told
    assert "CW10013" not in feedback(BOTH, verdict)
