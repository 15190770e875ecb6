"""Consistency warnings: calls that depend on history but do not run on every bar (CW10002, CW10003, CW10004, CW10018).

These rules were derived from TradingView's answers. A call depends on history if its callee does, directly or through
the functions that it calls. It is inconsistent under a series condition, in a loop, in a `once`, or after `and` and
`or`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pinebench import reference
from pinebench.checker.argument_text import path_of
from pinebench.checker.builtins import Signature, signature
from pinebench.checker.checker import Checker
from pinebench.checker.functions import generic_frame
from pinebench.checker.parts import Parts
from pinebench.checker.symbols import BranchCondition, Frame, FunctionSymbol, ImportSymbol, ResolvedCall, VariableSymbol
from pinebench.checker.types import SERIES
from pinebench.records import NamedTuple
from pinebench.syntax import nodes
from pinebench.syntax.walk import children, walk

_BLOCK = "CW10003"
_TERNARY = "CW10004"
_LOGICAL = "CW10002"


def warn(checker: Checker, functions: Iterable[FunctionSymbol] = ()) -> None:
    """Report every inconsistent call of a script. Code that has no types because of an error causes no warnings.

    `functions` are functions that are called from outside the checked text.
    """
    history = _History(checker)
    walker = _Walker(checker, history, checker.global_frame)
    for chunk in checker.document.chunks:
        kept = chunk.kept
        for statement in chunk.body:
            if type(statement) in _OPAQUE:
                continue
            doubtful = kept.get(statement)
            if doubtful is None:
                doubtful = kept[statement] = _doubtful((statement,), chunk.parts)
            if doubtful is not _NOTHING and walker.may_warn(doubtful):
                walker.parts = chunk.parts
                with checker.at(chunk.start):
                    walker.block((statement,), None)
    for function in called(checker, functions):
        chunk = history.chunks[function.offset]
        doubtful = chunk.kept.get(function.node)
        if doubtful is None:
            doubtful = chunk.kept[function.node] = _doubtful(function.node.body, chunk.parts)
        if doubtful is not _NOTHING:
            walker = _Walker(checker, history, generic_frame(checker, function))
            if walker.may_warn(doubtful):
                walker.parts = chunk.parts
                with checker.at(function.offset):
                    walker.body(function.node.body)


class _Doubtful(NamedTuple):
    """The calls and history references of code that may be skipped in part when it runs.

    `dependent` are the calls of built-ins that depend on history. The other calls depend on history only if `words`,
    the words in their callees, include functions of the script or of libraries.
    """

    calls: tuple[nodes.Call, ...] = ()
    histories: tuple[nodes.History, ...] = ()
    dependent: tuple[nodes.Call, ...] = ()
    words: frozenset[str] = frozenset()


_NOTHING = _Doubtful()


def _doubtful(statements: Sequence[nodes.Node], parts: Mapping[nodes.Node, Parts]) -> _Doubtful:
    """Collect the calls and history references of a body, which is a function's or the script's. `parts` holds the
    parts of its chunk."""
    if _always_runs(statements, parts):
        return _NOTHING
    every = list(parts.values())
    calls = tuple(call for each in every for call in each.calls)
    histories = tuple(history for each in every for history in each.histories)
    if not calls and not histories:
        return _NOTHING
    paths = [path_of(call.callee) for call in calls]
    dependent = tuple(call for call, path in zip(calls, paths, strict=True) if path is not None and _is_dependent(path))
    words = {word for path in paths if path is not None for word in path.split(".")}
    words.update(call.callee.name for call in calls if isinstance(call.callee, nodes.Member))
    return _Doubtful(calls, histories, dependent, frozenset(words))


def _is_dependent(path: str) -> bool:
    """Whether `path` is a built-in function that depends on history. No built-in method does."""
    builtin = signature(path)
    return builtin is not None and builtin.function.history_dependent


def _always_runs(statements: Sequence[nodes.Node], parts: Mapping[nodes.Node, Parts]) -> bool:
    """Whether each call in a body runs whenever the body runs."""
    for statement in statements:
        kind = type(statement)
        attribute = _VALUES.get(kind)
        if attribute is None:
            if kind in _OPAQUE:
                continue
            return False
        value = getattr(statement, attribute)
        found = parts.get(value)
        if found is None:
            if type(value) not in _OPAQUE:
                return False
        elif not _is_plain(found):
            return False
        if isinstance(statement, nodes.Reassignment) and not isinstance(statement.target, nodes.Name):
            return False
    return True


def _is_plain(parts: Parts) -> bool:
    """Whether all calls of an expression run whenever it is evaluated."""
    return not parts.structures and not (parts.branches and parts.calls)


def called(checker: Checker, functions: Iterable[FunctionSymbol] = ()) -> list[FunctionSymbol]:
    """Return the functions of this script that are called, including `functions`. TradingView does not warn about calls
    in a function that is never called."""
    found: dict[FunctionSymbol, None] = dict.fromkeys(functions)
    frames = [checker.global_frame, *(frame for function in found for frame in function.frames.values())]
    while frames:
        for call in frames.pop().calls.values():
            target = call.target
            if isinstance(target, FunctionSymbol) and target.owner is None and target not in found:
                found[target] = None
                frames.extend(target.frames.values())
    return list(found)


def depends_on_history(checker: Checker, function: FunctionSymbol) -> tuple[bool, bool]:
    """Return two bools: whether a call of `function` depends on history, and whether this makes calls of its callers
    depend on it too."""
    history = _History(checker)
    through = history.of(function)
    return through or history.indexes(function, globals_too=True), through


class _History:
    """Decides which functions depend on history. The results are cached."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker
        self.chunks = {chunk.start: chunk for chunk in checker.document.chunks}
        self.transitive: dict[FunctionSymbol, bool] = {}
        self.indexing: dict[tuple[FunctionSymbol, bool], bool] = {}
        self._named: set[str] | None = None

    @property
    def named(self) -> set[str]:
        """All words that may be names of the script's functions, of libraries, or of their functions."""
        if self._named is None:
            self._named = self._find_named()
        return self._named

    def _find_named(self) -> set[str]:
        bindings = self.checker.bindings
        names = {*bindings.functions, *bindings.imports}
        for library in bindings.imports.values():
            if library.source is not None:
                names.update(library.source.bindings.functions)
        return names

    def depends(self, call: ResolvedCall, node: nodes.Call) -> bool:
        """Return whether the callee of `call` depends on history."""
        target = call.target
        if isinstance(target, Signature):
            return target.function.history_dependent
        if isinstance(target, FunctionSymbol):
            return self.of(target) or self.indexes(target, globals_too=True)
        if isinstance(target, ImportSymbol) and target.source is None and isinstance(node.callee, nodes.Member):
            dependent = reference.library_history_dependent(target.path)
            return dependent is not None and node.callee.name in dependent
        return False

    def of(self, function: FunctionSymbol) -> bool:
        """Return whether a function depends on history, because it uses the history of its own variables or because of
        the functions that it calls."""
        known = self.transitive.get(function)
        if known is not None:
            return known
        self.transitive[function] = False
        result = self.indexes(function, globals_too=False) or any(
            self.passes_on(call, node)
            for frame in function.frames.values()
            for node, call in frame.calls.items()
            if isinstance(node, nodes.Call)
        )
        self.transitive[function] = result
        return result

    def passes_on(self, call: ResolvedCall, node: nodes.Call) -> bool:
        """Return `depends` without histories of the user's global variables, which do not count for the callers of
        callers."""
        if isinstance(call.target, FunctionSymbol):
            return self.of(call.target)
        return self.depends(call, node)

    def indexes(self, function: FunctionSymbol, *, globals_too: bool) -> bool:
        """Return whether the body uses the history of a parameter, a local variable or `bar_index`; with `globals_too`,
        also of a user's global variable."""
        key = function, globals_too
        if key not in self.indexing:
            self.indexing[key] = any(self.is_indexed(node, globals_too) for node in self.histories(function))
        return self.indexing[key]

    def histories(self, function: FunctionSymbol) -> Iterator[nodes.History]:
        """Return the history references in the body of a function."""
        if function.owner is not None:
            yield from (node for node in walk(function.node.body) if isinstance(node, nodes.History))
            return
        for parts in list(self.chunks[function.offset].parts.values()):
            yield from parts.histories

    def is_indexed(self, node: nodes.History, globals_too: bool) -> bool:
        if not isinstance(node.object, nodes.Name):
            return False
        symbol = self.checker.bindings.variables.get(node.object)
        if symbol is None:
            return node.object.id == "bar_index"
        return globals_too or symbol.scope.function is not None


class _Walker:
    """Walks one body. The parameter `code` of its methods is the code to report for a call that depends on history. It
    is None for code that runs on every bar."""

    def __init__(self, checker: Checker, history: _History, frame: Frame) -> None:
        self.checker = checker
        self.history = history
        self.frame = frame
        self.parts: Mapping[nodes.Node, Parts] = {}
        self.skipping: dict[BranchCondition, bool] = {}

    def may_warn(self, doubtful: _Doubtful) -> bool:
        """Return whether the code contains anything to warn about. Most code does not, and is not walked then."""
        found, depends = self.frame.calls, self.history.depends
        for node in doubtful.dependent if doubtful.words.isdisjoint(self.history.named) else doubtful.calls:
            call = found.get(node)
            if call is not None and depends(call, node):
                return True
        variables = self.checker.bindings.variables
        symbols = (variables.get(node.object) for node in doubtful.histories)
        return any(symbol is not None and symbol.scope.parent is not None for symbol in symbols)

    def body(self, statements: Sequence[nodes.Node]) -> None:
        """Walk a function's body, whose last statement is its value."""
        self.block(statements[:-1], None)
        for statement in statements[-1:]:
            self.visit(statement, None)

    def block(self, statements: Sequence[nodes.Node], code: str | None) -> None:
        known = self.parts
        for statement in statements:
            kind = type(statement)
            attribute = _VALUES.get(kind)
            value = getattr(statement, attribute) if attribute is not None else None
            parts = known.get(value) if value is not None else None
            if isinstance(statement, nodes.Switch):
                self.switch(statement, code, _BLOCK)
            elif parts is None or kind is nodes.Reassignment or not _is_plain(parts):
                self.visit(statement, code)
            elif parts.histories or (code is not None and parts.calls):
                self.plain(parts, code)

    def visit(self, node: nodes.Node, code: str | None) -> None:
        kind = type(node)
        if kind in _OPAQUE:
            return
        parts = self.parts.get(node)
        if parts is not None and _is_plain(parts):
            self.plain(parts, code)
            return
        handler = _VISITS.get(kind)
        if handler is not None:
            handler(self, node, code)
        else:
            self.each(children(node), code)

    def each(self, parts: Iterable[nodes.Node], code: str | None) -> None:
        for part in parts:
            if type(part) not in _OPAQUE:
                self.visit(part, code)

    def plain(self, parts: Parts, code: str | None) -> None:
        """Check the calls and history references of an expression whose calls all run when it is evaluated."""
        if code is not None:
            for call in parts.calls:
                self.called(call, code)
        for history in parts.histories:
            self.referenced(history)

    def value(self, node: nodes.NamedArgument | nodes.VariableDeclaration, code: str | None) -> None:
        self.visit(node.value, code)

    def is_series(self, node: nodes.Node | None) -> bool:
        type_ = self.frame.types.get(node) if node is not None else None
        return type_ is not None and type_.qualifier == SERIES

    def call(self, node: nodes.Call, code: str | None) -> None:
        self.visit(node.callee, code)
        self.each(node.arguments, code)
        if code is not None:
            self.called(node, code)

    def called(self, node: nodes.Call, code: str) -> None:
        call = self.frame.calls.get(node)
        if call is None or not self.history.depends(call, node):
            return
        self.checker.report(code, node, functionName=_name(call, node))

    def binary(self, node: nodes.Binary, code: str | None) -> None:
        left: nodes.Node = node
        while isinstance(left, nodes.Binary):
            self.visit(left.right, _LOGICAL if left.operator in ("and", "or") else code)
            left = left.left
        self.visit(left, code)

    def ternary(self, node: nodes.Ternary, code: str | None) -> None:
        tail: nodes.Node = node
        while isinstance(tail, nodes.Ternary):
            self.visit(tail.condition, code)
            code = _TERNARY if self.is_series(tail.condition) else code
            self.visit(tail.then, code)
            tail = tail.otherwise
        self.visit(tail, code)

    def if_(self, node: nodes.If, code: str | None) -> None:
        link: nodes.Node = node
        while isinstance(link, nodes.If):  # an `else if` chain may be long
            self.visit(link.condition, code)
            code = _BLOCK if self.is_series(link.condition) else code
            self.block(link.body, code)
            rest = link.otherwise or []
            if len(rest) != 1:
                self.block(rest, code)
                return
            link = rest[0]
        self.block([link], code)

    def switch(self, node: nodes.Switch, code: str | None, arm: str = _TERNARY) -> None:
        """Walk a switch. `arm` is the code for calls in its arms: an arm of a switch whose value is used counts like
        a branch of a ternary."""
        inner = code
        if node.subject is not None:
            self.visit(node.subject, code)
            inner = arm if self.is_series(node.subject) else code
        for case in node.cases:
            if case.condition is not None:
                self.visit(case.condition, code)
                if node.subject is None and self.is_series(case.condition):
                    inner = arm
            self.block(case.body, inner)

    def one_block(self, node: nodes.OneBlock, code: str | None) -> None:
        below = children(node)
        self.each(below[: len(below) - len(node.body)], code)
        self.block(node.body, _BLOCK)

    def history_reference(self, node: nodes.History, code: str | None) -> None:
        self.visit(node.object, code)
        self.visit(node.offset, code)
        self.referenced(node)

    def referenced(self, node: nodes.History) -> None:
        symbol = self.checker.bindings.variables.get(node.object)
        if symbol is not None and self.may_be_skipped(symbol):
            self.checker.report("CW10018", node, value=symbol.name)

    def may_be_skipped(self, symbol: VariableSymbol) -> bool:
        """Return whether a variable is declared in a block that does not run on every bar."""
        if symbol.kind not in ("variable", "tuple"):
            return False
        scope = symbol.scope
        if self.may_skip(scope.condition):
            return True
        while scope.parent is not None and scope.kind not in ("function", "loop"):
            scope = scope.parent
        return scope.kind == "loop"

    def may_skip(self, condition: BranchCondition | None) -> bool:
        """Return whether `condition` or an outer one does not hold on every bar. Each result is cached."""
        passed: list[BranchCondition] = []
        while condition is not None and condition not in self.skipping and not self.is_selective(condition.node):
            passed.append(condition)
            condition = condition.outer
        result = condition is not None and self.skipping.get(condition, True)
        self.skipping.update(dict.fromkeys(passed, result))
        return result

    def is_selective(self, node: nodes.Node) -> bool:
        return isinstance(node, nodes.ONE_TIME) or self.is_series(node)


_VISITS: dict[type, Callable[[_Walker, Any, str | None], None]] = {
    nodes.NamedArgument: _Walker.value,
    nodes.VariableDeclaration: _Walker.value,
    nodes.Call: _Walker.call,
    nodes.Binary: _Walker.binary,
    nodes.Ternary: _Walker.ternary,
    nodes.If: _Walker.if_,
    nodes.Switch: _Walker.switch,
    **dict.fromkeys((*nodes.LOOPS, *nodes.ONE_TIME), _Walker.one_block),
    nodes.History: _Walker.history_reference,
}
_OPAQUE = frozenset(
    (
        *(nodes.FunctionDeclaration, nodes.TypeDeclaration, nodes.EnumDeclaration, nodes.Import),
        *(nodes.TypeReference, nodes.Name, nodes.Literal),
    )
)


_VALUES: dict[type, str] = {
    nodes.VariableDeclaration: "value",
    nodes.TupleDeclaration: "value",
    nodes.Reassignment: "value",
    nodes.ExpressionStatement: "expression",
}
"""The attribute with the expression of each class of statement that is not a structure."""


def _name(call: ResolvedCall, node: nodes.Call) -> str:
    if isinstance(call.target, Signature | FunctionSymbol):
        return call.target.name
    return node.callee.name if isinstance(node.callee, nodes.Member) else ""
