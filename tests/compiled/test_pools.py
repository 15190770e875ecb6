"""Records of the broker in the memory of a run: taken, found free and used again, and lists that grow."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pinebench.compiled import kernels, lists, pools
from pinebench.compiled.kernels import FREE, MEMORY_END, ROUNDS_LEFT, STATUS
from pinebench.compiled.layouts import AREAS, BOOK, FILL, ORDER, POOL, RUN
from pinebench.compiled.native_source import EXTREMES


@pytest.fixture
def memory() -> list[float]:
    """The memory at the beginning of a run."""
    made = [0.0] * 20_000
    made[FREE], made[MEMORY_END], made[ROUNDS_LEFT] = AREAS.end + 1.0, len(made), 1000.0
    return made


def orders(m: list[float]) -> list[int]:
    """The records of the book's list of orders."""
    return [lists.row(m, BOOK.orders, k) for k in range(int(m[BOOK.orders + lists.COUNT]))]


def test_a_record_that_no_list_has_is_used_again(memory: list[float]) -> None:
    first, second, third = (pools.new_record(memory, RUN.orders, ORDER.places) for _ in range(3))
    lists.append_row(memory, BOOK.orders, second)
    memory[RUN.taken] = pools.FEW + 1
    pools.tidy(memory)
    assert {pools.new_record(memory, RUN.orders, ORDER.places) for _ in range(2)} == {first, third}
    assert pools.new_record(memory, RUN.orders, ORDER.places) not in (first, second, third)


def test_a_record_of_a_list_stays_as_it_is(memory: list[float]) -> None:
    chance, kept = random.Random(5), dict[int, float]()
    for number in range(1, 600):
        place = pools.new_record(memory, RUN.orders, ORDER.places)
        assert place not in kept
        memory[place] = number
        lists.append_row(memory, BOOK.orders, place)
        kept[place] = number
        if len(kept) > 5:
            left = chance.sample(sorted(kept), 2)
            memory[BOOK.orders + lists.COUNT] = 0
            for each in left:
                lists.append_row(memory, BOOK.orders, each)
            kept = {each: kept[each] for each in left}
        pools.tidy(memory)
        assert [memory[each] for each in orders(memory)] == [kept[each] for each in orders(memory)]
    assert memory[RUN.orders + POOL.records + lists.COUNT] <= 2 * pools.FEW
    assert memory[STATUS] == 0.0


def test_few_records_are_not_looked_through(memory: list[float]) -> None:
    taken = [pools.new_record(memory, RUN.orders, ORDER.places) for _ in range(3)]
    pools.tidy(memory)
    assert pools.new_record(memory, RUN.orders, ORDER.places) not in taken


def test_a_list_that_grows_keeps_its_records(memory: list[float]) -> None:
    count = pools.ROOM + 100
    for number in range(count):
        memory[pools.grow(memory, RUN.trades, FILL.places)] = number
    first = int(memory[RUN.trades + lists.AT])
    assert [memory[first + k * FILL.places] for k in range(count)] == list(range(count))
    assert memory[STATUS] == 0.0


def test_without_room_the_run_stops_and_writes_where_nothing_reads(memory: list[float]) -> None:
    memory[MEMORY_END] = memory[FREE] + 1
    assert pools.new_record(memory, RUN.orders, ORDER.places) == AREAS.scratch
    assert pools.grow(memory, RUN.trades, FILL.places) == AREAS.scratch
    assert memory[STATUS] == 2.0


@pytest.mark.parametrize("count", [*range(1, 14), 40])
def test_the_extremes_of_a_column_are_the_ones_of_python(count: int) -> None:
    chance, functions = random.Random(count), dict[str, Any](P=list)
    exec(EXTREMES, functions)
    for _ in range(20):
        column = [chance.choice((-0.0, 0.0, 1.5, 2.5, 1e-300, -7.0)) for _ in range(count + 3)]
        part = column[2 : 2 + count]
        for kind in ("items", "column"):
            assert functions[f"max_of_{kind}"](column, 2, 2 + count) == max(part)
            assert functions[f"min_of_{kind}"](column, 2, 2 + count) == min(part)


def test_a_loop_that_makes_too_many_rounds_stops_the_run(memory: list[float]) -> None:
    memory[ROUNDS_LEFT] = 2.0
    assert [pools.may_repeat(memory) for _ in range(3)] == [True, True, False]
    assert memory[STATUS] == 3.0


def test_two_numbers_are_the_same_if_both_are_na() -> None:
    nan = float("nan")
    assert kernels.is_same(nan, float("nan"))
    assert kernels.is_same(0.0, -0.0)
    assert not kernels.is_same(nan, 5.0)
    assert not kernels.is_same(5.0, nan)
    assert not kernels.is_same(1.0, 2.0)
