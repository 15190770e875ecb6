"""Lint a folder of real scripts and print a table: `make corpus CORPUS=DIR`.

An `index.jsonl` in the folder or its parent folder may grade scripts: each line is an object with the `sha256` of the
file and its `grade`. The exit code is 1 if a script of grade A (without an index: any script) has an error, else 0.
"""

import json
import sys
import time
from collections import Counter, defaultdict
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pinebench.diagnostics import Severity
from pinebench.errors import PinebenchError
from pinebench.linter import Finding, check_text, project

UNGRADED = "-"


class Outcome(NamedTuple):
    """The result of linting one script; `seconds` is CPU time."""

    path: str
    grade: str
    lines: int
    seconds: float
    errors: list[Finding]
    warnings: int


def main(arguments: list[str]) -> int:
    """Lint the folder that the only argument names, print the table and return the exit code."""
    folder = Path(arguments[0])
    grades = _read_grades(folder)
    problems: list[project.FileProblem] = []
    paths = project.discover([str(folder)], lambda _: False, problems)
    outcomes = [_outcome(script, grades) for script in project.read_scripts(paths, problems)]
    for problem in problems:
        print(problem.message, file=sys.stderr)
    if not outcomes:
        return 2
    _print_table(outcomes)
    _print_codes(outcomes)
    faulty = [outcome for outcome in outcomes if outcome.errors]
    for outcome in sorted(faulty, key=lambda outcome: (outcome.grade, outcome.path)):
        first = outcome.errors[0]
        print(f"{outcome.grade} {outcome.path}:{first.line}:{first.column}: {first.code}: {first.message}")
    decisive = "A" if grades else UNGRADED
    return int(any(outcome.grade == decisive for outcome in faulty))


def _read_grades(folder: Path) -> dict[str, str]:
    """Map the SHA-256 of each file to its grade; empty if there is no index."""
    index = next((path / "index.jsonl" for path in (folder, folder.parent) if (path / "index.jsonl").is_file()), None)
    if index is None:
        return {}
    rows = [json.loads(line) for line in index.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {row["sha256"]: row["grade"] for row in rows}


def _outcome(script: project.LintedFile, grades: dict[str, str]) -> Outcome:
    started = time.process_time()
    findings = check_text(script.text, script.path)
    seconds = time.process_time() - started
    digest = sha256(Path(script.path).read_bytes()).hexdigest()
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    warnings = sum(1 for finding in findings if finding.severity is Severity.WARNING)
    return Outcome(script.path, grades.get(digest, UNGRADED), script.text.count("\n") + 1, seconds, errors, warnings)


def _print_table(outcomes: list[Outcome]) -> None:
    by_grade: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        by_grade[outcome.grade].append(outcome)
    groups = sorted(by_grade.items())
    if len(groups) > 1:
        groups.append(("all", outcomes))
    print(
        f"{'grade':<6}{'scripts':>8}{'lines':>9}{'clean':>8}{'errors in':>11}{'warnings in':>13}"
        f"{'CPU ms per 1000 lines':>24}"
    )
    for grade, group in groups:
        lines = sum(outcome.lines for outcome in group)
        faulty = sum(1 for outcome in group if outcome.errors)
        warned = sum(1 for outcome in group if outcome.warnings)
        clean = sum(1 for outcome in group if not outcome.errors and not outcome.warnings)
        speed = sum(outcome.seconds for outcome in group) * 1e6 / max(1, lines)
        print(f"{grade:<6}{len(group):>8}{lines:>9}{clean:>8}{faulty:>11}{warned:>13}{speed:>24.1f}")


def _print_codes(outcomes: list[Outcome]) -> None:
    scripts = Counter(code for outcome in outcomes for code in {error.code for error in outcome.errors})
    if not scripts:
        return
    findings = Counter(error.code for outcome in outcomes for error in outcome.errors)
    print(f"\n{'error':<36}{'scripts':>8}{'findings':>10}")
    for code, count in scripts.most_common():
        print(f"{code:<36}{count:>8}{findings[code]:>10}")
    print()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except PinebenchError as error:
        sys.exit(f"corpus: {error.message}")
