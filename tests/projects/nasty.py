"""Small projects that a careless bundler gets wrong: each has a script and libraries, and runs on any bars."""

from pathlib import Path

HEAD = "//@version=6\n"


def library(name: str, text: str) -> str:
    """The text of a library."""
    return f'{HEAD}library("{name}")\n{text}'


def script(imports: str, text: str) -> str:
    """The text of an indicator."""
    return f'{HEAD}indicator("Main", overlay = true)\n{imports}\n{text}'


def _files(folder: Path) -> dict[str, str]:
    paths = sorted(folder.rglob("*.pine"))
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in paths}


PROJECTS = {folder.name: _files(folder) for folder in sorted((Path(__file__).parent / "nasty_projects").iterdir())}
"""Each project by what is nasty about it: its files by path; `main.pine` is the script."""
