"""Makes what the package needs: the parser's tables, the studio's page with npm, and the long description."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

TABLES = "pinebench/syntax/_tables.py"
STATIC = "pinebench/studio/static"
LANGUAGE = "docs/language"
COMPILER = ("mypy>=2.4,<3", "setuptools>=77")
"""What a build with compiled rooms needs, besides a compiler of C."""
WITHOUT = """\
Install Node.js 18 or newer with npm, which are needed only to build, or a wheel, which has the page. To install
everything except the studio and reports as pages, set PINEBENCH_WITHOUT_PAGE=1."""


class PinebenchBuildHook(BuildHookInterface[Any]):
    """Makes generated files and adds them to the package, although git ignores them; an outdated page stays out."""

    def dependencies(self) -> list[str]:
        """Called by hatchling for what the build needs in addition to pyproject.toml."""
        return list(COMPILER) if is_compiled(self.target_name) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it packs; `version` is `editable` for a development install."""
        root = Path(self.root)
        if self.target_name == "wheel":
            make_tables(root)
            # A build without the pages ends here, instead of a package that lacks them.
            build_data["force_include"][str(root / LANGUAGE)] = "pinebench/language"
            build_data["artifacts"].append(f"/{TABLES}")
        if version != "editable" and is_compiled(self.target_name):
            add_compiled_rooms(root, Path(self._folder()), build_data)
        # The source archive has the page too, so that installing from it needs no npm.
        if version != "editable" and make_page(root):
            build_data["artifacts"].append(f"/{STATIC}/")

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Called by hatchling after it packed."""
        if self._made is not None:
            self._made.cleanup()

    _made: tempfile.TemporaryDirectory[str] | None = None

    def _folder(self) -> str:
        """A folder that lasts until the wheel is packed."""
        self._made = tempfile.TemporaryDirectory()
        return self._made.name


class PinebenchMetadataHook(MetadataHookInterface):
    """Makes the long description of the package from the README."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Called by hatchling with what pyproject.toml says about the project."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        package = Path(self.root, "pinebench", "__init__.py").read_text(encoding="utf-8")
        (version,) = re.findall(r'^__version__ = "(.+)"$', package, re.MULTILINE)
        description = long_description(text, metadata.get("urls", {}).get("Repository", ""), version)
        metadata["readme"] = {"content-type": "text/markdown", "text": description}


def long_description(text: str, repository: str, version: str) -> str:
    """The README `text` for a package index: its links and pictures lead to the tag of `version` in `repository`.

    Without a repository it stays as it is. The MCP registry finds its name for the server in the last line.
    """
    if not repository:
        return text
    home = repository.removesuffix("/")
    text = re.sub(r"(!\[[^\]]*\]\()(?!https?:|#)", rf"\g<1>{home}/raw/v{version}/", text)
    text = re.sub(r"((?<!!)\[[^\]]*\]\()(?!https?:|#)", rf"\g<1>{home}/blob/v{version}/", text)
    name = home.removeprefix("https://github.com/")
    return text if name == home else f"{text}\n<!-- mcp-name: io.github.{name} -->\n"


def make_tables(root: Path) -> None:
    """Write the tables of `root/pinebench/grammars/pine.lark` beside the parser."""
    sys.path.insert(0, str(root))
    try:
        from pinebench.syntax import parser_tables

        if not parser_tables.make(root / TABLES):
            raise RuntimeError(f"{TABLES} could not be written")
    finally:
        sys.path.remove(str(root))


def is_compiled(target: str) -> bool:
    """Whether the build is asked to compile the rooms that a lint spends its time in; only a wheel can have them."""
    return target == "wheel" and bool(os.environ.get("PINEBENCH_COMPILED"))


def add_compiled_rooms(root: Path, folder: Path, build_data: dict[str, Any]) -> None:
    """Compile these rooms into `folder` and add them to the wheel, which then is for this Python and machine only."""
    subprocess.run([sys.executable, str(root / "scripts" / "release" / "compile_rooms.py"), str(folder)], check=True)
    for path in folder.rglob("*"):
        if path.is_file():
            build_data["force_include"][str(path)] = path.relative_to(folder).as_posix()
    build_data["pure_python"] = False
    build_data["infer_tag"] = True


def make_page(root: Path) -> bool:
    """Build the studio's page with npm, unless it is there already; False where the package is to go without.

    Ends the build, in words, where the page cannot be built: a package without it must be asked for by
    PINEBENCH_WITHOUT_PAGE. The hooks of pre-commit never need the page, and never run npm.
    """
    if os.environ.get("PINEBENCH_WITHOUT_PAGE") or is_hook(root):
        return False
    sys.path.insert(0, str(root / "scripts" / "release"))
    try:
        builder = import_module("build_page")
        try:
            builder.build(root)
        except builder.PageError as error:
            sys.exit(f"pinebench: the studio's page cannot be built: {error}\n{WITHOUT}")
    finally:
        sys.path.remove(str(root / "scripts" / "release"))
    return True


def is_hook(root: Path) -> bool:
    """Whether pre-commit installs its hooks from the checkout `root`, which it keeps beside its data base."""
    return bool(os.environ.get("PRE_COMMIT")) or (root.name.startswith("repo") and (root.parent / "db.db").is_file())
