"""Explains the value of an expression inside a block or a function of the script, in one of its runs on a bar."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from pinebench.checker import Program, VariableSymbol, open_program
from pinebench.diagnostics import Severity
from pinebench.errors import DoesNotCompile, UsageError
from pinebench.runtime import Execution
from pinebench.syntax import nodes
from pinebench.syntax.walk import slots, walk
from pinebench.why.blocking_conditions import Barrier, BlockingConditions, arguments_of, calls_of
from pinebench.why.why import (
    Evaluation,
    ExpressionPart,
    ExpressionWatch,
    Tree,
    Why,
    answer_of,
    asked_in,
    plain,
    refuse_failing,
    refuse_faulty,
    run_watched,
    why,
)
from pinebench.workers.jobs import opened
from pinebench.workers.request import Request

_ASKED = "pinebench_asked"
_STEP = "    "
_NAMED = 3
"""The number of other calls that a note names."""


class ScriptPlace(NamedTuple):
    """A position in the script: after the line `line` (from 1), or before it if the line begins a block.

    `iteration` counts the runs of the line on the bar, from 1; None means the last run. `call` is the line number or
    the text of a call that leads to the line; empty means any call.
    """

    line: int
    iteration: int | None = None
    call: str = ""


def place_of(line: int | None, iteration: int | None = None, call: str | None = None) -> ScriptPlace | None:
    """Return the position for a line, an iteration and a call; None if `line` is None. Raises UsageError for an
    iteration or a call without a line, and for an iteration below 1."""
    if line is None:
        if iteration is not None or call:
            raise UsageError("an iteration or a call needs a line", "give a line of the block or function")
        return None
    if iteration is not None and iteration < 1:
        raise UsageError(f"there is no iteration {iteration}", "iterations are numbered from 1")
    return ScriptPlace(line, iteration, call or "")


class _Call(NamedTuple):
    """A call of a function of the script: its line and its text."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.text} (line {self.line})"


class _Edit(NamedTuple):
    """A changed script that has the expression in it, in `length` lines from line `first` on. `name` is the name of the
    variable that holds the expression; `name_ran` counts its runs."""

    text: str
    first: int
    length: int
    name: str


class _Block(NamedTuple):
    """Statements that run together, the number of the one that is meant, and whether the value of the last is used."""

    body: list[Any]
    number: int
    is_used: bool


def why_at(request: Request, expression: str, bar: int, place: ScriptPlace | None) -> Why:
    """Run the script, and explain the value of an expression on the bar `bar` (from 0) at the position `place`.

    Without a position, or for a line of the global scope, explain the value at the end of the bar. If the line did not
    run on the bar, the answer names the condition that kept it from running. Call this function in a worker. Raises
    UsageError for an expression that is not valid there or has side effects, and for an iteration that did not happen
    on the bar. Also raises the errors of a run.
    """
    if place is None:
        return why(request, expression, bar)
    program = opened(request.source, request.libraries)
    refuse_faulty(program, "the script does not compile")
    if not 1 <= place.line <= len(program.document.lines):
        raise UsageError(f"the script has no line {place.line}", "lines are numbered from 1")
    ways = list(edits(program, place.line, expression.strip()))
    is_chosen = place.iteration is not None or place.call
    if not ways or (not is_chosen and _is_head(program, place.line)):
        if is_chosen:
            raise UsageError(
                f"line {place.line} is not inside a block or a function",
                "give a line inside a block or function, or leave out the iteration and the call",
            )
        try:
            return why(request, expression, bar)
        except DoesNotCompile:
            if not ways:
                raise
    changed, edit = _compiled(ways, expression.strip(), place.line, request.libraries)
    return _told(request, changed, edit, expression, bar, place)


# the place in the script


class _Lines:
    """Finds the blocks and the ends of the statements in a script."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.text = program.document.text

    def start(self, node: nodes.Node) -> int:
        return self._offset + node.start

    def end(self, node: nodes.Node) -> int:
        """The offset after the last letter of a node."""
        end = self._offset + node.end
        while end > self._offset + node.start and self.text[end - 1].isspace():
            end -= 1
        return end

    def first(self, node: nodes.Node) -> int:
        return self.program.document.lines.position(self.start(node)).line

    def last(self, node: nodes.Node) -> int:
        return self.program.document.lines.position(max(self.end(node) - 1, self.start(node))).line

    _offset = 0

    def block_at(self, line: int) -> _Block | None:
        """The innermost block with the line; None if no statement is there."""
        for chunk in self.program.document.chunks:
            self._offset = chunk.start
            number = self._number(chunk.body, line)
            if number is not None:
                return self._inner(_Block(chunk.body, number, is_used=False), line)
        return None

    def _number(self, body: list[Any], line: int) -> int | None:
        found = [number for number, one in enumerate(body) if self.first(one) <= line <= self.last(one)]
        return found[-1] if found else None

    def _inner(self, block: _Block, line: int) -> _Block:
        for below in self.below(block):
            number = self._number(below.body, line)
            # A body on the line of its own head is only meant by that line.
            if number is not None:
                return self._inner(below._replace(number=number), line)
        return block

    def below(self, block: _Block) -> Iterator[_Block]:
        """The blocks of a statement."""
        statement = block.body[block.number]
        is_last = block.number == len(block.body) - 1
        yield from self._blocks(statement, is_used=block.is_used and is_last)

    def _blocks(self, node: nodes.Node, *, is_used: bool) -> Iterator[_Block]:
        for name, held in slots(node):
            if name == "otherwise" and isinstance(held, list) and held and self._is_else_if(held[0]):
                yield from self._blocks(held[0], is_used=is_used)
            elif name in ("body", "otherwise") and isinstance(held, list) and held:
                yield _Block(held, 0, is_used=is_used or isinstance(node, nodes.FunctionDeclaration))
            elif name == "cases" and isinstance(held, list):
                for case in held:
                    yield from self._blocks(case, is_used=is_used)
            elif name in ("expression", "value") and isinstance(held, nodes.Node):
                yield from self._blocks(held, is_used=is_used or name == "value")

    def _is_else_if(self, node: nodes.Node) -> bool:
        inner = node.expression if isinstance(node, nodes.ExpressionStatement) else node
        before = self.text[: self.start(inner)].rpartition("\n")[2].split()
        return isinstance(inner, nodes.If) and bool(before) and before[0] == "else"


def _is_head(program: Program, line: int) -> bool:
    """Whether the line is in the global scope."""
    found = _Lines(program).block_at(line)
    return found is None or any(found.body is chunk.body for chunk in program.document.chunks)


def edits(program: Program, line: int, words: str) -> Iterator[_Edit]:
    """Yield the script with the expression `words` added at the line, in each way that may compile. Yield nothing if
    the line is in the global scope and begins no block."""
    if not words or "\n" in words:
        raise UsageError("expected an expression on one line", "for example, close > open")
    lines = _Lines(program)
    block = lines.block_at(line)
    if block is None:
        return
    if not _is_head(program, line):
        yield from _around(lines, block, words, line)
    for below in lines.below(block):
        place = len(below.body) - 1 if isinstance(block.body[block.number], nodes.FunctionDeclaration) else 0
        yield from _around(lines, below._replace(number=place), words, line)


def _around(lines: _Lines, block: _Block, words: str, line: int) -> Iterator[_Edit]:
    statement = block.body[block.number]
    before = lines.text[: lines.start(statement)].rpartition("\n")[2]
    name = next(name for number in range(100) if (name := f"{_ASKED}{number or ''}") not in lines.text)
    asked = f"{name} = {words}", f"var int {name}_ran = 0", f"{name}_ran += 1"
    if before.strip():  # the statement follows the head of its block on the same line
        indent = before[: len(before) - len(before.lstrip())] + _STEP
        at = lines.start(statement)
        rows = "".join(f"{indent}{one}\n" for one in asked)
        head = lines.text[:at].rstrip()
        yield _Edit(f"{head}\n{rows}{indent}{lines.text[at:]}", line + 1, len(asked) + 1, name)
        return
    is_block = any(True for _ in lines.below(block))
    again = _again(lines, statement) if block.is_used and block.number == len(block.body) - 1 else ()
    if not is_block and not isinstance(statement, nodes.Break | nodes.Continue) and again is not None:
        end = lines.text.find("\n", lines.end(statement))
        at = len(lines.text) if end < 0 else end + 1
        lead = "" if lines.text[at - 1] == "\n" else "\n"
        rows = lead + "".join(f"{before}{one}\n" for one in (*asked, *again))
        yield _Edit(lines.text[:at] + rows + lines.text[at:], lines.last(statement) + 1, len(asked) + len(again), name)
    at = lines.start(statement) - len(before)
    rows = "".join(f"{before}{one}\n" for one in asked)
    yield _Edit(lines.text[:at] + rows + lines.text[at:], lines.first(statement), len(asked), name)


def _again(lines: _Lines, statement: nodes.Node) -> tuple[str, ...] | None:
    """Lines with the value of the statement, for code that is added after it; None if there are none."""
    if isinstance(statement, nodes.VariableDeclaration):
        return (statement.name.id,)
    if isinstance(statement, nodes.Reassignment):
        return (lines.text[lines.start(statement.target) : lines.end(statement.target)],)
    if isinstance(statement, nodes.TupleDeclaration):
        return (f"[{', '.join(name.id for name in statement.names)}]",)
    return None


def _compiled(edits: list[_Edit], words: str, line: int, libraries: tuple[str, ...]) -> tuple[Program, _Edit]:
    """The first changed script that compiles. Raises DoesNotCompile with the error of the first one if none does."""
    first: DoesNotCompile | None = None
    for edit in edits:
        changed = open_program(edit.text, libraries, fresh=True)
        fault = next((one for one in changed.diagnostics if one.severity is Severity.ERROR), None)
        if fault is None:
            return changed, edit
        told = f"'{words}' is not an expression at line {line}: {fault.message}"
        first = first or DoesNotCompile(told, fault.hint)
    assert first is not None
    raise first


# the run


class _Runs(ExpressionWatch):
    """Notes the values in one run of the line on the bar."""

    def __init__(self, bar: int, place: ScriptPlace, own: Callable[[int], int]) -> None:
        super().__init__(bar)
        self.marker = -1
        self.all = 0
        """The number of runs of the line on the bar."""
        self.count = 0
        """The number of runs of the line that the wanted call led to."""
        self.ways: dict[tuple[_Call, ...], int] = {}
        """The calls that led to the line on the bar, each with the number of runs."""
        self.way: tuple[_Call, ...] = ()
        self.run = 0
        """The run whose values are shown, from 1; 0 if there is none."""
        self._place = place
        self._own = own
        self.whole: ExpressionPart | None = None
        """The part of the tree that is the whole expression of the question; None until it was evaluated."""
        self.chosen: Evaluation | None = None
        """The evaluation of `whole` in the chosen run."""

    def follow(self, execution: Execution) -> None:
        """Note values in `execution` from now on."""
        known, bar = self.known, self.bar

        def note(number: int, value: Any) -> Any:
            i = execution.index
            if number == self.marker:
                if i == bar:
                    called = execution.code.calls(sys._getframe(1))
                    self._ran(tuple(_Call(self._own(line), text) for line, text in called))
                return value
            if i == bar:
                self.see(number, self.plain(number, value))
            if number not in known and plain(value) is not None:
                known[number] = i
            return value

        execution.watch(note)

    def _ran(self, way: tuple[_Call, ...]) -> None:
        self.all += 1
        self.ways[way] = self.ways.get(way, 0) + 1
        if self._place.call and not any(_is_asked(self._place.call, call) for call in way):
            return
        self.count += 1
        if self._place.iteration in (None, self.count):
            self.run, self.way = self.count, way
            self.chosen = self.seen(self.whole) if self.whole is not None else None

    def choose(self, function: nodes.Node | None) -> None:
        """Let names of `function` be known in the chosen run, too."""
        if function is None or len(self.ways) < 2:
            return
        for node in walk(function):  # its first bar with a value may be one of another call
            number = self.numbers.get(node, -1)
            if number in self.known:
                self.known[number] = min(self.known[number], self.bar)


def _is_asked(asked: str, call: _Call) -> bool:
    return asked.strip() == str(call.line) or "".join(asked.split()) == "".join(call.text.split())


def _told(request: Request, program: Program, edit: _Edit, expression: str, bar: int, place: ScriptPlace) -> Why:
    def own(line: int) -> int:
        if line < edit.first:
            return line
        return place.line if line < edit.first + edit.length else line - edit.length

    declaration, marker = _added(program, edit.name)
    asked = asked_in(program, declaration, expression.strip())
    watch = _Runs(bar, place, own)
    given = _given(program, marker)
    arguments: dict[object, list[nodes.Node]] = {}
    for symbol, _, argument in given:
        arguments.setdefault(symbol, []).append(argument)
    watch.whole = whole = Tree(program, watch, own, arguments).part(asked)
    reaching = BlockingConditions(program, marker, watch, own)
    watch.marker = watch.number(marker)
    error, result = run_watched(program, request, watch)
    refuse_failing(program, asked, result, range(edit.first, edit.first + edit.length), bar)
    if not watch.all:
        return _not_run(
            request, program, reaching, asked, Why(bar, request.bars.time[bar], expression, None, [], [], error), place
        )
    if not watch.run:
        raise UsageError(*_no_such_run(watch, place))
    watch.choose(_function_of(program, marker))
    others = {watch.number(argument) for _, call, argument in given if _call(program, call, own) not in watch.way[-1:]}
    _leave_out(whole, others)
    told = answer_of(whole, watch, request, expression, error, watch.chosen)
    return replace(told, note=_note(watch, place))


def _added(program: Program, name: str) -> tuple[nodes.Node, nodes.Node]:
    """Return the declaration that holds the expression, and the statement that counts its runs."""
    every = [node for chunk in program.document.chunks for node in walk(chunk.body)]
    declared = next(one for one in every if isinstance(one, nodes.VariableDeclaration) and one.name.id == name)
    counted = (one for one in every if isinstance(one, nodes.Reassignment) and isinstance(one.target, nodes.Name))
    return declared, next(one for one in counted if one.target.id == f"{name}_ran")  # type: ignore[attr-defined]


def _given(program: Program, node: nodes.Node) -> list[tuple[VariableSymbol, nodes.Call, nodes.Node]]:
    """The parameters of the function around a node, with each call and its argument."""
    function = _function_of(program, node)
    if function is None:
        return []
    symbols = {
        symbol.name: symbol
        for each in walk(function.body)
        if isinstance(each, nodes.Name) and isinstance(symbol := program.symbol_of(each), VariableSymbol)
        if symbol.kind == "parameter"
    }
    return [
        (symbols[name], call, argument)
        for call in calls_of(program, function)
        for name, argument in arguments_of(call, function).items()
        if name in symbols
    ]


def _function_of(program: Program, node: nodes.Node) -> nodes.FunctionDeclaration | None:
    for chunk in program.document.chunks:
        for statement in chunk.body:
            if isinstance(statement, nodes.FunctionDeclaration) and any(each is node for each in walk(statement)):
                return statement
    return None


def _call(program: Program, call: nodes.Call, own: Callable[[int], int]) -> _Call:
    span = program.span(call)
    text = program.document.text[span.start : span.end]
    return _Call(own(program.document.lines.position(span.start).line), " ".join(text.split()))


def _leave_out(part: ExpressionPart, numbers: set[int]) -> None:
    """Remove the parts with these numbers."""
    part.parts = [each for each in part.parts if each.number not in numbers]
    for each in part.parts:
        _leave_out(each, numbers)


# the words


def _not_run(
    request: Request, program: Program, reaching: BlockingConditions, asked: nodes.Node, answer: Why, place: ScriptPlace
) -> Why:
    """The answer for a line that did not run: the conditions that kept it from running, and the value of an expression
    that the global scope has, too."""
    answer.ran = False
    words = f"line {place.line} did not run on this bar"
    if answer.error is not None:
        answer.note = words
        return answer
    barriers = reaching.barriers(answer.bar) if reaching.ways else []
    for barrier in barriers:
        answer.reasons += _kept_from(barrier, words)
        if barrier.part is not None:
            answer.parts.append(barrier.part)
    if not barriers:
        why_not = "no code calls its function" if not reaching.ways else "the conditions around it do not show why"
        answer.reasons = [f"{words}: {why_not}"]
    if not _is_global(program, asked):
        return answer
    whole = why(request, answer.expression, answer.bar)
    parts = [*answer.parts, *whole.parts]
    return replace(whole, reasons=[*answer.reasons, *whole.reasons], parts=parts)


def _kept_from(barrier: Barrier, words: str) -> list[str]:
    """Sentences from the line that did not run to the nearest cause."""
    part = barrier.part
    first, *more = (barrier.reasons[0].partition(": ")[2], *barrier.reasons[1:])
    value = part.value if part is not None and part.evaluated else None
    if not isinstance(value, bool):
        return [f"{words} because of line {barrier.line}: {first}", *more]
    was = "true" if value else "false"
    return [f"{words}: the condition in line {barrier.line} was {was}", *(more or [first])]


def _is_global(program: Program, asked: nodes.Node) -> bool:
    """Whether all variables of an expression are in the global scope."""
    symbols = (program.symbol_of(node) for node in walk(asked) if isinstance(node, nodes.Name))
    return all(symbol.scope.kind == "global" for symbol in symbols if isinstance(symbol, VariableSymbol))


def _no_such_run(watch: _Runs, place: ScriptPlace) -> tuple[str, str]:
    if place.call and not watch.count:
        known = ", ".join(dict.fromkeys(str(call) for way in watch.ways for call in way))
        return (
            f"line {place.line} did not run in a call '{place.call}' on this bar",
            f"it ran in {known}" if known else "it is not in a function",
        )
    return f"line {place.line} ran {_times(watch.count)} on this bar", f"expected a number from 1 to {watch.count}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _note(watch: _Runs, place: ScriptPlace) -> str:
    """Which run of the line is told."""
    way = ", in ".join(str(call) for call in reversed(watch.way))
    told = f"line {place.line} ran {_times(watch.count)} on this bar"
    if place.call:
        told += f" in the call '{place.call}'"
    if watch.count > 1:
        told += f"; this is run {watch.run}"
    if way:
        told += f", in {way}"
    others = [" in ".join(str(call) for call in reversed(one)) for one in watch.ways if one != watch.way]
    if others and not place.call:
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        told += f"; it also ran in {', '.join(others[:_NAMED])}{more}"
    return told
