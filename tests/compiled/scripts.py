"""Gives the scripts of `scripts.txt` by their names."""

from __future__ import annotations

from pathlib import Path

from tests.script_files import script_cases

SCRIPTS = {case.fields[0]: f"{case.script}\n" for case in script_cases(Path(__file__).with_name("scripts.txt"))}
