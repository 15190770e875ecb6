"""Whether a text may be another one after some edits."""

from pinebench.projects.renames import may_be

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
