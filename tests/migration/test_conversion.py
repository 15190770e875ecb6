"""What an editor is given for an old script."""

from pathlib import Path

import pytest

from pinebench.migration import conversion, is_old, migrate
from pinebench.syntax import parse
from pinebench.syntax.edits import apply_edits
from tests.migration.test_migration import OLD
from tests.tables import each

MODERN = '//@version=6\nindicator("x")\nplot(close)\n'


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_the_edits_make_what_migration_makes(path: Path) -> None:
    text = path.read_text()
    made = conversion(text)
    assert apply_edits(text, made.edits) == migrate(text).text
    assert len(made.report) == len(made.migration.remarks)


def test_lines_that_stay_are_not_touched() -> None:
    text = '//@version=5\n// kept\nindicator("x")\n' + "// kept\n" * 2_000 + "plot(close, transp = 20)\n// kept"
    touched = [text[edit.span.start : edit.span.end] for edit in conversion(text).edits]
    assert touched == ["//@version=5\n", "plot(close, transp = 20)\n"]


@each(
    ("text", "old"),
    [
        (MODERN, False),
        (MODERN.replace("6", "7"), False),
        (MODERN.replace("6", "5"), True),
        (MODERN.replace("6", "2"), True),
        ('study("x")\nplot(close)\n', True),
        ('strategy("x")\nplot(sma(close, 3))\n', True),
        ('strategy("x")\nplot(close)\n', False),
        ('indicator("x")\nplot(sma(close, 3))\n', False),
        ('strategy("x")\nsma(x, y) => x + y\nplot(sma(close, 3))\n', False),
        ("// study()\n", False),
        ("", False),
    ],
)
def test_which_scripts_are_old(text: str, old: bool) -> None:
    assert is_old(parse(text).snapshot) is old


def test_the_summary_says_what_asks_for_a_person() -> None:
    made = conversion('//@version=4\nstudy("x")\nplot(sma(close, 3))\nplot(nope)\n')
    head, *rest = made.summary.splitlines()
    assert head == "Converted from Pine v4 to v6: 2 places rewritten, 1 to know about"
    assert rest == [line for line in made.report if line.startswith("line 4, look at: ")]
    assert made.report[-1].startswith("line 3, changed: ")
    one = conversion('//@version=4\nstudy("x")\nplot(close)\n').summary
    assert one == "Converted from Pine v4 to v6: 1 place rewritten"
    assert "syntax error" in conversion('//@version=4\nstudy("x"\nx = (\n').summary
