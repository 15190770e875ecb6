"""Changes that somebody proposed fit where the text is still what they are about, and nowhere else."""

from hypothesis import given, settings
from hypothesis import strategies as some

from pinebench.tui.diff_hunks import edits, hunks, placed
from pinebench.tui.editor_text import PineDocument, split

_TEXTS = some.lists(some.sampled_from(["", "a", "b", "c", "    d"]), max_size=12).map("\n".join)


def _applied(text: str, before: str, after: str) -> tuple[str, int]:
    """`text` with all changes that fit, and how many did not."""
    document = PineDocument(text)
    fitting = [each.hunk for each in placed(hunks(before, after), before, text)]
    for edit in reversed(edits(document, [hunk for hunk in fitting if hunk is not None])):
        start, end = document.location(edit.span.start), document.location(edit.span.end)
        document.replace_range(start, end, edit.text)
    return document.text, fitting.count(None)


@settings(max_examples=150)
@given(_TEXTS, _TEXTS)
def test_all_changes_together_make_the_other_text(before: str, after: str) -> None:
    assert _applied(before, before, after) == (after, 0)
    # And where they were made, none is left to be made.
    assert all(each.hunk is not None or each.done for each in placed(hunks(before, after), before, after))


@settings(max_examples=150)
@given(_TEXTS, _TEXTS, _TEXTS)
def test_no_line_that_was_written_meanwhile_is_lost(before: str, after: str, mine: str) -> None:
    own = [f"mine {number}" for number, _ in enumerate(mine.split("\n"))]
    rows = before.split("\n")
    now = "\n".join(line for number, row in enumerate(rows) for line in (row, *own[number : number + 1]))
    kept = [line for line in split(_applied(now, before, after)[0])[0] if line.startswith("mine ")]
    assert kept == own[: len(rows)]


def test_what_was_changed_meanwhile_stays() -> None:
    before = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
    after = before.replace("two", "TWO").replace("six\n", "six\nmore\n")
    # Elsewhere: both fit. On the same line, or beside it: that one does not.
    assert _applied("zero\n" + before.replace("four", "vier"), before, after)[1] == 0
    text, left = _applied(before.replace("two", "zwei"), before, after)
    assert left == 1 and "zwei" in text and "more" in text
    text, left = _applied(before.replace("three", "drei"), before, after)
    assert left == 1 and "two\ndrei" in text
    # A line that is gone is not looked for elsewhere.
    text, left = _applied(before.replace("two\nthree\n", "") + "two\nthree\n", before, after)
    assert left == 1 and "TWO" not in text


def test_a_script_that_was_blank_takes_a_draft_only_while_it_is() -> None:
    assert _applied("", "", "a\nb\n") == ("a\nb\n", 0)
    assert _applied("mine\n", "", "a\nb\n") == ("mine\n", 1)


def test_line_ends_stay_those_of_the_text() -> None:
    document = PineDocument("a\r\nb\r\nc")
    [hunk] = hunks("a\nb\nc", "a\nB\nc")
    [edit] = edits(document, [hunk])
    assert document.text[edit.span.start : edit.span.end] == "b"
    assert hunks("a\r\nb", "a\nb") == []
