"""Short scripts for the tests of this room: what is found in them, and the types that they give."""

from pinebench.checker import Program, check
from pinebench.checker.constants import Value
from pinebench.checker.types import display
from pinebench.diagnostics import Diagnostic, Severity
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk

HEAD = '//@version=6\nindicator("x")\n'


def checked(script: str) -> Program:
    """`script` behind a version line and an indicator statement (its first line is line 3), checked."""
    return check(parse(HEAD + script + "\n"))


def findings(script: str) -> list[Diagnostic]:
    """The errors and warnings of `script`, but for its lack of output."""
    found = checked(script).diagnostics
    return [finding for finding in found if finding.severity <= Severity.WARNING and finding.code != "CE10246"]


def codes(script: str) -> str:
    """The codes of the errors and warnings of `script`, in text order."""
    return " ".join(finding.code for finding in findings(script))


def spans(script: str) -> list[str]:
    """Each finding of `script` as its code and the text that it underlines."""
    text = HEAD + script + "\n"
    return [f"{finding.code} {text[finding.span.start : finding.span.end]}" for finding in findings(script)]


def messages(script: str) -> list[str]:
    """The messages of the errors and warnings of `script`."""
    return [finding.message for finding in findings(script)]


def type_of(script: str, name: str) -> str:
    """How messages name the type of the global variable `name`."""
    symbol = checked(script).globals[name]
    assert symbol.type is not None
    return display(symbol.type)


def empties(script: str) -> list[str]:
    """The types of every `na` in the global code, in text order."""
    program = checked(script)
    found: list[str] = []
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Name) and node.id == "na":
                type_ = program.type_of(node)
                assert type_ is not None
                found.append(display(type_))
    return found


def converted(script: str) -> list[tuple[str, str]]:
    """Each expression of the global code that becomes something else, with the type it becomes."""
    program = checked(script)
    found: list[tuple[str, str]] = []
    for chunk in program.document.chunks:
        for node in walk(chunk.body):
            type_ = program.conversion_of(node)
            if type_ is not None:
                found.append((program.text_of(node), display(type_)))
    return found


def value(script: str) -> tuple[bool, Value]:
    """Whether the value of the last declaration is known, and that value."""
    program = checked(script)
    last = program.document.chunks[-1].body[-1]
    assert isinstance(last, nodes.VariableDeclaration)
    return program.value_of(last.value)
