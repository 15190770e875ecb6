"""Count the reports of the rules on a folder of real scripts, and their cost: `python benchmarks/rules.py FOLDER`.

If an `index.jsonl` in the folder or in its parent folder grades the scripts, only scripts of grade A are used.
`--select` takes codes or beginnings of codes. `--sample N` prints N reports of each rule, evenly spread, with their
lines. The last lines compare the CPU time of the selected rules, and of the default rules among them, with the CPU time
of parse and check.
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

from pinebench.checker import check
from pinebench.codes import opinion_codes
from pinebench.diagnostics import Severity
from pinebench.linter.rules import opinions_on
from pinebench.syntax import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pinebench.checker import Program
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
    """Return the scripts of grade A below `folder`, or all scripts if there is no index with grades."""
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
    """Return the text of a script."""
    return path.read_bytes().decode("utf-8", errors="replace")


def spread(items: list[Report], most: int) -> list[Report]:
    """Return at most `most` of `items`, evenly spread over the list."""
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
    """Print the CPU time of parse and check, of the rules in `select`, and of the default rules among them."""
    lines = sum(text.count("\n") + 1 for text in texts)
    default = [code for code in select if opinion_codes()[code].default]
    checking, rules, fewer = least(texts, (select, default))
    print(f"parse and check {1e6 * checking / lines:6.2f} ms per 1000 lines (each script's best of {RUNS})")
    for asked, seconds, which in ((select, rules, "asked"), (default, fewer, "by default")):
        share = 100 * seconds / checking
        print(f"{len(asked):>3} rules {which:<11}{1e6 * seconds / lines:6.2f} ms per 1000 lines: {share:.1f} % over")
    if len(select) > 20:
        return
    part = texts[::4]
    alone = dict(zip(select, least(part, [[code] for code in select])[1:], strict=True))
    dearest = sorted(alone.items(), key=lambda item: -item[1])[:12]
    lines = sum(text.count("\n") + 1 for text in part)
    print("dearest alone:", ", ".join(f"{code} {1e6 * seconds / lines:.2f}" for code, seconds in dearest))


def least(texts: list[str], selections: Sequence[Sequence[str]]) -> list[float]:
    """Return the CPU seconds of parse and check, then of each selection of rules, for all `texts` that compile.

    For each script the shortest of `RUNS` rounds counts. The measurements alternate, so that other work on the machine
    slows all of them equally.
    """
    totals = [0.0] * (1 + len(selections))
    gc.disable()  # a collection would also count garbage that does not belong to the measured part
    for text in texts:
        if any(found.severity is Severity.ERROR for found in check(parse(text)).diagnostics):
            continue
        rounds = [one_round(text, selections) for _ in range(RUNS)]
        totals = [total + min(column) for total, column in zip(totals, zip(*rounds, strict=True), strict=True)]
    gc.enable()
    return totals


def one_round(text: str, selections: Sequence[Sequence[str]]) -> list[float]:
    """Return the CPU seconds for a script: parse and check, then each selection of rules after a new check."""
    found: list[float] = []
    for select in selections:
        started = time.process_time()
        program = check(parse(text))
        between = time.process_time()
        opinions_on(program, select)
        ended = time.process_time()
        if not found:  # only the first check counts, so that each figure has the same number of tries
            found.append(between - started)
        found.append(ended - between)
    return found


if __name__ == "__main__":
    main()
