"""Lowers classes of the Python tier: the layout of their state, and their methods as machine code functions.

A class of `runtime.library`, called a kernel, is the only definition of its built-in, and its slots hold the state. A
new object of the class gives the layout: each slot gets an address in the memory of a run, whose initial value is the
slot's value. A slot with another kernel gets the layout of that kernel. A slot with a list gets the header of a list
(`lists`): the address of the items, their number, and the room for more. A slot with an int or a bool stores the bits
of the int, so that no bar converts it (`native`).

`function_writer` writes the functions, and `objects` writes the functions of the broker.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Protocol

from pinebench.compiled import lists
from pinebench.compiled.definitions import definition, definitions
from pinebench.compiled.layouts import POINTS, Layout, Layouts

NUMBERS = ("float", "int", "bool")


class DefinitionWriter(Protocol):
    """Writes a function or method in the subset of Python that `compiled.native` translates."""

    def text(self, node: ast.FunctionDef, name: str) -> str:
        """Return the machine code function for the definition `node`, under the name `name`."""
        ...


class KernelLowering:
    """The kernels (classes of stateful built-ins) prepared for machine code: their layouts and generated functions."""

    def __init__(
        self, writer: Callable[..., DefinitionWriter], layouts: Layouts | None = None, ending: str = ""
    ) -> None:
        """Prepare to lower classes. `writer` writes the functions. `layouts` are the layouts of the broker's classes,
        if the broker is lowered. `ending` ends the names of functions of a module."""
        self.layouts = layouts
        self.ending = ending
        self._writer = writer
        self._records: dict[type, Layout] = {}
        self._functions: dict[str, str] = {}
        self.sizes: dict[str, int] = {}
        """The size in floats of the state of each function that is made from a kernel's method."""
        self.failing: set[str] = set()
        """The functions that can stop a run."""
        self.columned: set[str] = set()
        """The functions that read columns of the bars."""
        self.changed: defaultdict[str, set[str]] = defaultdict(set)
        """The lists of the broker that each function changes itself, such as `Book.orders`."""
        self.calls: defaultdict[str, set[str]] = defaultdict(set)
        """The functions that each function calls."""
        self.viewed: set[tuple[str, str, str]] = set()
        """The calls in a function while it uses items of a list: the function, the list, the function that it calls."""

    def check(self) -> None:
        """Raise TypeError if a function may change a list while it uses the list's earlier items."""
        for function, viewed, called in sorted(self.viewed):
            reached, waiting = set[str](), [called]
            while waiting:
                one = waiting.pop()
                if viewed in self.changed[one]:
                    raise TypeError(f"{function} uses items of {viewed} while it calls {called}, and {one} changes it")
                if one not in reached:
                    reached.add(one)
                    waiting += self.calls[one]

    def text(self) -> str:
        """Return the code of all functions generated so far."""
        return "\n\n".join(self._functions.values())

    def single(self, kind: Any) -> Layout | None:
        """Return the layout of `kind` if it is a class with a single object in a run, otherwise None."""
        return None if self.layouts is None else self.layouts.singles.get(getattr(kind, "__name__", ""))

    def object(self, name: str) -> Layout | None:
        """Return the layout of the broker class `name`; None if there is no such class."""
        if self.layouts is None:
            return None
        return self.layouts.singles.get(name) or self.layouts.records.get(name)

    def field(self, cls: type, name: str) -> tuple[int, Any] | None:
        """Return a slot's offset from the address of its object, and the slot's kind; None if there is no such slot."""
        layout = self.object(cls.__name__) or self.record(cls)
        if name not in layout.kinds:
            return None
        kind = layout.kinds[name]
        if kind is POINTS and self.layouts is not None:
            kind = self.layouts.points
        return (layout.at + layout.offsets[name] if name in layout.offsets else 0), kind

    def know(self, cls: type, layout: Layout) -> None:
        """Set the layout of a class that `record` must not derive from a new object."""
        self._records[cls] = layout

    def record(self, cls: type) -> Layout:
        """Return the layout of a class's state, derived from the slots of a new object. The kind of a slot with another
        kernel is that kernel's class."""
        if cls not in self._records:
            made = cls()
            kinds = {name: _kind(getattr(made, name)) for name in cls.first_values}
            sizes = {name: self.record(kind).places for name, kind in kinds.items() if isinstance(kind, type)}
            sizes |= {name: lists.PLACES for name, kind in kinds.items() if kind == "list"}
            self._records[cls] = Layout(kinds, cls=cls, sizes=sizes)
        return self._records[cls]

    def first(self, instance: Any) -> dict[int, float]:
        """Return the nonzero values in the state of a new object, by offset: ints for ints and bools, else floats.
        Raises TypeError for a list that is not empty."""
        found: dict[int, float] = {}
        layout = self.record(type(instance))
        for name, place in layout.offsets.items():
            value, kind = getattr(instance, name), layout.kinds[name]
            if kind in NUMBERS:
                if value:  # also na
                    found[place] = value if kind == "float" else int(value)
            elif kind == "list":
                if value:
                    raise TypeError(f"{type(instance).__name__}.{name} does not begin empty")
            else:
                found |= {place + inner: each for inner, each in self.first(value).items()}
        return found

    def name(self, cls: type, name: str = "__call__") -> str:
        """Return the name of the machine code function for a method. Private methods, and methods that change a length,
        run rarely, so `native` does not inline them into their callers."""
        plain = "call" if name == "__call__" else name
        if self.layouts is not None:
            return f"{cls.__name__}_{plain}"
        return f"{cls.__name__}_{plain}{'_slow' if plain.startswith(('_', 'change')) else ''}"

    def method(self, cls: type, name: str = "__call__") -> str:
        """Write the code of a method, and return the name of its function. Before the method's arguments, the function
        takes the memory and the address of the state."""
        owner = next(base for base in cls.__mro__ if name in base.__dict__)
        function = self.name(cls, name)
        if function not in self._functions:
            self._functions[function] = ""  # a method that calls itself
            if self.layouts is None:
                self.sizes[function] = self.record(cls).places
            scope = self._writer(self, cls, sys.modules[owner.__module__].__dict__, owner)
            self._functions[function] = scope.text(definition(cls, name), function)
        return function

    def function(self, function: Callable[..., Any]) -> str:
        """Write the code of a module's function, and return its name in machine code."""
        name = f"{function.__module__.rpartition('.')[2]}_{function.__name__.strip('_')}{self.ending}"
        if name not in self._functions:
            self._functions[name] = ""
            node = definitions(function.__module__)[function.__name__]
            scope = self._writer(self, None, sys.modules[function.__module__].__dict__)
            self._functions[name] = scope.text(node, name)
        return name


def _kind(value: Any) -> Any:
    if isinstance(value, list):
        return "list"
    return type(value).__name__ if isinstance(value, bool | int | float) else type(value)
