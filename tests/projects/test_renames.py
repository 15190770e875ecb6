"""Whether a text may be another one after some edits."""

from pinebench.projects.renames import exchanged, may_be

BEFORE = "//@version=6\nindicator('S')\n\na = 1\nb = 2\nplot(a + b)\n"


def test_a_third_of_the_lines_is_enough_and_nothing_known_excludes_nothing() -> None:
    for after, answer in (
        (BEFORE, True),
        (BEFORE + "plot(close)\n" * 90, True),
        ("//@version=6\nplot(a + b)\n", True),
        ("//@version=6\n//@version=6\nstrategy('T')\n\n\n", False),
        ("", False),
    ):
        assert may_be(BEFORE, after) is answer, after
    assert may_be("", "anything") and may_be("", "")


LAST = {
    name: f"//@version=6\nindicator('{name}')\n{name} = {number}\nplot({name})\n" for number, name in enumerate("xyz")
}


def edited(name: str) -> str:
    return LAST[name] + "plot(close)\n"


def test_files_that_have_exchanged_their_texts_are_found_also_if_they_were_edited() -> None:
    for now, found in (
        ({"x": LAST["y"], "y": LAST["x"], "z": edited("z")}, {"x": "y", "y": "x"}),
        ({"x": edited("y"), "y": edited("x")}, {"x": "y", "y": "x"}),
        ({"x": edited("y"), "y": edited("z"), "z": edited("x")}, {"x": "y", "y": "z", "z": "x"}),
        ({"y": edited("x")}, {"y": "x"}),
    ):
        assert exchanged(LAST, now) == found, now


def test_a_copy_of_another_text_and_a_new_text_are_edits() -> None:
    for now in (
        {"x": edited("x"), "y": edited("y"), "z": edited("z")},
        {"x": edited("y"), "y": edited("y"), "z": edited("z")},
        {"x": "strategy('T')\n", "y": "", "z": edited("z")},
        {"x": LAST["x"], "y": LAST["y"], "z": LAST["z"]},
        {},
    ):
        assert exchanged(LAST, now) == {}, now
    same = dict.fromkeys(LAST, LAST["x"])
    assert exchanged(same, dict.fromkeys(LAST, edited("x"))) == {}
