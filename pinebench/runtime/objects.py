"""Objects of user-defined types, members of enums, and iteration over collections."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pinebench.runtime import ir
from pinebench.runtime.faults import RuntimeFault
from pinebench.runtime.library.collections import Array


class EnumMember:
    """One member of an enum; its text is the title."""

    __slots__ = ("name", "title")

    def __init__(self, name: str, title: str) -> None:
        self.name = name
        self.title = title

    def __repr__(self) -> str:
        return self.name


class Object:
    """The base class of the objects of user-defined types. `varip` are the fields that keep changes within a bar."""

    __slots__ = ()
    fields: tuple[str, ...] = ()
    """The attributes in the order of the declaration."""
    names: tuple[str, ...] = ()
    """The names of the fields in the script."""
    varip: frozenset[str] = frozenset()


def object_class(type_: ir.ObjectType) -> type[Object]:
    """Make the class of a user-defined type. Its constructor takes every field in the declared order."""
    codes = [field.code for field in type_.fields.values()]
    lines = [f"def __init__(self, {', '.join(codes)}):", *(f" self.{code} = {code}" for code in codes), " pass"]
    namespace: dict[str, Any] = {}
    exec("\n".join(lines), {"__builtins__": {}}, namespace)
    members = {
        "__slots__": tuple(codes),
        "__init__": namespace["__init__"],
        "fields": tuple(codes),
        "names": tuple(type_.fields),
        "varip": frozenset(field.code for field in type_.fields.values() if field.varip),
    }
    return type(f"T{type_.number}", (Object,), members)


def copy_object(value: Object | None) -> Object | None:
    """Return a new object with the same fields; a copy of na is na."""
    if value is None:
        return None
    made = object.__new__(type(value))
    for field in value.fields:
        setattr(made, field, getattr(value, field))
    return made


def elements(collection: Any) -> Iterable[Any]:
    """Return the elements for `for x in collection`: the elements of an array as it grows, the rows of a matrix, or the
    values of a map. Raises RE10052 for na."""
    if collection is None:
        raise RuntimeFault("RE10052")
    return collection.items if isinstance(collection, Array) else collection.elements()


def numbered(collection: Any) -> Iterable[tuple[Any, Any]]:
    """Return the pairs for `for [i, x] in collection`: index and element, or key and value for a map. Raises RE10052
    for na."""
    if collection is None:
        raise RuntimeFault("RE10052")
    return enumerate(collection.items) if isinstance(collection, Array) else collection.numbered()
