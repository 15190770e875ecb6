"""Runtime errors with TradingView's messages.

An error is named by TradingView's own code if that was recorded (`RE10045`), otherwise by a stable name of ours.
`str.format` fills in the values. Each line of `runtime_errors.txt` is one error; `(no bar)` marks those whose message
TradingView does not begin with the bar's number, and `--` begins a group.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from pinebench.records import NamedTuple


class RuntimeErrorText(NamedTuple):
    """A runtime error: its message, and whether TradingView prefixes it with `Error on bar N: `."""

    template: str
    on_bar: bool = True


def _read() -> Iterator[tuple[str, RuntimeErrorText]]:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "runtime_errors.txt"), encoding="utf-8") as file:
        for line in file.read().splitlines():
            head, separator, template = line.partition(": ")
            if separator:
                name, _, mark = head.partition(" ")
                yield name, RuntimeErrorText(template, on_bar=not mark)


STOPS = dict(_read())


def stop_message(name: str, values: dict[str, object]) -> str:
    """Return the message of the runtime error `name`, without the bar number. A placeholder without a value remains in
    the text.

    Raises KeyError for an unknown name, which is a bug of the caller.
    """
    return STOPS[name].template.format_map(_TemplateValues(values))


class _TemplateValues(dict[str, object]):
    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
