"""Facts about a script that fixes for several findings need. Each is computed once."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from functools import cache, cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from pinebench import reference
from pinebench.diagnostics import Edit, Span
from pinebench.linter import usage
from pinebench.linter.suggest.candidate import Candidate, dotted
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes
from pinebench.syntax.edits import EditError, TreeEdits, apply_edits
from pinebench.syntax.walk import children, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pinebench.checker import Program
    from pinebench.syntax import Chunk, Snapshot


_BREAKS = ("\n", "\r")
_WRAP = lazy_pattern(r"[ \t]*(?:\r\n?|\n)\s*")
_PART = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
"""A part of a name, such as `long` and `Return` in `longReturn`."""


class Facts:
    """A checked script, and facts about its text and tree."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.document: Snapshot = program.document
        self.text = program.document.text
        self._named: dict[tuple[str, int], str] = {}
        self._numbers: dict[str, int] = {}
        self._known_arms: dict[int, list[tuple[int, int, int]]] = {}

    @cached_property
    def nodes(self) -> list[tuple[nodes.Node, int]]:
        """Every node of the script, with the offset of its chunk (its top-level statement), in text order."""
        return [(node, chunk.start) for chunk in self.document.chunks for node in walk(chunk.body)]

    @cached_property
    def _edits(self) -> TreeEdits:
        return TreeEdits(self.document)

    def edits(self) -> TreeEdits:
        """Return a new, empty set of edits on the script's tree."""
        return self._edits.fresh()

    def candidate(
        self, title: str, ask: Callable[[TreeEdits], object], *, safe: bool = False, certain: bool = False
    ) -> Iterator[Candidate]:
        """Yield a candidate with the edits that the function `ask` requests, or nothing if they cannot be made. For
        `safe` and `certain` see `Candidate`."""
        edits = self.edits()
        try:
            ask(edits)
            yield Candidate(title, edits.edits(), safe, certain)
        except EditError:
            return

    def line_of(self, node: nodes.Node, offset: int) -> str | None:
        """Return the text of `node` on one line and without comments, or None if a string in it has several lines."""
        text = self.text[offset + node.start : offset + node.end]
        if not any(sign in text for sign in _BREAKS):
            return text
        if any(isinstance(inner, nodes.Literal) and any(s in inner.text for s in _BREAKS) for inner in walk(node)):
            return None
        start, end = offset + node.start, offset + node.end
        inside = [span for span in self.document.comments if start <= span.start < end]
        bare = apply_edits(text, [Edit(Span(span.start - start, span.end - start), "") for span in inside])
        return _WRAP.sub(" ", bare)

    def free_name(self, stem: str, place: int) -> str:
        """Return a name like `stem` that neither the script nor Pine uses.

        Each `place` in the script gets a different name, so that fixes for several places can be applied together.
        """
        if (stem, place) not in self._named:
            number = self._numbers.get(stem, 0) + 1
            given = self._named.values()  # `a` as the 11th and `a1` as the first are both `a11`
            while (name := f"{stem}{number}") in given or self._is_used(name) or usage.is_builtin(name):
                number += 1
            self._numbers[stem] = number
            self._named[stem, place] = name
        return self._named[stem, place]

    def _is_used(self, name: str) -> bool:
        return name in self.text and name in self.uses  # the text first: walking the tree is slow

    @cached_property
    def uses(self) -> Counter[str]:
        """The number of occurrences of each bare name in the script, including its declaration."""
        return Counter(node.id for node, _ in self.nodes if isinstance(node, nodes.Name))

    @cached_property
    def values(self) -> dict[str, list[Span]]:
        """The spans where each variable, parameter or counter is declared, by name."""
        found: dict[str, list[Span]] = {}
        for node, offset in self.nodes:
            for name in _values_declared(node):
                found.setdefault(name.id, []).append(Span(offset + name.start, offset + name.end))
        return found

    @cached_property
    def unused(self) -> dict[str, Span]:
        """The names that occur only in their declaration, with the span of the declaration."""
        found: dict[str, Span] = {}
        for node, offset in self.nodes:
            for name in (*_values_declared(node), *_others_declared(node)):
                if self.uses[name.id] == 1 and name.id not in self.members:
                    found[name.id] = Span(offset + name.start, offset + name.end)
        return found

    @cached_property
    def members(self) -> Counter[str]:
        """The number of occurrences of each name after a dot or as the name of an argument."""
        return Counter(node.name for node, _ in self.nodes if isinstance(node, nodes.Member | nodes.NamedArgument))

    @cached_property
    def functions(self) -> dict[str, nodes.FunctionDeclaration]:
        """The script's functions by name. An overloaded name maps to the first overload."""
        found: dict[str, nodes.FunctionDeclaration] = {}
        for node, _ in self.nodes:
            if isinstance(node, nodes.FunctionDeclaration):
                found.setdefault(node.name.id, node)
        return found

    @cached_property
    def declarations(self) -> dict[str, list[tuple[nodes.VariableDeclaration, int]]]:
        """The declarations of each variable, with the offsets of their chunks (top-level statements), in text order."""
        found: dict[str, list[tuple[nodes.VariableDeclaration, int]]] = {}
        for node, offset in self.nodes:
            if isinstance(node, nodes.VariableDeclaration):
                found.setdefault(node.name.id, []).append((node, offset))
        return found

    @cached_property
    def reassignments(self) -> dict[str, list[tuple[nodes.Reassignment, int]]]:
        """The reassignments of each variable, in text order, each with the offset of its chunk (top-level
        statement)."""
        found: dict[str, list[tuple[nodes.Reassignment, int]]] = {}
        for node, offset in self.nodes:
            if isinstance(node, nodes.Reassignment) and isinstance(node.target, nodes.Name):
                found.setdefault(node.target.id, []).append((node, offset))
        return found

    @cached_property
    def untyped_defaults(self) -> list[tuple[int, int]]:
        """The start and end of each parameter and field with a default and without a type, in text order."""
        return [
            (offset + node.start, offset + node.end)
            for node, offset in self.nodes
            if isinstance(node, nodes.Parameter | nodes.Field) and node.type is None and node.default is not None
        ]

    @cached_property
    def types(self) -> dict[str, nodes.TypeDeclaration | nodes.EnumDeclaration]:
        """The script's types and enums by name."""
        return {
            node.name.id: node
            for node, _ in self.nodes
            if isinstance(node, nodes.TypeDeclaration | nodes.EnumDeclaration)
        }

    @cached_property
    def imports(self) -> frozenset[str]:
        """The names by which the script refers to its imported libraries: their aliases, or else their own names."""
        found = (node for node, _ in self.nodes if isinstance(node, nodes.Import))
        return frozenset(
            node.alias.id if node.alias is not None else node.path.rpartition("/")[0].rpartition("/")[2]
            for node in found
        )

    @cached_property
    def callables(self) -> list[str]:
        """The names that the script can call: its functions, and `new` and `copy` of its types."""
        made = [f"{name}.{method}" for name in self.types for method in ("new", "copy")]
        return [*self.functions, *made]

    @cached_property
    def fields(self) -> dict[str, None]:
        """The names of the fields and members of all types and enums."""
        return {node.name.id: None for node, _ in self.nodes if isinstance(node, nodes.Field | nodes.EnumField)}

    @cached_property
    def own(self) -> frozenset[str]:
        """Every bare name of a variable, function or type that the script declares."""
        return frozenset((*self.values, *self.functions, *self.types))

    @cached_property
    def assigned(self) -> dict[str, int]:
        """The offset where each name is first reassigned."""
        found: dict[str, int] = {}
        for node, offset in self.nodes:
            if isinstance(node, nodes.Reassignment) and isinstance(node.target, nodes.Name):
                found.setdefault(node.target.id, offset + node.target.start)
        return found

    @cached_property
    def looked_back(self) -> frozenset[str]:
        """The names that the script reads with the history operator."""
        return frozenset(
            node.object.id
            for node, _ in self.nodes
            if isinstance(node, nodes.History) and isinstance(node.object, nodes.Name)
        )

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The offsets of each bare name, in text order."""
        found: dict[str, list[int]] = {}
        for node, offset in self.nodes:
            if isinstance(node, nodes.Name):
                found.setdefault(node.id, []).append(offset + node.start)
        return found

    @cached_property
    def _words(self) -> Counter[str]:
        """The number of occurrences of each part of a name and each word of comments and texts, in lower case."""
        return Counter(map(str.lower, _PART.findall(self.text)))

    def is_another_word(self, written: str, meant: str, uses: int) -> bool:
        """Return whether the part of `written` that differs from `meant` is a word of its own. In that case, `written`
        is not a typing error but another name (`logReturn` beside `longReturn`).

        `uses` is the number of times that `written` occurs in the script.
        """
        parts = Counter(part.lower() for part in _PART.findall(written))
        parts.subtract(Counter(part.lower() for part in _PART.findall(meant)))
        other = [part for part, count in parts.items() if count > 0]
        return bool(other) and all(part in _words_of_pine() or self._words[part] > uses for part in other)

    @cached_property
    def _comments(self) -> list[Span]:
        return self.document.comments

    def code_end(self, start: int, end: int) -> int:
        """Return the offset where the code of the line from `start` to `end` ends: before the line's comment and the
        blanks before it."""
        number = bisect_right(self._comments, start, key=_start)
        if number < len(self._comments) and self._comments[number].start < end:
            end = self._comments[number].start
        elif number and self._comments[number - 1].start == start:
            end = start
        return start + len(self.text[start:end].rstrip())

    def _arms(self, chunk: Chunk) -> list[tuple[int, int, int]]:
        """The start and end of the value in each arm of a `switch` with a subject, and the start of the subject. All
        are relative to the chunk's start."""
        known = self._known_arms.get(chunk.start)
        if known is None:
            switches = (node for node in walk(chunk.body) if isinstance(node, nodes.Switch))
            known = self._known_arms[chunk.start] = sorted(
                (case.condition.start, case.condition.end, node.subject.start)
                for node in (switches if "switch" in chunk.text else ())
                if node.subject is not None
                for case in node.cases
                if case.condition is not None
            )
        return known

    def head_of(self, place: int) -> int | None:
        """Return the offset of the subject of a `switch` if the value of one of its arms is at `place`; otherwise
        None."""
        chunk = self.document.chunk_at(place)
        arms = self._arms(chunk)
        number = bisect_right(arms, place - chunk.start, key=itemgetter(0)) - 1
        if number < 0:
            return None
        _, end, head = arms[number]
        return chunk.start + head if place - chunk.start <= end else None

    def around(self, place: int) -> Iterator[tuple[nodes.Node, int]]:
        """Yield every node that covers `place`, outermost first, with the offset of their top-level statement."""
        chunk = self.document.chunk_at(place)
        self._edits.look_at(place)
        relative = place - chunk.start
        stack = list(reversed(chunk.body))
        while stack:
            node = stack.pop()
            if node.start <= relative < max(node.end, node.start + 1):
                yield node, chunk.start
                stack += children(node)[::-1]

    def call_at(self, place: int, name: str | None = None) -> tuple[nodes.Call, int] | None:
        """Return the innermost call around `place` (of the function `name`, if given) and the offset of its chunk (its
        top-level statement), or None if there is none."""
        found: tuple[nodes.Call, int] | None = None
        for node, offset in self.around(place):
            if isinstance(node, nodes.Call) and (name is None or dotted(node.callee) == name):
                found = node, offset
        return found


@cache
def _words_of_pine() -> frozenset[str]:
    """The parts of Pine's names, including the names of parameters, in lower case."""
    parameters = (
        parameter.name
        for function in map(reference.function, reference.functions())
        if function is not None
        for overload in function.overloads
        for parameter in overload.parameters
    )
    return frozenset(part.lower() for name in (*usage.names(), *parameters) for part in _PART.findall(name))


def _start(span: Span) -> int:
    return span.start


def _values_declared(node: nodes.Node) -> list[nodes.Name]:
    match node:
        case nodes.VariableDeclaration() | nodes.Parameter():
            return [node.name]
        case nodes.TupleDeclaration():
            return list(node.names)
        case nodes.ForTo():
            return [node.counter]
        case nodes.ForIn():
            return [name for name in (node.index, node.element) if name is not None]
        case _:
            return []


def _others_declared(node: nodes.Node) -> list[nodes.Name]:
    match node:
        case nodes.FunctionDeclaration() | nodes.TypeDeclaration() | nodes.EnumDeclaration():
            return [node.name]
        case nodes.Field() | nodes.EnumField():
            return [node.name]
        case _:
            return []
