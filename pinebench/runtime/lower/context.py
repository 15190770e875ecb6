"""The state of the conversion to the typed form (IR): the module that is built, and the position in the script."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pinebench.checker import (
    BOOL,
    COLOR,
    FLOAT,
    INT,
    NA,
    SERIES,
    STRING,
    Base,
    BuiltinCall,
    Frame,
    FunctionSymbol,
    Program,
    Type,
    TypeSymbol,
    VariableSymbol,
)
from pinebench.runtime import ir
from pinebench.runtime.lower.survey import Survey
from pinebench.runtime.refusals import NotComputed
from pinebench.syntax import nesting, nodes
from pinebench.syntax.walk import bare

_KINDS: dict[Base, ir.Kind] = {INT: "int", FLOAT: "float", BOOL: "bool", STRING: "string", COLOR: "color", NA: "float"}


def kind_of(type_: Type | None) -> ir.Kind:
    """Return the kind (`ir.Kind`) of the values of a type."""
    if type_ is None or type_.base.kind == "void":
        return "void"
    return _KINDS.get(type_.base, "object")


def is_collection(type_: Type | None) -> bool:
    """Return whether a variable of this type holds a collection. The history of such a variable stores copies."""
    return type_ is not None and type_.base.kind in ("array", "matrix", "map")


_UNCHANGING = frozenset(("scalar", "na", "void", "handle", "enum"))


def changes_in_place(type_: Type | None) -> bool:
    """Return whether values of this type can change without an assignment: collections, objects, drawings, and tuples
    of them."""
    if type_ is None:
        return True
    if type_.base.kind == "tuple":
        return any(map(changes_in_place, type_.base.items))
    return type_.base.kind not in _UNCHANGING


DRAWINGS = frozenset(("line", "label", "box", "table", "linefill", "polyline"))
"""The types of drawings."""


def is_drawing(type_: Type | None) -> bool:
    """Return whether a variable of this type holds a drawing, which reads as na after it is deleted."""
    return type_ is not None and type_.base.name in DRAWINGS


def empty(kind: ir.Kind) -> ir.Constant:
    """Return na as a constant of a kind. A bool cannot be na, so its constant is false."""
    if kind in ir.NUMBERS:
        return ir.Constant(kind, float("nan"))
    return ir.Constant(kind, False if kind == "bool" else None)


@dataclass(slots=True)
class LoweringPlace:
    """A position in the code that is converted to the typed form (IR). `frame` has the types of the code; a function
    has one frame for each combination of argument types. The new statements are added to `block` of `unit`. `arguments`
    are the argument nodes of the parameters on this call path, each with the position of the call."""

    program: Program
    frame: Frame
    unit: ir.Unit
    block: ir.Block
    variables: dict[VariableSymbol, ir.Variable] = field(default_factory=dict)
    settled: dict[VariableSymbol, ir.Expression] = field(default_factory=dict)
    """The variables that are never assigned again and are the same on all bars, with their values."""
    outer: LoweringPlace | None = None
    arguments: dict[VariableSymbol, tuple[nodes.Node, LoweringPlace]] = field(default_factory=dict)
    caller: LoweringPlace | None = None
    """The code that called the function of this body, on this call path; None for global code."""
    site: nodes.Node | None = None
    """The call itself, a node in the caller's code."""
    line: int = 1
    lazy: bool = False
    """Whether the code comes after `and`, `or` or `?`, so that it may not be evaluated with its statement."""

    def find(self, symbol: VariableSymbol) -> ir.Variable | None:
        """Return the variable of a symbol at this position, or None if it is not declared yet."""
        found = self.variables.get(symbol)
        return found if found is not None or self.outer is None else self.outer.find(symbol)

    def find_settled(self, symbol: VariableSymbol) -> ir.Expression | None:
        """Return the value of a variable if it is the same on all bars, else None."""
        found = self.settled.get(symbol)
        return found if found is not None or self.outer is None else self.outer.find_settled(symbol)


@dataclass(slots=True)
class LoweringSettings:
    """Settings of the conversion of a script to the typed form (IR).

    `inputs` are the values that are set for inputs, by the node of their call. `watched` are the expressions of the
    script whose values are noted, with their numbers. `records` says that a recorder stores the values of all names and
    calls, and `steps` that each statement is reported to a debugger.
    """

    inputs: Mapping[nodes.Node, Any] = field(default_factory=dict)
    watched: Mapping[nodes.Node, int] = field(default_factory=dict)
    records: bool = False
    steps: bool = False


class Lowering:
    """The conversion of one checked program to a module in the typed form (IR)."""

    def __init__(
        self, program: Program, settings: LoweringSettings, types: Types, expressions: Handlers, statements: Handlers
    ):
        self.program = program
        self.settings = settings
        self.types = types
        self.module = ir.Module(ir.Unit("#main"))
        self.expressions = expressions
        self.statements = statements
        self.functions: dict[object, ir.Function] = {}
        self.places: dict[Program, LoweringPlace] = {}
        """The global code of the script and of each library that it uses."""
        self.own_versions: tuple[str, ...] = ()
        """The paths of the published libraries that pinebench's own versions replace."""
        self.read: set[str] = set()
        """The built-in variables that the code names, without its requests and default arguments."""
        self.outputs: list[LoweredOutput] = []
        self.special: Mapping[str, Callable[..., ir.Expression]] = {}
        """The built-ins with special lowering, by name, or by namespace with a dot after it."""
        self.prelude = ir.Block()
        """Statements that the globals of libraries need; they run before the script's first statement."""
        self.requests: list[LoweredRequest] = []
        self.is_requested = False
        """Whether this is the code of a request, which has no outputs."""
        self.depth = 0
        """The number of requests around this code."""
        self.numbers = 0
        self._indexed: dict[Program, set[str]] = {}
        self._built_in: dict[tuple[str, str | int], ir.Variable] = {}
        self._mirrors: dict[tuple[ir.Unit, ir.Variable], ir.Variable] = {}
        self.survey = Survey()

    def number(self) -> int:
        """Return the next number for a variable or a piece of state."""
        self.numbers += 1
        return self.numbers

    # the two methods with which modules of this package lower nodes

    def expression(self, node: nodes.Node, place: LoweringPlace) -> ir.Expression:
        """Convert an expression to the typed form (IR). Statements that it needs are added to `place.block`."""
        handler = self.expressions.get(type(node))
        if handler is None:
            raise NotComputed(_name_of(node), place.line)
        value = handler(self, node, place)
        if isinstance(node, nodes.Call) and self.records:
            self._keep_call(node, value, place)
        return self.watched(node, value)

    def watched(self, node: nodes.Node, value: ir.Expression) -> ir.Expression:
        """Return the value of an expression. If it is watched, the code also notes the value, except in requests.

        A value that is the same on all bars is noted by a statement at the beginning of each bar. The value itself is
        returned unchanged, because other code must recognize such values.
        """
        if not ir.is_settled(value):
            return self.noted(node, value)
        seen = self.noted(node, value)
        if seen is not value:
            self.prelude.statements.append(ir.Evaluate(0, seen))
        return value

    def noted(self, node: nodes.Node, value: ir.Expression) -> ir.Expression:
        """Return the value of an expression or of an assignment; if it is watched, the code notes the value each time
        it is evaluated. The code of requests is not watched."""
        number = self.settings.watched.get(node)
        if number is None or self.is_requested or value.kind == "void":
            return value
        return ir.WatchedExpression(value.kind, number, value)

    # names and calls whose values are kept

    @property
    def records(self) -> bool:
        """Whether a recorder stores the values of names and calls. The code of requests is not recorded."""
        return self.settings.records and not self.is_requested

    def _keep_call(self, node: nodes.Call, value: ir.Expression, place: LoweringPlace) -> None:
        if value.kind == "void" or ir.is_settled(value):
            return
        text = self.text_of(node, place)
        if text:
            type_ = self.typed(node, place)
            kept = ir.RecordedName(text, 0, place.unit, value, value.kind, str(type_ or ""), is_call=True)
            kept.changes = changes_in_place(type_)
            self._keep(kept, place.program.span(node).start, place)

    def _keep_name(self, symbol: VariableSymbol, value: ir.Variable | ir.Expression, place: LoweringPlace) -> None:
        if symbol.name == "_":
            return
        is_input = isinstance(symbol.value, nodes.Call) and _path(symbol.value.callee).partition(".")[0] == "input"
        mode = symbol.mode or ("input" if is_input else "parameter" if symbol.kind == "parameter" else "")
        type_ = place.program.declared_type(symbol, place.frame)
        kept = ir.RecordedName(symbol.name, 0, place.unit, value, value.kind, str(type_ or ""), mode=mode)
        kept.changes = changes_in_place(type_)
        self._keep(kept, symbol.offset + symbol.name_node.start, place)

    def _keep(self, kept: ir.RecordedName, start: int, place: LoweringPlace) -> None:
        kept.line = place.program.document.lines.position(start).line
        kept.start = start if place.program is self.program else None
        self.module.kept.append(kept)

    def settle(self, symbol: VariableSymbol, value: ir.Expression, place: LoweringPlace) -> None:
        """Remember the value of a variable that is the same on all bars."""
        place.settled[symbol] = value
        if self.records:
            self._keep_name(symbol, value, place)

    def statement(self, node: nodes.Node, place: LoweringPlace) -> None:
        """Convert one statement to the typed form (IR), and add it to `place.block`."""
        handler = self.statements.get(type(node))
        if handler is None:
            raise NotComputed(_name_of(node), place.line)
        handler(self, node, place)

    def typed(self, node: nodes.Node, place: LoweringPlace) -> Type | None:
        """Return the type of an expression at the position `place`."""
        return place.program.type_of(node, place.frame)

    def kind(self, node: nodes.Node, place: LoweringPlace) -> ir.Kind:
        return kind_of(self.typed(node, place))

    def line_of(self, node: nodes.Node, place: LoweringPlace) -> int:
        """Return the line of the script or library on which a node starts. The global code of a library runs as part of
        the script's global code, so it is reported on the line that imports the library."""
        if place.program is not self.program and place.unit is self.module.unit:
            return self._import_line(place.program)
        try:
            start = place.program.span(node).start
        except LookupError:
            return place.line
        return place.program.document.lines.position(start).line

    def script_line(self, node: nodes.Node, place: LoweringPlace) -> int:
        """Return the line of the script under which a node is reported: its own line, or the line that imports its
        library."""
        is_own = place.program is self.program
        return self.line_of(node, place) if is_own else self._import_line(place.program)

    def _import_line(self, library: Program) -> int:
        """The line of the script that imports a library, or else of its first import."""
        imports = sorted(self.program.imports.values(), key=lambda each: (each.path != library.path, each.start))
        return self.program.document.lines.position(imports[0].start).line if imports else 1

    def text_of(self, node: nodes.Node, place: LoweringPlace) -> str:
        """Return the text of a node on one line; empty if the node is not in the text of the script or library."""
        try:
            span = place.program.span(node)
        except LookupError:
            return ""
        return " ".join(place.program.document.text[span.start : span.end].split())

    # code of libraries

    def place_of(self, program: Program) -> LoweringPlace:
        """Return the position of the global code of the script or of a library."""
        found = self.places.get(program)
        if found is None:
            found = self.places[program] = LoweringPlace(program, program.frame, self.module.unit, self.prelude)
        return found

    def place_of_function(self, symbol: FunctionSymbol) -> LoweringPlace:
        """Return the position of the global code that declares a function."""
        for program in self._programs():
            if any(symbol in group for group in program.functions.values()):
                return self.place_of(program)
        raise NotComputed(symbol.name)

    def place_of_type(self, symbol: TypeSymbol) -> LoweringPlace:
        """Return the position of the global code that declares a type."""
        for program in self._programs():
            if symbol in program.types.values():
                return self.place_of(program)
        raise NotComputed(symbol.name)

    def _programs(self) -> list[Program]:
        return [self.program, *self.program.libraries.values()]

    def library_global(self, symbol: VariableSymbol, place: LoweringPlace) -> ir.Variable | ir.Expression:
        """Return a global of a library. It is computed before the script's first statement."""
        for program in self.program.libraries.values():
            if program.globals.get(symbol.name) is symbol:
                home = self.place_of(program)
                declaration = symbol.declaration
                if symbol.reassignments or not isinstance(
                    declaration, nodes.VariableDeclaration | nodes.TupleDeclaration
                ):
                    break
                if symbol not in home.variables and symbol not in home.settled:
                    self.statement(declaration, home)
                    for each, variable in home.variables.items():
                        if each.declaration is declaration:
                            self.blocks[variable] = self.module.unit.body
                return home.settled[symbol] if symbol in home.settled else home.variables[symbol]
        raise NotComputed(f"{symbol.name}, a global that is not known here,", place.line)

    # variables and state

    def is_indexed(self, name: str, place: LoweringPlace) -> bool:
        """Return whether a history operator is applied to a variable of this name anywhere in its script or library."""
        program = place.program
        if program not in self._indexed:
            histories = (
                history.object
                for chunk in program.document.chunks
                for parts in chunk.parts.values()
                for history in parts.histories
            )
            self._indexed[program] = {target.id for target in map(bare, histories) if isinstance(target, nodes.Name)}
        return name in self._indexed[program]

    def declare(
        self,
        name: str,
        kind: ir.Kind,
        place: LoweringPlace,
        symbol: VariableSymbol | None = None,
        *,
        kept: bool = False,
    ) -> ir.Variable:
        """Add a new variable to the unit of `place`; `find` returns it for `symbol`. A variable that is `kept` keeps
        its value from bar to bar."""
        if kind == "void":
            kind = "object"
        variable = ir.Variable(self.number(), name, kind, place.unit, kept=kept)
        place.unit.variables.append(variable)
        if symbol is not None:
            place.variables[symbol] = variable
            self.blocks[variable] = place.block
            if self.records:
                self._keep_name(symbol, variable, place)
        return variable

    @property
    def blocks(self) -> dict[ir.Variable, ir.Block]:
        """The block in which each variable is declared."""
        return self.types.blocks

    def describe(self, variable: ir.Variable, type_: Type | None) -> None:
        """Record whether a variable of this type holds a collection or a drawing."""
        variable.collection = is_collection(type_)
        variable.drawing = type_.base.name if type_ is not None and is_drawing(type_) else ""

    def built_in(self, value: ir.Now | ir.FixedValue, place: LoweringPlace) -> ir.Variable:
        """Make a global variable that holds a built-in value on each bar, so that its history follows the chart."""
        key = ("now", value.name) if isinstance(value, ir.Now) else (value.source, value.key)
        found = self._built_in.get(key)
        if found is None:
            unit = self.module.unit
            found = self._built_in[key] = ir.Variable(self.number(), "built_in", value.kind, unit)
            unit.variables.append(found)
            self.blocks[found] = unit.body
            self.prelude.statements.append(ir.Assign(place.line, found, value))
        return found

    def seen(self, variable: ir.Variable, place: LoweringPlace) -> ir.Variable:
        """Return the variable whose history the code at `place` reads.

        A function has its own copy of a global variable. The copy's history holds the values on bars on which the
        function is called, even if the statement that reads the copy does not run (measured on TradingView).
        """
        unit = place.unit
        if variable.unit is unit:
            return variable
        found = self._mirrors.get((unit, variable))
        if found is None:
            found = ir.Variable(self.number(), variable.name, variable.kind, unit)
            found.collection, found.drawing, found.mirrored = variable.collection, variable.drawing, variable
            self._mirrors[unit, variable] = found
            variable.captured = True
            unit.variables.append(found)
            self.blocks[found] = unit.body
            unit.body.statements.insert(0, ir.Assign(place.line, found, ir.Get(variable.kind, variable)))
        return found

    def look_back(self, variable: ir.Variable, depth: int, *, is_far: bool) -> None:
        """Make room for at least `depth` earlier values of a variable. `is_far` says that more than the value one bar
        back may be read."""
        if variable.history is None:
            # Code outside the unit that assigns a drawing's variable asks which drawing it holds.
            variable.captured = variable.captured or bool(variable.drawing)
            block = self.blocks[variable]
            variable.history = ir.History(self.number(), variable, block)
            block.histories.append(variable.history)
            # The global code runs once on each bar, so its histories can be updated at its end.
            is_global = block is variable.unit.body and variable.unit.parent is None
            if block.number is None and not is_global:
                block.number = self.number()
                variable.unit.blocks.append(block)
        variable.history.depth = max(variable.history.depth, depth)
        variable.history.is_far = variable.history.is_far or is_far

    def emit(self, statement: ir.Statement, place: LoweringPlace) -> None:
        place.block.statements.append(statement)


Handlers = Mapping[type, Callable[[Lowering, Any, LoweringPlace], Any]]


@dataclass(slots=True)
class LoweredOutput:
    """One call of a plot function: its number, the function's name, and its line."""

    number: int
    name: str
    line: int


@dataclass(slots=True)
class LoweredRequest:
    """A request for other bars: the function's name, and the converted code that runs on them."""

    number: int
    name: str
    lowering: Lowering
    asked: str
    """The key of the request: requests with the same key count as one."""
    line: int = 0
    start: int | None = None
    """The offset of the call in the script's text; None for a call in a library."""


class Types:
    """Object types and enums, shared by a module and the modules of its requests."""

    def __init__(self) -> None:
        self.known: dict[TypeSymbol, ir.ObjectType] = {}
        self.enums: dict[nodes.EnumField, tuple[int, str, str]] = {}
        self.blocks: dict[ir.Variable, ir.Block] = {}

    def of(self, symbol: TypeSymbol) -> ir.ObjectType:
        """Return the object type of a user-defined type."""
        found = self.known.get(symbol)
        if found is None:
            number = len(self.known) + 1
            found = self.known[symbol] = ir.ObjectType(number, symbol.name, {})
            for position, field_ in enumerate(symbol.fields.values()):
                kind = kind_of(field_.type.at(SERIES))
                code = f"f{number}_{position}"
                found.fields[field_.name] = ir.Field(field_.name, code, kind, field_.node.mode == "varip")
        return found

    def member(self, field_: nodes.EnumField, title: str) -> str:
        """Return the key of an enum member in generated code."""
        name = field_.name.id
        self.enums.setdefault(field_, (len(self.enums) + 1, name, title or name))
        return f"E{self.enums[field_][0]}"


def overload_number(call: BuiltinCall) -> int:
    """Return the number in the reference, from 0, of the overload that a call uses."""
    return call.function.function.overloads.index(call.overload.source)


def _path(node: nodes.Node) -> str:
    """The dotted name in a callee, such as `input.int`; empty for other expressions."""
    if isinstance(node, nodes.Name):
        return node.id
    if isinstance(node, nodes.Member):
        return f"{_path(node.object)}.{node.name}"
    return ""


def _name_of(node: nodes.Node) -> str:
    """The name of a node without a typed form, for an error. An unread statement is nested too deeply."""
    is_unread = isinstance(node, nodes.ErrorStatement)
    return f"a statement nested more than {nesting.LIMIT} levels deep" if is_unread else type(node).__name__
