"""Binds names to symbols. It walks a script in text order, opens scopes, declares names and resolves each use."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from pinebench.checker.parts import Parts, parts_of
from pinebench.checker.report import Reporter
from pinebench.checker.symbols import (
    BranchCondition,
    EnumSymbol,
    FieldSymbol,
    FunctionSymbol,
    ImportSymbol,
    NameBindings,
    ParameterSymbol,
    Scope,
    SymbolReassignment,
    TypeSymbol,
    VariableSymbol,
)
from pinebench.checker.types import SCALARS, UNKNOWN_BASE, Base
from pinebench.diagnostics import Span
from pinebench.reference import namespaces
from pinebench.reference import variable as builtin_variable
from pinebench.syntax import Chunk, Snapshot, nodes
from pinebench.syntax.words import RESERVED

BUILT_IN = "A built-in value cannot be changed. Assign the new value to a variable of the script."
"""A hint for a change of a built-in variable or constant."""
_OF_A_LOOP = (
    "Only the loop itself sets its counter or element. Use `by` for another step, `continue` to skip an iteration, or a"
    " `while` loop."
)
"""A hint for a change of the counter or element of a loop."""


def bind(document: Snapshot, reporter: Reporter) -> NameBindings:
    """Bind every name of `document`. Errors about declarations and assignments are reported to `reporter`."""
    return bind_chunks(document.chunks, reporter, NameBindings())


def bind_chunks(chunks: Iterable[Chunk], reporter: Reporter, bindings: NameBindings) -> NameBindings:
    """Bind the names of `chunks` (top-level statements), and add them to the earlier declarations in `bindings`."""
    binder = _Binder(reporter, bindings)
    for chunk in chunks:
        binder.offset, binder.parts = chunk.start, chunk.parts
        binder.block(chunk.body)
    return bindings


def declared_before(bindings: NameBindings, start: int) -> NameBindings:
    """Copy the declarations of `bindings` that precede the offset `start`. A name that is redeclared later keeps its
    earlier meaning."""
    found = NameBindings()
    found.variables = dict(bindings.variables)
    found.function_of = dict(bindings.function_of)
    found.symbols = [symbol for symbol in bindings.symbols if symbol.offset < start]
    for name, group in bindings.functions.items():
        kept = [function for function in group if function.start < start]
        if kept:
            found.functions[name] = kept
    for declared in bindings.declared:
        if declared.start < start:
            found.add(declared)
    found.global_scope.names = {
        symbol.name: symbol for symbol in found.symbols if symbol.scope.kind == "global" and symbol.name != "_"
    }
    found.lost = {name: offset for name, offset in bindings.lost.items() if offset < start}
    return found


def told_of(bindings: NameBindings, variables: Iterable[str], types: Iterable[str]) -> NameBindings:
    """Copy from `bindings` the global `variables` and the `types` (including enums) that a separate check of some
    statements needs.

    More declarations can be added to the copy.
    """
    found = NameBindings()
    for name in variables:
        symbol = bindings.global_scope.names[name]
        copy = VariableSymbol(
            name,
            symbol.kind,
            symbol.name_node,
            symbol.declaration,
            found.global_scope,
            symbol.offset,
            symbol.mode,
            symbol.value,
        )
        copy.type = symbol.type
        found.global_scope.names[name] = copy
    for name in types:
        if name in bindings.types:
            found.types[name] = bindings.types[name]
        if name in bindings.enums:
            found.enums[name] = bindings.enums[name]
    found.imports = dict(bindings.imports)
    return found


class _Binder:
    def __init__(self, reporter: Reporter, bindings: NameBindings) -> None:
        self.reporter = reporter
        self.bindings = bindings
        self.offset = 0
        self.parts: dict[nodes.Node, Parts] = {}
        self.scope = self.bindings.global_scope
        self.loops = 0
        self.broken = 0  # how many broken statements this is in
        self.read_builtins: set[str] = set()

    def report(self, code: str, node: nodes.Node, *, key: str = "", hint: str | None = None, **values: str) -> None:
        """Report `code` at a node of the current chunk."""
        span = Span(self.offset + node.start, self.offset + node.end)
        self.reporter.report(code, span, key=key, hint=hint, **values)

    # statements

    def block(self, statements: Iterable[nodes.Node]) -> None:
        table = _STATEMENTS
        for statement in statements:
            handler = table.get(type(statement))
            if handler is None:
                self.expression(statement)
            else:
                handler(self, statement)

    def nested(self, kind: str, condition: BranchCondition | None, statements: Iterable[nodes.Node]) -> Scope:
        """Bind the statements of a block in a new scope."""
        outer = self.scope
        inner = self.scope = Scope(kind, outer, condition)
        self.block(statements)
        self.scope = outer
        return inner

    def declare(self, symbol: VariableSymbol, anchor: nodes.Node, *, is_parameter: bool = False) -> None:
        """Declare `symbol` in the current scope. Report a redeclaration or shadowing at `anchor`."""
        name = symbol.name
        scope = self.scope
        self.bindings.symbols.append(symbol)
        self.bindings.variables[symbol.name_node] = symbol
        if name == "_":
            return
        if name in scope.names:
            if not self.broken:
                self.report("CE10095", symbol.declaration, key=name, x=name)
        elif scope.kind == "global" and name in self.read_builtins:
            self.report("CE10190", anchor, key=name, variableName=name)
        elif builtin_variable(name) is not None:
            # For the name of a parameter this was never recorded, and `f(close) =>` is common in scripts.
            if not is_parameter:
                self.report("CW10011", anchor, key=name, variableName=name)
        elif scope.kind != "global" and not is_parameter and self.is_outer_name(name):
            self.report("CW10013", anchor, key=name, variableName=name)
        scope.names[name] = symbol

    def is_outer_name(self, name: str) -> bool:
        parent = self.scope.parent
        return (parent is not None and parent.find(name) is not None) or name in self.bindings.types

    def variable_declaration(self, node: nodes.VariableDeclaration) -> None:
        if type(node.value) is not nodes.Literal:
            self.expression(node.value)
        symbol = VariableSymbol(
            node.name.id, "variable", node.name, node, self.scope, self.offset, node.mode, node.value
        )
        self.declare(symbol, node.type or node)

    def tuple_declaration(self, node: nodes.TupleDeclaration) -> None:
        self.expression(node.value)
        for name in node.names:
            symbol = VariableSymbol(name.id, "tuple", name, node, self.scope, self.offset, None, node.value)
            self.declare(symbol, node)

    def reassignment(self, node: nodes.Reassignment) -> None:
        self.expression(node.value)
        target = node.target
        if not isinstance(target, nodes.Name):
            self.expression(target)
            self.check_field(target)
            return
        symbol = self.scope.find(target.id)
        if symbol is None:
            self.undeclared_target(target, node.operator)
            return
        self.bindings.variables[target] = symbol
        self.check_target(target, symbol)
        symbol.reassignments.append(self.reassigned(node.value, symbol))

    def undeclared_target(self, target: nodes.Name, operator: str) -> None:
        if builtin_variable(target.id) is not None:
            self.report("CE10174", target, hint=BUILT_IN, variableName=target.id)
        elif target.id not in self.bindings.lost:
            first = f"`{operator}` changes an existing variable: declare it above, as in `var {target.id} = 0.0`."
            self.report("CE10272", target, hint=first if operator != ":=" else None, identifier=target.id)

    def check_target(self, target: nodes.Name, symbol: VariableSymbol) -> None:
        if symbol.kind == "parameter":
            self.report("CE10175", target, variableName=symbol.name)
        elif symbol.kind in ("counter", "element"):
            self.report("CE10174", target, hint=_OF_A_LOOP, variableName=symbol.name)
        elif self.scope.function is not None and symbol.scope.function is None:
            self.report("CE10088", target, variableName=symbol.name)
        elif _is_constant(symbol):
            self.report("CE10085", target)

    def check_field(self, target: nodes.Node) -> None:
        """Report a change of a field if a `const` variable holds the object (recorded verdict)."""
        root = target
        while isinstance(root, nodes.Member):
            root = root.object
        symbol = self.bindings.variables.get(root)
        if symbol is not None and _is_constant(symbol):
            self.report("CE10085", target)

    def reassigned(self, value: nodes.Node, symbol: VariableSymbol) -> SymbolReassignment:
        """Return an assignment of `value` to `symbol`, with the conditions between the symbol's scope and the current
        one."""
        in_loop = False
        scope: Scope | None = self.scope
        while scope is not None and scope is not symbol.scope:
            in_loop = in_loop or scope.kind == "loop"
            scope = scope.parent
        symbol.assigned_in_loop = symbol.assigned_in_loop or in_loop
        return SymbolReassignment(value, self.scope.condition, symbol.scope.condition, in_loop)

    def expression_statement(self, node: nodes.ExpressionStatement) -> None:
        self.expression(node.expression)

    def if_(self, node: nodes.If) -> None:
        condition = self.scope.condition
        while True:
            self.expression(node.condition)
            condition = BranchCondition(node.condition, condition)
            self.nested("block", condition, node.body)
            otherwise = node.otherwise
            if otherwise is None:
                return
            if len(otherwise) != 1 or not isinstance(otherwise[0], nodes.If):
                self.nested("block", condition, otherwise)
                return
            node = otherwise[0]

    def for_to(self, node: nodes.ForTo) -> None:
        self.expression(node.first)
        self.expression(node.last)
        if node.step is not None:
            self.expression(node.step)
        self.loop(node, [("counter", node.counter)])

    def for_in(self, node: nodes.ForIn) -> None:
        self.expression(node.collection)
        names = [("counter", node.index)] if node.index is not None else []
        self.loop(node, [*names, ("element", node.element)])

    def while_(self, node: nodes.While) -> None:
        self.expression(node.condition)
        self.loop(node, [], BranchCondition(node.condition, self.scope.condition))

    def loop(
        self,
        node: nodes.ForTo | nodes.ForIn | nodes.While,
        names: list[tuple[str, nodes.Name]],
        condition: BranchCondition | None = None,
    ) -> None:
        outer = self.scope
        self.scope = Scope("loop", outer, condition)
        for kind, name in names:
            symbol = VariableSymbol(name.id, kind, name, node, self.scope, self.offset)
            self.declare(symbol, name)
        self.loops += 1
        self.nested("block", None, node.body)
        self.loops -= 1
        self.scope = outer

    def switch(self, node: nodes.Switch) -> None:
        condition = self.scope.condition
        if node.subject is not None:
            self.expression(node.subject)
            condition = BranchCondition(node.subject, condition)
        for case in node.cases:
            if case.condition is not None:
                self.expression(case.condition)
                if node.subject is None:
                    condition = BranchCondition(case.condition, condition)
            self.nested("block", condition, case.body)

    def once(self, node: nodes.Once) -> None:
        if node.condition is not None:
            self.expression(node.condition)
        self.nested("block", BranchCondition(node, self.scope.condition), node.body)

    def break_(self, node: nodes.Break) -> None:
        if not self.loops:
            self.report("CE10135", node)

    def continue_(self, node: nodes.Continue) -> None:
        if not self.loops:
            self.report("CE10136", node)

    def function(self, node: nodes.FunctionDeclaration) -> None:
        symbol = FunctionSymbol(node.name.id, node, self.offset)
        outer, loops = self.scope, self.loops
        scope = Scope("function", outer, None, symbol)
        symbol.scope = scope
        for parameter in node.parameters:
            if parameter.default is not None:
                self.expression(parameter.default)
        self.scope, self.loops = scope, 0
        for parameter in node.parameters:
            variable = VariableSymbol(parameter.name.id, "parameter", parameter.name, parameter, scope, self.offset)
            self.declare(variable, parameter.name, is_parameter=True)
            symbol.parameters.append(ParameterSymbol(parameter.name.id, variable, parameter))
        self.block(node.body)
        self.scope, self.loops = outer, loops
        self.bindings.functions.setdefault(symbol.name, []).append(symbol)
        self.bindings.function_of[node] = symbol

    def type_declaration(self, node: nodes.TypeDeclaration) -> None:
        if node.name.id in SCALARS:
            self.report("type-name-taken", node.name, name=node.name.id)
        base = Base(node.name.id, "udt")
        symbol = TypeSymbol(node.name.id, node, self.offset, base)
        base.symbol = symbol
        self.check_type_name(node)
        self.bindings.add(symbol)
        for field in node.fields:
            if field.default is not None:
                self.expression(field.default)
            elif field.name.id in RESERVED:  # with a default, the scanner reports it
                self.report("CE10150", field.name, keyword=field.name.id)
            if self.is_new_field(field, symbol.fields):
                symbol.fields[field.name.id] = FieldSymbol(field.name.id, field, UNKNOWN_BASE)

    def enum_declaration(self, node: nodes.EnumDeclaration) -> None:
        if node.name.id in namespaces():
            self.report("enum-name-taken", node.name, name=node.name.id)
        base = Base(node.name.id, "enum")
        symbol = EnumSymbol(node.name.id, node, self.offset, base)
        base.symbol = symbol
        self.check_type_name(node)
        self.bindings.add(symbol)
        for field in node.fields:
            if self.is_new_field(field, symbol.fields):
                symbol.fields[field.name.id] = field

    def check_type_name(self, node: nodes.TypeDeclaration | nodes.EnumDeclaration) -> None:
        """Report a type or enum whose name is already declared. A type that is declared twice has a code of its own
        (recorded)."""
        if node.name.id not in self.bindings.types and node.name.id not in self.bindings.enums:
            return
        if isinstance(node, nodes.TypeDeclaration):
            self.report("CE10285", node, name=node.name.id)
        else:
            self.report("CE10095", node, x=node.name.id)

    def is_new_field(self, field: nodes.Field | nodes.EnumField, known: Container[str]) -> bool:
        if field.name.id in known:
            self.report("CE10186", field, fieldName=field.name.id)
            return False
        return True

    def import_(self, node: nodes.Import) -> None:
        alias = node.alias.id if node.alias is not None else node.path.split("/")[1] if "/" in node.path else node.path
        if alias in self.bindings.imports:
            self.report("import-alias-repeated", node, alias=alias)
        self.bindings.add(ImportSymbol(alias, node.path, node, self.offset))

    # expressions

    def expression(self, node: nodes.Node) -> None:
        """Bind the names of an expression, or of a structure (`if`, `switch`, a loop) that is used as one."""
        kind = type(node)
        if isinstance(node, nodes.Name):
            self.names((node,))
            return
        if kind is nodes.Literal:
            return
        parts = self.parts.get(node)
        if parts is None:
            handler = _STRUCTURES.get(kind)
            if handler is not None:
                handler(self, node)
                return
            parts = self.parts[node] = parts_of(node)
        elif parts.meanings is None and not self.reporter.on_trial:
            parts.meanings = {}
        if parts.names:
            self.names(parts.names)
        if parts.histories:
            self.indexed(parts.histories)
        if parts.structures:
            self.block(parts.structures)

    def names(self, reads: Iterable[nodes.Name]) -> None:
        """Bind the names that are read. A name that is not a variable of the script may be a built-in variable."""
        scope, variables = self.scope, self.bindings.variables
        own, is_local, in_function = scope.names, scope.parent is not None, scope.function is not None
        for node in reads:
            symbol = own.get(node.id)
            if symbol is None and is_local:
                symbol = scope.find(node.id)
            if symbol is not None:
                variables[node] = symbol
                if in_function and symbol.scope.function is None:
                    symbol.captured = True
            elif builtin_variable(node.id) is not None:
                self.read_builtins.add(node.id)

    def indexed(self, references: Iterable[nodes.History]) -> None:
        """Mark the variables whose history `references` read."""
        for node in references:
            target = node.object
            while isinstance(target, nodes.Parenthesized):
                target = target.expression
            symbol = self.bindings.variables.get(target)
            if symbol is not None:
                symbol.indexed = True

    def error(self, node: nodes.ErrorStatement) -> None:
        self.loops += 1  # the broken statement may be the header of a loop
        self.broken += 1  # its parts may be of different blocks, where a name may be declared again
        for part in node.salvaged:
            if isinstance(part, nodes.VariableDeclaration | nodes.TupleDeclaration):
                self.lose([part])
            else:
                self.block([part])
        self.lose(node.body)
        self.broken -= 1
        self.loops -= 1

    def lose(self, block: Iterable[nodes.Node]) -> None:
        """Bind a part of a broken statement in a scope of its own. Reads of its variables elsewhere are not errors."""
        for name in self.nested("block", None, block).names:
            self.bindings.lost.setdefault(name, self.offset)


_STATEMENTS: dict[type, Callable[..., None]] = {
    nodes.VariableDeclaration: _Binder.variable_declaration,
    nodes.TupleDeclaration: _Binder.tuple_declaration,
    nodes.Reassignment: _Binder.reassignment,
    nodes.ExpressionStatement: _Binder.expression_statement,
    nodes.If: _Binder.if_,
    nodes.ForTo: _Binder.for_to,
    nodes.ForIn: _Binder.for_in,
    nodes.While: _Binder.while_,
    nodes.Switch: _Binder.switch,
    nodes.Once: _Binder.once,
    nodes.Break: _Binder.break_,
    nodes.Continue: _Binder.continue_,
    nodes.FunctionDeclaration: _Binder.function,
    nodes.TypeDeclaration: _Binder.type_declaration,
    nodes.EnumDeclaration: _Binder.enum_declaration,
    nodes.Import: _Binder.import_,
    nodes.ErrorStatement: _Binder.error,
}
_STRUCTURES: dict[type, Callable[..., None]] = {
    kind: _STATEMENTS[kind] for kind in (*nodes.STRUCTURES, nodes.ErrorStatement)
}


def _is_constant(symbol: VariableSymbol) -> bool:
    """Whether `symbol` is declared with `const` and a type. `const` without a type is reported elsewhere."""
    declaration = symbol.declaration
    if not isinstance(declaration, nodes.VariableDeclaration):
        return False
    return declaration.qualifier == "const" and declaration.type is not None
