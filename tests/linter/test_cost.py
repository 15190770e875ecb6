"""What one small bad file may cost: work counted in calls, not in seconds, so that any machine tells the same."""

from pathlib import Path

import pytest

from pinebench.checker import check, open_program
from pinebench.linter.engine import lint_text
from pinebench.linter.fixes import fix_text
from pinebench.linter.rules import opinions_on, rules
from pinebench.linter.suggest import TrialBudget, with_fixes
from pinebench.syntax import parse
from tests.call_counts import Calls
from tests.linter.shapes import HEAD, shapes
from tests.tables import each

SMALL = 1_500
MOST_GROWTH = 2.5
"""So many times the work may be done for twice the text."""
LITTLE = 2_000_000
"""Calls, less than a second; so few are no cost, however they grow."""
SHAPES = sorted(shapes())[::25]


ALL_RULES = tuple(rules())


def calls_of(text: str) -> int:
    """What linting `text` costs."""
    with Calls() as calls:
        lint_text(text)
    return calls.count


def long_script(lines: int) -> str:
    """A strategy of this many lines with everything that real ones have, whose parts do not depend on each other."""
    parts = [_PART.replace("N", str(number)) for number in range(lines // _PART.count("\n"))]
    return '//@version=6\nstrategy("Long", overlay = true)\n' + "".join(parts)


_PART = """\
type PointN
    float price = na
    int when = 0
lengthN = input.int(14, "Length N", minval = 1)
smoothN(float source, simple int length) =>
    var float kept = na
    kept := na(kept[1]) ? source : (kept[1] * (length - 1) + source) / length
    kept
fastN = smoothN(close, lengthN)
slowN = ta.ema(hlc3, lengthN * 2)
[lineN, signalN, _] = ta.macd(close, 12, 26, 9)
var array<PointN> pointsN = array.new<PointN>()
if ta.crossover(fastN, slowN) and lineN > signalN
    pointsN.push(PointN.new(close, time))
    strategy.entry("Long N", strategy.long)
else if ta.crossunder(fastN, slowN)
    strategy.close("Long N", comment = str.format("{0}", fastN))
for pointN in pointsN
    if pointN.price > close
        label.new(bar_index, pointN.price, str.tostring(pointN.when))
"""


@pytest.mark.parametrize("lines", [1_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_twice_the_lines_of_a_usual_script_cost_twice(lines: int) -> None:
    calls_of(long_script(200))
    once, twice = calls_of(long_script(lines)), calls_of(long_script(2 * lines))
    # A rule that compares each collection with each call adds a tenth already at this size.
    assert twice <= 2.05 * once, (once, twice)


@pytest.mark.parametrize("name", SHAPES)
def test_twice_the_text_costs_little_more_than_twice(name: str) -> None:
    make = shapes()[name]
    calls_of(make(500))
    once, twice = calls_of(make(SMALL)), calls_of(make(2 * SMALL))
    assert twice <= max(LITTLE, MOST_GROWTH * once), (once, twice)


CHAINS = {
    "if": "x = 0\nif b\n    x := 1\n" + "#" + "plot(x)\n",
    "switch": "x = 0\nswitch\n" + "#" + "plot(x)\n",
    "local": "if b\n    y = close\n" + "#",
    "in a function": "f() =>\n    x = 0\n    switch\n" + "#" + "    x\nplot(f())\n",
}
LINKS = {
    "if": "else if b\n    x := 2\n",
    "switch": "    b =>\n        x := 2\n",
    "local": "else if b\n    y = close\n    z = y[1]\n",
    "in a function": "        b =>\n            x := 2\n",
}


@pytest.mark.parametrize("name", CHAINS)
def test_twice_the_links_of_a_chain_cost_twice(name: str) -> None:
    def script(links: int) -> str:
        return f"{HEAD}b = input.bool(true)\n{CHAINS[name].replace('#', LINKS[name] * links)}"

    calls_of(script(1))
    once, twice = calls_of(script(200)), calls_of(script(400))
    assert twice <= 2.2 * once


@pytest.mark.parametrize("name", ["ands, in a function", "unclosed list, in a function"])
def test_broken_lines_of_one_statement_are_compared_with_no_other(name: str) -> None:
    make = shapes()[name]
    parse(make(500))
    with Calls() as once:
        parse(make(10_000))
    with Calls() as twice:
        parse(make(20_000))
    assert twice.count <= 2.2 * once.count


@pytest.mark.soak
def test_fixes_of_one_statement_are_compared_with_no_other() -> None:
    make = shapes()["swapped arguments, a line each"]
    fix_text(make(500))
    with Calls() as once:
        fix_text(make(4_000))
    with Calls() as twice:
        fix_text(make(8_000))
    assert twice.count <= 2.2 * once.count


LONG = {
    "branches": ("var x = 0\nif close > open\n    x := 1\n", "else if close > {0}\n    x := {0}\n"),
    "assignments": ("var x = 0\n", "x := x + {0}\n"),
    "conditions": ("x = 0\n", "if close > {0} and open[{0}] == close / {0}.5\n    x += {0}\n"),
    "calls": ("var x = 0.0\n", "v{0} = ta.sma(close, {0})\nalertcondition(v{0} > 1, 'a', '{{{{close}}}} {0}')\n"),
    "arrays": ("x = array.new<float>()\n", "x.push({0})\nv{0} = x.get({0})\nplot(v{0} ? 1 : 2)\n"),
}


@each("name", LONG)
def test_rules_cost_in_step_with_the_script(name: str) -> None:
    head, unit = LONG[name]
    made: list[int] = []
    for count in (10, 200, 400):
        program = check(parse(HEAD + head + "".join(unit.format(number) for number in range(1, count))))
        program.diagnostics.clear()  # of which one is that such a script has many plots
        with Calls() as calls:
            opinions_on(program, ALL_RULES)
        made.append(calls.count)
    assert made[2] <= 2.2 * made[1]


def test_all_rules_take_a_part_of_what_checking_takes() -> None:
    """What counts is CPU time, which `benchmarks/rules.py` measures; calls are what any machine counts alike."""
    texts = [
        path.read_text(encoding="utf-8")
        for path in sorted((Path(__file__).resolve().parents[2] / "pine" / "samples").glob("*.pine"))[::4]
    ]
    programs = [check(parse(text)) for text in texts]
    with Calls() as checking:
        for text in texts:
            assert check(parse(text)).diagnostics is not None
    with Calls() as asking:
        for program in programs:
            opinions_on(program, ALL_RULES)
    assert asking.count <= 0.4 * checking.count


def test_advice_ends_with_its_budget_and_says_so() -> None:
    program = open_program(HEAD + "".join(f"plot(clsoe{number})\n" for number in range(50)))
    budget = TrialBudget(2_000)
    found = with_fixes(program, budget=budget)
    assert budget.ended
    told = [finding for finding in found if finding.hint and "fix some of them" in finding.hint]
    assert len(told) == 1


def test_fixing_ends_with_its_budget_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    text = HEAD + "".join(f"plot(nothing{number} + clsoe)\n" for number in range(50))
    monkeypatch.setattr("pinebench.linter.fixes.CHARACTERS_TRIED", 5_000)
    assert fix_text(text).ended
    assert not fix_text(HEAD + "plot(clsoe)\n").ended


def test_hundreds_of_faults_are_fixed_in_one_run() -> None:
    text = HEAD + "plot(clsoe, colour = color.red)\n" * 60
    fixed = fix_text(text)
    assert fixed.text == HEAD + "plot(close, color = color.red)\n" * 60
    assert not fixed.ended


@pytest.mark.parametrize("line", ["//" + " " * 20_000 + "@", " \t" * 10_000 + "version", "/" * 20_000])
def test_no_blanks_are_tried_in_more_than_one_way(line: str) -> None:
    assert [finding.code for finding in lint_text(f"{line}\nplot(close)\n")][:1] == ["version-missing"]
