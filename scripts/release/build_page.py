"""Build the studio's page with npm if its sources have changed; `build_page.py --check` also lints them."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = Path("pinebench/studio/page")
STATIC = Path("pinebench/studio/static")
_STAMP = "built-from.txt"
_SOURCES = ("build.mjs", "package.json", "package-lock.json", "tsconfig.json", "src/**/*.*")
_OLDEST_NODE = 18

_NPM = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", "--fetch-retries=1")


class PageError(Exception):
    """The page could not be built; the message says why."""


class ToolMissingError(PageError):
    """Node.js or npm is missing on this machine, or too old."""


def build(root: Path = ROOT) -> bool:
    """Build the page below `root`, and return True; return False if it was up to date. Raises PageError."""
    digest = _digest(root / PAGE)
    stamp = root / STATIC / _STAMP
    if _holds(stamp, digest):
        return False
    with _alone(root / PAGE):
        if _holds(stamp, digest):
            return False
        install(root / PAGE)
        run(root / PAGE, "node", "build.mjs")
        stamp.write_text(digest)
    return True


def check(root: Path = ROOT) -> None:
    """Check types and style of the page's sources and of the page functions in `tradingview/js`. Raises PageError."""
    with _alone(root / PAGE):
        install(root / PAGE)
    run(root / PAGE, "npm", "run", "--silent", "check")
    run(root / PAGE, "node", str(root / "scripts" / "release" / "lint_page_functions.mjs"))


def _holds(stamp: Path, text: str) -> bool:
    return stamp.is_file() and stamp.read_text() == text


@contextmanager
def _alone(page: Path) -> Generator[None]:
    """Wait until no other process builds here: `npm ci` would remove files that the other one uses."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with (page / "package.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _digest(page: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted({path for pattern in _SOURCES for path in page.glob(pattern)}):
        digest.update(f"{path.relative_to(page).as_posix()}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def install(page: Path) -> None:
    """Install the packages of the lockfile, once for each state of the lockfile."""
    lock = hashlib.sha256((page / "package-lock.json").read_bytes()).hexdigest()
    stamp = page / "node_modules" / ".installed-from"
    if not _holds(stamp, lock):
        _require_tools()
        run(page, "npm", "ci", *_NPM, *_own_cache())
        stamp.write_text(lock)


def _require_tools() -> None:
    _program("npm")
    done = subprocess.run([_program("node"), "--version"], capture_output=True, text=True, check=False)
    version = done.stdout.strip()
    if not re.match(r"v\d+\.", version) or int(version[1:].partition(".")[0]) < _OLDEST_NODE:
        raise ToolMissingError(f"Node.js {_OLDEST_NODE} or newer is needed; found {version or 'none that starts'}")


def _own_cache() -> tuple[str, ...]:
    """Return the option for a separate cache folder if npm cannot write to its usual one; otherwise nothing."""
    home = Path(os.environ.get("HOME") or "/")
    named = any(name.lower() == "npm_config_cache" for name in os.environ)
    if named or os.name == "nt" or os.access(home, os.W_OK):
        return ()
    return (f"--cache={Path(tempfile.gettempdir()) / f'pinebench-npm-{os.getuid()}'}",)


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise ToolMissingError(f"{name} is missing; install Node.js {_OLDEST_NODE} or newer with npm")
    return path


def run(page: Path, program: str, *arguments: str) -> None:
    path = _program(program)
    ended = subprocess.run([path, *arguments], cwd=page, stdout=sys.stderr, check=False)
    if ended.returncode != 0:
        raise PageError(f"'{program} {' '.join(arguments)}' failed with code {ended.returncode}")


def main() -> int:
    """Build, and check with --check. If npm is missing, print a message and return 0, but 1 in CI."""
    try:
        build()
        if "--check" in sys.argv[1:]:
            check()
    except PageError as error:
        print(f"the studio's page: {error}", file=sys.stderr)
        return 0 if isinstance(error, ToolMissingError) and os.environ.get("CI") != "true" else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
