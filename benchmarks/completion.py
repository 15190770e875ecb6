"""Measure the quality of completion on real scripts: `python benchmarks/completion.py FOLDER [SCRIPTS [PLACES]]`.

In random scripts of the folder, names are hidden one at a time: an identifier after a dot, the name of an argument with
its `=`, and a bare name except for its first letter. For each kind it prints how often the hidden name is among the
first ten proposals, among all proposals, and the first one. Bare names without their first letter are measured too.
With `--misses` the names that completion did not propose are listed.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pinebench.diagnostics import Severity
from pinebench.services import OpenScript, ScriptView
from pinebench.services.completion import completions
from pinebench.syntax import Document, nodes
from pinebench.syntax.walk import walk

FIRST = 10
KINDS = ("member", "argument", "name", "name without a letter")


class Hidden(NamedTuple):
    """A name to hide: its kind, the offsets of the removed text, the name, and the part that stays."""

    kind: str
    start: int
    end: int
    name: str
    kept: str


def main(arguments: list[str]) -> int:
    """Print the figures."""
    misses = "--misses" in arguments
    arguments = [argument for argument in arguments if not argument.startswith("--")]
    if not arguments:
        sys.exit("completion: name a folder with real scripts")
    scripts = int(arguments[1]) if len(arguments) > 1 else 100
    places = int(arguments[2]) if len(arguments) > 2 else 10_000
    choose = random.Random(7)
    paths = sorted(Path(arguments[0]).rglob("*.pine"))
    choose.shuffle(paths)
    ranks: defaultdict[str, list[int | None]] = defaultdict(list)
    missed: Counter[str] = Counter()
    taken = 0
    spent = 0.0
    for path in paths:
        script = OpenScript(path.read_bytes().decode("utf-8", errors="replace"))
        findings = script.view.program.diagnostics
        if script.view.snapshot.version != 6 or any(found.severity is Severity.ERROR for found in findings):
            continue
        hidden = list(hidden_in(script.view))
        for each in choose.sample(hidden, min(len(hidden), places // scripts)):
            started = time.process_time()
            rank, top = rank_of(script.view, each)
            spent += time.process_time() - started
            ranks[each.kind].append(rank)
            if rank is None or (misses and rank >= FIRST):
                line = script.view.snapshot.lines.position(each.start).line
                kind = "none" if rank is None else "late"
                missed[f"{kind} {each.kind}: {each.name} {path.name}:{line} {top}"] += 1
        taken += 1
        if taken == scripts:
            break
    report(ranks, spent)
    if misses:
        print(*(text for text, _ in missed.most_common(400)), sep="\n")
    return 0


def report(ranks: dict[str, list[int | None]], spent: float) -> None:
    """Print a line for each kind, and one for all kinds except the last."""
    counted = [rank for kind in KINDS[:3] for rank in ranks[kind]]
    print(f"{'kind':<24}{'places':>8}{f'first {FIRST}':>10}{'all':>9}{'first':>9}")
    for kind, found in [*((kind, ranks[kind]) for kind in KINDS), ("all except the last", counted)]:
        size = max(1, len(found))
        first = sum(1 for rank in found if rank is not None and rank < FIRST) / size
        everywhere = sum(1 for rank in found if rank is not None) / size
        top = sum(1 for rank in found if rank == 0) / size
        print(f"{kind:<24}{len(found):>8}{first:>10.1%}{everywhere:>9.1%}{top:>9.1%}")
    print(f"{1000 * spent / max(1, sum(map(len, ranks.values()))):.1f} ms CPU for each list")


def hidden_in(view: ScriptView) -> Iterator[Hidden]:
    """Yield every name of a script that can be hidden."""
    for chunk in view.snapshot.chunks:
        declared: set[nodes.Node] = set()
        for node in walk(chunk.body):
            declared.update(_declared_by(node))
            if isinstance(node, nodes.Member):
                start, end = chunk.start + node.name_start, chunk.start + node.end
                yield Hidden("member", start, end, node.name, "")
            elif isinstance(node, nodes.NamedArgument):
                start, end = chunk.start + node.start, chunk.start + node.value.start
                yield Hidden("argument", start, end, node.name, "")
            elif isinstance(node, nodes.Name) and node not in declared:
                start, end = chunk.start + node.start, chunk.start + node.end
                yield Hidden("name", start, end, node.id, node.id[0])
                if len(node.id) > 3:
                    yield Hidden("name without a letter", start, end, node.id, "")


def _declared_by(node: nodes.Node) -> list[nodes.Node]:
    if isinstance(node, nodes.TupleDeclaration):
        return list(node.names)
    if isinstance(node, nodes.ForIn):
        return [name for name in (node.index, node.element) if name is not None]
    if isinstance(node, nodes.ForTo):
        return [node.counter]
    if isinstance(node, nodes.Import):
        return [node.alias] if node.alias is not None else []
    named = (
        *(nodes.VariableDeclaration, nodes.FunctionDeclaration, nodes.Parameter, nodes.TypeDeclaration),
        *(nodes.Field, nodes.EnumDeclaration, nodes.EnumField),
    )
    return [node.name] if isinstance(node, named) else []


def rank_of(view: ScriptView, hidden: Hidden) -> tuple[int | None, list[str]]:
    """Return the rank of the hidden name among the proposals, from 0 (None: not proposed), and the first proposals."""
    document = Document(view.snapshot)
    document.edit(hidden.start, hidden.end, hidden.kept)
    now = ScriptView(document.snapshot, view.sources, view.program)
    labels = list(dict.fromkeys(item.label for item in completions(now, hidden.start + len(hidden.kept))))
    return (labels.index(hidden.name) if hidden.name in labels else None), labels[:FIRST]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
