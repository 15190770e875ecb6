"""Changes that keep a script legal: the same thing written in another way. None may bring an error."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from pinebench.checker import check
from pinebench.checker.builtins import Signature
from pinebench.checker.types import COLOR, FLOAT, INT, STRING
from pinebench.syntax import nodes, parse
from tests.checker.mutation import layout
from tests.checker.mutation.calls import known_calls
from tests.checker.mutation.changes import FRESH, VALUE, is_unique
from tests.checker.mutation.script import Edit, Script, errors, opened

_SIMPLE = nodes.VariableDeclaration | nodes.Reassignment | nodes.ExpressionStatement
_OPERAND = nodes.Name | nodes.Literal | nodes.Member | nodes.Call | nodes.History | nodes.Binary | nodes.Unary


class Fault(NamedTuple):
    """An error that a rewriting brought."""

    rewriting: str
    script: str
    edits: list[Edit]
    errors: list[str]


class Rewriting(NamedTuple):
    """One way to write something otherwise: `rewrite` gives the edits, or None where it cannot be done."""

    name: str
    sites: Callable[[Script], Iterable[Any]]
    rewrite: Callable[[Script, Any, random.Random], list[Edit] | None]


def _at(place: int, text: str) -> Edit:
    return Edit(place, place, text)


def operands(script: Script) -> Iterable[nodes.Node]:
    """Operands, arguments and assigned values."""
    for node in script.nodes:
        above = script.parent[node]
        if not isinstance(node, _OPERAND) or script.base_of(node).kind in ("void", "tuple", "unknown"):
            continue
        is_argument = isinstance(above, nodes.Call) and above.callee is not node
        is_value = isinstance(above, nodes.VariableDeclaration) and above.value is node
        is_operand = isinstance(above, nodes.Binary | nodes.Ternary | nodes.Unary | nodes.NamedArgument)
        if is_argument or is_value or is_operand:
            yield node


def parenthesize(script: Script, node: nodes.Node, chance: random.Random) -> list[Edit]:
    """`a` to `(a)`."""
    return [_at(script.start(node), "("), _at(script.end(node), ")")]


def name_argument(script: Script, call: nodes.Call, chance: random.Random) -> list[Edit] | None:
    """`f(a, b)` to `f(a, name = b)`."""
    last = max((n for n, a in enumerate(call.arguments) if not isinstance(a, nodes.NamedArgument)), default=None)
    if last is None:
        return None
    value = call.arguments[last]
    name = next((name for name, given in script.calls[call].arguments.items() if given is value), None)
    return [_at(script.start(value), f"{name} = ")] if name is not None else None


def untyped(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations without a type."""
    return (node for node in script.all(nodes.VariableDeclaration) if node.type is None and node.qualifier is None)


def write_type(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> list[Edit] | None:
    """`x = 1` to `int x = 1`."""
    base = script.base_of(declaration.value)
    is_collection = base.kind in ("array", "matrix") and base.arguments[0] in VALUE
    if base not in VALUE and not is_collection:
        return None
    return [_at(script.start(declaration.name), f"{base.name} ")]


def statements(script: Script) -> Iterable[nodes.Node]:
    """Statements on lines of their own."""
    for block in script.blocks:
        yield from filter(script.stands_alone, block.statements)


def add_comment_line(script: Script, statement: nodes.Node, chance: random.Random) -> list[Edit]:
    """A comment with any indentation, or a blank line, before a statement."""
    place = script.line_start(script.start(statement))
    return [_at(place, " " * chance.randrange(9) + chance.choice(("// (note \"it's\n", "\n", "// @note [\n")))]


def wrap_arguments(script: Script, call: nodes.Call, chance: random.Random) -> list[Edit] | None:
    """A line for each argument, indented anyhow."""
    if not call.arguments:
        return None
    return [_at(script.start(argument), "\n" + " " * chance.randrange(13)) for argument in call.arguments]


def wrap_operator(script: Script, node: nodes.Binary, chance: random.Random) -> list[Edit]:
    """A line break behind an operator, the next line indented by no multiple of four."""
    return [_at(script.start(node.right), "\n" + " " * chance.choice((1, 2, 3, 5, 6, 7, 9, 13)))]


def simple_statements(script: Script) -> Iterable[nodes.Node]:
    """Declarations, assignments and calls on a line of their own."""
    return (node for node in statements(script) if isinstance(node, _SIMPLE) and script.is_one_line(node))


def extract_value(script: Script, statement: nodes.Node, chance: random.Random) -> list[Edit] | None:
    """Give a part of a statement a name on the line before."""
    parts = [
        node
        for node in script.nodes
        if isinstance(node, _OPERAND)
        and script.base_of(node) in VALUE
        and script.start(statement) <= script.start(node)
        and script.end(node) <= script.end(statement)
        and isinstance(script.parent[node], nodes.Call | nodes.Binary | nodes.NamedArgument)
    ]
    parts = [part for part in parts if not _is_callee(script, part)]
    if not parts:
        return None
    part = chance.choice(parts)
    place = script.line_start(script.start(statement))
    return [
        _at(place, f"{script.indent(statement)}{FRESH} = {script.source(part)}\n"),
        Edit(script.start(part), script.end(part), FRESH),
    ]


def _is_callee(script: Script, node: nodes.Node) -> bool:
    above = script.parent[node]
    return isinstance(above, nodes.Call) and above.callee is node


def collection_calls(script: Script) -> Iterable[nodes.Call]:
    """Built-in methods called as functions on a variable."""
    for call in known_calls(script):
        target = script.calls[call].target
        if not isinstance(target, Signature) or script.calls[call].receiver is not None or not call.arguments:
            continue
        namespace = target.name.partition(".")[0]
        first = call.arguments[0]
        # How TradingView reads `array.push(1)` where a variable is called array was never recorded.
        if isinstance(first, nodes.Name) and first.id != namespace and script.base_of(first).kind == namespace:
            yield call


def as_method(script: Script, call: nodes.Call, chance: random.Random) -> list[Edit]:
    """`array.push(a, 1)` to `a.push(1)`."""
    first = call.arguments[0]
    behind = script.start(call.arguments[1]) if len(call.arguments) > 1 else script.end(first)
    method = script.source(call.callee).rpartition(".")[2]
    return [Edit(script.start(call), behind, f"{script.source(first)}.{method}(")]


def method_calls(script: Script) -> Iterable[nodes.Call]:
    """Built-in methods of collections called through an object."""
    for call in known_calls(script):
        receiver = script.calls[call].receiver
        if receiver is None or not isinstance(script.calls[call].target, Signature):
            continue
        if script.base_of(receiver).kind in ("array", "matrix", "map"):
            yield call


def as_function(script: Script, call: nodes.Call, chance: random.Random) -> list[Edit] | None:
    """`a.push(1)` to `array.push(a, 1)`."""
    receiver, target = script.calls[call].receiver, script.calls[call].target
    assert receiver is not None and isinstance(target, Signature)
    if target.name.partition(".")[0] in script.program.globals:
        return None
    behind = script.start(call.arguments[0]) if call.arguments else script.end(call) - 1
    comma = ", " if call.arguments else ""
    return [Edit(script.start(call), behind, f"{target.name}({script.source(receiver)}{comma}")]


def ternaries(script: Script) -> Iterable[nodes.Ternary]:
    """Ternaries on one line."""
    return filter(script.is_one_line, script.all(nodes.Ternary))


def turn_ternary(script: Script, node: nodes.Ternary, chance: random.Random) -> list[Edit]:
    """`c ? a : b` to `(not (c) ? (b) : (a))`."""
    condition, then, otherwise = map(script.source, (node.condition, node.then, node.otherwise))
    text = f"(not ({condition}) ? ({otherwise}) : ({then}))"
    return [Edit(script.start(node), script.end(node), text)]


def assigned_ternaries(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Global declarations whose value is a ternary."""
    for statement in script.global_statements():
        if not isinstance(statement, nodes.VariableDeclaration) or not isinstance(statement.value, nodes.Ternary):
            continue
        if script.stands_alone(statement) and script.is_one_line(statement):
            yield statement


def ternary_as_if(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> list[Edit]:
    """`x = c ? a : b` to an `if` structure."""
    value = declaration.value
    assert isinstance(value, nodes.Ternary)
    condition, then, otherwise = map(script.source, (value.condition, value.then, value.otherwise))
    text = f"if {condition}\n    {then}\nelse\n    {otherwise}"
    return [Edit(script.start(value), script.end(value), text)]


def own_names(script: Script) -> Iterable[nodes.VariableDeclaration]:
    """Declarations of variables."""
    return script.all(nodes.VariableDeclaration)


def rename(script: Script, declaration: nodes.VariableDeclaration, chance: random.Random) -> list[Edit] | None:
    """Another name for a variable, wherever it stands."""
    if not is_unique(script, declaration.name.id) or declaration.exported:
        return None
    symbol = script.variables[declaration.name]
    places = [declaration.name, *script.uses.get(symbol, [])]
    return [Edit(script.start(place), script.end(place), FRESH) for place in places]


def self_assignments(script: Script) -> Iterable[nodes.Reassignment]:
    """`x := x + …`."""
    for node in script.all(nodes.Reassignment):
        value = node.value
        if node.operator != ":=" or not isinstance(value, nodes.Binary) or value.operator not in "+-*/%":
            continue
        if isinstance(node.target, nodes.Name) and script.source(value.left) == node.target.id:
            yield node


def as_compound(script: Script, node: nodes.Reassignment, chance: random.Random) -> list[Edit]:
    """`x := x + 1` to `x += 1`."""
    value = node.value
    assert isinstance(value, nodes.Binary)
    return [Edit(script.offset[node] + node.operator_start, script.start(value.right), f"{value.operator}= ")]


def neighbours(script: Script) -> Iterable[tuple[nodes.Node, nodes.Node]]:
    """Two simple statements on lines that follow each other."""
    for block in script.blocks:
        alone = [
            node
            for node in block.statements
            if isinstance(node, _SIMPLE)
            and script.stands_alone(node)
            and script.is_one_line(node)
            and not script.source(node).startswith("export")
        ]
        for first, second in pairwise(alone):
            between = script.text[script.end(first) : script.start(second)]
            if between.isspace():
                yield first, second


def join_lines(script: Script, pair: tuple[nodes.Node, nodes.Node], chance: random.Random) -> list[Edit]:
    """Two statements on one line."""
    return [Edit(script.end(pair[0]), script.start(pair[1]), ", ")]


def short_functions(script: Script) -> Iterable[nodes.FunctionDeclaration]:
    """Functions on one line."""
    return (node for node in script.all(nodes.FunctionDeclaration) if script.is_one_line(node) and len(node.body) == 1)


def as_block(script: Script, function: nodes.FunctionDeclaration, chance: random.Random) -> list[Edit]:
    """`f(x) => x` to a body of its own."""
    start = script.start(function.body[0])
    return [Edit(start, start, f"\n    {FRESH} = 1\n    ")]


def wholes(script: Script) -> Iterable[Script]:
    """The script as a whole."""
    return (script,)


def other_line_breaks(script: Script, whole: Script, chance: random.Random) -> list[Edit]:
    """CR LF, or CR alone."""
    text = re.sub(r"\r\n?|\n", chance.choice(("\r\n", "\r")), script.text)
    return [Edit(0, len(script.text), text)]


def tabs(script: Script, whole: Script, chance: random.Random) -> list[Edit]:
    """A tab for each four blanks at the start of a line."""
    text = re.sub(r"(?m)^(?: {4})+", lambda match: "\t" * (len(match[0]) // 4), script.text)
    return [Edit(0, len(script.text), text)]


def literals(script: Script) -> Iterable[nodes.Literal]:
    """Literals in expressions."""
    for node in script.all(nodes.Literal):
        if isinstance(script.parent[node], nodes.Call | nodes.Binary | nodes.NamedArgument | nodes.Ternary):
            yield node


def folded(script: Script, node: nodes.Literal, chance: random.Random) -> list[Edit] | None:
    """An expression of constants for a constant."""
    forms = {
        INT: f"({node.text} + 0)",
        FLOAT: f"({node.text} * 1.0)",
        STRING: f'({node.text} + "")',
        COLOR: f"(true ? {node.text} : {node.text})",
    }
    text = forms.get(script.base_of(node))
    return [Edit(script.start(node), script.end(node), text)] if text is not None else None


def unknown_value(script: Script, node: nodes.Node, chance: random.Random) -> list[Edit] | None:
    """A call of a library that cannot be seen for any value: nothing can be said about it."""
    first = script.global_statements()[0]
    is_default = any(isinstance(above, nodes.Parameter | nodes.Field) for above in script.ancestors(node))
    if is_default or "unseen" in script.words or script.start(node) < script.end(first):
        return None
    place = script.line_start(script.start(first))
    return [
        _at(place, "import nobody/unseen/1 as unseen\n"),
        Edit(script.start(node), script.end(node), "unseen.value()"),
    ]


REWRITINGS = (
    Rewriting("parentheses", operands, parenthesize),
    Rewriting("named argument", known_calls, name_argument),
    Rewriting("written type", untyped, write_type),
    Rewriting("comment line", statements, add_comment_line),
    Rewriting("wrapped arguments", known_calls, wrap_arguments),
    Rewriting("wrapped operator", layout.open_operators, wrap_operator),
    Rewriting("extracted value", simple_statements, extract_value),
    Rewriting("method form", collection_calls, as_method),
    Rewriting("function form", method_calls, as_function),
    Rewriting("turned ternary", ternaries, turn_ternary),
    Rewriting("ternary as if", assigned_ternaries, ternary_as_if),
    Rewriting("other name", own_names, rename),
    Rewriting("compound assignment", self_assignments, as_compound),
    Rewriting("joined lines", neighbours, join_lines),
    Rewriting("function as block", short_functions, as_block),
    Rewriting("line breaks", wholes, other_line_breaks),
    Rewriting("tabs", wholes, tabs),
    Rewriting("unknown value", operands, unknown_value),
    Rewriting("folded constant", literals, folded),
)
"""Every rewriting; each is legal by the manual (wraps, commas, casts, methods) or by recorded answers."""


def run(texts: Iterable[tuple[str, str]], count: int, seed: int = 20261121) -> tuple[Counter[str], list[Fault]]:
    """Rewrite up to `count` places for each rewriting; gives how many were, and every one that brought an error."""
    scripts = [script for name, text in texts if (script := opened(name, text)).is_clean]
    made: Counter[str] = Counter()
    faults: list[Fault] = []
    for rewriting in REWRITINGS:
        chance = random.Random(f"{seed} {rewriting.name}")
        for script in chance.sample(scripts, len(scripts)):
            sites = list(rewriting.sites(script))
            chance.shuffle(sites)
            for site in sites[:2]:
                edits = rewriting.rewrite(script, site, chance) if made[rewriting.name] < count else None
                if edits is None:
                    continue
                made[rewriting.name] += 1
                found = errors(check(parse(apply(script.text, edits))))
                if found:
                    faults.append(Fault(rewriting.name, script.name, edits, [f"{e.code} {e.message}" for e in found]))
    return made, faults


def apply(text: str, edits: list[Edit]) -> str:
    """`text` with non-overlapping edits made."""
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text
