"""The functions of `array.*` that machine code computes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ArrayFunction:
    """A function of `arrays`.

    `for_others` is its name for elements that are not numbers, if it is another one. A function that `makes_fractions`
    may have a result that is not whole for whole numbers. `stores` is the number of the argument that becomes an
    element or is compared with elements, or None. `has_order` says that its last argument is a sort order.
    """

    name: str
    for_others: str = ""
    makes_fractions: bool = False
    stores: int | None = None
    has_order: bool = False
    searches: bool = False


ARRAYS: dict[str, ArrayFunction] = {
    **{f"array.new{ending}": ArrayFunction("array_new", stores=1) for ending in ("", "_float", "_int", "_bool")},
    **{
        f"array.new_{kind}": ArrayFunction("array_new", stores=1)
        for kind in "color string line label box linefill table".split()
    },
    **{
        f"array.{name}": ArrayFunction(f"array_{name}")
        for name in "copy size clear first last pop shift reverse concat every some range sum max min".split()
    },
    "array.get": ArrayFunction("array_get", "array_item"),
    "array.remove": ArrayFunction("array_remove", "array_remove_item"),
    "array.set": ArrayFunction("array_set", stores=2),
    "array.push": ArrayFunction("array_push", stores=1),
    "array.unshift": ArrayFunction("array_unshift", stores=1),
    "array.insert": ArrayFunction("array_insert", stores=2),
    "array.fill": ArrayFunction("array_fill", stores=1),
    "array.indexof": ArrayFunction("array_indexof", stores=1, searches=True),
    "array.lastindexof": ArrayFunction("array_lastindexof", stores=1, searches=True),
    "array.includes": ArrayFunction("array_includes", stores=1, searches=True),
    "array.avg": ArrayFunction("array_avg", makes_fractions=True),
    "array.median": ArrayFunction("array_median", makes_fractions=True),
    "array.variance": ArrayFunction("array_variance", makes_fractions=True),
    "array.stdev": ArrayFunction("array_stdev", makes_fractions=True),
    "array.sort": ArrayFunction("array_sort", has_order=True),
}
"""The functions by their names in Pine. `array.from` is not one of them, because it has any number of arguments."""
OTHERS = frozenset(("first", "last", "pop", "shift", "get", "remove"))
