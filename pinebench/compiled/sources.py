"""The parts of the compiled tier that are written in the part of Python that `native` translates."""

from __future__ import annotations

import inspect
from functools import cache

from pinebench.compiled import kernels as _kernels
from pinebench.compiled.native import Source


@cache
def kernels() -> Source:
    """The stateful built-ins and the functions of numbers."""
    return Source(inspect.getsource(_kernels))
