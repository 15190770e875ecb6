"""Reads everything that a code generator and an editor need off checked scripts, by the public surface alone.

Run by hand it prints its counts for the scripts of folders: `python -m tests.checker.consumer FOLDER…`. The folders are
searched for imported libraries, too.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pinebench.checker import (
    BoundCall,
    BuiltinCall,
    ConstructorCall,
    CopyCall,
    LibraryCall,
    LibraryFolders,
    Program,
    UserCall,
    check,
)
from pinebench.checker.symbols import Frame
from pinebench.checker.types import UNKNOWN_BASE
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import children

VALUES = (
    nodes.Literal,
    nodes.Call,
    nodes.History,
    nodes.Unary,
    nodes.Binary,
    nodes.Ternary,
    nodes.Parenthesized,
    nodes.TupleExpression,
)
NAMED = (
    nodes.TypeReference,
    nodes.VariableDeclaration,
    nodes.FunctionDeclaration,
    nodes.Parameter,
    nodes.TypeDeclaration,
    nodes.Field,
    nodes.EnumDeclaration,
    nodes.EnumField,
)


class Consumer:
    """Walks one checked script with all its frames; `counts` says what it met, `missing` what it was not told."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sees_all = all(library.source is not None for library in program.imports.values())
        self.counts: Counter[str] = Counter()
        self.missing: list[str] = []
        self.sites: set[tuple[str | None, int]] = set()

    def read(self) -> None:
        """Walk the global code of the script and of its libraries, and every body that a call reaches."""
        frames = {id(frame): frame for frame in self.program.frames}
        for library in self.program.libraries.values():
            frames.update({id(frame): frame for frame in library.frames})
        for frame in frames.values():
            self.counts["frames"] += 1
            self.body(frame)

    def body(self, frame: Frame) -> None:
        """Read one body of code in one frame."""
        owner = self.program.program_of(frame)
        if frame.function is not None:
            statements: list[nodes.Node] = list(frame.function.node.body)
        else:
            statements = [statement for chunk in owner.document.chunks for statement in chunk.body]
        for node in inside(statements):
            self.place(owner, node)
            if isinstance(node, nodes.Call):
                self.call(node, frame)
            if isinstance(node, VALUES):
                self.value(node, frame)
        for node, is_value in named(statements):
            self.name(node, frame)
            if is_value:
                self.value(node, frame)

    def complain(self, what: str, node: nodes.Node) -> None:
        """Note what is not known, where everything could be."""
        self.counts[f"{what}: unknown"] += 1
        if self.sees_all:
            self.missing.append(f"{what}: {self.program.text_of(node)}")

    def place(self, owner: Program, node: nodes.Node) -> None:
        """A node's span holds its text."""
        start, end = self.program.span(node)
        text = owner.document.text[start:end]
        self.counts["spans"] += 1
        if isinstance(node, nodes.Name):
            good = text == node.id
        elif isinstance(node, nodes.Literal):
            good = text == node.text
        elif isinstance(node, nodes.Member):
            good = text.endswith(node.name)
        elif isinstance(node, nodes.Call):
            good = text.endswith(")") and text.startswith(self.program.text_of(node.callee))
        elif isinstance(node, nodes.VariableDeclaration | nodes.FunctionDeclaration | nodes.TypeDeclaration):
            good = node.name.id in text
        else:
            good = 0 <= start <= end <= len(owner.document.text)
        if not good:
            self.missing.append(f"span of {type(node).__name__}: {text}")

    def value(self, node: nodes.Node, frame: Frame) -> None:
        """An expression has a type, which nothing in the script leaves unknown."""
        self.counts["expressions"] += 1
        type_ = self.program.type_of(node, frame)
        if type_ is None or type_.base is UNKNOWN_BASE:
            self.complain("type", node)
        self.counts["conversions"] += self.program.conversion_of(node, frame) is not None
        self.counts["constants"] += self.program.value_of(node, frame)[0]

    def name(self, node: nodes.Name | nodes.Member, frame: Frame) -> None:
        """A name means something."""
        self.counts["names"] += 1
        symbol = self.program.symbol_of(node, frame)
        if symbol is None:
            self.complain("symbol", node)
        else:
            self.counts["typed symbols"] += self.program.declared_type(symbol, frame) is not None

    def call(self, node: nodes.Call, frame: Frame) -> None:
        """A call has a target with every parameter bound."""
        call = self.program.call(node, frame)
        if call is None:
            self.complain("call", node)
            return
        self.counts[f"calls: {type(call).__name__}"] += 1
        self.sites.add(call.site)
        wanted = parameters_of(call)
        given = {argument.parameter for argument in call.arguments}
        if not wanted <= given or call.site.number < 0:
            self.missing.append(f"arguments {wanted - given} of {self.program.text_of(node)}")
        if isinstance(call, LibraryCall) and self.sees_all:
            self.missing.append(f"target of {self.program.text_of(node)}")
        for argument in call.arguments:
            self.counts["arguments"] += 1
            if argument.node is None and argument.default is None and not isinstance(call, BuiltinCall):
                self.missing.append(f"value of {argument.parameter} in {self.program.text_of(node)}")


def parameters_of(call: BoundCall) -> set[str]:
    """The parameters that a call must bind; of a built-in those that are not repeated."""
    if isinstance(call, BuiltinCall):
        return {spec.name for spec in call.overload.parameters if "," not in spec.name}
    if isinstance(call, UserCall):
        return {parameter.name for parameter in call.function.parameters}
    if isinstance(call, ConstructorCall):
        return set(call.type.fields)
    return {"id"} if isinstance(call, CopyCall) else set()


def inside(statements: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Every node of a body but what stands in the bodies of functions, which run elsewhere."""
    pending = list(statements)[::-1]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, nodes.FunctionDeclaration):
            pending += [node.name, *node.parameters]
        else:
            pending += children(node)[::-1]


def named(statements: Iterable[nodes.Node]) -> Iterator[tuple[nodes.Name | nodes.Member, bool]]:
    """Every name of a body, and whether it is an expression: not a callee, a declaration, or part of a longer name."""
    silent: set[nodes.Node] = set()
    for node in inside(statements):
        if isinstance(node, nodes.Call):
            silent.add(node.callee)
        elif isinstance(node, NAMED):
            silent.add(node.name)
        elif isinstance(node, nodes.TupleDeclaration):
            silent.update(node.names)
        elif isinstance(node, nodes.ForTo):
            silent.add(node.counter)
        elif isinstance(node, nodes.ForIn):
            silent.update(name for name in (node.index, node.element) if name is not None)
        elif isinstance(node, nodes.Import):
            silent.update((node.alias,) if node.alias is not None else ())
        elif isinstance(node, nodes.Member):
            silent.add(node.object)  # of a dotted name only the whole is a value; an object is read with its field
        if isinstance(node, nodes.Name | nodes.Member):
            yield node, node not in silent


def read(text: str, libraries: LibraryFolders | None) -> Consumer | None:
    """What a consumer finds in a script; None where the script has errors."""
    program = check(parse(text), libraries)
    if any(finding.severity is Severity.ERROR for finding in program.diagnostics) or program.document.version != 6:
        return None
    consumer = Consumer(program)
    consumer.read()
    return consumer


def main(folders: list[str]) -> None:
    """Print what is found in every script below `folders`."""
    libraries = LibraryFolders([Path(folder) for folder in folders])
    counts: Counter[str] = Counter()
    missing: list[str] = []
    for path in sorted(path for folder in folders for path in Path(folder).rglob("*.pine")):
        consumer = read(path.read_bytes().decode("utf-8", errors="replace"), libraries)
        counts["scripts" if consumer is not None else "scripts with errors"] += 1
        if consumer is not None:
            counts += consumer.counts
            missing += [f"{path.name}: {line}" for line in consumer.missing]
    for name, count in sorted(counts.items()):
        print(f"{name:<32}{count:>10}")
    print(f"{'missing':<32}{len(missing):>10}")
    print(*missing[:60], sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
