"""Explains the value of an expression on a bar, by the values of its parts and the assignments of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

from pinebench.backtesting.backtest import OrdersWatch
from pinebench.checker import BOOL, COLOR, Program, VariableSymbol, open_program
from pinebench.diagnostics import Severity, Span
from pinebench.errors import DoesNotCompile, UsageError
from pinebench.runtime import Array, Execution, Map, Matrix, Result, Watch, shown
from pinebench.syntax import nodes
from pinebench.syntax.lines import LineIndex
from pinebench.syntax.walk import children, walk
from pinebench.workers.jobs import opened, run_observed
from pinebench.workers.request import Request

_MOST_PARTS = 300
_DEEPEST = 12
_LONGEST = 200
_ELEMENTS = 10
"""The number of first elements of a collection that are shown."""
_ASKED = "pinebench_asked"
"""The name of the variable that holds the asked expression; a script that has it already gets a number after it."""


@dataclass
class ExpressionPart:
    """A part of an expression, and its value on the bar.

    `line` is its line in the script (from 1). `value` is the value from which the result of the whole expression was
    computed; None stands for na. `evaluated` counts the evaluations of the part on the bar, up to the one that gave
    this value. It is 0, and `value` is None, if the result was computed without the part. Then `is_other` is True if
    the part was evaluated later on the bar, in another iteration of a loop, or in another call. `known` is the first
    bar on which the value was not na, or None if there is none. `sets` is true for an assignment to the variable that
    contains this part.
    """

    text: str
    line: int
    value: Any = None
    evaluated: int = 0
    known: int | None = None
    sets: bool = False
    parts: list[ExpressionPart] = field(default_factory=list)
    number: int = 0
    """The number under which the run noted its value."""
    operator: str = ""
    """The kind of the part: an operator, `call`, `history`, `name`, `choice` or `assignment`."""
    begins: bool = False
    """Whether it is an assignment that comes first each time that its block runs, so that earlier ones do not count."""
    at: int = 0
    """The rank of the evaluation: a number that grows with each evaluation of the bar."""
    is_other: bool = False

    @property
    def told(self) -> str:
        """The value, formatted for people."""
        if self.evaluated:
            return written(self.value)
        return "not evaluated for this value" if self.is_other else "not evaluated"

    def report(self) -> dict[str, Any]:
        """Return the part as JSON values."""
        return {
            "text": self.text,
            "line": self.line,
            "value": self.value,
            "evaluated": self.evaluated,
            "parts": [part.report() for part in self.parts],
        }


class Evaluation(NamedTuple):
    """One evaluation of a part. `number` counts the part's evaluations on the bar, and `at` counts the evaluations of
    all parts. `below` holds the evaluations from which this one was computed."""

    value: Any
    number: int
    at: int
    below: list[tuple[ExpressionPart, Evaluation]]


@dataclass
class Why:
    """The answer for one expression on one bar; `reasons` are sentences, with the nearest cause last."""

    bar: int
    time: int
    expression: str
    value: Any
    reasons: list[str]
    parts: list[ExpressionPart]
    error: str | None = None
    """The error that stopped the script before or on the bar."""
    note: str = ""
    """The run of a line inside a block or a function that is explained, in words; empty for the global scope."""
    ran: bool = True
    """Whether the expression has a value: its line ran on the bar, or the global scope has it, too."""

    @property
    def text(self) -> str:
        """The value, formatted for people."""
        return written(self.value) if self.ran else "not evaluated"

    def report(self) -> dict[str, Any]:
        """Return the answer as JSON values."""
        return {
            "bar": self.bar,
            "time": self.time,
            "expression": self.expression,
            "value": self.value,
            "reasons": self.reasons,
            "parts": [part.report() for part in self.parts],
            "note": self.note,
            "ran": self.ran,
            "error": self.error,
        }


def why(request: Request, expression: str, bar: int) -> Why:
    """Run the script, and explain the value of an expression of its global scope on the bar `bar` (from 0).

    Call this function in a worker. Raises UsageError for an expression that is not valid there or has side effects, and
    the errors of a run.
    """
    program, asked = _with(opened(request.source, request.libraries), expression, request.libraries)
    watch = ExpressionWatch(bar)
    whole = Tree(program, watch).part(asked, 0)
    error, result = run_watched(program, request, watch)
    refuse_failing(program, asked, result, range(whole.line, whole.line + 1), bar)
    return answer_of(whole, watch, request, expression, error)


def answer_of(
    whole: ExpressionPart,
    watch: ExpressionWatch,
    request: Request,
    expression: str,
    error: str | None,
    seen: Evaluation | None = None,
) -> Why:
    """Return the answer for the expression `whole` after the run, from its evaluation `seen` (default: the last
    one)."""
    fill(whole, watch, seen)
    told = whole.parts if whole.operator == "name" and whole.parts else [whole]
    reasons = [] if error is not None else reasons_of(whole, watch.bar)
    return Why(watch.bar, request.bars.time[watch.bar], expression.strip(), whole.value, reasons, told, error)


def _with(program: Program, expression: str, libraries: tuple[str, ...]) -> tuple[Program, nodes.Node]:
    """The script with the expression at its end, and the expression's node."""
    text, words = program.document.text, expression.strip()
    if not words or "\n" in words:
        raise UsageError("expected an expression on one line", "for example, close > open")
    refuse_faulty(program, "the script does not compile")
    name = next(name for k in range(100) if (name := f"{_ASKED}{k or ''}") not in program.globals)
    break_ = "" if text.endswith("\n") else "\n"
    changed = open_program(f"{text}{break_}{name} = {words}\n", libraries, fresh=True)
    refuse_faulty(changed, f"'{words}' is not an expression of the script's global scope")
    return changed, asked_in(changed, changed.document.chunks[-1].body[-1], words)


def own_lines(source: str) -> int:
    """Return the number of a script's lines. An expression that the user asks about is put on the line after them."""
    return len(LineIndex(source)) - source.endswith("\n")


def asked_in(program: Program, declaration: nodes.Node, words: str) -> nodes.Node:
    """Return the expression of a declaration that was added to the script. `words` is its text for messages. Raises
    UsageError if it is not an expression, or has side effects."""
    if not isinstance(declaration, nodes.VariableDeclaration) or isinstance(declaration.value, nodes.STRUCTURES):
        raise UsageError(f"'{words}' is not an expression", "for example, close > open")
    if program.effects(declaration.value).changes:
        raise UsageError(
            f"'{words}' has side effects, so its value cannot be explained", "ask for an expression without calls"
        )
    return declaration.value


def shown_below(part: ExpressionPart) -> list[ExpressionPart]:
    """Return the parts to show below `part`. If an assignment already shows the text of its only part, the parts of
    that part are returned instead."""
    if not part.evaluated:
        return []
    only = part.parts[0] if len(part.parts) == 1 else None
    return only.parts if only is not None and part.sets and part.text.endswith(f"= {only.text}") else part.parts


def refuse_faulty(program: Program, why: str) -> None:
    """Raise DoesNotCompile, with `why` before the first error, if the script does not compile."""
    for found in program.diagnostics:
        if found.severity is Severity.ERROR:
            raise DoesNotCompile(f"{why}: {found.message}", found.hint)


def refuse_failing(program: Program, asked: nodes.Node, result: Result, lines: range, bar: int) -> None:
    """Raise UsageError if the run stopped because of the expression `asked`, which was added in `lines`, and not
    because of the script itself."""
    if result.error is None or all(frame.line not in lines for frame in result.error.stack):
        return
    words, type_ = " ".join(program.text_of(asked).split()), program.type_of(asked)
    is_bool = type_ is not None and type_.base is BOOL
    only = f"bar_index == {bar} and {words}" if is_bool else f"bar_index == {bar} ? {words} : na"
    raise UsageError(
        f"'{words}' stops with an error: {result.error.message}",
        f"the error is in the expression, not in the script; ask for {only} to evaluate it on this bar only",
    )


def run_watched(
    program: Program, request: Request, watch: Watch, orders: OrdersWatch | None = None
) -> tuple[str | None, Result]:
    """Run the script while `watch` records values. Return the message of the error that stopped it, or None, and the
    result. `orders` records the lives of a strategy's orders."""
    result = run_observed(program, request, watch=watch, trading={"orders": orders}).result
    return (None if result.error is None else result.error.message), result


class ExpressionWatch:
    """Records the last evaluation of each watched expression on one bar, and the first bar on which it was not na."""

    def __init__(self, bar: int) -> None:
        self.bar = bar
        self.numbers: dict[nodes.Node, int] = {}
        self.parts: dict[int, list[ExpressionPart]] = {}
        """The parts with a number."""
        self.colors: set[int] = set()
        """The numbers of the expressions whose values are colours."""
        self.known: dict[int, int] = {}
        self._now = 0
        self._seen: dict[int, Evaluation] = {}
        """The last evaluation of each part, by its `id`."""

    def number(self, node: nodes.Node) -> int:
        """Return the number under which the values of `node` are recorded."""
        return self.numbers.setdefault(node, len(self.numbers))

    def follow(self, execution: Execution) -> None:
        """Record values of `execution` from now on."""
        known, bar = self.known, self.bar

        def note(number: int, value: Any) -> Any:
            i = execution.index
            if i == bar:
                self.see(number, self.plain(number, value))
            if number not in known and plain(value) is not None:
                known[number] = i
            return value

        execution.watch(note)

    def plain(self, number: int, value: Any) -> Any:
        """Return a value of the expression with this number as a JSON value."""
        if number not in self.colors:
            return plain(value)
        if isinstance(value, Array):
            return plain(Array([_color_text(each) for each in value.items]))
        return _color_text(plain(value))

    def see(self, number: int, value: Any) -> None:
        """Record an evaluation of the expression with this number on the bar."""
        self._now += 1
        for part in self.parts.get(number, ()):
            before = self.seen(part)
            count, since = (before.number, before.at) if before is not None else (0, 0)
            self._seen[id(part)] = Evaluation(value, count + 1, self._now, self._below(part, value, since))

    def seen(self, part: ExpressionPart) -> Evaluation | None:
        """Return the last evaluation of a part on the bar, or None."""
        return self._seen.get(id(part))

    def _below(self, part: ExpressionPart, value: Any, since: int) -> list[tuple[ExpressionPart, Evaluation]]:
        """The evaluations from which a part got its value; it was evaluated before at the moment `since`."""
        ran = [(each, seen) for each in part.parts if (seen := self.seen(each)) is not None]
        if part.operator != "name":
            return [(each, seen) for each, seen in ran if each.sets or seen.at > since]
        ran.sort(key=lambda one: one[1].at)
        begin = max((k for k, (each, _) in enumerate(ran) if each.begins), default=0)
        del ran[:begin]
        while ran and _differ(ran[-1][1].value, value):  # it set the same variable in another call of the function
            ran.pop()
        return ran


def _differ(assigned: Any, value: Any) -> bool:
    """Whether two values are different numbers, truth values or na; everything else can change after its assignment."""
    return assigned != value and all(one is None or isinstance(one, int | float) for one in (assigned, value))


class Tree:
    """Builds the tree of an expression's parts, down to the assignments of its variables. `own` maps a line of the
    program to a line of the user's script. `given` maps parameters to their arguments."""

    def __init__(
        self,
        program: Program,
        watch: ExpressionWatch,
        own: Callable[[int], int] | None = None,
        given: Mapping[object, list[nodes.Node]] = MappingProxyType({}),
    ) -> None:
        self._program = program
        self._watch = watch
        self._left = _MOST_PARTS
        self._shown: set[VariableSymbol] = set()
        self._assigned = _assignments(program) | dict(given)
        self._own = own or (lambda line: line)

    def part(self, node: nodes.Node, depth: int = 0, sets: bool = False) -> ExpressionPart:
        """Return the part for `node` with the parts below it. `depth` is its level below the root. `sets` is True for
        an assignment to the variable of the part above."""
        while isinstance(node, nodes.Parenthesized):
            node = node.expression
        self._left -= 1
        span = _span(self._program, node)
        text = " ".join(self._program.document.text[span.start : span.end].split())
        line = self._own(self._program.document.lines.position(span.start).line)
        short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        number = self._watch.number(node)
        type_ = self._program.type_of(node.value if isinstance(node, _ASSIGNMENTS) else node)
        if type_ is not None and COLOR in (type_.base, *type_.base.arguments):
            self._watch.colors.add(number)
        operator, begins = _operator(node), sets and _begins(node)
        found = ExpressionPart(short, line, sets=sets, number=number, operator=operator, begins=begins)
        self._watch.parts.setdefault(number, []).append(found)
        if depth < _DEEPEST:
            found.parts = [self.part(each, depth + 1, sets) for each, sets in self._below(node) if self._left > 0]
        return found

    def _below(self, node: nodes.Node) -> Iterator[tuple[nodes.Node, bool]]:
        if isinstance(node, nodes.Name | nodes.Member):
            symbol = self._program.symbol_of(node)
            if isinstance(symbol, VariableSymbol) and symbol not in self._shown:
                self._shown.add(symbol)
                yield from ((statement, True) for statement in self._assigned.get(symbol, ()))
            return
        if isinstance(node, _ASSIGNMENTS):
            if not isinstance(node.value, nodes.STRUCTURES):
                yield from self._visible([node.value])
            return
        if isinstance(node, nodes.History):
            return  # code that looks back must find the expression itself
        yield from self._visible(_operands(node))

    def _visible(self, parts: Iterable[nodes.Node]) -> Iterator[tuple[nodes.Node, bool]]:
        """The parts that say something: no constants."""
        for each in parts:
            inner = each
            while isinstance(inner, nodes.Parenthesized):
                inner = inner.expression
            if not isinstance(inner, nodes.Literal | nodes.TupleExpression) and _has_value(self._program, inner):
                yield inner, False


def _span(program: Program, node: nodes.Node) -> Span:
    """The span of a node. For a node without a name in it, such as a literal, the checker knows only its parent's."""
    try:
        return program.span(node)
    except LookupError:
        inner = [_span(program, each) for each in children(node)]
        if not inner:
            raise
        shift = inner[0].start - next(iter(children(node))).start
        return Span(node.start + shift, node.end + shift)


def _operands(node: nodes.Node) -> Iterator[nodes.Node]:
    if isinstance(node, nodes.Call):
        for argument in node.arguments:
            yield argument.value if isinstance(argument, nodes.NamedArgument) else argument
    elif isinstance(node, nodes.Unary | nodes.Binary | nodes.Ternary):
        yield from children(node)


def _has_value(program: Program, node: nodes.Node) -> bool:
    """Whether a part has a value that says something: neither a constant nor the name of a constant."""
    type_ = program.type_of(node)
    return type_ is not None and type_.base.kind != "void" and not program.value_of(node)[0]


_ASSIGNMENTS = (nodes.VariableDeclaration, nodes.Reassignment)


def _assignments(program: Program) -> dict[object, list[nodes.Node]]:
    """The statements that assign each variable, in the order of the script."""
    found: dict[object, list[nodes.Node]] = {}
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            names: list[nodes.Node] = []
            if isinstance(node, nodes.VariableDeclaration):
                names = [node.name]
            elif isinstance(node, nodes.TupleDeclaration):
                names = [*node.names]
            elif isinstance(node, nodes.Reassignment):
                names = [node.target]
            for name in names:
                # Of a tuple, the value alone is noted, not the assignment of one of its names.
                is_whole = not isinstance(node, nodes.TupleDeclaration)
                found.setdefault(program.symbol_of(name), []).append(node if is_whole else node.value)
    return found


def _begins(node: nodes.Node) -> bool:
    """Whether an assignment is the first one each time that its block runs: a declaration without `var`, a tuple's
    value, an argument."""
    if isinstance(node, nodes.VariableDeclaration):
        return node.mode is None
    return not isinstance(node, nodes.Reassignment)


def _operator(node: nodes.Node) -> str:
    if isinstance(node, nodes.Unary | nodes.Binary):
        return node.operator
    if isinstance(node, _ASSIGNMENTS):
        return "assignment"
    kinds: Mapping[type, str] = {nodes.Call: "call", nodes.History: "history", nodes.Ternary: "choice"}
    return kinds.get(type(node), "name")


def fill(part: ExpressionPart, watch: ExpressionWatch, seen: Evaluation | None = None) -> None:
    """Copy the values that `watch` recorded into a part and the parts below it, from the evaluation `seen` (default:
    the last one)."""
    seen = seen or watch.seen(part)
    _fill(part, watch, seen, seen.at if seen is not None else 0)


def _fill(part: ExpressionPart, watch: ExpressionWatch, seen: Evaluation | None, end: int) -> None:
    part.value, part.evaluated, part.at = (seen.value, seen.number, seen.at) if seen is not None else (None, 0, 0)
    part.is_other = seen is None and watch.seen(part) is not None
    part.known = watch.known.get(part.number)
    below = {id(each): one for each, one in seen.below} if seen is not None else {}
    for each in part.parts:
        one, last = below.get(id(each)), watch.seen(each)
        if seen is None and each.sets and last is not None and last.at < end:
            one = last  # the value that the variable would have had
        _fill(each, watch, one, end)


def reasons_of(part: ExpressionPart, bar: int) -> list[str]:
    """Return sentences about a value, from the whole expression to the nearest cause."""
    told: list[str] = []
    current: ExpressionPart | None = part
    while current is not None and len(told) < _DEEPEST:
        sentence, current = _reason(current, bar)
        if sentence:
            told.append(sentence)
    return told


def _reason(part: ExpressionPart, bar: int) -> tuple[str, ExpressionPart | None]:
    """Why a part has its value, and the part that explains it further."""
    shown = [each for each in part.parts if each.evaluated]
    if not part.evaluated:
        return f"{part.text} was not evaluated on this bar", None
    if part.operator in ("name", "assignment"):
        last = max(shown, key=lambda each: each.at, default=None)
        return "", last if part.value is None or part.value is False else None
    if part.value is None:
        return _of_nothing(part, shown, bar)
    if part.value is False:
        return _of_false(part, shown)
    return "", None


def _of_nothing(part: ExpressionPart, shown: list[ExpressionPart], bar: int) -> tuple[str, ExpressionPart | None]:
    if part.operator == "/" and len(shown) and shown[-1].value == 0:
        return f"{part.text} is na: {shown[-1].text} is 0", None
    if part.operator == "history":
        return f"{part.text} is na: {_when(part.known, bar)}", None
    if part.operator == "call" and part.known is not None and part.known > bar:
        return f"{part.text} is na until bar {part.known}: it needs earlier bars", None
    for each in shown:
        if each.value is None:
            return f"{part.text} is na because {each.text} is na", each
    return f"{part.text} is na: {_when(part.known, bar)}", None


_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


def _when(known: int | None, bar: int) -> str:
    if known is None:
        return "it has no value on any bar"
    return f"its first value is on bar {known}" if known > bar else "it has no value on this bar"


def _of_false(part: ExpressionPart, shown: list[ExpressionPart]) -> tuple[str, ExpressionPart | None]:
    if part.operator in ("and", "or"):
        faulty = next((each for each in shown if each.value is False), None)
        # A comparison says it better itself.
        explains = faulty is not None and faulty.operator in (*_COMPARISONS, "and", "or")
        return ("" if faulty is None or explains else f"{faulty.text} is false"), faulty
    if part.operator in _COMPARISONS:
        missing = next((each for each in shown if each.value is None), None)
        if missing is not None:
            return f"{part.text} is false because {missing.text} is na", missing
        return _with_values(part, shown), None
    if part.operator == "call":
        missing = next((each for each in shown if each.value is None), None)
        if missing is not None:
            return f"{part.text} is false, and {missing.text} is na", missing
        return _with_values(part, shown), None
    return "", None


def _with_values(part: ExpressionPart, shown: list[ExpressionPart]) -> str:
    """That a part is false, with the values of the parts below it; empty if it has none."""
    values = ", ".join(f"{each.text} is {written(each.value)}" for each in shown)
    return f"{part.text} is false: {values}" if values else ""


# values


def plain(value: Any) -> Any:
    """Return a value of a script as a JSON value: na is None, and objects and collections are short descriptions."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int | float):
        return value if -1e308 < value < 1e308 else None
    if isinstance(value, Array):
        first = ", ".join(written(plain(each)) for each in list(value.items)[:_ELEMENTS])
        more = ", …" if len(value.items) > _ELEMENTS else ""
        return f"array of {len(value.items)}: [{first}{more}]"
    if isinstance(value, tuple):
        if all(plain(each) is None for each in value):
            return None
        return f"[{', '.join(written(plain(each)) for each in value)}]"
    kinds: Mapping[type, str] = {Matrix: "a matrix", Map: "a map"}
    return next((words for kind, words in kinds.items() if isinstance(value, kind)), "an object")


def _color_text(value: Any) -> Any:
    return shown.color_text(value) if value.__class__ is int else value


def written(value: Any) -> str:
    """Format a plain value for people."""
    if value is None:
        return "na"
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
