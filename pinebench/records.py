"""Named tuples whose classes are created fast: `typing.NamedTuple` compiles every annotation, and
`collections.namedtuple` compiles a function for every class."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple
    from functools import cache
    from types import CodeType, FunctionType

    _NOT_COPIED = frozenset(("__annotations__", "__dict__", "__module__", "__qualname__", "__classcell__"))
    _MODEL = namedtuple("_MODEL", "field")
    _Field = type(_MODEL.field)
    """The class of the attributes that read the values of named tuples."""
    _new = tuple.__new__

    class _Maker(type):
        """Makes a named tuple of the annotated names of a class, their values as defaults, and its methods."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, namespace)
            annotations = namespace.get("__annotations__", {})
            fields = tuple(annotations)
            defaults = {field: namespace[field] for field in fields if field in namespace}
            made = {
                **_SHARED,
                **{key: value for key, value in namespace.items() if key not in _NOT_COPIED},
                **{field: _attribute(place) for place, field in enumerate(fields)},
                "__module__": namespace["__module__"],
                "__qualname__": namespace["__qualname__"],
                "__annotations__": annotations,
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": _constructor(name, fields, tuple(defaults.values())),
            }
            return type(name, (tuple,), made)

    def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[object, ...]) -> FunctionType:
        """The `__new__` of a named tuple. The code is the same for all with as many fields, except for the names."""
        code = _code(len(fields)).replace(co_varnames=("_cls", *fields))
        made = FunctionType(code, {"_new": _new, "__name__": f"namedtuple_{name}"}, "__new__", defaults)
        made.__qualname__ = f"{name}.__new__"
        made.__doc__ = f"Create new instance of {name}({', '.join(fields)})"
        return made

    @cache
    def _code(count: int) -> CodeType:
        names = "".join(f"_{place}, " for place in range(count))
        return eval(f"lambda _cls, {names}: _new(_cls, ({names}))").__code__

    @cache
    def _attribute(place: int) -> object:
        return _Field(place, f"Alias for field number {place}")

    class _SharedAttributes:
        """The attributes that all named tuples have alike."""

        __slots__ = ()

        @classmethod
        def _make(cls, values: object) -> tuple[object, ...]:
            """Make a new named tuple from a sequence or iterable."""
            made = _new(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes: object) -> tuple[object, ...]:
            """Return a new named tuple with other values for the fields that are named."""
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        __replace__ = _replace

        def __repr__(self) -> str:
            fields = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{self.__class__.__name__}({fields})"

        def _asdict(self) -> dict[str, object]:
            """Return the values by the names of their fields."""
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self) -> tuple[object, ...]:
            """Return the values as a plain tuple, for `copy` and `pickle`."""
            return tuple(self)

    _OF_A_CLASS = ("__module__", "__doc__", "__dict__", "__weakref__", "__firstlineno__", "__static_attributes__")
    _SHARED = {name: value for name, value in vars(_SharedAttributes).items() if name not in _OF_A_CLASS}

    class NamedTuple(metaclass=_Maker):
        """Like `typing.NamedTuple`, for modules whose annotations are not evaluated."""
