"""The parts of the compiled tier that are written in the subset of Python that `compiled.native` translates."""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from importlib.resources import files

from pinebench import totals
from pinebench.compiled import builtins, library_functions, lowered_broker, native
from pinebench.compiled import handles as _handles
from pinebench.compiled import kernels as _kernels
from pinebench.compiled import lists as _lists
from pinebench.compiled import pools as _pools
from pinebench.compiled import rollback as _rollback
from pinebench.compiled.held_state import held_functions
from pinebench.compiled.native_source import EXTREMES, NativeSource

_PREFIX = "pine_broker_"
_RECALCULATE = "def recalculate(m: P, b: P, n: int) -> None:\n    pass\n"
"""The default definition of the function that runs a script again on a fill."""
_OF_POOLS = ("closed_profit", "tidy_slow")
"""The functions of `pools` that are called from outside."""
_ROOMS = (
    "pinebench.compiled",
    "pinebench.broker",
    "pinebench.runtime",
    "pinebench.runtime.drawings",
    "pinebench.runtime.library",
)
"""The rooms whose code is translated to machine code or does the translation, in addition to `totals`."""
_LONGEST = 13
"""The largest number of statements in a broker function that may become part of its callers. With more, compiling takes
longer and runs gain nothing."""


@cache
def kernels() -> NativeSource:
    """Return the source of the stateful built-ins, and of the functions of numbers and arrays."""
    texts = [inspect.getsource(module) for module in (_kernels, _lists, _handles)]
    lowered = builtins.lowered()
    made = NativeSource(
        "\n".join([EXTREMES, *texts, lowered.text(), library_functions.code()]), vars(_lists) | vars(_handles)
    )
    made.held = held_functions(made.functions, lowered.sizes)
    return made


@cache
def broker_source(form: str = "plain") -> NativeSource:
    """Return the source of the broker in a form (`lowered_broker.FORMS`), with the functions that it needs."""
    code = lowered_broker.code(form)
    made = kernels().with_more(_RECALCULATE).with_more(code)
    for module in (_pools, _rollback):
        made = made.with_more(inspect.getsource(module), vars(module))
    return made


def _called(form: str) -> list[str]:
    return [*lowered_broker.called(form), *_OF_POOLS]


@cache
def broker(form: str) -> str:
    """Return the broker as LLVM IR. It is the same for all scripts, so each form of it is compiled only once."""
    inlined = lowered_broker.INLINED
    made, outside = broker_source(form), ["recalculate"] if form != "plain" else []
    if outside:  # the records of the broker stay when the script's are put back
        made = made.with_more("")
        made.functions["take_room"] = made.functions["take_room_at_end"]
    return native.translate(made, _called(form), outside, prefix=_PREFIX, longest=_LONGEST, inlined=inlined)


def script(text: str, form: str) -> str:
    """Return a script as LLVM IR. `text` is the generated code, which calls the broker of `form` as another module; an
    empty form means no broker."""
    if not form:
        return native.translate(kernels().with_more(text), ["run"])
    exported = ["run", "recalculate"] if form != "plain" else ["run"]
    return native.translate(broker_source(form).with_more(text), exported, _called(form), prefix=_PREFIX)


@cache
def identity() -> str:
    """Return a hash of all code that machine code depends on, so that a changed pinebench never runs old machine code.
    The hash does not depend on the modules that this process has loaded."""
    written = [text for room in _ROOMS for text in _texts(room)]
    return hashlib.sha256(b"\n".join([*written, inspect.getsource(totals).encode()])).hexdigest()


def _texts(room: str) -> list[bytes]:
    """Return the texts of the modules of a room, in the order of their names."""
    modules = sorted((each.name, each) for each in files(room).iterdir() if each.name.endswith(".py"))
    return [each.read_bytes() for _, each in modules]
