"""Measure the migration of old scripts: how many have no error afterwards, the errors of the others, and the cost.

Usage: python benchmarks/migrate.py FOLDER... [--list] [--times N]

Every *.pine file in or below each folder with a version line of v3, v4 or v5 is migrated, and its result is migrated
once more. The cost is CPU time; for each script the shortest of N times counts. With --list the errors are listed too.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.migration import migrate
from pinebench.syntax import parse
from pinebench.syntax.document import find_version

if TYPE_CHECKING:
    from collections.abc import Callable

_T = TypeVar("_T")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--list", action="store_true", help="list every error that is left")
    parser.add_argument("--times", type=int, default=1, metavar="N", help="migrate N times, the fastest counts")
    options = parser.parse_args()
    check(parse('//@version=6\nindicator("x")\nplot(close)\n').snapshot)
    migrate('//@version=5\nindicator("x")\nplot(close)\n')
    for version in (3, 4, 5):
        scripts = [
            (path, text)
            for folder in options.folders
            for path in sorted(folder.rglob("*.pine"))
            if find_version(text := path.read_bytes().decode("utf-8", "replace"))[0] == version
        ]
        if scripts:
            _measure(version, scripts, options.times, listed=options.list)
    return 0


def _measure(version: int, scripts: list[tuple[Path, str]], times: int, *, listed: bool) -> None:
    clean = lines = changed_again = 0
    spent = once = 0.0
    reasons: dict[str, set[Path]] = defaultdict(set)
    kinds: Counter[str] = Counter()
    for path, text in scripts:
        done, taken = _timed(migrate, text, times)
        spent += taken
        once += _timed(lambda new: check(parse(new).snapshot), done.text, times)[1]
        lines += text.count("\n") + 1
        left = [finding for finding in done.errors if finding.severity is Severity.ERROR]
        clean += not left and not done.refused
        kinds.update(remark.kind.value for remark in done.remarks)
        if done.refused:
            reasons[f"refused: {done.refused[:100]}"].add(path)
        for error in left:
            reasons[_reason(error.code, error.value("funId"), error.value("currentTypeDocStr"))].add(path)
            if listed:
                line = parse(done.text).lines.position(error.span.start).line
                print(f"  {path.name}:{line} {error.code} {error.message}")
        changed_again += migrate(done.text).text != done.text
    share = 100 * clean / len(scripts)
    print(
        f"v{version}: {clean} of {len(scripts)} scripts without an error ({share:.1f} %), {changed_again} change again"
    )
    cost = f"{1_000_000 * spent / lines:.0f} ms CPU per 1000 lines ({lines} lines), {spent / once:.1f} x parse + check"
    print(f"    {cost}; remarks: {dict(kinds)}")
    for reason, paths in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"    {len(paths):3} {reason}   {min(paths).name}")


def _timed(function: Callable[[str], _T], text: str, times: int) -> tuple[_T, float]:
    """Return the result of `function` for `text`, and the shortest CPU time of `times` calls, in seconds."""
    taken: list[float] = []
    for _ in range(max(1, times) - 1):
        begun = time.process_time()
        function(text)
        taken.append(time.process_time() - begun)
    begun = time.process_time()
    result = function(text)
    return result, min([*taken, time.process_time() - begun])


def _reason(code: str, function: str, expected: str) -> str:
    return " ".join(part for part in (code, function, expected) if part)


if __name__ == "__main__":
    raise SystemExit(main())
