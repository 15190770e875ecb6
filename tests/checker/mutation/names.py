"""Mutations of names: misspelt, taken away, declared twice, changed where they must not be."""

import random
from collections.abc import Iterable

from pinebench.checker.argument_text import path_of
from pinebench.checker.builtins import Signature, value_type
from pinebench.checker.symbols import FunctionSymbol, VariableSymbol
from pinebench.checker.types import SERIES, UNKNOWN_BASE
from pinebench.syntax import nodes
from tests.checker.mutation.changes import FRESH, VALUE, is_free, is_unique, line_before, typo
from tests.checker.mutation.lines import moved
from tests.checker.mutation.script import Edit, Script

LocalPlace = tuple[nodes.Node, VariableSymbol]
_DEFINITE = "to by in not or and if for while switch import export return true false var varip as"
_REJECTED_SINCE = "do catch class ellipse is polygon range struct text throw try"
_WORDS = _DEFINITE.split() + _REJECTED_SINCE.split()
"""Reserved words that give CE10150 where a name is declared."""


def _root(node: nodes.Node) -> nodes.Node:
    while isinstance(node, nodes.Member):
        node = node.object
    return node


# misspelt


def plain_calls(script: Script) -> Iterable[nodes.Call]:
    """Calls of functions by name, not through an object."""
    for call in script.all(nodes.Call):
        resolved = script.calls.get(call)
        if resolved is None or resolved.receiver is not None or call.template:
            continue
        if isinstance(resolved.target, Signature | FunctionSymbol) and _root(call.callee) not in script.variables:
            yield call


def misspell_function(script: Script, call: nodes.Call, chance: random.Random) -> Edit:
    """`ta.sma(…)` to `ta.smma(…)`."""
    end = script.end(call.callee)
    path = path_of(call.callee) or ""
    head, dot, word = path.rpartition(".")
    return Edit(end - len(word), end, typo(script, word, chance, prefix=head + dot))


def builtin_members(script: Script) -> Iterable[nodes.Member]:
    """Constants and variables of namespaces."""
    for member in script.all(nodes.Member):
        above = script.parent[member]
        if isinstance(above, nodes.Member) or (isinstance(above, nodes.Call) and above.callee is member):
            continue
        path = path_of(member)
        if path is not None and value_type(path) is not None and _root(member) not in script.variables:
            yield member


def misspell_member(script: Script, member: nodes.Member, chance: random.Random) -> Edit:
    """`color.red` to `color.rred`."""
    path = path_of(member) or ""
    end = script.end(member)
    return Edit(end - len(member.name), end, typo(script, member.name, chance, prefix=path.removesuffix(member.name)))


def variable_uses(script: Script) -> Iterable[nodes.Name]:
    """Names in expressions that mean a variable, the script's or a built-in one."""
    for name in script.all(nodes.Name):
        above = script.parent[name]
        if isinstance(above, nodes.Member | nodes.TypeReference | nodes.Parameter | nodes.Field | nodes.Import):
            continue
        if isinstance(above, nodes.Call) and above.callee is name:
            continue
        symbol = script.variables.get(name)
        if symbol.name_node is not name if symbol is not None else value_type(name.id) is not None:
            yield name


def misspell_variable(script: Script, name: nodes.Name, chance: random.Random) -> Edit | None:
    """`length` to `lenght`."""
    if any(isinstance(above, nodes.Parameter | nodes.Field) for above in script.ancestors(name)):
        return None
    return Edit(script.start(name), script.end(name), typo(script, name.id, chance))


def written_types(script: Script) -> Iterable[nodes.TypeReference]:
    """Type keywords of declarations and parameters."""
    for node in script.nodes:
        if isinstance(node, nodes.VariableDeclaration | nodes.Parameter) and node.type is not None:
            written = node.type
            if isinstance(written.name, nodes.Name) and not written.arguments:
                yield written


def misspell_type(script: Script, written: nodes.TypeReference, chance: random.Random) -> Edit:
    """`float x = …` to `flaot x = …`."""
    name = written.name
    return Edit(script.start(name), script.end(name), typo(script, script.source(name), chance))


# taken away or moved


def used_declarations(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations on lines of their own of variables that are named further down."""
    for block in script.blocks:
        last = block.statements[-1]
        for statement in block.statements:
            if isinstance(statement, nodes.VariableDeclaration) and script.stands_alone(statement):
                symbol = script.variables.get(statement.name)
                if symbol in script.uses and (block.owner is None or statement is not last):
                    yield statement


def delete_declaration(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> Edit | None:
    """Take the whole statement away."""
    end = script.line_end(declaration)
    if end is None or not is_unique(script, declaration.name.id) or not _has_plain_use(script, declaration):
        return None
    return Edit(script.line_start(script.start(declaration)), end, "")


def _has_plain_use(script: Script, declaration: nodes.VariableDeclaration) -> bool:
    uses = script.uses[script.variables[declaration.name]]
    return any(not isinstance(script.parent[use], nodes.Member) for use in uses)


def called_functions(script: Script) -> Iterable[nodes.FunctionDeclaration]:
    """Functions without overloads that are called further down, on lines of their own."""
    groups = script.program.functions
    for function in script.all(nodes.FunctionDeclaration):
        name = function.name.id
        if function.is_method or len(groups[name]) > 1 or not is_free(name) or name not in script.calls_by_name:
            continue
        if script.stands_alone(function):
            yield function


def delete_function(script: Script, function: nodes.FunctionDeclaration, chance: random.Random) -> Edit | None:
    """Take a function away."""
    end = script.line_end(function)
    return Edit(script.line_start(script.start(function)), end, "") if end is not None else None


def at_calls(script: Script, function: nodes.FunctionDeclaration, edit: Edit) -> Iterable[int]:
    """Every line that calls the function."""
    return [moved(edit, script.start(call)) for call in script.calls_by_name[function.name.id]]


def bare_declarations(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations without keywords on lines of their own."""
    for declaration in script.all(nodes.VariableDeclaration):
        written = (declaration.mode, declaration.qualifier, declaration.type)
        if written == (None, None, None) and not declaration.exported and script.stands_alone(declaration):
            yield declaration


def assign_undeclared(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> Edit | None:
    """`x = …` to `x := …`."""
    if not is_unique(script, declaration.name.id):
        return None
    place = script.text.index("=", script.end(declaration.name))
    return Edit(place, place, ":")


def global_declarations(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations of global variables."""
    for statement in script.global_statements():
        if isinstance(statement, nodes.VariableDeclaration):
            yield statement


def use_before_declaration(
    script: Script, declaration: nodes.VariableDeclaration, chance: random.Random
) -> Edit | None:
    """Name a variable on the line before its declaration."""
    if not is_unique(script, declaration.name.id):
        return None
    return line_before(script, declaration, f"{FRESH} = {declaration.name.id}")


def simple_declarations(script: Script) -> Iterable[nodes.VariableDeclaration | nodes.TupleDeclaration]:
    """Declarations on one line that are not the value of a block."""
    for block in script.blocks:
        last = block.statements[-1]
        for statement in block.statements:
            if not isinstance(statement, nodes.VariableDeclaration | nodes.TupleDeclaration):
                continue
            is_value = block.owner is not None and statement is last
            is_continued = script.indent(statement) != script.indent(block.statements[0])  # a line after a comma
            if not is_value and not is_continued and script.stands_alone(statement) and script.is_one_line(statement):
                yield statement


def declare_twice(script: Script, declaration: nodes.Node, chance: random.Random) -> Edit | None:
    """Write a declaration a second time below itself."""
    end = script.line_end(declaration)
    if end is None or script.text[end - 1] not in "\r\n" or script.source(declaration).startswith("_"):
        return None
    return Edit(end, end, f"{script.indent(declaration)}{script.source(declaration)}\n")


def reserved_word(script: Script, statement: nodes.Node, chance: random.Random) -> Edit | None:
    """Declare a variable called `range`."""
    return line_before(script, statement, f"{chance.choice(_WORDS)} = 1")


def bare_qualifier(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> Edit:
    """`x = …` to `simple x = …`."""
    place = script.start(declaration)
    return Edit(place, place, chance.choice(("simple ", "series ", "const ")))


# changed where it must not be


def globals_in_functions(script: Script) -> Iterable[LocalPlace]:
    """The start of a function's body with a series variable of the global code."""
    for block in script.inner_blocks():
        if not isinstance(block.owner, nodes.FunctionDeclaration):
            continue
        for symbol in script.program.globals.values():
            if symbol.offset + symbol.declaration.end < script.start(block.owner):
                yield block.statements[0], symbol


def assign_global(script: Script, place: LocalPlace, chance: random.Random) -> Edit | None:
    """Assign to a global variable in a function."""
    statement, symbol = place
    type_ = symbol.type
    if type_ is None or type_.base not in VALUE or type_.qualifier != SERIES or not is_unique(script, symbol.name):
        return None
    if symbol.kind != "variable":
        return None
    return line_before(script, statement, f"{symbol.name} := {VALUE[type_.base]}")


def parameters_in_functions(script: Script) -> Iterable[LocalPlace]:
    """The start of a function's body with one of its parameters."""
    for block in script.inner_blocks():
        if isinstance(block.owner, nodes.FunctionDeclaration):
            for parameter in block.owner.parameters:
                yield block.statements[0], script.variables[parameter.name]


def assign_parameter(script: Script, place: LocalPlace, chance: random.Random) -> Edit | None:
    """Assign to a parameter."""
    statement, symbol = place
    base = script.local_base(symbol)
    if base is UNKNOWN_BASE or base not in VALUE:
        return None
    return line_before(script, statement, f"{symbol.name} := {VALUE[base]}")


def counters(script: Script) -> Iterable[LocalPlace]:
    """The start of a loop's body with its counter."""
    for block in script.inner_blocks():
        if isinstance(block.owner, nodes.ForTo):
            yield block.statements[0], script.variables[block.owner.counter]


def assign_counter(script: Script, place: LocalPlace, chance: random.Random) -> Edit | None:
    """Assign to the counter of a loop."""
    statement, symbol = place
    return line_before(script, statement, f"{symbol.name} := 0")
