"""The digest has the entries that a script needs most, in few tokens."""

import random
from pathlib import Path

import pytest

from pinebench import reference
from pinebench.services.digest import BYTES_PER_TOKEN, MOST_ENTRIES, MOST_TOKENS, digest, entry, used

SCRIPT = """\
//@version=6
indicator("Names in texts: ta.rsi")
// ta.macd in a comment
daily = request.security(syminfo.tickerid, "D", close)
if close > daily
    x = ta.ema(close, 9
plot(ta.alma(close, 9, 0.85, 6))
"""


def test_traps_come_before_rare_names_and_texts_do_not_count() -> None:
    rows = digest(SCRIPT).splitlines()
    assert any(row.startswith("request.security(") and "Watch out: " in row for row in rows)
    assert any(row.startswith("ta.ema(source, length)") for row in rows)
    assert not any(row.startswith(("ta.rsi", "ta.macd")) for row in rows)
    assert [row[:8] for row in rows].index("ta.ema(s") < [row[:8] for row in rows].index("ta.alma(")


def test_asked_names_come_first_and_known_ones_are_left_out() -> None:
    rows = digest(SCRIPT, ["ta.sma"], skip=["request.security"]).splitlines()
    assert rows[0].startswith("ta.sma(")
    assert not any(row.startswith("request.security(") for row in rows)


def test_it_is_never_longer_than_allowed() -> None:
    names = list(reference.functions())
    for seed in range(30):
        chosen = random.Random(seed).sample(names, 40)
        told = digest(" ".join(f"{name}()" for name in chosen))
        assert len(told.splitlines()) <= MOST_ENTRIES
        assert len(told.encode()) <= MOST_TOKENS * BYTES_PER_TOKEN
        assert told


@pytest.mark.parametrize("tokens", [0, 10, -5])
def test_no_room_gives_nothing(tokens: int) -> None:
    assert digest(SCRIPT, tokens=tokens) == ""


def test_names_in_the_order_of_the_text() -> None:
    assert used('plot(ta.sma(close, 3), "ta.rsi") // ta.ema\nx.ta.ema()') == ["plot", "ta.sma", "close"]


def test_entries_of_words_and_unknown_names() -> None:
    assert entry("var").startswith("var [TYPE] NAME = VALUE: ")
    assert entry("ta.nonsense") == ""


def test_real_scripts_get_one(tmp_path: Path) -> None:
    for path in (Path(__file__).parents[2] / "pine" / "templates").glob("*.pine"):
        told = digest(path.read_text(encoding="utf-8"))
        assert told and len(told.encode()) <= MOST_TOKENS * BYTES_PER_TOKEN
