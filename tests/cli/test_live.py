"""Lines that are drawn in place."""

import io

import pytest

from pinebench.cli.live import LiveView, cut
from tests.tables import each


@each(
    ("line", "width", "shown"),
    [
        ("short", 10, "short"),
        ("exactly ten", 11, "exactly ten"),
        ("longer than that", 6, "longer"),
        ("漢字漢字", 5, "漢字"),
        ("e\u0301e\u0301e\u0301", 2, "e\u0301e\u0301"),
        ("a\x1bb\nc\r\u2028d", 10, "abcd"),
        ("\x1b[31mred\x1b[0m plain", 5, "\x1b[31mred\x1b[0m p"),
        ("\x1b[31mred and long\x1b[0m", 3, "\x1b[31mred\x1b[0m"),
    ],
)
def test_a_line_is_cut_to_columns(line: str, width: int, shown: str) -> None:
    assert cut(line, width) == shown


def test_lines_are_drawn_over_the_last_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "10")
    stream = io.StringIO()
    view = LiveView(stream)
    view.draw(["one", "two"])
    view.draw(["three"])
    assert stream.getvalue() == "\x1b[Jone\ntwo\n\x1b[2F\x1b[Jthree\n"


def test_no_more_lines_are_drawn_than_the_terminal_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "4")
    stream = io.StringIO()
    view = LiveView(stream)
    view.draw([str(number) for number in range(50)])
    view.draw(["x"])
    assert stream.getvalue() == "\x1b[J0\n1\n2\n\x1b[3F\x1b[Jx\n"
