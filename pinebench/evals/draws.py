"""Draws the parameters of a task from a seed, so that the same seed always gives the same task."""

from __future__ import annotations

from random import Random
from typing import TypeVar

OptionT = TypeVar("OptionT")


class Draw:
    """The random choices for one task. `number` is the number of the task in its family, from 0."""

    def __init__(self, seed: int, family: str, number: int) -> None:
        self.number = number
        self._random = Random(f"task {seed} {family} {number}")

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number from `low` to `high`, both included."""
        return self._random.randint(low, high)

    def pick(self, *options: OptionT) -> OptionT:
        """Draw one of the options."""
        return options[self._random.randrange(len(options))]

    def turn(self, *options: OptionT) -> OptionT:
        """Return one of the options. The number of the task selects it, so successive tasks of a family take successive
        options."""
        return options[self.number % len(options)]

    def several(self, count: int, *options: OptionT) -> list[OptionT]:
        """Draw `count` different options in a random order."""
        return self._random.sample(options, count)
