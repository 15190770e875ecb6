"""A list in the memory of a run has the items of a list of Python after the same calls."""

from __future__ import annotations

import random

import pytest

from pinebench.compiled import lists
from pinebench.compiled.kernels import FREE, MEMORY_END, STATUS


@pytest.fixture
def memory() -> list[float]:
    """A memory with room."""
    made = [0.0] * 200_000
    made[FREE], made[MEMORY_END] = 100.0, len(made)
    return made


def items(m: list[float], x: int) -> list[float]:
    """The items of a list."""
    at = int(m[x + lists.AT])
    return m[at : at + int(m[x + lists.COUNT])]


def changed(chance: random.Random, m: list[float], x: int, held: list[float]) -> None:
    """Change a list in the memory and a list of Python in the same way."""
    value, count = chance.random(), len(held)
    k = chance.randint(0, count)
    match chance.choice(("append", "append", "insert", "first", "pop", "shift", "pop_at", "reverse", "cut", "rare")):
        case "append":
            lists.append(m, x, value)
            held.append(value)
        case "insert":
            lists.insert(m, x, k, value)
            held.insert(k, value)
        case "first":
            lists.insert(m, x, 0, value)
            held.insert(0, value)
        case "pop" if held:
            assert lists.pop(m, x) == held.pop()
        case "shift" if held:
            assert lists.pop_at(m, x, 0) == held.pop(0)
        case "pop_at" if k < count:
            assert lists.pop_item(m, x, float(k - count)) == held.pop(k - count)
        case "reverse":
            lists.reverse(m, x)
            held.reverse()
        case "cut":
            first = chance.randint(0, k)
            lists.cut(m, x, first, k)
            del held[first:k]
        case "rare" if chance.random() < 0.1:
            lists.extend(m, x, x)
            held.extend(list(held))
        case "rare" if chance.random() < 0.2:
            lists.clear(m, x)
            held.clear()
        case _:
            lists.remove(m, x, min(k, 3))
            del held[: min(k, 3)]


@pytest.mark.parametrize("seed", range(20))
def test_a_list_grows_and_shrinks_at_both_ends(memory: list[float], seed: int) -> None:
    chance, x = random.Random(seed), lists.new_list(memory, seed % 4)
    held: list[float] = []
    for _ in range(150):
        changed(chance, memory, x, held)
        del held[60:]
        while memory[x + lists.COUNT] > 60:
            lists.pop(memory, x)
        assert items(memory, x) == held
    assert memory[STATUS] == 0.0


def test_a_list_that_is_moved_along_stays_in_its_room(memory: list[float]) -> None:
    x = lists.new_list(memory, 0)
    for k in range(20):
        lists.append(memory, x, float(k))
    free = memory[FREE]
    for k in range(20, 1000):
        lists.append(memory, x, float(k))
        lists.pop_at(memory, x, 0)
    assert items(memory, x) == [float(k) for k in range(980, 1000)]
    assert memory[FREE] <= free + 60


@pytest.mark.parametrize("index", [3.0, -4.0, 1e300, -1e300])
def test_an_item_that_is_not_there_stops_the_run_and_is_na(memory: list[float], index: float) -> None:
    x = lists.new_list(memory, 3)
    for k in range(3):
        lists.append(memory, x, float(k))
    before = items(memory, x)
    assert lists.item(memory, x, index) != lists.item(memory, x, index)
    assert memory[STATUS] == 1.0
    lists.set_item(memory, x, index, 7.0)
    lists.pop_item(memory, x, index)
    assert items(memory, x) == before


def test_an_index_is_cut_and_counted_from_the_end(memory: list[float]) -> None:
    x = lists.new_list(memory, 3)
    for k in range(3):
        lists.append(memory, x, float(k))
    assert [lists.item(memory, x, index) for index in (0.9, -0.9, -1.0, -3.5, 2.5)] == [0.0, 0.0, 2.0, 0.0, 2.0]
    assert memory[STATUS] == 0.0


def test_an_empty_list_has_no_item_just_before_its_first(memory: list[float]) -> None:
    x = lists.new_list(memory, 3)
    lists.item(memory, x, -0.9)
    assert memory[STATUS] == 1.0


@pytest.mark.parametrize("is_up", [True, False])
def test_a_list_is_sorted_as_python_sorts_it(memory: list[float], is_up: bool) -> None:
    chance = random.Random(7)
    for count in range(40):
        values = [chance.choice((0.0, -0.0, 1.5, 2.0, -3.0)) for _ in range(count)]
        x = lists.new_list(memory, 0)
        for value in values:
            lists.append(memory, x, value)
        lists.sort(memory, int(memory[x + lists.AT]), count, is_up)
        assert list(map(repr, items(memory, x))) == list(map(repr, sorted(values, reverse=not is_up)))
