"""The collections of Pine: arrays, matrices and maps."""

from __future__ import annotations

from typing import Any


class Array:
    """A Pine array: a reference to its `items`."""

    __slots__ = ("items",)

    def __init__(self, items: list[Any]) -> None:
        self.items = items
