"""The examples of docs/testing-scripts.md are tests that say what they are said to."""

import re
from pathlib import Path

import pytest

from pinebench.linter.repainting import look_for_repainting
from pinebench.testing.script_tests import run_case
from pinebench.testing.testfile import read_cases

DOCS = Path(__file__).parents[2] / "docs" / "testing-scripts.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
SCRIPTS = dict(zip(("momentum.pine", "careful.pine"), [text for kind, text in BLOCKS if kind == "pine"], strict=True))


@pytest.mark.parametrize("text", [text for kind, text in BLOCKS if kind == "toml"])
def test_examples_pass(tmp_path: Path, text: str) -> None:
    for name, script in SCRIPTS.items():
        (tmp_path / name).write_text(script)
    file = tmp_path / "example.test.toml"
    file.write_text(text)
    outcomes = [run_case(case, look_for_repainting) for case in read_cases(file)]
    assert [(each.failures, each.problem) for each in outcomes] == [([], None)] * len(outcomes)
