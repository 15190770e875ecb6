"""Every entry of the catalogue is complete, its template can be filled, and what is made from the code is current."""

import re
import string
import subprocess
import sys
from pathlib import Path

import pytest

from pinebench import codes
from pinebench.codes import OURS, TRADINGVIEW, Code
from pinebench.codes.families import FAMILIES, family
from pinebench.diagnostics import Severity
from tests.tables import each

ROOT = Path(__file__).resolve().parents[2]
CODES = list(codes.all_codes().values())


def test_names_are_unique_over_all_families() -> None:
    written = [code.name for name in FAMILIES for code in family(name)]
    assert len(written) == len(set(written)) == len(CODES)


@each("code", CODES)
def test_entry(code: Code) -> None:
    assert re.fullmatch(r"(C[EW]|RE)\d{5}|PB\d+|[a-z]+(-[a-z]+)+", code.name)
    assert code.text in (TRADINGVIEW, OURS)
    assert code.template and code.why.endswith(".")
    assert code.bad != code.good
    assert code.bad.endswith("\n") and code.good.endswith("\n")
    assert not code.name.startswith("CW") or code.severity is Severity.WARNING
    # The compiler's check of output is the editor's alone: its service was recorded to accept scripts without any.
    assert not code.name.startswith("CE") or code.name == "CE10246" or code.severity is Severity.ERROR


@each("code", CODES)
def test_template_is_filled_by_its_placeholders(code: Code) -> None:
    fields = {field for _, field, _, _ in string.Formatter().parse(code.template) if field is not None}
    assert all(field.isidentifier() for field in fields)
    filled = codes.message(code.name, **{field: f"<{field}>" for field in fields})
    assert all(f"<{field}>" in filled for field in fields)


def test_find_ignores_case() -> None:
    entry = codes.find("ce10123")
    assert entry is not None and entry.name == "CE10123"
    named = codes.find("TUPLE-COUNT")
    assert named is not None and named.name == "tuple-count"
    assert codes.find("CE99999") is None


def test_message_demands_its_values() -> None:
    assert codes.message("CE10272", identifier="x") == 'Undeclared identifier "x"'
    with pytest.raises(KeyError):
        codes.message("CE10272")
    with pytest.raises(KeyError):
        codes.message("CE99999")


def test_what_is_made_from_the_code_and_kept_in_the_repository_is_current() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"run scripts/docs/generate.py: {done.stderr}"
