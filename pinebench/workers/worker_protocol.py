"""The protocol between a worker and its parent: messages on pipes, and the objects that an answer may contain."""

from __future__ import annotations

import io
import os
import pickle
from dataclasses import is_dataclass
from typing import Any

_MAGIC = b"PINE"
_HEAD = len(_MAGIC) + 8
_PART = 1 << 20

_OTHERS = {
    "pinebench.checker.constants": frozenset({"BuiltinConstant"}),
    "pinebench.runtime.drawings.objects": frozenset({"Box", "ChartPoint", "Label", "Line", "Linefill", "Polyline"}),
    "pinebench.runtime.drawings.tables": frozenset({"Table"}),
    "pinebench.runtime.faults": frozenset({"RuntimeFault"}),
    "builtins": frozenset({"frozenset", "set"}),
    "datetime": frozenset({"date", "datetime", "timedelta", "timezone"}),
    "copyreg": frozenset({"__newobj__", "_reconstructor"}),
}
"""The classes that an answer may contain in addition to records, by module."""


class WireError(Exception):
    """The other side has closed the pipe, or sent something that is not a message. `left` is the last data that it
    sent."""

    def __init__(self, left: bytes = b"") -> None:
        super().__init__("the other side is gone")
        self.left = left


def send(file: int, message: bytes) -> None:
    """Write a message to a file descriptor. Raises OSError if the other end is closed."""
    for part in (_MAGIC + len(message).to_bytes(8, "big"), message):
        view = memoryview(part)
        while view:
            view = view[os.write(file, view) :]


def receive(file: int, most: int) -> bytes:
    """Read the next message. Raises WireError if there is none, or if it is longer than `most` bytes."""
    head = _read(file, _HEAD)
    if not head.startswith(_MAGIC):
        raise WireError(head + _rest(file))
    size = int.from_bytes(head[len(_MAGIC) :], "big")
    if len(head) < _HEAD or size > most:
        raise WireError
    message = _read(file, size)
    if len(message) < size:
        raise WireError
    return message


def _read(file: int, size: int) -> bytes:
    parts: list[bytes] = []
    while size:
        part = os.read(file, min(size, _PART))
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _rest(file: int) -> bytes:
    """Read the last bytes that a process wrote before it ended, at most 64 KiB."""
    return _read(file, 1 << 16)


def answer(value: Any) -> bytes:
    """Pickle an answer. Reducers (functions for `pickle`) that other packages registered are ignored, because the
    parent would refuse their results. For example, tblib, which Dask loads, registers one for all exceptions."""
    file = io.BytesIO()
    pickler = pickle.Pickler(file, pickle.HIGHEST_PROTOCOL)
    pickler.dispatch_table = {}
    pickler.dump(value)
    return file.getvalue()


def answer_of(message: bytes) -> Any:
    """Unpickle the answer in a message. Raises UnpicklingError for objects other than plain values, dataclasses or
    named tuples of pinebench."""
    return _Records(io.BytesIO(message)).load()


class _Records(pickle.Unpickler):
    """An unpickler that accepts only our records (dataclasses and named tuples) and a few known classes."""

    def find_class(self, module: str, name: str) -> Any:
        if name in _OTHERS.get(module, ()):
            return super().find_class(module, name)
        if module.startswith("pinebench.") and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and (is_dataclass(found) or issubclass(found, tuple)):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is not allowed in an answer")
