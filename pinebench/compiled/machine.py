"""Compiles LLVM IR to machine code for this processor, and loads machine code.

No optimization may change a result: operations are neither fused (`fma`) nor reordered. The functions of the C library
are those that Python uses, and the compiler does not know what they compute.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pinebench.compiled.native import LIBM
from pinebench.extras import missing

if TYPE_CHECKING:
    import llvmlite.binding as llvm


def is_there() -> bool:
    """Return whether the packages that the compiled tier needs are installed."""
    return find_spec("llvmlite") is not None and find_spec("numpy") is not None


def check() -> None:
    """Raise UnavailableError if packages for machine code are missing. The error has the command that installs them."""
    if not is_there():
        raise missing("the compiled tier", "fast")


@cache
def _llvm() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in LIBM:
        llvm.add_symbol(f"pine_{name}", _address(name))
    return llvm


@cache
def _features() -> str:
    """Return the features of this processor that machine code may use. Looking them up takes some milliseconds."""
    features = _llvm().get_host_cpu_features()
    for name in features:
        if name.startswith(("fma", "avx512")):
            features[name] = False
    return features.flatten()


@cache
def _target() -> tuple[Any, llvm.TargetMachine]:
    llvm = _llvm()
    return llvm, _new_target()


def _new_target() -> llvm.TargetMachine:
    """Return a new description of this processor. An engine takes ownership of it, so each engine needs its own."""
    llvm = _llvm()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=2, jit=True, codemodel="jitdefault"
    )


def _address(name: str) -> int:
    """Return the address of the function of the C library that Python's `math` calls under this name."""
    for library in _libraries():
        try:
            return ctypes.cast(getattr(ctypes.CDLL(library), name), ctypes.c_void_p).value or 0
        except (OSError, AttributeError):
            continue
    raise OSError(f"the C library has no function {name}")


def _libraries() -> Iterable[str | None]:
    if sys.platform == "win32":
        yield from ("ucrtbase", "msvcrt")
        return
    yield None  # this process, which usually has them
    yield ctypes.util.find_library("m")


@cache
def identity() -> str:
    """Return a hash of LLVM's version and of this processor. Machine code depends on both, as well as on its source."""
    llvm = _llvm()
    import llvmlite

    told = (llvmlite.__version__, llvm.llvm_version_info, llvm.get_default_triple(), llvm.get_host_cpu_name())
    return hashlib.sha256(repr((told, _features())).encode()).hexdigest()


LONGEST = 600_000
"""The length in characters above which LLVM does not optimize a script's module. The time for that grows faster than
the module: for 1,000,000 characters, 70 s instead of 1 s. The broker's module has many short functions, and takes 1
s."""


@lru_cache(32)
def compiled(text: str, speed: int) -> bytes:
    """Compile a module from LLVM IR to machine code, and return it as an object file. `speed` is LLVM's optimization
    level: 1 for the broker, 2 for a script. A script's module longer than `LONGEST` gets level 0."""
    llvm, machine = _target()
    speed = 0 if speed == 2 and len(text) > LONGEST else speed
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(speed_level=speed)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


class LoadedCode:
    """Machine code loaded in this process. It is unloaded together with this object."""

    def __init__(self, objects: Iterable[bytes]) -> None:
        llvm = _llvm()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _new_target())
        for each in objects:
            self._engine.add_object_file(llvm.ObjectFileRef.from_data(each))
        self._engine.finalize_object()

    def function(self, name: str, result: Any, *given: Any) -> Any:
        """Return a function by its name. `result` and `given` are ctypes types."""
        return ctypes.CFUNCTYPE(result, *given)(self._engine.get_function_address(name))
