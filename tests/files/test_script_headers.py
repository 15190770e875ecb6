"""The header of our own Pine scripts has one form, in every folder that has some."""

import pytest

from pinebench.files.script_headers import header_of
from tests.cli.support import CHECKOUT
from tests.tables import each

START = "//@version=6\n//@description A line"
FOLDERS: dict[str, set[str]] = {
    "pine/cookbook": {"group"},
    "pine/samples": set(),
    "pine/templates": set(),
    "pinebench/checker/published": {"answers for"},
    "pinebench/indicators/libraries": set(),
    "pinebench/indicators/scripts": {"kind", "label"},
}
"""The folders with the fields that each of their scripts has. What is said of templates for a search is in TOML files
beside them, because `pinebench template new` copies a script as it is."""
WITHOUT = ("pine/samples/demo/crossing.pine", "pinebench/studio/compare.pine")
"""The script of `pinebench demo`, which a beginner could have written, and a line that the studio adds to a chart."""


def test_a_description_and_fields_are_read() -> None:
    found = header_of(f'{START}\n//  and more.\n// kind: panel\n// answers for: 4 5\nindicator("x")\n// label: no\n')
    assert found.description == "A line and more."
    assert found.fields == {"kind": "panel", "answers for": "4 5"}


@each(
    ("text", "reason"),
    [
        ("", "does not begin"),
        ('//@version=6\nindicator("x")\n', "does not begin"),
        ("//@version=5\n//@description A.\n", "does not begin"),
        ("//@version=6\n// description: A.\n", "does not begin"),
        (f"{START}\n// kind: a\n// kind: b\n", "two lines 'kind'"),
    ],
)
def test_another_form_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        header_of(text)


def test_every_script_of_ours_has_the_form() -> None:
    seen = 0
    for path in sorted((CHECKOUT / "pine").rglob("*.pine")) + sorted((CHECKOUT / "pinebench").rglob("*.pine")):
        place = path.relative_to(CHECKOUT).as_posix()
        if place in WITHOUT:
            continue
        text = path.read_text(encoding="utf-8")
        (fields,) = [fields for folder, fields in FOLDERS.items() if place.startswith(f"{folder}/")]
        header = header_of(text)
        assert header.description.endswith((".", "!")), place
        assert set(header.fields) >= fields, place
        assert fields or not header.fields, place
        left = text.splitlines()[1:]
        while left[0].startswith(("//@description ", "//  ")) or left[0].partition(": ")[0][3:] in header.fields:
            del left[0]
        assert not left[0].startswith("//"), f"{place}: '{left[0]}' is no line of a header"
        seen += 1
    assert seen > 230
