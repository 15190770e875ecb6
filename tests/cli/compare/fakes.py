"""Compilers that judge as ours does but for one construct, so that their verdicts differ on scripts that have it."""

from collections.abc import Callable, Iterator
from pathlib import Path

from pinebench.checker import open_program
from pinebench.compilers import Verdict
from pinebench.context import Context
from pinebench.diagnostics import Diagnostic, Severity, Span
from pinebench.syntax import Snapshot, nodes
from pinebench.syntax.walk import walk

ROOT = Path(__file__).resolve().parents[3]
Finds = Callable[[nodes.Node], bool]


class Fake:
    """Accepts and refuses what our checker does, but refuses what `has` finds too, by a code and words of its own,
    at its place (or, with `blind`, at the beginning), where it is found so many `times`; without `has`, accepts
    everything."""

    name = "fake"

    def __init__(self, has: Finds | None = None, *, blind: bool = False, warns: bool = False, times: int = 1) -> None:
        self.has = has
        self.blind = blind
        self.warns = warns
        self.times = times
        self.asked: list[str] = []

    def reach(self, context: Context) -> None:
        """It is always here."""

    def compile(self, source: str, context: Context) -> Verdict:
        """What it says about `source`."""
        context.check()
        self.asked.append(source)
        if self.has is None:
            return Verdict(True, (), "online", 0.0)
        program = open_program(source)
        found = [each for each in program.diagnostics if each.severity <= Severity.WARNING]
        severity = Severity.WARNING if self.warns else Severity.ERROR
        spans = [span for node, span in placed(program.document) if self.has(node)]
        if len(spans) >= self.times:
            place = Span(0, 0) if self.blind else spans[self.times - 1]
            found.append(Diagnostic("CW19999" if self.warns else "CE19999", severity, "Not here", place))
        ok = not any(each.severity is Severity.ERROR for each in found)
        return Verdict(ok, tuple(found), "online", 0.0)


def placed(snapshot: Snapshot) -> Iterator[tuple[nodes.Node, Span]]:
    """Every node of a script with its place."""
    for chunk in snapshot.chunks:
        for node in walk(chunk.body):
            yield node, Span(chunk.start + node.start, chunk.start + node.end)


def path_of(node: nodes.Node) -> str:
    """The names of a callee or a member, joined by dots."""
    if isinstance(node, nodes.Member):
        return f"{path_of(node.object)}.{node.name}"
    return node.id if isinstance(node, nodes.Name) else "?"


def calls(name: str) -> Finds:
    """Finds calls of a built-in."""
    return lambda node: isinstance(node, nodes.Call) and path_of(node.callee) == name


def is_a(*kinds: type[nodes.Node]) -> Finds:
    """Finds nodes of some classes."""
    return lambda node: isinstance(node, kinds)


def scripts() -> dict[str, str]:
    """The scripts that come with pinebench, but libraries and those that need one, by name."""
    found = sorted([*(ROOT / "pine" / "samples").glob("*.pine"), *(ROOT / "pine" / "templates").glob("*.pine")])
    texts = {path.stem: path.read_text(encoding="utf-8") for path in found}
    return {name: text for name, text in texts.items() if "library(" not in text and "\nimport " not in text}
