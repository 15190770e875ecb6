"""The broker's classes as machine code: what a method may do with lists, texts and values that may be None."""

from __future__ import annotations

from typing import Any

import pytest

from pinebench.broker import Exit, Order, differ
from pinebench.compiled import kernels, lists, numerals
from pinebench.compiled.kernel_lowering import KernelLowering
from pinebench.compiled.layouts import AREAS, BOOK, BROKER, ORDER
from pinebench.compiled.objects import ObjectFunction


class Book:
    """Methods that use the order book's places, because layouts are found by the names of classes."""

    orders: list[Order]
    exits: list[Exit]

    def empty(self) -> None:
        """Change a list."""
        self.orders = []

    def empties(self) -> None:
        """Change a list by a call."""
        self.empty()

    def changed_in_its_loop(self) -> None:
        for order in self.orders:
            self.orders = [other for other in self.orders if other is not order]

    def grown_in_its_loop(self) -> None:
        for order in self.orders:
            self.orders.append(order)

    def changed_by_a_call_in_its_loop(self) -> None:
        for order in self.orders:
            if order.is_market:
                self.empties()

    def changed_before_the_last_use_of_a_name(self) -> float:
        before = self.orders
        self.empties()
        return len(before)

    def changed_before_a_loop_comes_back_to_a_name(self) -> float:
        before, found = self.orders, 0.0
        for standing in self.exits:
            found += len(before)
            if standing.waits:
                self.empty()
        return found

    def changed_by_the_function_that_gets_it(self) -> None:
        self.empties_another(self.orders)

    def empties_another(self, orders: list[Order]) -> None:
        self.empties()

    def changed_after_the_last_use_of_a_name(self) -> float:
        before = self.orders
        count = len(before)
        self.empties()
        return count

    def changed_after_its_loop(self) -> None:
        for order in self.orders:
            order.quantity = 0.0
        self.orders = [order for order in self.orders if order.is_market]

    def changed_in_a_loop_over_another(self) -> None:
        for standing in self.exits:
            if standing.waits:
                self.empty()

    def put_together(self, order: Order) -> None:
        order.id = f"{order.id} {order.comment} {order.kind}"

    def compared_with_an_argument_that_was_replaced(self, standing: Exit, a: float, b: float) -> bool:
        a = b
        terms = (*(a, b, b, b, b), *(b, b, b, b, b), *(b, b, b, b, b))
        return differ(standing.terms, terms)

    def compared_with_fewer_arguments(self, standing: Exit, a: float, b: float) -> bool:
        terms = (*(a, b), a)
        return differ(standing.terms, terms)

    def compared_with_its_arguments(self, standing: Exit, a: float, b: float) -> bool:
        terms = (*(a, b, b, b, b), *(b, b, b, b, b), *(b, b, b, b, b))
        return differ(standing.terms, terms)

    def removed(self) -> None:
        self.orders.remove(self.orders[0])


def lowered(name: str) -> str:
    """The code of a method and of all that it calls."""
    lowering = KernelLowering(ObjectFunction, BROKER)
    lowering.method(Book, name)
    lowering.check()
    return lowering.text()


@pytest.mark.parametrize(
    "name",
    [
        "changed_in_its_loop",
        "grown_in_its_loop",
        "changed_by_a_call_in_its_loop",
        "changed_before_the_last_use_of_a_name",
        "changed_before_a_loop_comes_back_to_a_name",
        "changed_by_the_function_that_gets_it",
    ],
)
def test_a_list_that_changes_while_its_items_are_used_is_an_error_when_machine_code_is_made(name: str) -> None:
    """The items stay where they are only until the list changes, and nobody would see the wrong ones."""
    with pytest.raises(TypeError, match=r"Book\.orders|self\.orders"):
        lowered(name)


@pytest.mark.parametrize(
    "name", ["changed_after_the_last_use_of_a_name", "changed_after_its_loop", "changed_in_a_loop_over_another"]
)
def test_a_list_may_change_when_its_items_are_not_used_any_more(name: str) -> None:
    assert f"def Book_{name}(m: P" in lowered(name)


def test_items_are_removed_from_a_list_in_their_places() -> None:
    names: dict[str, Any] = {**vars(numerals), **vars(kernels), **vars(lists)}
    exec(compile(lowered("changed_after_its_loop"), "<a book>", "exec"), names)
    memory = [0.0] * 20_000
    first = AREAS.end
    memory[BOOK.orders + lists.AT], memory[BOOK.orders + lists.COUNT] = first, 5
    places = [first + 10 + k * ORDER.places for k in range(5)]
    for k, place in enumerate(places):
        memory[first + k] = place
        memory[place + ORDER.limit], memory[place + ORDER.stop] = kernels.NA, kernels.NA if k in (1, 4) else 10.0
    names["Book_changed_after_its_loop"](memory)
    count = memory[BOOK.orders + lists.COUNT]
    assert [memory[first + k] for k in range(int(count))] == [places[1], places[4]]


@pytest.mark.parametrize(
    "name", ["put_together", "removed", "compared_with_an_argument_that_was_replaced", "compared_with_fewer_arguments"]
)
def test_what_is_not_in_the_subset_is_an_error_when_machine_code_is_made(name: str) -> None:
    with pytest.raises((TypeError, KeyError)):
        lowered(name)


def test_arguments_are_compared_one_by_one() -> None:
    text = lowered("compared_with_its_arguments")
    assert text.count("is_same(m[v_standing + ") == text.count("has_same_bits(m[v_standing + ") == 15


def test_arguments_that_are_na_both_times_are_no_other_arguments() -> None:
    nan = float("nan")
    assert not differ((nan, "a", None), (float("nan"), "a", None))
    assert differ((nan, "a"), (1.0, "a"))
    assert differ((1.0, "a"), (nan, "a"))
    assert differ((1.0, "a"), (1.0, "b"))
    assert differ((None,), (nan,))
