"""The kinds of arguments that a tool can have, with limits, JSON schemas and error messages."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol, cast

from pinebench.errors import UsageError
from pinebench.near import near_names

LONGEST_TEXT = 1_000
"""The default for the largest number of characters in a text argument."""

LONGEST_SOURCE = 500_000
"""The largest number of characters in a script."""

_LATEST = 1e11
"""The largest time in unix seconds; a larger one is in milliseconds."""


class ArgumentKind(Protocol):
    """A kind of argument: its purpose, its schema, and the conversion of a value for the tool's function."""

    @property
    def about(self) -> str:
        """A short phrase about the argument's purpose; empty if its name is enough."""
        ...

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema, without the description."""
        ...

    def take(self, name: str, value: object) -> Any:
        """Check `value`, and convert it to the value that the tool's function expects. Raises UsageError with a message
        that names the argument."""
        ...

    def read(self, text: str) -> object:
        """Convert `text` from a command line to a JSON value."""
        ...


@dataclass(frozen=True, slots=True)
class TextArgument:
    """A string of at most `longest` characters. `empty` allows an empty string. The string without surrounding blanks
    must match the regular expression `pattern`. Error messages show `example`."""

    about: str = ""
    longest: int = LONGEST_TEXT
    empty: bool = False
    pattern: str = ""
    example: str = ""

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}

    def take(self, name: str, value: object) -> str:
        value = _alone(name, value)
        if not isinstance(value, str):
            raise UsageError(f"{name} must be a string, got: {shown(value)}", self._how(value))
        if not self.empty and not value.strip():
            raise UsageError(
                f"{name} must not be empty", f"give, for example, {self.example}" if self.example else None
            )
        if len(value) > self.longest:
            raise UsageError(f"{name} may have at most {self.longest} characters, got: {len(value)}")
        if "\0" in value:
            raise UsageError(f"{name} must not contain a null character")
        if not self.pattern:
            return value
        bare = value.strip()
        if not re.fullmatch(self.pattern, bare):
            raise UsageError(
                f"{name} cannot be {shown(value)}", f"give, for example, {self.example}" if self.example else None
            )
        return bare

    def _how(self, value: object) -> str | None:
        """Return how to write the text that was given as `value`."""
        if self.example:
            return f"give, for example, {self.example}"
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return f'write the value in quotes: "{shown(value)}"' if is_number else None

    def read(self, text: str) -> object:
        return text


@dataclass(frozen=True, slots=True)
class ScriptArgument(TextArgument):
    """The source of a script, which may be in a fenced code block of Markdown. A path is refused, because it would be
    read as a script."""

    about: str = "the whole script"
    longest: int = LONGEST_SOURCE

    def take(self, name: str, value: object) -> str:
        text = TextArgument.take(self, name, value)
        if _PATH.fullmatch(text.strip()):
            raise UsageError(
                f"{name} must be the script's text, and this looks like a path: {shown(text)}",
                f"read the file, and give its content as {name}",
            )
        block = _FENCED.fullmatch(text)
        return block[1] if block is not None else text


_FENCED = re.compile(r"\s*```[\w-]*[ \t]*\n(.*?)```\s*", re.DOTALL)
_PATH = re.compile(r"[^\n()=]*(?:\.(?:pine|pinescript|txt|ps)|[/\\][^\n()=/\\\s]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TimeframeArgument(TextArgument):
    """A timeframe in any usual spelling (`60`, `1h`, `60m`, `daily`), converted to TradingView's spelling."""

    longest: int = 20
    example: str = "1D"

    def take(self, name: str, value: object) -> str:
        from pinebench.calendars.timeframes import is_timeframe, meant

        value = _alone(name, value)
        text = str(value) if type(value) is int else TextArgument.take(self, name, value).strip()
        own = text if is_timeframe(text) else meant(text)
        if not own:
            raise UsageError(
                f"{name} cannot be {shown(value)}", "give a timeframe such as 15, 60 or 1h, 240 or 4h, 1D, 1W or 1M"
            )
        return own


@dataclass(frozen=True, slots=True)
class Number:
    """A finite number from `least` to `most`."""

    about: str = ""
    least: float = -math.inf
    most: float = math.inf

    def schema(self) -> dict[str, Any]:
        return {"type": "number", **_limits(self.least, self.most)}

    def take(self, name: str, value: object) -> float:
        number = _finite(name, value)
        if not self.least <= number <= self.most:
            is_time = self.most == _LATEST < number <= 1000 * _LATEST
            hint = f"give seconds, not milliseconds: {number / 1000:.15g}" if is_time else None
            raise UsageError(f"{name} must be {_range(self.least, self.most)}, got: {shown(value)}", hint)
        return number

    def read(self, text: str) -> object:
        return _json_or_text(text)


@dataclass(frozen=True, slots=True)
class IntegerArgument:
    """A whole number from `least` to `most`. With `clamp`, a larger number is replaced by `most`."""

    about: str = ""
    least: int = 0
    most: int = 1_000_000_000_000
    clamp: bool = False

    def schema(self) -> dict[str, Any]:
        return {"type": "integer", **_limits(self.least, math.inf if self.most >= 10**12 else self.most)}

    def take(self, name: str, value: object) -> int:
        number = _finite(name, value)
        if number != int(number):
            raise UsageError(f"{name} must be a whole number, got: {shown(value)}")
        text = value.strip() if isinstance(value, str) else ""
        whole = int(value) if isinstance(value, int) else int(text) if text.isdecimal() else int(number)
        if self.clamp and whole > self.most:
            return self.most
        if not self.least <= whole <= self.most:
            raise UsageError(f"{name} must be {_range(self.least, self.most)}, got: {shown(value)}")
        return whole

    def read(self, text: str) -> object:
        return _json_or_text(text)


def clipped(kinds: Mapping[str, ArgumentKind], args: Mapping[str, object]) -> list[str]:
    """Return a sentence for each number that was above its limit and was replaced by the limit."""
    return [
        f"{name} {shown(args[name])} is above this tool's limit, so {kind.most} was used"
        for name, kind in kinds.items()
        if isinstance(kind, IntegerArgument) and kind.clamp and name in args and _finite(name, args[name]) > kind.most
    ]


@dataclass(frozen=True, slots=True)
class Flag:
    """A boolean, which may be written as a string. No other value is accepted, not even 0 or 1."""

    about: str = ""

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def take(self, name: str, value: object) -> bool:
        if isinstance(value, str):
            value = {"true": True, "false": False}.get(value.strip().lower(), value)
        if not isinstance(value, bool):
            raise UsageError(f"{name} must be true or false, got: {shown(value)}")
        return value

    def read(self, text: str) -> object:
        return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True, slots=True)
class ChoiceArgument:
    """One string from a fixed list."""

    values: tuple[str, ...]
    about: str = ""

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "enum": list(self.values)}

    def take(self, name: str, value: object) -> str:
        value = _alone(name, value)
        if isinstance(value, str) and value not in self.values:
            same = [each for each in self.values if each.lower() == value.strip().lower()]
            value = same[0] if len(same) == 1 else value
        if not isinstance(value, str) or value not in self.values:
            near = near_names(value, self.values) if isinstance(value, str) else []
            hint = f"did you mean {near[0]}?" if near else None
            raise UsageError(f"{name} must be one of {', '.join(self.values)}, got: {shown(value)}", hint)
        return value

    def read(self, text: str) -> object:
        return text


@dataclass(frozen=True, slots=True)
class ListArgument:
    """A list of `least` to `most` values of one kind. A single value, or a list written as a string, is also
    accepted."""

    kind: ArgumentKind
    about: str = ""
    least: int = 1
    most: int = 50

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.kind.schema()}

    def take(self, name: str, value: object) -> list[Any]:
        if isinstance(value, str):
            value = self.read(value)
        elif isinstance(value, int | float | Mapping) and not isinstance(value, bool):
            value = [cast("object", value)]
        if not isinstance(value, list):
            raise UsageError(f"{name} must be a list, got: {shown(value)}")
        items = cast("list[object]", value)
        if not self.least <= len(items) <= self.most:
            raise UsageError(f"{name} must have {_range(self.least, self.most)} entries, got: {len(items)}")
        return [self.kind.take(f"{name}[{index}]", each) for index, each in enumerate(items)]

    def read(self, text: str) -> object:
        if text.lstrip().startswith(("[", "{")):
            found = _json_or_text(text)
            return [cast("object", found)] if isinstance(found, dict) else found
        return [self.kind.read(part.strip()) for part in text.split(",") if part.strip()]


@dataclass(frozen=True, slots=True)
class NamesArgument:
    """A string, or a list of strings."""

    about: str = ""
    longest: int = LONGEST_TEXT
    most: int = 50
    example: str = ""

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}

    def take(self, name: str, value: object) -> list[str]:
        kind = TextArgument(self.about, self.longest, example=self.example)
        if isinstance(value, str) and value.lstrip().startswith("["):
            value = _json_or_text(value)
        if not isinstance(value, list):
            return [kind.take(name, value)]
        return ListArgument(kind, most=self.most).take(name, cast("list[object]", value))

    def read(self, text: str) -> object:
        return _json_or_text(text) if text.startswith("[") else text


@dataclass(frozen=True, slots=True)
class NamesOrObjects:
    """A list of strings and objects. A single string or object is also accepted."""

    about: str = ""
    most: int = 60

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "object"}]}}

    def take(self, name: str, value: object) -> list[Any]:
        if isinstance(value, str):
            value = _several_names(value)
        if not isinstance(value, str | list | Mapping):
            raise UsageError(f"{name} must be a name, an object or a list of them, got: {shown(value)}")
        items = cast("list[object]", value if isinstance(value, list) else [value])
        if not items:
            raise UsageError(f"{name} must be a list with at least one entry", "name at least one")
        if len(items) > self.most:
            raise UsageError(f"{name} must have {_range(1, self.most)} entries, got: {len(items)}")
        return [self._one(f"{name}[{index}]", each) for index, each in enumerate(items)]

    def _one(self, name: str, value: object) -> Any:
        if isinstance(value, Mapping):
            return _object(name, cast("Mapping[str, object]", value))
        return TextArgument(longest=LONGEST_SOURCE).take(name, value)

    def read(self, text: str) -> object:
        return _json_or_text(text) if text.startswith(("[", "{")) else text


@dataclass(frozen=True, slots=True)
class Fields:
    """An object with a fixed set of fields; fields in `optional` may be missing."""

    fields: Mapping[str, ArgumentKind]
    about: str = ""
    optional: frozenset[str] = field(default_factory=frozenset[str])

    def schema(self) -> dict[str, Any]:
        return {
            "type": "object",
            "properties": {name: kind.schema() for name, kind in self.fields.items()},
            "required": [name for name in self.fields if name not in self.optional],
        }

    def take(self, name: str, value: object) -> dict[str, Any]:
        found = _object(name, _json_or_text(value) if isinstance(value, str) else value)
        for key in found:
            if key not in self.fields:
                near = [f"did you mean {each}? " for each in near_names(key, self.fields)]
                hint = f"{''.join(near)}its fields are {', '.join(self.fields)}"
                raise UsageError(f"{name} has no field '{key}'", hint)
        for key in self.fields:
            if key not in found and key not in self.optional:
                raise UsageError(f"{name}.{key} is missing")
        return {key: self.fields[key].take(f"{name}.{key}", each) for key, each in found.items()}

    def read(self, text: str) -> object:
        return _json_or_text(text)


@dataclass(frozen=True, slots=True)
class ValuesArgument:
    """An object that maps any names to plain values. JSON text is also accepted, because older clients send it."""

    about: str = ""
    most: int = 100
    empty: bool = False

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}

    def take(self, name: str, value: object) -> dict[str, Any]:
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                raise UsageError(f"{name} must be an object, got: {shown(value)}", _OBJECT) from None
        found = _object(name, value)
        if not found and not self.empty:
            raise UsageError(f"{name} must not be empty")
        if len(found) > self.most:
            raise UsageError(f"{name} may have at most {self.most} entries, got: {len(found)}")
        for key, each in found.items():
            if isinstance(each, bool | str):
                continue
            if each is None or type(each) in (list, dict):
                raise UsageError(f"{name}.{key} must be a number, a string, true or false, got: {shown(each)}")
            _finite(f"{name}.{key}", each)
        return found

    def read(self, text: str) -> object:
        return _json_or_text(text)


POINT = Fields({"time": Number(least=0, most=_LATEST), "price": Number()}, "unix seconds and price")
"""A point on a chart."""


def taken(
    name: str, kinds: Mapping[str, ArgumentKind], required: frozenset[str], given: Mapping[str, object]
) -> dict[str, Any]:
    """Check the arguments `given` for the tool `name`, and convert them to the values that its function expects. Raises
    UsageError for an argument that is unknown, missing or invalid. A null counts as a missing optional argument, except
    for numbers, for which it is an error."""
    given = _by_our_names(kinds, given)
    for key in given:
        if key not in kinds:
            raise UsageError(f"{name} has no argument '{key}'", _meant(key, kinds))
    result: dict[str, Any] = {}
    for key, kind in kinds.items():
        is_number = isinstance(kind, Number | IntegerArgument)
        if key not in given or (given[key] is None and key in required and not is_number):
            if key in required:
                raise UsageError(
                    f"{key} is missing", f"{key} is required by {name}{': ' + kind.about if kind.about else ''}"
                )
            continue
        if given[key] is None and not is_number:
            continue
        result[key] = kind.take(key, given[key])
    return result


SECOND_NAMES = {
    "interval": "timeframe",
    "timeframe": "interval",
    "ticker": "symbol",
    "code": "source",
    "script": "source",
}
"""Other names of arguments, in similar tools here and in other programs, that have only one possible meaning. They are
accepted, but not listed."""


def _by_our_names(kinds: Mapping[str, ArgumentKind], given: Mapping[str, object]) -> dict[str, object]:
    """Return the arguments `given` under the names that the tool has for them. Raises UsageError if one is given
    twice."""
    found: dict[str, object] = {}
    for key, value in given.items():
        meant = SECOND_NAMES.get(key, key)
        name = meant if key not in kinds and meant in kinds else key
        if name != key and name in given:
            raise UsageError(f"{key} and {name} are the same argument", f"give only {name}")
        found[name] = value
    return found


def _meant(key: str, kinds: Mapping[str, ArgumentKind]) -> str:
    """Return the argument that was meant by the unknown name `key`."""
    if "properties" in kinds:
        from pinebench.broker import Properties

        if key in {each.name for each in fields(Properties)}:
            return f'it is a property; write it as properties {{"{key}": value}}'
    near = near_names(key, kinds) or [each for each in kinds if each.split("_")[0] == key.split("_")[0]][:1]
    return f"did you mean {near[0]}?" if near else f"its arguments: {', '.join(kinds) or 'none'}"


def shown(value: object) -> str:
    """Return `value` as error messages show it: as JSON (strings without quotes), on one line of at most 80
    characters."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, str):
        text = value
    else:
        try:
            text = json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            text = type(value).__name__
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return line if len(line) <= 80 else line[:79] + "…"


def _finite(name: str, value: object) -> float:
    """Return the finite number that `value` is, or that it has as text, such as `"300"`."""
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        hint = "write a plain number, without a unit, a currency or percent sign, or commas"
        hint = hint if isinstance(value, str) and any(sign.isdigit() for sign in value) else None
        raise UsageError(f"{name} must be a finite number, got: {shown(value)}", hint)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise UsageError(f"{name} must be a finite number, got: {shown(value)}")
    return number


_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def _object(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError(f"{name} must be an object, got: {shown(value)}", _OBJECT)
    return {str(key): each for key, each in cast("dict[Any, Any]", value).items()}


_OBJECT = 'write {"name": value}'
_SEVERAL = re.compile(r"\s*\w+(?:\s*,\s*\w+)+\s*")


def _alone(name: str, value: object) -> object:
    """Return the only entry of a list if one value is expected; any other value unchanged. Raises UsageError for a list
    of several texts."""
    if not isinstance(value, list):
        return value
    items = cast("list[object]", value)
    if len(items) == 1:
        return items[0]
    if len(items) > 1 and all(isinstance(each, str) for each in items):
        raise UsageError(
            f"{name} must be a string, got: {shown(items)}",
            "give one value, and repeat the call for each further value",
        )
    return items


def _several_names(text: str) -> object:
    """Return the list in a text, written as JSON or as names separated by commas; else the text."""
    if text.lstrip().startswith(("[", "{")):
        return _json_or_text(text)
    return [part.strip() for part in text.split(",")] if _SEVERAL.fullmatch(text) else text


def _limits(least: float, most: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if math.isfinite(least):
        found["minimum"] = least
    if math.isfinite(most):
        found["maximum"] = most
    return found


def _range(least: float, most: float) -> str:
    number: Callable[[float], str] = "{:.15g}".format
    if math.isinf(most):
        return f"at least {number(least)}"
    if math.isinf(least):
        return f"at most {number(most)}"
    return number(least) if least == most else f"from {number(least)} to {number(most)}"


def _json_or_text(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
