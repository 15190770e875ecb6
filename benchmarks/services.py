"""Measure how long an editor waits in a script of 3,000 lines: `python benchmarks/services.py FOLDER [--rename N]`.

The script is joined from the real scripts in the folder. It prints medians of CPU milliseconds: from a keystroke to the
findings (with rules), from a keystroke to the first list of completions, and for each other question after the check.
With `--rename`, names at N random places of the folder's scripts are renamed and renamed back. The findings must be the
same except for the name, and in the end the text must be the same as before. Refused renames are counted.
"""

import gc
import random
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import recheck

from pinebench.diagnostics import Severity, Span
from pinebench.errors import UsageError
from pinebench.linter.rules import opinions_on
from pinebench.services import OpenScript, ScriptView
from pinebench.services.completion import completions
from pinebench.services.hover import hover, signature_help
from pinebench.services.inlay import hints
from pinebench.services.navigation import definition, references
from pinebench.services.outline import folds, outline
from pinebench.services.rename import rename
from pinebench.services.tokens import tokens
from pinebench.syntax.edits import apply_edits

TIMES = 40
_WORD = re.compile(r"(?m)^[^/\"'\n]*?\b([A-Za-z_]\w{3,})")
LIMITS = {"keystroke with findings": 60, "first completions": 16, "hover": 5, "definition": 5}


def main(arguments: list[str]) -> int:
    """Print the table."""
    if not arguments:
        sys.exit("services: name a folder with real scripts")
    folder = Path(arguments[0])
    if "--rename" in arguments:
        return rename_everywhere(folder, int(arguments[arguments.index("--rename") + 1]))
    text = recheck.long_scripts(folder)[2]
    print(f"a script of {text.count(chr(10))} lines")
    for name, times in measure(text).items():
        limit = LIMITS.get(name)
        print(f"{name:<28}{statistics.median(times):8.1f} ms" + (f"  (limit {limit})" if limit else ""))
    pygls, ours = start_up("".join(text.splitlines(keepends=True)[:150]))
    print(f"{'server start, 150 lines':<28}{ours:8.1f} ms  (limit 200, beside {pygls:.0f} for pygls)")
    return 0


_START = """
import sys, time
begun = time.process_time()
import pygls.lsp.server
pygls = time.process_time()
from lsprotocol import types
from pinebench.lsp.editor_session import make_server
server = make_server()
item = types.TextDocumentItem("untitled:a", "pine", 1, sys.stdin.read())
found = server.answers(server.documents.open(item)).diagnostics()
print(1000 * (pygls - begun), 1000 * (time.process_time() - pygls))
"""


def start_up(text: str) -> tuple[float, float]:
    """Return the CPU milliseconds of importing pygls, and from then to the first findings about `text`."""
    command = [sys.executable, "-c", _START]
    runs = [subprocess.run(command, input=text, capture_output=True, text=True, check=True) for _ in range(5)]
    pygls, ours = zip(*(map(float, run.stdout.split()) for run in runs), strict=True)
    return statistics.median(pygls), statistics.median(ours)


def measure(text: str) -> dict[str, list[float]]:
    """Return the CPU milliseconds of each request, at random positions."""
    choose = random.Random(3)
    script = OpenScript(text)
    places = [match.start(1) + 1 for match in _WORD.finditer(text)]
    found: dict[str, list[float]] = {}
    _ = script.view.program.diagnostics, opinions_on(script.view.program)
    gc.collect()
    gc.freeze()

    def timed(name: str, ask: Callable[[], object]) -> None:
        started = time.process_time()
        ask()
        found.setdefault(name, []).append(1000 * (time.process_time() - started))

    for _ in range(TIMES):
        place = choose.choice(places)
        timed("first completions", lambda at=place: (script.edit(at, at, "a"), completions(script.view, at + 1)))
        script.edit(place, place + 1, "")
        _ = script.view.program
        timed("keystroke with findings", lambda at=place: (script.edit(at, at, "a"), findings(script.view)))
        script.edit(place, place + 1, "")
        view = script.view
        _ = view.program
        for name, ask in ASKED.items():
            timed(name, partial(ask, view, choose.choice(places)))
    for name, ask in WHOLE.items():
        for _ in range(5):
            place = choose.choice(places)
            script.edit(place, place, " ")
            _ = script.view.program
            timed(name, lambda ask=ask, at=place: ask(script.view, at))
    gc.unfreeze()
    return found


def findings(view: ScriptView) -> list[object]:
    """Return the findings that an editor shows after a keystroke."""
    return [*view.program.diagnostics, *opinions_on(view.program)]


ASKED: dict[str, Callable[[ScriptView, int], object]] = {
    "hover": hover,
    "definition": definition,
    "signature help": signature_help,
}
WHOLE: dict[str, Callable[[ScriptView, int], object]] = {
    "references": references,
    "outline": lambda view, _: outline(view),
    "folds": lambda view, _: folds(view),
    "semantic tokens": lambda view, _: tokens(view),
    "hints on a page": lambda view, at: hints(view, Span(at, at + 3000)),
}


def rename_everywhere(folder: Path, count: int) -> int:
    """Rename at random positions and print the outcomes. Return 1 if a rename changed anything else."""
    choose = random.Random(11)
    paths = sorted(folder.rglob("*.pine"))
    outcomes: Counter[str] = Counter()
    while sum(outcomes.values()) < count:
        path = choose.choice(paths)
        text = path.read_bytes().decode("utf-8", errors="replace")
        view = OpenScript(text).view
        is_broken = any(each.severity is Severity.ERROR for each in view.program.diagnostics)
        variables = [each for each in view.program.variables if each.name != "_"]
        if view.snapshot.version != 6 or is_broken or not variables:
            continue
        for variable in choose.sample(variables, min(4, len(variables))):
            place = variable.offset + variable.name_node.start
            outcome = _there_and_back(view, place, variable.name)
            outcomes[outcome] += 1
            if outcome not in ("renamed", "refused"):
                print(f"{path.name}: {variable.name}: {outcome}")
    for outcome, number in outcomes.most_common():
        print(f"{outcome:<24}{number:>6}")
    return int(bool(set(outcomes) - {"renamed", "refused"}))


def _there_and_back(view: ScriptView, place: int, name: str) -> str:
    new = "renamed_for_a_moment"
    try:
        there = apply_edits(view.text, rename(view, place, new))
    except UsageError as error:
        print(error.message)
        return "refused"
    after = OpenScript(there).view
    if _said(view, name) != _said(after, new):
        return "other findings"
    try:
        back = rename(after, there.index(new), name)
    except UsageError as error:
        return f"no way back: {error.message}"
    return "renamed" if apply_edits(there, back) == view.text else "not the same text"


def _said(view: ScriptView, name: str) -> Counter[tuple[str, str]]:
    """Return the findings without the name, except for findings about a name that hides another one."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    found = ((each.code, word.sub("", each.message)) for each in view.program.diagnostics)
    return Counter(each for each in found if each[0] not in ("CW10011", "CW10013"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
