"""The text in an editor stays what it is: line ends, odd characters, and a snapshot that follows every change."""

from hypothesis import given, settings
from hypothesis import strategies as some

from pinebench.tui.editor_text import PineDocument, UnwrappedDocument, shown, split

_TEXTS = some.text(alphabet="ab \t\n\r\x0b\x0c\x1c\x85\u2028é汉😀()\"'", max_size=40)


def _rows(document: PineDocument) -> list[str]:
    return [document[row] for row in range(document.line_count)]


@settings(max_examples=60)
@given(_TEXTS, some.lists(some.tuples(some.integers(0, 50), some.integers(0, 50), _TEXTS), max_size=6))
def test_the_text_is_the_model_of_its_edits(text: str, edits: list[tuple[int, int, str]]) -> None:
    document = PineDocument(text)
    unwrapped = UnwrappedDocument(document)
    for one, other, new in edits:
        start, end = sorted((one % (len(text) + 1), other % (len(text) + 1)))
        # Between a carriage return and its line feed there is no place for a cursor.
        start, end = (document.offset(document.location(place)) for place in (start, end))
        (top, left), (bottom, right) = document.location(start), document.location(end)
        old = _rows(document)
        joined = old[top][:left] + "\n".join(split(new)[0]) + old[bottom][right:]
        replaced = document.replace_range((top, left), (bottom, right), new).replaced_text
        unwrapped.fit()
        assert replaced == text[start:end]
        assert _rows(document) == [*old[:top], *joined.split("\n"), *old[bottom + 1 :]]
        assert _rows(document) == split(document.text)[0]
        assert unwrapped.height == document.line_count
        text = document.text


@settings(max_examples=40)
@given(_TEXTS)
def test_places_and_offsets_are_each_others_inverse(text: str) -> None:
    document = PineDocument(text)
    assert document.text == text
    for row in range(document.line_count):
        for column in range(len(document[row]) + 1):
            assert document.location(document.offset((row, column))) == (row, column)


def test_what_steers_a_terminal_has_a_sign_of_its_own() -> None:
    assert shown("a\x1b[31mb\x07\u202ec") == "a␛[31mb␇�c"
    assert len(shown("\x00\x7f\x9b\ufeff")) == 4
    assert shown("汉字 é 😀\t") == "汉字 é 😀\t"


def test_wide_characters_and_tabs_are_in_their_cells() -> None:
    document = PineDocument('x = "汉字😀" + y\n\tz')
    unwrapped = UnwrappedDocument(document)
    assert unwrapped.location_to_offset((0, 5)).x == 5
    assert unwrapped.location_to_offset((0, 7)).x == 9
    assert unwrapped.location_to_offset((0, 8)).x == 11
    assert unwrapped.location_to_offset((1, 1)).x == 4
    for column in range(len(document[0])):
        assert unwrapped.offset_to_location(unwrapped.location_to_offset((0, column))) == (0, column)
