"""A built-in whose class is its only definition: the layout and the machine code are made of the class."""

from __future__ import annotations

import ast
import inspect
import math
import random
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from pinebench.compiled import builtins as compiled_builtins
from pinebench.compiled import handles, layouts, lists, native, numerals, pools, rollback, sources
from pinebench.compiled import kernels as functions
from pinebench.compiled.builtins import NOT_COMPILED, kernels
from pinebench.compiled.function_writer import FunctionWriter
from pinebench.compiled.kernel_lowering import KernelLowering
from pinebench.runtime import builtins
from pinebench.runtime.library.averages import Rma
from pinebench.runtime.library.kernel import NA, BarWindow, Kernel, checked_length

SOURCES = Path(compiled_builtins.__file__).parent
BROKER = SOURCES.parent / "broker"
PARTS = (*layouts.SINGLES.values(), layouts.RUN, layouts.RERUN, layouts.AREAS)
AVERAGE = KernelLowering(FunctionWriter).record(Rma).places


class Mixed(Kernel):
    """A kernel with a slot of each kind."""

    count: int = 2
    mean: Rma
    seen: bool = False
    value: float = NA
    values: list[float]

    def __call__(self, i: int, source: float, length: float) -> tuple[float, bool]:
        """Return a mean, and whether there was a value."""
        was, self.seen = self.seen, True
        if not was or not self.count:
            self.value = source
        self.count += checked_length(length, "mixed")
        values = self.values
        values.append(source)
        return self.mean(i, max(source, self.value), values[-1]), was


class TextKernel(Kernel):
    """A kernel with a text, which is not lowered."""

    value: float = 0.0

    def __call__(self, i: int, source: float) -> str:
        """Return a text."""
        return f"{source}"


class Chosen(BarWindow):
    """A kernel with a loop that need not run."""

    def __call__(self, i: int, source: float, length: float) -> float:
        """The largest value, or 0."""
        return max(self.values) if self.values else 0.0


def test_the_layout_of_a_class_is_the_layout_of_a_new_object() -> None:
    lowering = KernelLowering(FunctionWriter)
    record = lowering.record(Mixed)
    assert record.places == 3 + AVERAGE + lists.PLACES
    assert {name: (record.offsets[name], kind) for name, kind in record.kinds.items()} == {
        "count": (0, "int"),
        "mean": (1, Rma),
        "seen": (1 + AVERAGE, "bool"),
        "value": (2 + AVERAGE, "float"),
        "values": (3 + AVERAGE, "list"),
    }
    first = lowering.first(Mixed())
    assert (first[0], repr(first[2 + AVERAGE])) == (2, "nan")
    assert {place - 1 for place in first} - {-1, 1 + AVERAGE} == set(lowering.first(Rma()))


def test_a_method_is_written_with_the_places_of_its_slots() -> None:
    lowering = KernelLowering(FunctionWriter)
    assert lowering.method(Mixed) == "Mixed_call"
    text = lowering.text()
    for line in (
        "def Mixed_call(m: P, s: int, i: int, v_source: float, v_length: float) -> tuple[float, bool]:",
        f"m[s + {2 + AVERAGE}] = v_source",
        "write_int(m, s + 0, (read_int(m, s + 0) + kernel_checked_length(m, v_length)))",
        f"append(m, s + {3 + AVERAGE}, v_source)",
    ):
        assert line in text
    known = sources.kernels().with_more(text)
    assert "define {double, i1} @Mixed_call" in native.translate(known, ["Mixed_call"])


def test_a_method_that_can_stop_the_run_ends_after_the_stop() -> None:
    """What comes after it would go on with a wrong length or without an item."""
    lowering = KernelLowering(FunctionWriter)
    lowering.method(Mixed)
    text = lowering.text()
    for line in ("kernel_checked_length(m, v_length)))", "append(m, "):
        assert "if read_int(m, STATUS) != 0:" in text.partition(line)[2].split("\n")[1]


@pytest.mark.parametrize("cls", [TextKernel, Chosen])
def test_what_is_not_in_the_subset_is_an_error_when_machine_code_is_made(cls: type) -> None:
    with pytest.raises(TypeError, match="cannot be"):
        KernelLowering(FunctionWriter).method(cls)


def test_every_stateful_built_in_is_compiled_or_has_a_reason() -> None:
    """No kernel is written by hand: what is compiled is made of its class."""
    assert set(NOT_COMPILED) <= set(builtins.KERNELS)
    for name, cls in builtins.KERNELS.items():
        is_compiled = name not in NOT_COMPILED and not compiled_builtins.is_column(name)
        assert (cls.__name__ in kernels()) is is_compiled, name
    written = {name for name, _ in inspect.getmembers(functions, inspect.isfunction)}
    for name in kernels():
        assert re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() not in written, name


def test_no_function_of_the_broker_is_written_twice() -> None:
    """A rule that both tiers need is written in the broker, from which `lowered_broker` makes machine code."""
    members = inspect.getmembers(pools, inspect.isfunction)
    ours = {name for name, made in members if made.__module__ == pools.__name__}
    broker = {
        node.name.strip("_")
        for path in BROKER.glob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef)
    }
    assert ours & broker == set()


def test_the_compiled_tier_has_no_place_that_is_counted_by_hand() -> None:
    """A number in the place of a memory, or in the size of a record, is a layout that nothing checks.

    The four prices of a bar, the rows of the columns of bars (`b`) and of the account (`o`) are numbered. The item
    before or after another one is no layout.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(SOURCES.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        places = re.findall(r"\bm(?:emory)?\[(?!points)[^\]\n]*(?<![\w.])\d+\]", text)
        if places := [place for place in places if not re.search(r"(?:- 1|\bk \+ 1|\(-1\))\]$", place)]:
            found[path.name] = places
    assert found == {}


def test_a_record_of_the_broker_has_the_fields_of_its_class() -> None:
    """A field that is added to a class gets a place, or is left out by name."""
    for layout in layouts.BROKER.records.values():
        if layout.cls is not None:
            assert {field.name for field in fields(layout.cls)} - set(layout.kinds) <= layouts.LEFT_OUT
    for name in ("Account", "Grid", "Slippage", "Gate", "Position", "Tally", "Walk"):
        layout = layouts.SINGLES[name]
        assert layout.cls is not None
        assert set(layout.cls.__slots__) - set(layout.kinds) <= {"currency", "rates"}
    ends = [layout.at + layout.places for layout in PARTS]
    assert [layout.at for layout in PARTS] == [layouts.FIRST, *ends[:-1]]


LENGTHS = (
    "length",
    "period",
    "smoothing",
    "leftbars",
    "rightbars",
    "occurrence",
    "fastlen",
    "slowlen",
    "siglen",
    "lensig",
)


def _arguments(cls: type, chance: random.Random, length: float) -> list[Any]:
    """Random arguments for a call, with holes and repeated values. `length` is the argument of all lengths."""
    found: list[Any] = []
    for name, given in list(inspect.signature(cls.__call__).parameters.items())[2:]:
        if any(word in name for word in LENGTHS):
            found.append(length)
        elif given.annotation == "bool":
            found.append(chance.random() < 0.4)
        else:
            found.append(chance.choice((numerals.NA, 1.0, 2.0, chance.uniform(1, 9), chance.uniform(1, 1e9))))
    return found


def _numbers(result: Any) -> list[float]:
    items = result if isinstance(result, tuple) else (result,)
    return [numerals.NA if each is None else float(each) for each in items]


@pytest.mark.parametrize("is_series", [False, True], ids=["known-length", "series-length"])
def test_the_lowered_code_has_the_bits_of_the_class_when_it_runs_as_python(is_series: bool) -> None:
    """All built-ins, also on bars that are left out and on bars that run twice, before LLVM sees the code."""
    names: dict[str, Any] = {**vars(math), **vars(numerals), **vars(functions), **vars(lists)}
    exec(compile(compiled_builtins.lowered().text(), "<lowered>", "exec"), names)
    chance = random.Random(11)
    for cls in dict.fromkeys(each for each in builtins.KERNELS.values() if each.__name__ in kernels()):
        made = kernels()[cls.__name__]
        theirs: Any = cls(is_series)
        memory = [0.0] * 60_000
        memory[functions.FREE], memory[functions.MEMORY_END] = 1000.0, float(len(memory))
        first = made.first_of_series if is_series else made.first
        for place, value in first.items():
            memory[100 + place] = value
        i = -1
        for _ in range(120):
            i += chance.choice((1, 1, 1, 1, 1, 3))
            length = float(chance.randint(2, 7)) if is_series else 5.0
            arguments = _arguments(cls, chance, length)
            if cls.__name__ == "FixnanColor":
                arguments = [None if each != each else int(each) for each in arguments]
            ours = names[made.function](memory, 100, i, *(NA if each is None else each for each in arguments))
            assert memory[functions.STATUS] == 0.0, cls
            assert repr(_numbers(ours)) == repr(_numbers(theirs(i, *arguments))), (cls, i, arguments)


@pytest.mark.parametrize("module", [functions, handles, lists, pools, rollback], ids=lambda each: each.__name__)
def test_what_only_machine_code_has_knows_no_rule_of_the_language_or_the_broker(module: Any) -> None:
    tree = ast.parse(inspect.getsource(module))
    numbers = {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and type(each.value) is float}
    assert numbers <= {0.0, 1.0, 2.0, 3.0}, "a tolerance or a limit belongs to the code that both tiers run"
    rooms = ("pinebench.runtime", "pinebench.broker")
    imports = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) and str(each.module) in rooms]
    names = {each.name for one in imports for each in one.names}
    assert names <= {"EXACT", "SURPLUS"}, "the rule of this name belongs to the code that both tiers run"
