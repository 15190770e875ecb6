"""Decodes JSON from outside, with limits for size, depth and numbers, and checks its shape.

A cache, a baseline, a journal, a page or a service may contain anything. The result has the expected shape, or
MalformedDocument is raised, which each caller turns into its own error.

A shape is data:
- `str`, `bool`, `int` (not a bool), `float` (or an int, not a bool), `None`, `Anything`
- `[shape]`: a list of items of this shape
- `(shape, shape)`: one of these shapes; `frozenset({"a", "b"})`: one of these strings
- `{"key": shape, "other?": shape}`: an object with `key`, possibly with `other`, and possibly with further keys
- `{str: shape}`: an object with values of this shape under any keys
"""

from __future__ import annotations

import dataclasses
import json
import math
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

SIZE = 50_000_000
"""The largest size of a document, in bytes or characters."""
DEPTH = 64
"""The largest nesting depth of lists and objects. pinebench's own data need at most eight."""
DIGITS = 308
"""The largest number of digits of an integer, the same as for a float."""

Anything = object
"""The shape of any JSON value."""

_NAMES = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}


class MalformedDocument(ValueError):
    """The document is not valid. The message is one sentence that says what is wrong, and where."""


def loads(
    document: str | bytes | bytearray,
    shape: Any = Anything,
    *,
    size: int = SIZE,
    depth: int = DEPTH,
    unique: bool = False,
) -> Any:
    """Decode the JSON `document`, which must have the shape `shape`, at most `size` bytes and `depth` levels.

    Raises MalformedDocument if it is not JSON in UTF-8, too large or too deep, has a number that JSON or a float does
    not allow, or has another shape. With `unique`, it is also raised for a duplicate key.
    """
    if len(document) > size:
        raise MalformedDocument(f"the document has more than {size / 1e6:g} MB")
    try:
        text = document if isinstance(document, str) else document.decode("utf-8")
        value = (_UNIQUE_DECODER if unique else _DECODER).decode(text)
    except RecursionError:
        raise _too_deep(depth) from None
    except UnicodeDecodeError as error:
        at = error.start
        raise MalformedDocument(
            f"the document is not UTF-8 text: byte {error.object[at]:#04x} at offset {at}"
        ) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise MalformedDocument(f"the document is not JSON: {error.msg} at {where}") from None
    if text.count("[") + text.count("{") > depth:
        _check_depth(value, depth)
    check(value, shape)
    return value


def check(value: object, shape: Any, place: str = "") -> None:
    """Raise MalformedDocument if `value` does not have the shape `shape`. `place` is its name in the message."""
    problem = _problem(value, shape, place)
    if problem is not None:
        raise MalformedDocument(problem)


def shape_of(annotation: Any) -> Any:
    """Return the shape of the JSON data that describes a value of the type `annotation`.

    A dataclass becomes an object of its fields, and fields with a default may be missing. A class that is neither a
    dataclass nor a JSON type is not checked.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if dataclasses.is_dataclass(annotation):
        types = get_type_hints(annotation)
        return {_key(field): shape_of(types[field.name]) for field in dataclasses.fields(annotation)}
    if origin is Literal:
        return frozenset(arguments)
    if origin in (list, tuple):
        return [shape_of(arguments[0])]
    if origin is dict:
        return {str: shape_of(arguments[1])}
    if origin in (Union, UnionType):
        return tuple(map(shape_of, arguments))
    if annotation is NoneType:
        return None
    return annotation if annotation in _NAMES else Anything


def _key(field: dataclasses.Field[Any]) -> str:
    required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    return field.name if required else f"{field.name}?"


def _problem(value: Any, shape: Any, place: str) -> str | None:
    if isinstance(shape, dict):
        return _object_problem(value, shape, place)
    if isinstance(shape, list):
        if not isinstance(value, list):
            return _expected(place, "a list", value)
        if _sure(shape[0]).issuperset(map(type, value)):
            return None
        found = (_problem(item, shape[0], f"{place}[{index}]") for index, item in enumerate(value))
        return next(filter(None, found), None)
    if isinstance(shape, tuple):
        if any(_problem(value, one, place) is None for one in shape):
            return None
        return _problem(value, min(shape, key=lambda one: one is None), place)
    if isinstance(shape, frozenset):
        known = isinstance(value, str) and value in shape
        return None if known else _expected(place, f"one of {', '.join(sorted(shape))}", value)
    return None if _is(value, shape) else _expected(place, "nothing" if shape is None else _NAMES[shape], value)


def _object_problem(value: Any, shape: dict[Any, Any], place: str) -> str | None:
    if not isinstance(value, dict):
        return _expected(place, "an object", value)
    if str in shape:
        if shape[str] is Anything or _sure(shape[str]).issuperset(map(type, value.values())):
            return None
        found = (_problem(item, shape[str], _inside(place, key)) for key, item in value.items())
        return next(filter(None, found), None)
    for name, inner in shape.items():
        key = name.removesuffix("?")
        if key not in value:
            if key == name:
                return f"{_inside(place, key)} is missing"
        elif problem := _problem(value[key], inner, _inside(place, key)):
            return problem
    return None


def _sure(shape: Any) -> frozenset[type]:
    """The types whose values all have this shape, so that long lists of plain values are checked at once."""
    if isinstance(shape, tuple):
        return frozenset[type]().union(*map(_sure, shape))
    if shape is None:
        return frozenset((NoneType,))
    if isinstance(shape, type) and shape in _NAMES:
        return frozenset((int, float)) if shape is float else frozenset((shape,))
    return frozenset()


def _is(value: object, shape: Any) -> bool:
    if shape is Anything or (shape is None and value is None):
        return True
    if isinstance(value, bool):
        return shape is bool
    return shape is not None and isinstance(value, (int, float) if shape is float else shape)


def _inside(place: str, key: str) -> str:
    return f"{place}.{_short(key)}" if place else _short(key)


def _expected(place: str, wanted: str, value: object) -> str:
    return f"{place or 'the document'} is {_called(value)}, not {wanted}"


def _called(value: object) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return "nothing" if value is None else _short(json.dumps(value, default=str))


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:39] + "…"


def _check_depth(value: object, depth: int) -> None:
    level: list[object] = [value]
    for _ in range(depth + 1):
        containers = [item for item in level if isinstance(item, dict | list)]
        if not containers:
            return
        level = [item for container in containers for item in _items(container)]
    raise _too_deep(depth)


def _too_deep(depth: int) -> MalformedDocument:
    return MalformedDocument(f"the document is nested more than {depth} levels deep")


def _items(container: Any) -> Any:
    return container.values() if isinstance(container, dict) else container


def _constant(name: str) -> float:
    raise MalformedDocument(f"the document contains {name}, which is not a JSON number")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise MalformedDocument(f"the document contains the number {_short(text)}, which is too large")
    return value


def _int(text: str) -> int:
    if len(text) > DIGITS:
        raise MalformedDocument(f"the document contains a number with {len(text)} digits; at most {DIGITS} are allowed")
    return int(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise MalformedDocument(f"the document has the key '{twice[:80]}' twice")
    return found


_DECODER = json.JSONDecoder(parse_constant=_constant, parse_float=_float, parse_int=_int)
_UNIQUE_DECODER = json.JSONDecoder(
    parse_constant=_constant, parse_float=_float, parse_int=_int, object_pairs_hook=_once
)
