"""The examples of docs/python.md run, one after the other, as a reader would type them."""

import re
import textwrap
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_ten_tasks_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    blocks = [
        textwrap.dedent(block) for block in re.findall(r"^ *```python\n(.*?)^ *```", text, re.DOTALL | re.MULTILINE)
    ]
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)
    assert (tmp_path / "cross.png").read_bytes().startswith(b"\x89PNG")


def test_there_are_ten_tasks_of_at_most_five_lines() -> None:
    tasks = PAGE.read_text(encoding="utf-8").partition("## In notebooks")[0]
    blocks = re.findall(r"^ +```python\n(.*?)^ +```", tasks, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 10 == len(re.findall(r"^\d+\. \*\*", tasks, re.MULTILINE))
    assert max(block.count("\n") for block in blocks) <= 5
