"""Loads the public names of a package on demand: a module is imported only when one of its names is used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def face(room: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the function `__getattr__` of the package `room`.

    `names` maps each module of the package to the names that it defines, separated by spaces. The function raises
    AttributeError for every other name.
    """
    homes = {name: module for module, offered in names.items() for name in offered.split()}

    def load(name: str) -> Any:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        found = getattr(import_module(f"{room}.{home}"), name)
        setattr(sys.modules[room], name, found)  # the next use does not come here
        return found

    return load
