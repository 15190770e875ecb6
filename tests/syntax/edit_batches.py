"""Random batches of edits on a tree, and the tree that each must lead to, worked out on the tree alone."""

import random
import re
from typing import Any

from pinebench.syntax import Document, nodes, parse
from pinebench.syntax.edits import EditError, TreeEdits, apply_edits, expression, inverse
from pinebench.syntax.nodes import Node
from pinebench.syntax.walk import slots, walk

VALUES = frozenset(
    (
        *("left", "right", "operand", "condition", "then", "value", "arguments", "items", "expression", "offset"),
        *("first", "last", "step", "subject"),
    )
)
"""Where any expression may stand."""
EXPRESSIONS = ("fresh", "12", "a + b", "x ? y : z", "not flag", "-1.5", "ta.sma(close, 14)", '"text"', "p[1]", "(q)")
STATEMENTS = (
    "fresh = 1",
    "fresh := old",
    "log.info('x')",
    "if fresh\n    one = 1\nelse\n    two = 2",
    'm = """a\n b"""',
)

Shape = Any


def shape(node: Node | list[Node], change: dict[int, Any] | None = None) -> Shape:
    """The tree without its places and parentheses, with `change` made: what each changed node becomes in its list."""
    change = change or {}
    if isinstance(node, list):
        found: list[Shape] = []
        for item in node:
            found += change[id(item)](item) if id(item) in change else [shape(item, change)]
        return found
    if id(node) in change:
        (only,) = change[id(node)](node)
        return only
    return inner(node, change)


def inner(node: Node, change: dict[int, Any]) -> Shape:
    if isinstance(node, nodes.Parenthesized):
        return shape(node.expression, change)
    if isinstance(node, nodes.Literal):  # a text that is put in gets the line ends of the script
        return ("Literal", node.kind, re.sub(r"\r\n?", "\n", node.text))
    held = dict(slots(node))
    plain = [(name, getattr(node, name)) for name in node._fields if name not in held and not name.endswith("_start")]
    return (type(node).__name__, plain, [(name, shape(value, change)) for name, value in held.items()])


def statements(text: str) -> list[Shape]:
    return [shape(node) for chunk in parse(text + "\n").chunks for node in chunk.body]


class Batch:
    """Edits that were accepted, and what they do to the tree."""

    def __init__(self, document: Document, chosen: random.Random) -> None:
        self.document = document
        self.random = chosen
        self.edits = TreeEdits(document.snapshot)
        self.change: dict[int, list[Any]] = {}
        self.tops: list[Node] = [node for chunk in document.chunks for node in chunk.body]
        self.places: list[tuple[Node, str, Node | None]] = [(node, "body", None) for node in self.tops]
        for node in walk(self.tops):
            for name, value in slots(node):
                self.places += [(item, name, node) for item in (value if isinstance(value, list) else [value])]

    def grow(self, tries: int) -> int:
        """Ask for `tries` random edits; answers how many were accepted."""
        return sum(self._one() for _ in range(tries))

    def _one(self) -> bool:
        node, slot, parent = self.random.choice(self.places)
        if isinstance(parent, nodes.TypeReference):  # no expression can stand there
            return False
        if slot in VALUES or isinstance(parent, nodes.Ternary):
            ways = [self._replace, self._wrap]
        else:
            ways = [self._remove, self._insert, self._block, self._statement]
        if slot in ("arguments", "items"):
            ways.append(self._remove)
        try:
            self.random.choice(ways)(node, slot)
        except EditError:
            return False
        return True

    def _note(self, node: Node, how: Any) -> None:
        self.change.setdefault(id(node), []).append(how)

    def _replace(self, node: Node, slot: str) -> None:
        if isinstance(node, nodes.NamedArgument | nodes.If | nodes.Switch | nodes.ForTo | nodes.ForIn | nodes.While):
            return
        text = self.random.choice(EXPRESSIONS)
        tree = expression(text)
        assert tree is not None
        self.edits.replace(node, text)
        self._note(node, ("replace", [shape(tree)]))

    def _wrap(self, node: Node, slot: str) -> None:
        if isinstance(node, nodes.NamedArgument | nodes.If | nodes.Switch | nodes.ForTo | nodes.ForIn | nodes.While):
            return
        self.edits.wrap(node, "outer(", ")")
        self._note(node, ("wrap", None))

    def _remove(self, node: Node, slot: str) -> None:
        before = self.edits
        trial = TreeEdits(self.document.snapshot)
        trial.merge(before)
        trial.remove(node)
        trial.edits()
        self.edits = trial
        self._note(node, ("replace", []))

    def _statement(self, node: Node, slot: str) -> None:
        if slot not in ("body", "otherwise"):
            return
        text = self.random.choice(STATEMENTS if self._is_alone(node) else STATEMENTS[:3])
        self.edits.replace(node, text)
        self._note(node, ("replace", statements(text)))

    def _is_alone(self, node: Node) -> bool:
        try:
            TreeEdits(self.document.snapshot).insert_after(node, "x")
        except EditError:
            return False
        return True

    def _insert(self, node: Node, slot: str) -> None:
        if slot not in ("body", "otherwise"):
            return
        text = self.random.choice(STATEMENTS)
        if self.random.random() < 0.5:
            self.edits.insert_before(node, text)
            self._note(node, ("before", statements(text)))
        else:
            self.edits.insert_after(node, text)
            self._note(node, ("after", statements(text)))

    def _block(self, node: Node, slot: str) -> None:
        if slot not in ("body", "otherwise"):
            return
        if isinstance(node, nodes.FunctionDeclaration | nodes.TypeDeclaration | nodes.EnumDeclaration | nodes.Import):
            return
        self.edits.wrap_in_block(node, "if outer")
        self._note(node, ("block", None))

    def expected(self) -> Shape:
        """The tree that the batch must lead to."""
        changes: dict[int, Any] = {key: self._changed(hows) for key, hows in self.change.items()}
        return shape(self.tops, changes)

    def _changed(self, hows: list[tuple[str, Any]]) -> Any:
        def become(node: Node) -> list[Shape]:
            kinds = [kind for kind, _ in hows]
            changes = {key: self._changed(other) for key, other in self.change.items() if key != id(node)}
            found = next((value for kind, value in hows if kind == "replace"), None)
            result = [inner(node, changes)] if found is None else list(found)
            for _ in range(kinds.count("wrap")):
                result = [_call(result[0])]
            if "block" in kinds:
                result = [_if(result)]
            before = [item for kind, value in hows if kind == "before" for item in value]
            after = [item for kind, value in hows if kind == "after" for item in value]
            return [*before, *result, *after]

        return become


def _call(argument: Shape) -> Shape:
    (call,) = statements("outer(hole)")
    _, _, [(_, (name, plain, [callee, (arguments, _hole)]))] = call
    return (name, plain, [callee, (arguments, [argument])])


def _if(body: list[Shape]) -> Shape:
    ((name, plain, [condition, (slot, _)]),) = statements("if outer\n    hole = 1")
    return (name, plain, [condition, (slot, body)])


def check(text: str, seed: int, tries: int = 12) -> int:
    """Make one random batch on `text` and fail unless it does what it must; answers how many edits it had."""
    document = parse(text)
    batch = Batch(document, random.Random(seed))
    made = batch.grow(tries)
    edits = batch.edits.edits()
    after = apply_edits(text, edits)
    assert apply_edits(after, inverse(text, edits)) == text
    result = parse(after)
    said = sorted(text[start:end].rstrip() for start, end in document.comments)
    assert sorted(after[start:end].rstrip() for start, end in result.comments) == said, (seed, after)
    assert not [fault for fault in result.diagnostics if fault.severity == 0], (seed, after)
    assert shape([node for chunk in result.chunks for node in chunk.body]) == batch.expected(), (seed, after)
    return made
