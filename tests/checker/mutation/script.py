"""What a mutation needs to know of a clean script: every node with its place, parent, type and meaning."""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from pinebench.checker import Program, check
from pinebench.checker.symbols import Frame, ResolvedCall, VariableSymbol
from pinebench.checker.types import SERIES, UNDETERMINED, UNKNOWN, UNKNOWN_BASE, Base, Type
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import nodes, parse
from pinebench.syntax.document import LATEST
from pinebench.syntax.scanner import scan
from pinebench.syntax.walk import children

NodeT = TypeVar("NodeT", bound=nodes.Node)

_REST_OF_LINE = re.compile(r"[ \t]*(?://[^\r\n]*)?(?:\r\n?|\n|\Z)")


class Edit(NamedTuple):
    """Replace the text from `start` to `end` by `text`."""

    start: int
    end: int
    text: str


class Word(NamedTuple):
    """A token: its type in the grammar, where it stands in the script, and its text."""

    kind: str
    start: int
    end: int
    text: str


class Block(NamedTuple):
    """A list of statements and what it belongs to; `owner` is None for the global code."""

    statements: list[nodes.Statement]
    owner: nodes.Node | None


class Script:
    """A script without errors, with the tables that mutations are chosen from."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.document = parse(text)
        self.program: Program = check(self.document)
        self.offset: dict[nodes.Node, int] = {}
        self.parent: dict[nodes.Node, nodes.Node | None] = {}
        self.nodes: list[nodes.Node] = []
        for chunk in self.document.chunks:
            stack: list[tuple[nodes.Node, nodes.Node | None]] = [(node, None) for node in reversed(chunk.body)]
            while stack:
                node, parent = stack.pop()
                self.offset[node] = chunk.start
                self.parent[node] = parent
                self.nodes.append(node)
                stack += [(below, node) for below in reversed(children(node))]

    @cached_property
    def is_clean(self) -> bool:
        """Whether the checker finds no error in the script as it is."""
        return not errors(self.program)

    # places

    def start(self, node: nodes.Node) -> int:
        """The offset in the text where `node` begins."""
        return self.offset[node] + node.start

    def end(self, node: nodes.Node) -> int:
        """The offset in the text where `node` ends."""
        return self.offset[node] + node.end

    def source(self, node: nodes.Node) -> str:
        """The text of `node`."""
        return self.text[self.start(node) : self.end(node)]

    def line(self, offset: int) -> int:
        """The 1-based line of `offset`."""
        return self.document.lines.position(offset).line

    def is_one_line(self, node: nodes.Node) -> bool:
        """Whether `node` begins and ends on one line."""
        return self.line(self.start(node)) == self.line(self.end(node))

    def line_start(self, offset: int) -> int:
        """The offset where the line of `offset` begins."""
        return self.document.lines.line_start(self.line(offset))

    def indent(self, statement: nodes.Node) -> str | None:
        """The white space before a statement, or None when something else stands before it on its line."""
        start = self.start(statement)
        before = self.text[self.line_start(start) : start]
        return before if not before.strip(" \t") else None

    def line_end(self, statement: nodes.Node) -> int | None:
        """The offset behind the line break that ends a statement; None when another statement follows on its line."""
        match = _REST_OF_LINE.match(self.text, self.end(statement))
        return match.end() if match else None

    def stands_alone(self, statement: nodes.Node) -> bool:
        """Whether a statement shares its lines with no other."""
        return self.indent(statement) is not None and self.line_end(statement) is not None

    # structure

    def all(self, kind: type[NodeT]) -> Iterator[NodeT]:
        """Every node of class `kind`."""
        for node in self.nodes:
            if isinstance(node, kind):
                yield node

    def ancestors(self, node: nodes.Node) -> Iterator[nodes.Node]:
        """The nodes around `node`, from the inside out."""
        above = self.parent[node]
        while above is not None:
            yield above
            above = self.parent[above]

    def function_of(self, node: nodes.Node) -> nodes.FunctionDeclaration | None:
        """The function whose body or parameters hold `node`, or None in global code."""
        return next((above for above in self.ancestors(node) if isinstance(above, nodes.FunctionDeclaration)), None)

    @cached_property
    def blocks(self) -> list[Block]:
        """Every list of statements."""
        found = [Block([statement for chunk in self.document.chunks for statement in chunk.body], None)]
        for node in self.nodes:
            if isinstance(node, nodes.If):
                found.append(Block(node.body, node))
                otherwise = node.otherwise
                if otherwise and not (len(otherwise) == 1 and isinstance(otherwise[0], nodes.If)):
                    found.append(Block(otherwise, node))
            elif isinstance(
                node, nodes.FunctionDeclaration | nodes.ForTo | nodes.ForIn | nodes.While | nodes.Case | nodes.Once
            ):
                found.append(Block(node.body, node))
        return [block for block in found if block.statements]

    def inner_blocks(self) -> Iterator[Block]:
        """The local blocks whose first statement stands on a line of its own."""
        for block in self.blocks:
            if block.owner is not None and self.indent(block.statements[0]):
                yield block

    def global_statements(self) -> list[nodes.Statement]:
        """The statements of the global code."""
        return self.blocks[0].statements

    # meaning

    @cached_property
    def _frames(self) -> list[Frame]:
        functions = [function for group in self.program.functions.values() for function in group]
        return [self.program.frame, *(frame for function in functions for frame in function.frames.values())]

    @cached_property
    def _types(self) -> dict[nodes.Node, list[Type]]:
        found: dict[nodes.Node, list[Type]] = {}
        for frame in self._frames:
            for node, type_ in frame.types.items():
                found.setdefault(node, []).append(type_)
        return found

    @cached_property
    def calls(self) -> dict[nodes.Node, ResolvedCall]:
        """What each call means, where the checker could tell."""
        found: dict[nodes.Node, ResolvedCall] = {}
        for frame in self._frames:
            found.update(frame.calls)
        return found

    @cached_property
    def calls_by_name(self) -> dict[str, list[nodes.Call]]:
        """The calls of each plain name."""
        found: dict[str, list[nodes.Call]] = {}
        for call in self.all(nodes.Call):
            if isinstance(call.callee, nodes.Name):
                found.setdefault(call.callee.id, []).append(call)
        return found

    def type_of(self, node: nodes.Node) -> Type:
        """The type of an expression where every evaluation of it agrees, else Unknown."""
        found = self._types.get(node, [])
        bases = {type_.base for type_ in found}
        if len(bases) != 1:
            return UNKNOWN
        qualifiers = {type_.qualifier for type_ in found}
        return found[0].base.at(qualifiers.pop() if len(qualifiers) == 1 else UNDETERMINED)

    def base_of(self, node: nodes.Node) -> Base:
        """The type of an expression without its qualifier."""
        return self.type_of(node).base

    def is_known(self, node: nodes.Node) -> bool:
        """Whether the type of an expression is determined."""
        return self.base_of(node) is not UNKNOWN_BASE

    def arguments_known(self, call: nodes.Call) -> bool:
        """Whether every argument of a call, and the receiver of a method call, has a determined type.

        One argument without makes TradingView skip the checks of the whole call.
        """
        values: list[nodes.Node] = [
            argument.value if isinstance(argument, nodes.NamedArgument) else argument for argument in call.arguments
        ]
        resolved = self.calls.get(call)
        if resolved is not None and resolved.receiver is not None:
            values.append(resolved.receiver)
        return all(map(self.is_known, values))

    @cached_property
    def variables(self) -> dict[nodes.Node, VariableSymbol]:
        """The variable that each name means."""
        names = ((node, self.program.symbol_of(node)) for node in self.all(nodes.Name))
        return {node: symbol for node, symbol in names if isinstance(symbol, VariableSymbol)}

    @cached_property
    def uses(self) -> dict[VariableSymbol, list[nodes.Node]]:
        """Where each variable is named, its declaration left out."""
        found: dict[VariableSymbol, list[nodes.Node]] = {}
        for node, symbol in self.variables.items():
            if node is not symbol.name_node:
                found.setdefault(symbol, []).append(node)
        return found

    def local_base(self, symbol: VariableSymbol) -> Base:
        """The type of a parameter that is series wherever its function is called, else Unknown."""
        found = {frame.locals[symbol] for frame in self._frames if symbol in frame.locals}
        bases = {type_.base for type_ in found}
        if len(bases) != 1 or any(type_.qualifier != SERIES for type_ in found):
            return UNKNOWN_BASE
        return bases.pop()

    @cached_property
    def tokens(self) -> list[Word]:
        """The tokens of the script in text order, those of its layout included."""
        found: list[Word] = []
        source, position = self.text + "\n", 0
        while position < len(source):
            scanned = scan(source, position, LATEST, {})
            for kind, (start, end, text) in zip(scanned.types, scanned.tokens, strict=True):
                found.append(Word(kind, position + start, position + end, text))
            position = scanned.end
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the text."""
        return frozenset(re.findall(r"[A-Za-z_]\w*", self.text))


@lru_cache(maxsize=150)
def opened(name: str, text: str) -> Script:
    """The script of `text`; one that is asked for again is not checked again."""
    return Script(name, text)


def errors(program: Program) -> list[Diagnostic]:
    """The findings that TradingView would refuse the script for."""
    return [finding for finding in program.diagnostics if finding.severity is Severity.ERROR]
