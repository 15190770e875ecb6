"""What a repair makes of a broken script: what was meant, or nothing; never a script that means something else."""

import random
from collections import Counter

import pytest

from pinebench.checker import open_program
from pinebench.linter.fixes import fix_text
from pinebench.linter.suggest import with_fixes
from tests.authoring.mutants import sound_scripts
from tests.linter.broken_scripts import BY_READERS, INDICATOR, SCRIPTS, STRATEGY, Broken
from tests.linter.typos import Typo, has_errors, outcome, typos
from tests.tables import each

TYPOS = 120
"""So many slips are mended here; the soak tests mend more, in other people's scripts."""
RESTORED = 0.45
"""The share of slips that is undone at least (half of them are, with this seed)."""


EVERY = [*SCRIPTS, *BY_READERS]


@each("script", EVERY)
def test_what_was_meant_is_restored_or_the_script_is_left(script: Broken) -> None:
    assert has_errors(script.text)
    assert not has_errors(script.meant)
    mended = fix_text(script.text).text
    assert outcome(script.meant, mended, script.text) in ("restored", "renamed", "left"), mended


def test_many_of_them_are_restored() -> None:
    found = Counter(outcome(script.meant, fix_text(script.text).text, script.text) for script in SCRIPTS)
    assert found["restored"] >= 20, found


def test_slips_are_undone_or_left() -> None:
    made: list[Typo] = []
    chance = random.Random(1)
    while len(made) < TYPOS:
        made += typos(chance.choice(sound_scripts()), chance, 20)
    found: Counter[str] = Counter()
    for typo in made:
        mended = fix_text(typo.text).text
        told = outcome(typo.sound, mended, typo.text)
        found[told] += 1
        assert told in ("restored", "renamed", "left"), f"{typo.kind} at {typo.place}:\n{mended}"
    assert found["restored"] >= RESTORED * len(made), found


@each(
    ("head", "body"),
    [
        (STRATEGY, 'if close > open\n    strategy.entry("L")'),
        (STRATEGY, 'strategy.exit("X", "L", stop = low, trail = 20)'),
        (STRATEGY, 'strategy.exit("X", "L", tp = 20)'),
        (INDICATOR, "plot(math.tanh(close))"),
        (INDICATOR, "plot(nope)"),
        (INDICATOR, 'a = switch timeframe.period\n    "1D" => 1\n #   "1W" => 2\n    => 3\nplot(a)'),
        (INDICATOR, "ma1 = close\nplot(ma1)\nplot(ma2)"),
        (INDICATOR, "plot(ta.rsi(14))"),
        (INDICATOR, "[a, b] = ta.supertrend(10, 3.0)\nplot(a)"),
        (INDICATOR, "x = close > open\nplot(na(x) ? 1 : 0)"),
        (INDICATOR, "plot(close, color = #FF00)"),
        (INDICATOR, "smooth := 0.1 * close + 0.9 * nz(smooth[1])\nplot(smooth)"),
        (INDICATOR, "total := close\nplot(total[1])"),
        (INDICATOR, "if close > open\n    x := 1\nplot(close)"),
        (INDICATOR, "plot(total)\ntotal := close"),
        (INDICATOR, "f(int perido = 0) => ta.sma(close, period)\nplot(f(period = 9))"),
    ],
)
def test_a_guess_is_never_made_unasked(head: str, body: str) -> None:
    text = f"{head}{body}\n"
    assert fix_text(text).text == text


def test_a_declaration_that_is_misspelled_is_mended_itself() -> None:
    text = f"{INDICATOR}var upCont = 0\nupCount := close > open ? upCount + 1 : 0\nplot(upCount)\n"
    assert fix_text(text).text == text.replace("upCont ", "upCount ")


def test_an_order_without_direction_gets_none_even_as_a_guess() -> None:
    text = f'{STRATEGY}if close > open\n    strategy.entry("L")\n'
    assert fix_text(text, unsafe=True).text == text


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('plot(close, colour = color.red, linewidth = "2")', "plot(close, color = color.red, linewidth = 2)"),
        ("plot(clsoe, color = color.rde)", "plot(close, color = color.red)"),
        ('plot(close, titel = "x", colour = color.Red)', 'plot(close, title = "x", color = color.red)'),
        ("plot(ta.sma(14, clsoe))", "plot(ta.sma(close, 14))"),
    ],
)
def test_faults_in_one_call_do_not_block_each_other(wrong: str, right: str) -> None:
    assert fix_text(f"{INDICATOR}{wrong}\n").text == f"{INDICATOR}{right}\n"


def test_a_statement_is_mended_as_a_whole_or_not_at_all() -> None:
    text = f"{INDICATOR}plot(clsoe, color = nothingLikeThis)\n"
    assert fix_text(text).text == text


def test_each_guess_is_told_with_its_line() -> None:
    fixed = fix_text(f"{INDICATOR}plot(clsoe)\nplot(close, linewidth = 1.5)\n", unsafe=True)
    assert [guess.line for guess in fixed.guesses] == [4]
    assert "int()" in fixed.guesses[0].title


def test_a_name_is_left_in_an_arm_that_does_not_fit_its_switch_with_the_right_one_either() -> None:
    """The error that stays stands at the head of the `switch`, and says that there is another slip in the arm."""
    text = (
        '//@version=6\nindicator("x")\nday = dayofweek(time)\nchosen = switch day\n'
        "    day>ayofweek.monday => 1\n    dayofweek.tuesday => 2\n    => 3\nplot(chosen)\n"
    )
    assert fix_text(text).text == text
    one_slip = text.replace("day>ay", "ay")
    assert fix_text(one_slip).text == one_slip.replace("ayofweek.monday", "dayofweek.monday")


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("entry = open\nif close > open\n    entryP = close\nplot(entryP)", "ends with the block"),
        ("entry = open\nplot(entryP)\nentryP = close", "declared further down"),
        ("entry = open\nf(entryP) => entryP + 1\nplot(f(1) + entryP)", "belongs to the function"),
    ],
)
def test_a_name_that_exists_elsewhere_is_never_replaced_by_another(body: str, hint: str) -> None:
    text = f'//@version=6\nindicator("x")\n{body}\n'
    found = [finding for finding in with_fixes(open_program(text)) if finding.code == "CE10272"]
    assert [hint in (finding.hint or "") for finding in found] == [True]
    assert [edit.text for each in found if each.fix for edit in each.fix.edits if edit.text.startswith("entry")] == []
