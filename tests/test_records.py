"""Named tuples that are made fast."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from pinebench.records import NamedTuple


class Point(NamedTuple):
    """A point with a name."""

    x: int
    y: int = 2
    name: str = "p"

    @property
    def total(self) -> int:
        return self.x + self.y

    @classmethod
    def origin(cls) -> Point:
        return cls(0, 0)


class Likeness(typing.NamedTuple):
    """A point with a name."""

    x: int
    y: int = 2
    name: str = "p"


def test_a_record_is_like_a_named_tuple_of_typing() -> None:
    for name in ("_fields", "_field_defaults", "__doc__", "__match_args__", "__module__", "__slots__"):
        assert getattr(Point, name) == getattr(Likeness, name), name
    assert typing.get_type_hints(Point) == typing.get_type_hints(Likeness)
    assert repr(Point(1)) == "Point(x=1, y=2, name='p')"
    assert Point(1) == (1, 2, "p")
    assert Point(1)._replace(y=5) == Point(1, 5)
    assert isinstance(Point(1), tuple)


def test_a_record_has_methods_and_survives_pickling() -> None:
    point = Point(3)
    assert point.total == 5
    assert Point.origin() == (0, 0, "p")
    again = pickle.loads(pickle.dumps(point))
    assert again == point
    assert type(again) is Point
    assert Point.__qualname__ == "Point"


class Nothing(NamedTuple):
    """A record without fields."""


class Sentence(NamedTuple):
    """A record with a method that every named tuple has."""

    name: str

    def __repr__(self) -> str:
        return self.name


def test_a_record_is_made_like_a_named_tuple_of_typing() -> None:
    assert inspect.signature(Point).parameters.keys() == inspect.signature(Likeness).parameters.keys()
    assert Point(name="q", x=1) == Point._make([1, 2, "q"]) == Likeness(name="q", x=1)
    assert Point(1)._asdict() == Likeness(1)._asdict() == {"x": 1, "y": 2, "name": "p"}
    assert Nothing() == ()
    assert repr(Nothing()) == "Nothing()"
    assert copy.copy(Point(1)) == copy.deepcopy(Point(1)) == Point(1)
    assert not hasattr(Point(1), "__dict__")
    assert typing.cast("typing.Any", Point).x.__doc__ == typing.cast("typing.Any", Likeness).x.__doc__
    assert repr(Sentence("its own")) == "its own"


def test_a_record_refuses_what_a_named_tuple_of_typing_refuses() -> None:
    def said(kind: typing.Any, call: typing.Callable[[typing.Any], object]) -> str:
        with pytest.raises((TypeError, ValueError, AttributeError)) as caught:
            call(kind)
        return str(caught.value).replace(kind.__name__, "Kind").partition("; ")[0]

    for call in (
        lambda kind: kind(),
        lambda kind: kind(1, 2, "p", 4),
        lambda kind: kind(1, x=2),
        lambda kind: kind(1, z=2),
        lambda kind: kind._make([1]),
        lambda kind: kind._make([1, 2, "p", 4]),
        lambda kind: kind(1)._replace(z=2),
        lambda kind: setattr(kind(1), "x", 2),
        lambda kind: setattr(kind(1), "z", 2),
    ):
        assert said(Point, call) == said(Likeness, call)
