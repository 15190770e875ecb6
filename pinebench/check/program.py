"""What is known about a checked script, for every other room."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from pinebench.check.binder import Bindings, bind
from pinebench.check.builtins import OverloadSpec, ParameterSpec, Signature
from pinebench.check.checker import Checker, Libraries
from pinebench.check.consistency import warn
from pinebench.check.constants import Unfolded, Value, fold
from pinebench.check.contexts import empty_types
from pinebench.check.display import path_of
from pinebench.check.echoes import without_echoes
from pinebench.check.effects import Effects, EffectsOf
from pinebench.check.frames import Frame, ResolvedCall, frames_from
from pinebench.check.functions import check_uncalled
from pinebench.check.handlers import HANDLERS
from pinebench.check.report import Reporter
from pinebench.check.script import check_script, version_finding
from pinebench.check.skipping import skippable
from pinebench.check.symbols import EnumSymbol, FieldSymbol, FunctionSymbol, ImportSymbol, TypeSymbol, VariableSymbol
from pinebench.check.types import Type
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.reference import constant, function, variable
from pinebench.syntax import Chunk, Document, Snapshot, nodes, parse
from pinebench.syntax.faults import NOT_INDENTED, Fault
from pinebench.syntax.garbage import Uncollected
from pinebench.syntax.walk import children, walk

_RECURSION = 20_000
"""Deepest Python recursion a check may need: nesting is bounded by the parser, calls by the checker."""

Symbol = VariableSymbol | FunctionSymbol | TypeSymbol | FieldSymbol | EnumSymbol | nodes.EnumField | ImportSymbol | str
"""What a name means: something the script declares, or the dotted name of a built-in."""


class BoundArgument(NamedTuple):
    """One parameter of a call: its argument, or the text of its default where none was given.

    `type` is the argument's, None for a default; `is_constant` says whether `value`, the argument's or the default's,
    is known before the script runs.
    """

    parameter: str
    node: nodes.Node | None
    default: str | None
    type: Type | None
    value: Value
    is_constant: bool


class BoundCall(NamedTuple):
    """What a call means: its target with every parameter bound, and an identity for the state it keeps.

    `kind` and `target` are those of ResolvedCall; `site` numbers the call sites of a program from 0 in text order.
    """

    kind: str
    target: object
    overload: OverloadSpec | None
    arguments: tuple[BoundArgument, ...]
    receiver: nodes.Node | None
    instance: Frame | None
    site: int


class NamedCall(NamedTuple):
    """An input, a plot or the declaration statement, with its bound call and the variable that takes it."""

    name: str
    node: nodes.Call
    call: BoundCall
    variable: VariableSymbol | None


class Program:
    """A checked script: one snapshot of its text, every finding sorted by place, and what is known about its parts."""

    def __init__(self, checker: Checker, diagnostics: list[Diagnostic]) -> None:
        self.document = checker.document
        self.diagnostics = sorted(diagnostics, key=_by_place)
        self.checker = checker

    @property
    def frame(self) -> Frame:
        """The evaluation of the global code."""
        return self.checker.global_frame

    # names

    def symbol_at(self, offset: int) -> Symbol | None:
        """What the name at an absolute code-point offset means, or None where there is no known name."""
        found = self._node_at(offset)
        return self._meaning(found) if found is not None else None

    def references(self, symbol: Symbol) -> list[Span]:
        """The absolute spans of every name that means `symbol`, its declaration included, in text order."""
        return list(self._references.get(symbol, ()))

    @cached_property
    def _references(self) -> dict[Symbol, list[Span]]:
        found: dict[Symbol, list[Span]] = {}
        for chunk in self.document.chunks:
            for node in walk(chunk.body):
                symbol = self._meaning(node)
                if symbol is not None:
                    start, end = _name_span(node)
                    found.setdefault(symbol, []).append(Span(chunk.start + start, chunk.start + end))
        return found

    def _node_at(self, offset: int) -> nodes.Node | None:
        chunks = self.document.chunks
        number = bisect_right([chunk.start for chunk in chunks], offset) - 1
        if number < 0:
            return None
        chunk = chunks[number]
        place = offset - chunk.start
        candidates: list[nodes.Node] = list(chunk.body)
        best: nodes.Node | None = None
        while candidates:
            node = candidates.pop()
            if not node.start <= place <= node.end:
                continue
            start, end = _name_span(node)
            if isinstance(node, nodes.Name | nodes.Member) and start <= place <= end:
                best = node
            candidates.extend(children(node))
        return best

    def _meaning(self, node: nodes.Node) -> Symbol | None:
        if not isinstance(node, nodes.Name | nodes.Member):
            return None
        known = self._resolved.get(node)
        if known is not None:
            return known
        if isinstance(node, nodes.Name):
            return self._named(node)
        owner = self._owners.get(node.object)
        if owner is not None and node.name in owner.fields:
            return owner.fields[node.name]
        enum = self._meaning(node.object)
        if isinstance(enum, EnumSymbol):
            return enum.fields.get(node.name)
        path = path_of(node)
        return self._builtin(path) if path is not None else None

    @cached_property
    def _resolved(self) -> dict[nodes.Node, Symbol]:
        """What the names mean that only their place tells: declarations, callees, and fields behind an object."""
        bindings = self.checker.bindings
        found: dict[nodes.Node, Symbol] = dict(bindings.variables)
        found.update((function.node.name, function) for group in bindings.functions.values() for function in group)
        for type_ in bindings.types.values():
            found.update((field.node.name, field) for field in type_.fields.values())
        for enum in bindings.enums.values():
            found.update((field.name, field) for field in enum.fields.values())
        for frame in self.frames:
            for node, call in frame.calls.items():
                if isinstance(node, nodes.Call) and isinstance(call.target, FunctionSymbol):
                    found[node.callee] = call.target
                elif isinstance(node, nodes.Call) and call.receiver is not None and isinstance(call.target, Signature):
                    found[node.callee] = call.target.name
        return found

    @cached_property
    def _owners(self) -> dict[nodes.Node, TypeSymbol]:
        """The user-defined type of each expression that gives an object."""
        return {
            node: type_.base.symbol
            for frame in self.frames
            for node, type_ in frame.types.items()
            if isinstance(type_.base.symbol, TypeSymbol)
        }

    def _named(self, node: nodes.Name) -> Symbol | None:
        bindings = self.checker.bindings
        name = node.id
        group = bindings.functions.get(name)
        if group:
            return group[-1]
        return bindings.types.get(name) or bindings.enums.get(name) or bindings.imports.get(name) or self._builtin(name)

    @staticmethod
    def _builtin(path: str) -> str | None:
        return path if function(path) or variable(path) or constant(path) else None

    # types and values

    @cached_property
    def frames(self) -> list[Frame]:
        """The global code's evaluation and those that its calls reach, one per function and tuple of argument types."""
        return frames_from(self.frame)

    def specialisations(self, function_: FunctionSymbol) -> list[Frame]:
        """The evaluations of a function that the script's calls reach, one per tuple of argument types."""
        return [frame for frame in self.frames if frame.function is function_]

    def type_of(self, node: nodes.Node, frame: Frame | None = None) -> Type | None:
        """The type of an expression or structure in `frame` (the global code by default), `na` typed by its context.

        The qualifier is the one TradingView's compiler gives: a variable that is only ever assigned constants stays
        constant to it, though its value changes. Whether a value is fixed says `value_of`.
        """
        frame = frame or self.frame
        return self._empty_types(frame).get(node) or frame.types.get(node)

    def _empty_types(self, frame: Frame) -> dict[nodes.Node, Type]:
        known = self._contexts.get(frame)
        if known is None:
            known = self._contexts[frame] = empty_types(self.checker, frame, self._statements(frame))
        return known

    @cached_property
    def _contexts(self) -> dict[Frame, dict[nodes.Node, Type]]:
        return {}

    def value_of(self, node: nodes.Node) -> tuple[bool, Value]:
        """Whether the value of an expression is known before the script runs, and that value (None is na)."""
        try:
            return True, fold(self.checker, node)
        except Unfolded:
            return False, None

    def effects(self, node: nodes.Node, frame: Frame | None = None) -> Effects:
        """What a statement or expression reads, writes and keeps; user functions that it calls are followed."""
        return self._effects.code(frame or self.frame, node)

    def function_effects(self, frame: Frame) -> Effects:
        """What one specialisation of a function reads, writes and keeps."""
        return self._effects.function(frame)

    def may_be_skipped(self, node: nodes.Node, frame: Frame | None = None) -> bool:
        """Whether an expression or statement need not run, or may run again, each time the body of `frame` runs."""
        frame = frame or self.frame
        known = self._skippable.get(frame)
        if known is None:
            known = self._skippable[frame] = skippable(self._statements(frame))
        return node in known

    @cached_property
    def _skippable(self) -> dict[Frame, frozenset[nodes.Node]]:
        return {}

    def _statements(self, frame: Frame) -> list[nodes.Node]:
        if frame.function is not None:
            return list(frame.function.node.body)
        return [statement for chunk in self.document.chunks for statement in chunk.body]

    @cached_property
    def _effects(self) -> EffectsOf:
        return EffectsOf(self.checker)

    # calls

    def call(self, node: nodes.Call, frame: Frame | None = None) -> BoundCall | None:
        """What a call means in `frame`, every parameter bound; None where that is not known."""
        resolved = (frame or self.frame).calls.get(node)
        if resolved is None:
            return None
        arguments = tuple(self._bound(resolved, frame or self.frame))
        overload = resolved.overload if isinstance(resolved.overload, OverloadSpec) else None
        return BoundCall(
            resolved.kind,
            resolved.target,
            overload,
            arguments,
            resolved.receiver,
            resolved.instance,
            self._sites.get(node, -1),
        )

    @cached_property
    def _sites(self) -> dict[nodes.Node, int]:
        calls = (node for chunk in self.document.chunks for node in walk(chunk.body) if isinstance(node, nodes.Call))
        return {node: number for number, node in enumerate(calls)}

    def _bound(self, resolved: ResolvedCall, frame: Frame) -> Iterator[BoundArgument]:
        given = dict(resolved.arguments)
        for name, default in _parameters(self.document, resolved):
            node = given.pop(name, None)
            if node is None:
                is_constant, value = _default_value(self.checker, default)
                yield BoundArgument(name, None, default, None, value, is_constant)
            else:
                yield self._argument(name, node, frame)
        for name, node in given.items():
            yield self._argument(name, node, frame)

    def _argument(self, name: str, node: nodes.Node, frame: Frame) -> BoundArgument:
        is_constant, value = self.value_of(node)
        return BoundArgument(name, node, None, self.type_of(node, frame), value, is_constant)

    # declarations

    @cached_property
    def declaration(self) -> NamedCall | None:
        """The call of `indicator()`, `strategy()` or `library()`, or None."""
        node = self.checker.declaration
        if node is None:
            return None
        return self._named_call(node, None)

    @cached_property
    def inputs(self) -> list[NamedCall]:
        """The `input*()` calls that the script reaches, in text order."""
        return [call for call in self._builtin_calls if call.name == "input" or call.name.startswith("input.")]

    @cached_property
    def plots(self) -> list[NamedCall]:
        """The calls of the plot family, in text order."""
        return [call for call in self._builtin_calls if "plots" in _changes(call)]

    @cached_property
    def _builtin_calls(self) -> list[NamedCall]:
        variables = self.checker.bindings.variables
        owners: dict[nodes.Node, VariableSymbol] = {}
        found: list[NamedCall] = []
        for chunk in self.document.chunks:
            for node in walk(chunk.body):
                if isinstance(node, nodes.VariableDeclaration) and node.name in variables:
                    owners[node.value] = variables[node.name]
                elif isinstance(node, nodes.Call):
                    call = self._named_call(node, owners.get(node))
                    if call is not None:
                        found.append(call)
        return found

    def _named_call(self, node: nodes.Call, owner: VariableSymbol | None) -> NamedCall | None:
        call = self.call(node, self._frame_of.get(node))
        if call is None or not isinstance(call.target, Signature):
            return None
        return NamedCall(call.target.name, node, call, owner)

    @cached_property
    def _frame_of(self) -> dict[nodes.Node, Frame]:
        """The first evaluation that reaches each call."""
        return {node: frame for frame in reversed(self.frames) for node in frame.calls}


def _changes(call: NamedCall) -> frozenset[str]:
    """What a call of a built-in changes."""
    found = function(call.name)
    return found.effects.changes if found is not None else frozenset()


def _name_span(node: nodes.Node) -> tuple[int, int]:
    """Where the name itself stands within a chunk: the last part of a member."""
    return (node.name_start, node.end) if isinstance(node, nodes.Member) else (node.start, node.end)


def _parameters(document: Snapshot, resolved: ResolvedCall) -> Iterator[tuple[str, str | None]]:
    """The parameters of a call's target with the text of their defaults."""
    target = resolved.target
    if isinstance(target, FunctionSymbol):
        text = target.owner.document.text if target.owner is not None else document.text
        for parameter in target.parameters:
            default = parameter.default
            yield (
                parameter.name,
                text[target.offset + default.start : target.offset + default.end] if default is not None else None,
            )
    elif isinstance(target, TypeSymbol):
        for field in target.fields.values():
            default = field.default
            yield (
                field.name,
                document.text[target.offset + default.start : target.offset + default.end]
                if default is not None and target.library is None
                else "na",
            )
    elif isinstance(resolved.overload, OverloadSpec):
        specs: tuple[ParameterSpec, ...] = resolved.overload.parameters
        for spec in specs:
            if "," not in spec.name:
                yield spec.name, spec.default


def _default_value(checker: Checker, text: str | None) -> tuple[bool, Value]:
    """Whether a default is a constant, and which; defaults are literals and built-in names only."""
    node = _expression(text) if text is not None else None
    if node is None:
        return False, None
    try:
        return True, fold(checker, node)
    except Unfolded:
        return False, None


@cache
def _expression(text: str) -> nodes.Node | None:
    """The tree of an expression that stands alone."""
    statement = parse(f"x = {text}\n").chunks[-1].body[-1]
    return statement.value if isinstance(statement, nodes.VariableDeclaration) else None


def check(document: Document | Snapshot, libraries: Libraries | None = None) -> Program:
    """Check `document`, as it is now, as TradingView's compiler would; never raises.

    `libraries` says where the source of imported libraries may lie; what cannot be found is unknown and never an error.
    """
    if sys.getrecursionlimit() < _RECURSION:
        sys.setrecursionlimit(_RECURSION)
    with Uncollected():
        return _check(document.snapshot if isinstance(document, Document) else document, libraries)


def _check(document: Snapshot, libraries: Libraries | None) -> Program:
    reporter = Reporter(document)
    version = version_finding(document)
    if version is not None and version.code != "PB0002":
        syntax = [] if version.severity is Severity.ERROR else document.diagnostics
        return Program(Checker(document, reporter, Bindings(), HANDLERS), [version, *syntax])
    checker = Checker(document, reporter, bind(document, reporter), HANDLERS, libraries)
    checker.faults = {
        chunk.start: [place for fault in chunk.faults for place in _spoilt(chunk, fault)]
        for chunk in document.chunks
        if chunk.faults
    }
    for chunk in document.chunks:
        with checker.at(chunk.start):
            checker.block(chunk.body)
    check_uncalled(checker)
    check_script(checker)
    if not any(finding.severity is Severity.ERROR for finding in document.diagnostics):
        warn(checker)
    findings = without_echoes(document, [*reporter.errors, *reporter.warnings])
    findings += document.diagnostics
    if version is not None:
        findings.append(version)
    return Program(checker, findings)


def _spoilt(chunk: Chunk, fault: Fault) -> Iterator[int]:
    """Where in a chunk an error makes values doubtful: at its place, and at the end of a line that it cuts short."""
    if not fault.code.startswith("CE"):
        return
    yield fault.start
    if fault.code in NOT_INDENTED and fault.start in chunk.lines:
        yield len(chunk.text[: fault.start].rstrip())


def _by_place(finding: Diagnostic) -> tuple[int, Severity, str]:
    return finding.span.start, finding.severity, finding.code
