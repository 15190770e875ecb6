"""Right solutions that are written in another way than ours: by hand, with other built-ins, with other structures."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from pinebench.evals.tasks import Task

ALTERNATIVES = tomllib.loads(Path(__file__).with_name("alternatives.toml").read_text(encoding="utf-8"))
"""For each family the replacements in our solution."""


def alternative(task: Task) -> str:
    """The alternative solution of a task."""
    source = task.instance.reference
    for pattern, template in ALTERNATIVES[task.family.name].items():
        source, count = re.subn(pattern, template, source, flags=re.MULTILINE)
        assert count, f"{task.id}: {pattern} is not in our solution"
    ids = re.findall(r'strategy\.entry\("([^"]+)"', source)
    source = source.replace('"LONG"', f'"{ids[0]}"').replace('"SHORT"', f'"{ids[-1]}"') if ids else source
    kept = re.search(r"this\.size\(\) > (\d+)", task.instance.reference)
    return source.replace("> KEEP", f"> {kept[1]}") if kept else source
