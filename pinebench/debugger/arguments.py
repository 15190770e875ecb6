"""The arguments of an editor's requests, and their validation."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pinebench.errors import UsageError

_WORDS: dict[type, str] = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}


class _Kind(NamedTuple):
    """The types of values that an argument may have. `within` has the types of its fields, or of each of its
    elements."""

    types: tuple[type, ...]
    is_needed: bool = False
    within: Mapping[str, _Kind] = MappingProxyType({})


_TEXT, _NUMBER = _Kind((str,)), _Kind((int,))
_NEEDED_TEXT, _NEEDED_NUMBER = _Kind((str,), is_needed=True), _Kind((int,), is_needed=True)
_BREAKPOINT = {"line": _NEEDED_NUMBER, "condition": _TEXT, "hitCondition": _TEXT, "logMessage": _TEXT}
_REQUESTS: dict[str, dict[str, _Kind]] = {
    "setBreakpoints": {
        "source": _Kind((dict,), is_needed=True, within={"path": _TEXT}),
        "breakpoints": _Kind((list,), within=_BREAKPOINT),
    },
    "setFunctionBreakpoints": {"breakpoints": _Kind((list,), within={"name": _NEEDED_TEXT})},
    "setExceptionBreakpoints": {"filters": _Kind((list,))},
    "breakpointLocations": {"line": _NEEDED_NUMBER, "endLine": _NUMBER},
    "stackTrace": {"startFrame": _NUMBER, "levels": _NUMBER},
    "scopes": {"frameId": _NEEDED_NUMBER},
    "variables": {"variablesReference": _NEEDED_NUMBER, "start": _NUMBER, "count": _NUMBER},
    "evaluate": {"expression": _NEEDED_TEXT, "frameId": _NUMBER, "context": _TEXT},
    "pinebench/bar": {"bar": _Kind((int, str), is_needed=True)},
    "pinebench/chart": {"bars": _NUMBER, "width": _NUMBER, "height": _NUMBER, "theme": _TEXT},
}


def checked(command: str, arguments: Any) -> dict[str, Any]:
    """Return the arguments of a request. Raises UsageError if an argument is missing or has the wrong type."""
    if not isinstance(arguments, dict):
        raise UsageError(f"{command}: the arguments are not an object")
    _check(command, arguments, _REQUESTS.get(command, {}))
    return arguments


def _check(command: str, given: Any, known: Mapping[str, _Kind]) -> None:
    for name, kind in known.items():
        value = given.get(name)
        if value is None:
            if kind.is_needed:
                raise UsageError(f"{command}: {name} is missing")
            continue
        if not isinstance(value, kind.types) or isinstance(value, bool):
            raise UsageError(f"{command}: {name} is not {' or '.join(_WORDS[one] for one in kind.types)}")
        for each in (value if isinstance(value, list) else [value]) if kind.within else ():
            if not isinstance(each, dict):
                raise UsageError(f"{command}: an element of {name} is not an object")
            _check(command, each, kind.within)
