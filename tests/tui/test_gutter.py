"""Breakpoints stay with their lines, whatever happens to the text around them."""

import random

import pytest

from pinebench.tui.editor_text import PineDocument
from pinebench.tui.gutter import Breakpoints
from tests.tables import each

TEXT = "".join(f"a{n} = {n}\n" for n in range(12))


def _followed(text: str = TEXT) -> tuple[PineDocument, Breakpoints]:
    """A document, and breakpoints that follow it."""
    document, points = PineDocument(text), Breakpoints()
    document.rows = lambda first, gone, come: points.changed(first, gone, document.lines[first : first + come])
    return document, points


@each(
    ("start", "end", "text", "expected"),
    [
        ((0, 0), (0, 0), "\n\n", [7, 10]),  # lines come above
        ((2, 0), (4, 0), "", [3, 6]),  # lines go above
        ((5, 0), (5, 0), "\n", [6, 9]),  # the line moves down
        ((5, 3), (5, 3), "\n", [5, 9]),  # the line is split
        ((5, 6), (5, 6), "\n    b = 1", [5, 9]),  # a line comes below
        ((5, 0), (5, 2), "renamed", [5, 8]),  # the line itself is changed
        ((4, 6), (5, 0), "", [4, 7]),  # it is joined with the line above
        ((5, 0), (6, 0), "", [7]),  # the line goes, and its breakpoint with it
        ((4, 0), (9, 0), "", []),
        ((0, 0), (12, 0), "", []),
        ((9, 0), (11, 0), "x\n", [5, 8]),  # lines below
    ],
)
def test_an_edit(start: tuple[int, int], end: tuple[int, int], text: str, expected: list[int]) -> None:
    document, points = _followed()
    for row in (5, 8):
        points.toggle(row, document[row])
    document.replace_range(start, end, text)
    assert [line - 1 for line, _ in points.asked()] == expected


def test_a_breakpoint_is_toggled_gets_a_condition_and_is_removed() -> None:
    points = Breakpoints()
    assert points.toggle(3, "  x = 1  ") and not points.toggle(3, "x = 1") and len(points) == 0
    points.set(3, "x = 1", " x > 0 ")
    points.toggle(1, "y = 2")
    assert points.asked() == [(2, ""), (4, "x > 0")]
    found = points.at(3)
    assert found is not None and found.condition == "x > 0" and points.at(0) is None
    points.clear()
    assert len(points) == 0


def test_random_edits_elsewhere_never_move_a_breakpoint_to_another_line() -> None:
    choose = random.Random(7)
    document, points = _followed()
    points.toggle(6, document[6])
    for _ in range(300):
        row = choose.randrange(document.line_count)
        if document[row] == "a6 = 6":
            continue
        if choose.random() < 0.5 or document.line_count < 5:
            document.replace_range((row, 0), (row, 0), choose.choice(["new = 1\n", "\n", "one = 1\ntwo = 2\n"]))
        elif row + 1 < document.line_count:
            document.replace_range((row, 0), (row + 1, 0), "")
        assert [document[line - 1] for line, _ in points.asked()] == ["a6 = 6"]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["x = 1", "y = 2", "y = 2", "z = 3"], [(2, ""), (4, "z > 0")]),  # as it was
        (["", "", "x = 1", "y = 2", "z = 3"], [(4, ""), (5, "z > 0")]),  # changed elsewhere: lines came above
        (["z = 3", "y = 2"], [(1, "z > 0"), (2, "")]),
        (["x = 1", "yy = 2", "z = 3  "], [(3, "z > 0")]),  # the line is gone, and its breakpoint with it
        ([], []),
    ],
)
def test_kept_breakpoints_go_to_the_rows_with_their_text(lines: list[str], expected: list[tuple[int, str]]) -> None:
    points = Breakpoints()
    points.set(1, "y = 2", "")
    points.set(3, "    z = 3", "z > 0")
    again = Breakpoints()
    again.restore(points.kept(), lines)
    assert again.asked() == expected
    assert again.kept() == [(line - 1, lines[line - 1].strip(), condition) for line, condition in expected]
