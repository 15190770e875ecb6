"""Compiles a checked script to machine code, and runs it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from pinebench.checker import Program
from pinebench.compiled.outcomes import Outcome, Refused
from pinebench.execution.performing import Ran
from pinebench.execution.request import Request
from pinebench.market import Bars


class Compiled(Protocol):
    """A script as machine code."""

    def run(self, bars: Bars, inputs: Mapping[str, Any]) -> Ran:
        """Run the script on bars, and return the same as the Python tier."""
        ...

    def sweep(self, bars: Bars, combinations: Iterable[Mapping[str, Any]]) -> Iterator[Outcome]:
        """Run the script with each combination of inputs, and yield the outcomes in the same order."""
        ...


def compile_script(program: Program, request: Request, *, cache: Path | None = None) -> Compiled | Refused:
    """Compile a script for runs with any inputs. `cache` is a private folder for machine code; None for no cache."""
    return Refused("no script is compiled in this version")
