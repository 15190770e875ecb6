"""Named tuples that are made fast."""

from __future__ import annotations

import pickle
import typing

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
