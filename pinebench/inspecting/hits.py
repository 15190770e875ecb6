"""The bars on which a breakpoint is hit: the code of its line runs, and its condition is true there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pinebench.checker import Program, open_program
from pinebench.errors import UsageError
from pinebench.execution.performing import opened, perform
from pinebench.execution.request import Request
from pinebench.execution.why import refuse_faulty, run_watched
from pinebench.inspecting.recording import Recording
from pinebench.runtime import Code, Execution, Generated, Result, Runtime
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk

_ASKED = "pinebench_asked"


@dataclass(frozen=True)
class Hits:
    """The bars on which a breakpoint is hit, in order.

    `line` is the line of the breakpoint: the wanted line, or the next one with code; None if no code follows. `error`
    is the message of the error that stopped the script.
    """

    line: int | None
    bars: list[int]
    error: str | None = None


def hits(request: Request, line: int, condition: str = "") -> Hits:
    """Run the script, and return the bars on which a breakpoint on `line` (from 1) is hit.

    `condition` is a Pine expression at that line; empty for none. It is called in a worker. Raises UsageError for an
    expression that is not a condition there or changes something, and the errors of a run.
    """
    steps = _Steps(line, runs=not condition.strip())
    ran = perform(request, steps.run, recorder=steps)
    if not condition.strip() or steps.line is None:
        return Hits(steps.line, sorted(steps.hit), ran.result.error and ran.result.error.message)
    program = opened(request.source, request.libraries)
    changed, asked = _with(program, condition.strip(), steps.line, request.libraries)
    watch = _True(asked)
    error, _ = run_watched(changed, request, watch)
    return Hits(steps.line, sorted(watch.hit), error)


class _Steps(Recording):
    """Finds the line of a breakpoint, and, if the script `runs`, the bars on which the line's code begins to run."""

    def __init__(self, line: int, *, runs: bool) -> None:
        super().__init__()
        self.steps = True
        self.line: int | None = None
        self.hit: set[int] = set()
        self._wanted = line
        self._runs = runs
        self._execution: Execution | None = None

    def run(self, runtime: Runtime) -> Result:
        """Run the script, if that is wanted."""
        self._execution = runtime.execution
        source = runtime.code.generated.source
        lines = {int(found) for found in re.findall(r"\bSTEP\((\d+)\)", source)}
        self.line = min((one for one in lines if one >= self._wanted), default=None)
        return runtime.run() if self._runs and self.line is not None else runtime.result()

    def begin(self, code: Code, generated: Generated) -> None:
        """Nothing is kept."""
        del code, generated

    def step(self, line: int) -> None:
        """Note the bar if the statement that is about to run is on the wanted line."""
        if line == self.line and self._execution is not None:
            self.hit.add(max(self._execution.index, 0))

    def site(self, function: int, path: tuple[int, ...]) -> int:
        """Nothing is kept."""
        del function, path
        return -2

    def fixed(self, k: int, value: Any) -> None:
        """Nothing is kept."""
        del k, value

    def column(self, k: int, values: list[Any]) -> None:
        """Nothing is kept."""
        del k, values

    def bar(self, i: int, values: tuple[Any, ...]) -> None:
        """Nothing is kept."""
        del i, values
        self.touched.clear()


class _True:
    """Notes the bars on which an expression was true."""

    def __init__(self, node: nodes.Node) -> None:
        self.numbers = {node: 0}
        self.hit: set[int] = set()

    def follow(self, execution: Execution) -> None:
        """Note values in `execution` from now on."""
        hit = self.hit

        def note(_number: int, value: Any) -> Any:
            if value is True:
                hit.add(max(execution.index, 0))
            return value

        execution.watch(note)


def _with(program: Program, condition: str, line: int, libraries: tuple[str, ...]) -> tuple[Program, nodes.Node]:
    """The script with the condition in a line of its own before `line`, and the condition's node."""
    if "\n" in condition:
        raise UsageError("a condition is one line", "for example close > open")
    text = program.document.text
    name = next(name for k in range(100) if (name := f"{_ASKED}{k or ''}") not in text)
    lines = text.splitlines(keepends=True)
    here = lines[line - 1]
    indent = here[: len(here) - len(here.lstrip())]
    lines.insert(line - 1, f"{indent}bool {name} = {condition}\n")
    changed = open_program("".join(lines), libraries, fresh=True)
    refuse_faulty(changed, f"'{condition}' is not a condition at line {line}")
    for chunk in changed.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.VariableDeclaration) and node.name.id == name:
                if isinstance(node.value, nodes.STRUCTURES):
                    raise UsageError(f"'{condition}' is not an expression", "for example close > open")
                if changed.effects(node.value).changes:
                    raise UsageError(
                        f"'{condition}' changes something, so it cannot be a condition", "use an expression without it"
                    )
                return changed, node.value
    raise UsageError(f"'{condition}' is not a condition at line {line}", "for example close > open")
