"""A built-in whose class is its only definition: the layout and the machine code are made of the class."""

from __future__ import annotations

import inspect
import random
import re
from typing import Any

import pytest

from pinebench.compiled import builtins as compiled_builtins
from pinebench.compiled import kernels as by_hand
from pinebench.compiled import native, numerals, sources
from pinebench.compiled.builtins import kernels
from pinebench.compiled.lowering import Lowering, Part
from pinebench.runtime import builtins
from pinebench.runtime.library.averages import Rma
from pinebench.runtime.library.kernel import NA, Kernel, checked_length

RMA = Part("rma", 13, {0: NA, 3: NA})


class Mixed(Kernel):
    """A kernel with a slot of each kind."""

    __slots__ = ("count", "mean", "seen", "value")

    def __init__(self, series_length: bool = False) -> None:
        self.count = 2
        self.mean = Rma()
        self.seen = False
        self.value = NA

    def __call__(self, i: int, source: float, length: float) -> tuple[float, bool]:
        """Return a mean, and whether there was a value."""
        was, self.seen = self.seen, True
        if not was or not self.count:
            self.value = source
        self.count += checked_length(length, "mixed")
        return self.mean(i, max(source, self.value), length), was


class Looped(Kernel):
    """A kernel with a loop, which is not lowered."""

    __slots__ = ("value",)

    def __init__(self, series_length: bool = False) -> None:
        self.value = 0.0

    def __call__(self, i: int, source: float) -> float:
        """Add up in a loop."""
        for _ in range(3):
            self.value += source
        return self.value


def test_the_layout_of_a_class_is_the_layout_of_a_new_object() -> None:
    record = Lowering({"Rma": RMA}).record(Mixed)
    assert record.size == 16
    assert record.fields == {"count": (0, "int"), "mean": (1, Rma), "seen": (14, "bool"), "value": (15, "float")}
    assert repr(record.first) == repr({0: 2.0, 1: NA, 4: NA, 15: NA})


def test_a_method_is_written_with_the_places_of_its_slots() -> None:
    lowering = Lowering({"Rma": RMA})
    assert lowering.method(Mixed) == "Mixed_call"
    text = lowering.text()
    for line in (
        "def Mixed_call(m: P, s: int, i: int, v_source: float, v_length: float) -> tuple[float, bool]:",
        "m[s + 15] = v_source",
        "m[s + 0] = (int(m[s + 0]) + checked_length(m, v_length))",
        "return rma(m, s + 1, i, python_max(v_source, m[s + 15]), v_length), v_was",
    ):
        assert line in text
    known = sources.kernels().with_more(text)
    assert "define {double, i1} @Mixed_call" in native.translate(known, ["Mixed_call"])


def test_a_class_that_extends_a_kernel_written_by_hand_begins_with_its_places() -> None:
    """Its own slots follow, it calls the kernel at its own place, and its length must not change if the kernel's must
    not."""
    lowering = Lowering({"Sum": Part("math_sum", 9, {0: NA}, {"length": (1, "int")}, None)})
    cmo = builtins.KERNELS["ta.cmo"]
    record = lowering.record(cmo)
    assert (record.size, record.windows) == (21, None)
    assert repr(record.first) == repr({0: NA, 1: NA, 11: NA})
    lowering.method(cmo)
    text = lowering.text()
    assert "v_found = math_sum(m, s, i, v_source, v_length)" in text
    assert "(m[s + 9] >= int(m[s + 1]))" in text


def test_what_is_not_in_the_subset_is_an_error_when_machine_code_is_made() -> None:
    with pytest.raises(TypeError, match="cannot be lowered"):
        Lowering({}).method(Looped)


def test_no_built_in_has_two_definitions() -> None:
    """A kernel that is lowered has no function that is written by hand, and no row with places."""
    lowered = set(kernels()) - set(compiled_builtins.BY_HAND)
    assert len(lowered) >= 32
    written = {name for name, _ in inspect.getmembers(by_hand, inspect.isfunction)}
    for name in lowered:
        plain = re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
        assert plain not in written, name


def test_the_lowered_code_has_the_bits_of_the_class_when_it_runs_as_python() -> None:
    """On random numbers with holes and repeated values, before LLVM sees the code."""
    names: dict[str, Any] = {**vars(by_hand)}
    exec(compile(compiled_builtins.lowered_code(), "<lowered>", "exec"), names)
    chance = random.Random(11)
    for name, given in {"ta.rsi": 2, "ta.cum": 1, "ta.max": 1, "ta.barssince": 1, "ta.cross": 2, "ta.atr": 1}.items():
        cls = builtins.KERNELS[name]
        made = kernels()[cls.__name__]
        theirs: Any = cls()
        memory = [0.0] * 4000
        memory[1], memory[2] = 200.0, 4000.0
        for place, value in made.first.items():
            memory[100 + place] = value
        for i in range(300):
            values = [chance.choice((numerals.NA, 1.0, 2.0, chance.uniform(1, 9))) for _ in range(3)]
            arguments: list[Any] = [values[0] > 1.5] if name == "ta.barssince" else [values[0], 5.0][:given]
            arguments = [5.0] if name == "ta.atr" else arguments
            arguments += values if getattr(cls, "reads", ()) else []
            ours = names[made.function](memory, 100, i, *arguments)
            assert float(ours) == (expected := float(theirs(i, *arguments))) or (ours != ours and expected != expected)
