"""Builds the studio's page with npm when its sources changed; `build_page.py --check` also lints them."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = Path("pinebench/studio/page")
STATIC = Path("pinebench/studio/static")
_STAMP = "built-from.txt"
_SOURCES = ("build.mjs", "package.json", "package-lock.json", "tsconfig.json", "src/**/*.*")


_NPM = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--fetch-retries=1")


class PageError(Exception):
    """The page could not be built; the text says why."""


def build(root: Path = ROOT) -> bool:
    """Build the page below `root` unless it is there already; False when it was. Raises PageError."""
    digest = _digest(root / PAGE)
    stamp = root / STATIC / _STAMP
    if stamp.is_file() and stamp.read_text() == digest:
        return False
    _install(root / PAGE)
    _run(root / PAGE, "node", "build.mjs")
    stamp.write_text(digest)
    return True


def check(root: Path = ROOT) -> None:
    """Check types and style of the page's sources and of the page functions in `tradingview/js`; raises PageError."""
    _install(root / PAGE)
    _run(root / PAGE, "npm", "run", "--silent", "check")
    _run(root / PAGE, "node", str(root / "scripts" / "lint_page_functions.mjs"))


def _digest(page: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _SOURCES for path in page.glob(pattern)}):
        digest.update(f"{path.relative_to(page).as_posix()}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def _install(page: Path) -> None:
    """Install what the lockfile says, once for each lockfile."""
    lock = hashlib.sha256((page / "package-lock.json").read_bytes()).hexdigest()
    stamp = page / "node_modules" / ".installed-from"
    if not (stamp.is_file() and stamp.read_text() == lock):
        _run(page, "npm", "ci", *_NPM)
        stamp.write_text(lock)


def _run(page: Path, program: str, *arguments: str) -> None:
    path = shutil.which(program)
    if path is None:
        raise PageError(f"{program} is missing; install Node.js 18 or newer with npm")
    ended = subprocess.run([path, *arguments], cwd=page, stdout=sys.stderr, check=False)
    if ended.returncode != 0:
        raise PageError(f"'{program} {' '.join(arguments)}' failed with code {ended.returncode}")


def main() -> int:
    """Build, check when asked to; without npm say so and go on, in CI fail."""
    try:
        build()
        if "--check" in sys.argv[1:]:
            check()
    except PageError as error:
        print(f"the studio's page: {error}", file=sys.stderr)
        missing_only = shutil.which("npm") is None and os.environ.get("CI") != "true"
        return 0 if missing_only else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
