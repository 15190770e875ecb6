"""Bursts of touches, on a clock of our own."""

from hypothesis import given
from hypothesis import strategies as st

from pinebench.cli.watch.debounce import Debounce


def test_a_file_is_due_when_it_has_been_quiet() -> None:
    debounce = Debounce(quiet=0.1, longest=1.0)
    debounce.touch("a", 10.0)
    assert debounce.take(10.05) == []
    debounce.touch("a", 10.06)
    assert debounce.take(10.12) == []
    assert debounce.take(10.17) == ["a"]
    assert debounce.take(99.0) == []


def test_a_file_touched_without_end_is_looked_at_all_the_same() -> None:
    debounce = Debounce(quiet=0.1, longest=1.0)
    taken = [tick for tick in range(300) if (debounce.touch("a", tick / 100), debounce.take(tick / 100))[1]]
    assert taken == [100, 201]


def test_files_do_not_wait_for_each_other_and_the_newest_comes_first() -> None:
    debounce = Debounce(quiet=0.1, longest=1.0)
    debounce.touch("old", 0.0)
    debounce.touch("new", 0.05)
    debounce.touch("busy", 0.2)
    assert debounce.take(0.21) == ["new", "old"]


def test_the_wait_is_until_the_next_is_due() -> None:
    debounce = Debounce(quiet=0.5, longest=1.0)
    assert debounce.wait(0.0) is None
    debounce.touch("a", 1.0)
    assert debounce.wait(1.25) == 0.25
    assert debounce.wait(9.0) == 0.0


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 50)), max_size=60))
def test_every_touch_is_followed_by_a_look(touches: list[tuple[str, int]]) -> None:
    debounce = Debounce(quiet=0.1, longest=0.5)
    now, last_touch, last_look = 0.0, dict[str, float](), dict[str, float]()
    for path, gap in touches:
        now += gap / 100
        for taken in debounce.take(now):
            last_look[taken] = now
        debounce.touch(path, now)
        last_touch[path] = now
    while (wait := debounce.wait(now)) is not None:
        now += wait + 1e-9
        for taken in debounce.take(now):
            last_look[taken] = now
    assert all(last_look[path] >= touched for path, touched in last_touch.items())
