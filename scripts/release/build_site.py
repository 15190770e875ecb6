"""Build the site into `build/site`: the documentation, the gallery and the playground. Needs the group `docs`, and npm.

Usage: python scripts/release/build_site.py [--without-playground]

The site is static: any web server can serve it, and no page contacts another host.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from scripts.docs import built_pages, cookbook_pages, reference_pictures, site_pages  # noqa: E402 - of this checkout
from scripts.release import build_page  # noqa: E402 - of this checkout

WEBSITE = ROOT / "website"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a browser loads."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--without-playground", action="store_true", help="leave out the playground, which needs npm")
    parser.add_argument("--target", type=Path, default=ROOT / "build" / "site", help="the folder of the site")
    options = parser.parse_args()
    if find_spec("material") is None:
        print("mkdocs-material is missing; install the group: pip install --group docs", file=sys.stderr)
        return 3
    try:
        build(options.target.resolve(), playground=not options.without_playground)
    except (build_page.PageError, ValueError, OSError) as error:
        print(f"the site: {error}", file=sys.stderr)
        return 1
    print(f"built {options.target}")
    return 0


def build(target: Path, *, playground: bool = True) -> None:
    """Build the site in the folder `target`, which is replaced. Raises PageError if a part cannot be built."""
    with tempfile.TemporaryDirectory(prefix="pinebench-site-") as folder:
        staged = Path(folder) / "pages"
        made = built_pages.pages()
        found = [
            reference_pictures.illustrated(page, staged / "reference") if page.target.startswith("reference/") else page
            for page in site_pages.pages(made)
        ]
        found += cookbook_pages.pages(staged, playground=playground)
        if playground:
            found.append(add_playground(staged / "playground"))
        # The cookbook with its charts replaces the page in `docs/`.
        found = list({page.target: page for page in found}.values())
        for page in found:
            path = staged / page.target
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page.text, encoding="utf-8")
        _copy_files(staged, {**made, **built_pages.pictures()})
        mkdocs(staged, target, site_pages.navigation(found), Path(folder))


def _copy_files(staged: Path, made: Mapping[str, str]) -> None:
    """Copy the files that pages link to, and write the generated texts `made`, which maps paths to texts."""
    for name, text in made.items():
        if not name.endswith(".md"):
            (staged / name).parent.mkdir(parents=True, exist_ok=True)
            (staged / name).write_text(text, encoding="utf-8")
    for path in (ROOT / "docs").rglob("*"):
        if path.is_file() and path.suffix != ".md":
            copy = staged / path.relative_to(ROOT / "docs")
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def mkdocs(staged: Path, target: Path, navigation: list[dict[str, list[str]]], folder: Path) -> None:
    """Make a site from the pages in `staged`, in our theme. `folder` is for temporary files.

    A warning of the generator is an error. Raises PageError.
    """
    (staged / "assets").mkdir(parents=True, exist_ok=True)
    for name in ("site.css", "site.js"):
        shutil.copyfile(WEBSITE / "theme" / name, staged / "assets" / name)
    settings = {
        "INHERIT": str(WEBSITE / "mkdocs.yml"),
        "docs_dir": str(staged),
        "site_dir": str(target),
        "nav": navigation,
    }
    path = folder / "mkdocs.yml"
    path.write_text(json.dumps(settings), encoding="utf-8")  # JSON is YAML
    theme = folder / "theme"
    theme.mkdir()
    shutil.copyfile(WEBSITE / "theme" / "main.html", theme / "main.html")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--clean", "-f", str(path)]
    ended = subprocess.run(command, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "true"})
    if ended.returncode != 0:
        raise build_page.PageError("mkdocs found faults")


# the playground


def add_playground(folder: Path) -> site_pages.Page:
    """Put the files of the playground into `folder`, and return its page. Raises PageError."""
    kept = ROOT / "build" / "playground" / _digest()
    if not (kept / "worker.js").is_file():
        with tempfile.TemporaryDirectory(prefix="pinebench-playground-") as fresh:
            _make_files(Path(fresh))
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(fresh, kept)
    data = cookbook_pages.playground_data()
    digest = hashlib.sha256((kept.name + data).encode()).hexdigest()[:12]
    files = folder / digest
    shutil.copytree(kept, files)
    (files / "data.json").write_text(data, encoding="utf-8")
    names = sorted(path.relative_to(folder).as_posix() for path in files.rglob("*") if path.is_file())
    worker = (WEBSITE / "sw.js").read_text(encoding="utf-8")
    worker = worker.replace('"%VERSION%"', json.dumps(digest)).replace('"%FILES%"', json.dumps(names))
    (folder / "sw.js").write_text(worker, encoding="utf-8")
    text = (WEBSITE / "playground.md").read_text(encoding="utf-8").replace("%FILES%", digest)
    return site_pages.Page("", "playground/index.md", text)


def _digest() -> str:
    """Return a digest of everything that the files of the playground are made from."""
    digest = hashlib.sha256()
    page = ROOT / build_page.PAGE
    sources = [
        *sorted(path for kind in ("*.py", "*.txt", "*.list") for path in (ROOT / "pinebench").rglob(kind)),
        *sorted(path for path in (page / "src").rglob("*") if path.is_file()),
        *(page / name for name in ("playground.mjs", "package-lock.json")),
        *(WEBSITE / name for name in ("package-lock.json", "playground.py", "snapshot.mjs")),
    ]
    for path in sources:
        digest.update(path.relative_to(ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _make_files(folder: Path) -> None:
    """Bundle the page, copy Pyodide, and make the snapshot of a Python interpreter's memory."""
    page = ROOT / build_page.PAGE
    build_page.install(page)
    build_page.install(WEBSITE)
    build_page.run(page, "node", "playground.mjs", str(folder))
    pyodide = WEBSITE / "node_modules" / "pyodide"
    (folder / "pyodide").mkdir()
    for name in PYODIDE:
        shutil.copyfile(pyodide / name, folder / "pyodide" / name)
    with tempfile.TemporaryDirectory(prefix="pinebench-snapshot-") as made:
        site = Path(made) / "site"
        _unpack_wheel(Path(made), site)
        shutil.copytree(str(import_module("tzdata").__path__[0]), site / "tzdata")
        shutil.copyfile(WEBSITE / "playground.py", site / "playground.py")
        examples = Path(made) / "examples.json"
        examples.write_text(json.dumps(cookbook_pages.warm_scripts()), encoding="utf-8")
        arguments = (str(pyodide), str(site), str(examples), str(folder / "snapshot.bin"))
        build_page.run(WEBSITE, "node", "snapshot.mjs", *arguments)


def _unpack_wheel(folder: Path, site: Path) -> None:
    """Build our wheel, without the studio's page, and unpack it into `site`."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--quiet",
        "--outdir",
        str(folder),
        str(ROOT),
    ]
    ended = subprocess.run(
        command, check=False, stdout=subprocess.DEVNULL, env={**os.environ, "PINEBENCH_WITHOUT_PAGE": "1"}
    )
    wheels: Iterable[Any] = folder.glob("*.whl")
    if ended.returncode != 0:
        raise build_page.PageError("the wheel could not be built")
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(site)


if __name__ == "__main__":
    sys.exit(main())
