"""A paste is one text in its order, wherever the terminal cuts it, and keys around it stay keys."""

import random

import pytest
from textual import events

from pinebench.tui import pastes
from pinebench.tui.pastes import END, START, PasteParser
from tests.tables import each

TEXTS = [
    "plain", "", "AA\x1b[31mBB", "AA\x1b[31mBB\x11CC", "\x1b", "\x1b[20", "a\x1b[200~b", "\x00\x01\x7f",
    "\r\n\t\x0c",    "\x1b[201", "\x1b\x1b[", "\x1b[<0;1;1M", "汉 \ud83d 😀", "x" * 5000, "\x1b[A\x1bOP",
    "\x1b]52;c;aGk=\x07",
]  # fmt: skip


def _told(parser: PasteParser, *parts: str) -> list[str]:
    """The keys and pastes in the parts, a paste between quotes."""
    found: list[str] = []
    for event in (event for part in parts for event in parser.feed(part)):
        if isinstance(event, events.Paste):
            found.append(repr(event.text))
        elif isinstance(event, events.Key):
            found.append(event.key)
    return found


@each("text", TEXTS)
def test_a_paste_is_its_text_however_it_is_cut(text: str) -> None:
    whole = f"a{START}{text}{END}b{START}{text}{END}"
    wanted = ["a", repr(text), "b", repr(text)]
    assert _told(PasteParser(), whole) == wanted
    if len(whole) < 100:
        assert _told(PasteParser(), *whole) == wanted
    chance = random.Random(len(text))
    for _ in range(20):
        places = sorted(chance.sample(range(len(whole)), min(4, len(whole))))
        parts = [whole[start:end] for start, end in zip([0, *places], [*places, len(whole)], strict=True)]
        assert _told(PasteParser(), *(part for part in parts if part)) == wanted


def test_a_paste_without_an_end_ends_by_itself_and_keys_work_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(pastes, "get_time", lambda: now)
    parser = PasteParser()
    assert _told(parser, f"{START}AA\x11") == [] and list(parser.tick()) == []
    now += pastes.PATIENCE + 1
    assert [each.text for each in parser.tick() if isinstance(each, events.Paste)] == ["AA\x11"]
    assert _told(parser, "x\x11") == ["x", "ctrl+q"]


def test_a_paste_whose_end_did_not_come_is_taken_once() -> None:
    parser = PasteParser()
    assert parser.take_unfinished() == ""
    assert _told(parser, f"a{START}one", "two") == ["a"]
    assert pastes.take_unfinished() == "onetwo" and parser.take_unfinished() == ""
    assert _told(parser, f"three{END}x") == ["'three'", "x"]
