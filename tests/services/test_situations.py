"""What completion offers first in the situations of a day, and what it must not offer there."""

from __future__ import annotations

from pathlib import Path

from tests.script_files import ScriptCase, script_cases
from tests.services.support import FILLED, HEAD, labels
from tests.tables import each

STRATEGY = '//@version=6\nstrategy("x")\nstrategy.entry("Long", strategy.long)\nstrategy.exit("Out", "Long")\n'
MODES = (
    'm = input.string("aa", "M", options = ["aa", "bb"])\nenum Mode\n    fast = "Fast"\n    slow\nMode e = Mode.fast\n'
)

HEADS = {"plain": HEAD, "strategy": STRATEGY, "modes": HEAD + MODES, "of every kind": FILLED, "nothing": ""}
NOWHERE = {
    "x = ta.ema(close, |)": ("if", "for", "switch", "while", "indicator", "library"),
    "x = close[|]": ("if", "indicator", "plot", "switch"),
    "plot(close, |)": ("if", "indicator"),
    "x = 1 + |": ("if", "switch", "for"),
}
"""What cannot stand in a place."""


@each("case", script_cases(Path(__file__).with_name("first_items.txt")))
def test_the_likeliest_comes_first(case: ScriptCase) -> None:
    found = [label.replace(" ", "_") for label in labels(case.script, HEADS[case.fields[0]])[:5]]
    assert found == case.below.get("first", "").split()


def test_what_cannot_stand_in_a_place_is_not_offered() -> None:
    for marked, unwanted in NOWHERE.items():
        assert not set(labels(marked, HEAD)) & set(unwanted), marked
