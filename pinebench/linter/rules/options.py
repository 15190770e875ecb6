"""The options of rules, and their configured values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pinebench.records import NamedTuple

OptionValue = bool | int | float | str | tuple[str, ...]
"""The types of an option's value; a list of strings is a tuple here."""

Options = Mapping[str, Mapping[str, OptionValue]]
"""The configured values of options, by the rule's code and the option's name."""


class Option(NamedTuple):
    """An option of a rule. Its value has the type of `default`, and a number is at least `least`. `about` describes the
    option in one sentence."""

    default: OptionValue
    about: str
    least: float | None = None

    @property
    def type(self) -> type:
        """The type of the option's values; `tuple` for a list of strings."""
        return type(self.default)

    @property
    def shown(self) -> str:
        """The default as it would be written in a configuration."""
        import json

        return json.dumps(self.default)


class HasOptions:
    """The part of a rule that is needed to look up the value of one of its options."""

    code: ClassVar[str]
    options: ClassVar[Mapping[str, Option]] = {}
