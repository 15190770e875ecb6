"""Compile the rooms that determine the time of a lint, with mypyc: `python scripts/release/compile_rooms.py FOLDER`.

FOLDER gets the extension modules, in the folders of the package. A wheel that has them beside the sources is for one
version of Python and one kind of machine; Python prefers them to the sources. Nothing is compiled in a checkout: the
sources are the reference, and the tests run them. Needs mypy, setuptools and a C compiler.
"""

import ast
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("syntax", "checker")
INTERPRETED = frozenset(
    (
        "syntax/__init__",
        "syntax/_tables",  # data
        "syntax/generate",  # uses Lark, which is not typed
        "syntax/grammar",
        "syntax/lark_engine",
        "syntax/parser_tables",
        "syntax/edits",  # copies its objects by their dictionaries
        "syntax/snapshot",  # compiled classes have no weak references
        "syntax/source",
        "checker/__init__",
        "checker/program_opening",
        "checker/constants",  # compiled classes cannot extend str
    )
)
"""The modules of these rooms that stay as they are."""
CHOICES = ("--python-version=3.11", "--ignore-missing-imports", "--follow-imports=silent")
SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

modules = mypycify(sys.argv[1:], opt_level="1", debug_level="0", multi_file=True, group_name="pinebench")
sys.argv[1:] = ["--quiet", "build_ext", "--inplace"]
setup(name="pinebench-rooms", packages=[], py_modules=[], ext_modules=modules)
"""


def main() -> int:
    """Compile to the folder that the argument names."""
    if len(sys.argv) != 2:
        sys.exit("compile_rooms: name the folder for the extension modules")
    made = compile_rooms(Path(sys.argv[1]))
    print(f"{len(made)} extension modules, {sum(path.stat().st_size for path in made) / 2**20:.1f} MiB")
    return 0


def modules() -> list[str]:
    """Return the paths of the modules to compile, relative to the checkout.

    Modules with a `cached_property` are not compiled: a compiled class would compute the value again on each access, so
    changes to it would be lost.
    """
    every = [path for room in ROOMS for path in sorted((ROOT / "pinebench" / room).glob("*.py"))]
    paths = {path.relative_to(ROOT / "pinebench").with_suffix("").as_posix(): path for path in every}
    return [
        path.relative_to(ROOT).as_posix()
        for name, path in paths.items()
        if name not in INTERPRETED and "cached_property" not in path.read_text(encoding="utf-8")
    ]


def quoted(source: str) -> str:
    """Return the source of a module with the annotations of its named tuples as strings.

    mypyc looks up names in these annotations when the module is imported; Python does not.
    """
    lines = source.splitlines(keepends=True)
    for owner in ast.walk(ast.parse(source)):
        if isinstance(owner, ast.ClassDef) and any(ast.unparse(base) == "NamedTuple" for base in owner.bases):
            for each in owner.body:
                if isinstance(each, ast.AnnAssign):
                    _quote(lines, each.annotation)
    return "".join(lines)


def written_out(source: str) -> str:
    """Return the source of the nodes with the attributes and constructors that `_node` makes, and without `_node`.

    mypyc gives attributes fixed slots only if they are in the source, and cannot compile `dataclass_transform`.
    """
    lines = source.splitlines(keepends=True)
    tree = ast.parse(source).body
    owners = [each for each in tree if isinstance(each, ast.ClassDef) and _decorators(each) == ["_node"]]
    for owner in owners:
        fields = {
            part.target.id: ast.unparse(part.annotation)
            for part in owner.body
            if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and part.target.id != "_fields"
        }
        names = tuple(fields) if owner.bases else ()
        arguments = {"start": "int", "end": "int"} | fields
        lines[owner.decorator_list[0].lineno - 1] = "\n"
        lines[(owner.end_lineno or 0) - 1] += (
            f"\n    _fields: ClassVar[tuple[str, ...]] = {names}\n\n"
            f"    def __init__(self, {', '.join(f'{name}: {kind}' for name, kind in arguments.items())}) -> None:\n"
            + "".join(f"        self.{name} = {name}\n" for name in arguments)
        )
    for each in tree:
        if owners and isinstance(each, ast.FunctionDef):
            first, last = (each.decorator_list or [each])[0].lineno - 1, each.end_lineno or 0
            lines[first:last] = ["\n"] * (last - first)
    return "".join(lines).replace("    _fields: ClassVar[tuple[str, ...]]\n", "")


def _decorators(owner: ast.ClassDef) -> list[str]:
    return [ast.unparse(each) for each in owner.decorator_list]


def _quote(lines: list[str], annotation: ast.expr) -> None:
    first, last = annotation.lineno - 1, (annotation.end_lineno or annotation.lineno) - 1
    before, after = lines[first].encode()[: annotation.col_offset], lines[last].encode()[annotation.end_col_offset :]
    written = json.dumps(ast.unparse(annotation))
    lines[first : last + 1] = [before.decode() + written + after.decode(), *[""] * (last - first)]


def compile_rooms(target: Path) -> list[Path]:
    """Compile the rooms into `target`, and return the extension modules."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(
            ROOT / "pinebench", work / "pinebench", ignore=shutil.ignore_patterns("__pycache__", "page", "static")
        )
        for name in modules():
            path = work / name
            path.write_text(written_out(quoted(path.read_text(encoding="utf-8"))), encoding="utf-8")
        (work / "setup.py").write_text(SETUP, encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": "", "MYPY_CACHE_DIR": str(work / "cache")}
        subprocess.run([sys.executable, "setup.py", *CHOICES, *modules()], cwd=work, env=environment, check=True)
        made: list[Path] = []
        for path in sorted({*work.glob("*__mypyc.*"), *work.glob("pinebench/*/*.so"), *work.glob("pinebench/*/*.pyd")}):
            place = target / path.relative_to(work)
            place.parent.mkdir(parents=True, exist_ok=True)
            made.append(Path(shutil.copy(path, place)))
    return made


if __name__ == "__main__":
    sys.exit(main())
