"""Counts what the rules report on a folder of real scripts, and what they cost: `python benchmarks/rules.py FOLDER`.

Where an `index.jsonl` in the folder or above it grades scripts, those of grade A are taken. `--select` takes codes or
their beginnings; `--sample N` prints so many reports of each rule, evenly spread, with their lines. The last lines
compare the CPU time of all rules with that of parse and check.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from pinebench.check import check
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Severity
from pinebench.lint.rules import opinions_on
from pinebench.syntax import parse

if TYPE_CHECKING:
    from pinebench.check import Program
    from pinebench.diagnostics import Diagnostic

Report = tuple[Path, "Program", "Diagnostic"]

RUNS = 3
CONTEXT = 1


def main() -> None:
    """Print every figure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--select", default="PB", help="codes or their beginnings, with commas")
    parser.add_argument("--sample", type=int, default=0, help="reports of each rule to print")
    parser.add_argument("--context", type=int, default=CONTEXT, help="lines to print around each")
    parser.add_argument("--no-cost", action="store_true", help="leave out the time")
    options = parser.parse_args()
    beginnings = tuple(options.select.split(","))
    select = [code for code in opinion_codes() if code.startswith(beginnings)]
    paths = graded(options.folder)
    found: dict[str, list[Report]] = defaultdict(list)
    for path in paths:
        program = check(parse(text_of(path)))
        for opinion in opinions_on(program, select):
            found[opinion.code].append((path, program, opinion))
    print(f"{len(paths)} scripts")
    for code in select:
        scripts = Counter(path for path, *_ in found[code])
        print(f"{code} {opinion_codes()[code].alias:<28}{len(found[code]):>6} reports in {len(scripts):>4} scripts")
        for path, program, opinion in spread(found[code], options.sample):
            show(path, program, opinion, options.context)
    if not options.no_cost:
        cost([text_of(path) for path in paths], select)


def graded(folder: Path) -> list[Path]:
    """The scripts of grade A below `folder`; all where nothing grades them."""
    paths = sorted(folder.rglob("*.pine"))
    index = next(
        (place / "index.jsonl" for place in (folder, folder.parent) if (place / "index.jsonl").is_file()), None
    )
    if index is None:
        return paths
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines() if line.strip()]
    best = {row["sha256"] for row in rows if row["grade"] == "A"}
    return [path for path in paths if sha256(path.read_bytes()).hexdigest() in best]


def text_of(path: Path) -> str:
    """The text of a script."""
    return path.read_bytes().decode("utf-8", errors="replace")


def spread(items: list[Report], most: int) -> list[Report]:
    """At most `most` of `items`, evenly spread."""
    step = max(1, len(items) // most) if most else len(items) + 1
    return items[step // 2 :: step][:most] if most else []


def show(path: Path, program: Program, opinion: Diagnostic, context: int) -> None:
    """Print a report with the lines around it."""
    line = program.document.lines.position(opinion.span.start).line
    print(f"  -- {path.name}:{line}: {opinion.message}")
    lines = program.document.text.splitlines()
    for number in range(max(1, line - context), min(len(lines), line + context) + 1):
        print(f"     {'>' if number == line else ' '} {lines[number - 1][:200]}")


def cost(texts: list[str], select: list[str]) -> None:
    """Print the CPU time of the rules beside that of parse and check."""
    lines = sum(text.count("\n") + 1 for text in texts)
    sound = [text for text in texts if not any(d.severity is Severity.ERROR for d in check(parse(text)).diagnostics)]
    measured = [both(sound, select) for _ in range(RUNS)]
    checking, rules = (min(each[part] for each in measured) for part in (0, 1))
    print(f"parse and check {1e6 * checking / lines:6.2f} ms per 1000 lines (best of {RUNS}; {lines} lines)")
    share = 100 * rules / checking
    print(f"{len(select):>3} rules       {1e6 * rules / lines:6.2f} ms per 1000 lines: {share:.1f} % over")
    if len(select) > 20:
        return
    alone: dict[str, float] = {}
    for code in select:
        alone[code] = min(both(sound[::4], [code])[1] for _ in range(RUNS))
    dearest = sorted(alone.items(), key=lambda item: -item[1])[:12]
    part = sum(text.count("\n") + 1 for text in sound[::4])
    print("dearest alone:", ", ".join(f"{code} {1e6 * seconds / part:.2f}" for code, seconds in dearest))


def both(texts: list[str], select: list[str]) -> tuple[float, float]:
    """The CPU seconds of parse and check, and of the rules, over `texts`."""
    checking = rules = 0.0
    gc.collect()
    for text in texts:
        started = time.process_time()
        program = check(parse(text))
        between = time.process_time()
        opinions_on(program, select)
        rules += time.process_time() - between
        checking += between - started
    return checking, rules


if __name__ == "__main__":
    main()
