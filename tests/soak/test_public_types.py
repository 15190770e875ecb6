"""Pyright finds the type of everything public complete, as a program that uses the installed package sees it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pinebench
from tests.cli.support import CHECKOUT
from tests.soak.installing import LIMIT

pytestmark = pytest.mark.soak


def prefixes() -> tuple[str, ...]:
    """How the full names of public things begin: public classes, their members, and what pinebench.api offers."""
    classes = [thing for name in pinebench.__all__ if isinstance(thing := getattr(pinebench, name), type)]
    homes = [f"{thing.__module__}.{thing.__qualname__}" for thing in classes]
    return ("pinebench.api.", *(f"{home}." for home in homes))


def incomplete(symbols: list[dict[str, object]]) -> tuple[int, list[str]]:
    """How many of pyright's symbols are public, and the names of those whose type is not complete."""
    begins = prefixes()
    public = [
        each
        for each in symbols
        if each["isExported"] and (str(each["name"]).count(".") == 1 or f"{each['name']}.".startswith(begins))
    ]
    wrong = [str(each["name"]) for each in public if not each["isTypeKnown"] or each["isTypeAmbiguous"]]
    return len(public), wrong


def test_every_public_type_is_complete(tmp_path: Path) -> None:
    # Pyright sees neither an editable install nor --pythonpath here: the package is copied into a plain environment.
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True, timeout=LIMIT)
    (packages,) = (tmp_path / "venv/lib").glob("python*/site-packages")
    shutil.copytree(CHECKOUT / "pinebench", packages / "pinebench", ignore=shutil.ignore_patterns("node_modules"))
    pyright = Path(sys.executable).with_name("pyright")
    command = [str(pyright), "--ignoreexternal", "--verifytypes", "pinebench", "--outputjson"]
    environment = {**os.environ, "PATH": f"{tmp_path / 'venv/bin'}:{os.environ['PATH']}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT)
    symbols = json.loads(done.stdout)["typeCompleteness"]["symbols"]
    count, wrong = incomplete(symbols)
    assert wrong == []
    functions = {
        f"{thing.__module__}.{thing.__name__}" for thing in map(pinebench.__getattr__, ("check", "run", "bars"))
    }
    assert functions <= {each["name"] for each in symbols}
    assert count > 150


def test_an_incomplete_public_type_is_found() -> None:
    known = {"isExported": True, "isTypeKnown": True, "isTypeAmbiguous": False}
    symbols = [
        {**known, "name": "pinebench.api.run_results.Run.plots"},
        {**known, "name": "pinebench.linter.findings.Finding.line", "isTypeKnown": False},
        {**known, "name": "pinebench.linter.findings.Findings", "isTypeKnown": False},
        {**known, "name": "pinebench.bars", "isTypeAmbiguous": True},
    ]
    assert incomplete(symbols) == (3, ["pinebench.linter.findings.Finding.line", "pinebench.bars"])
