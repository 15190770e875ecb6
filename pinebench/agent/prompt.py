"""The beginning of every request of a conversation."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pinebench.agent.offer import LOAD, Skills


def system(skills: Skills | None = None) -> str:
    """The system prompt, with the index of `skills` at its end."""
    if skills is None or not skills.listed.strip():
        return _rules()
    head = f"# Skills\n\nLoad the one that fits the task with `{LOAD}` before you begin."
    return f"{_rules()}\n{head}\n\n{skills.listed.strip()}\n"


@cache
def _rules() -> str:
    return (resources.files("pinebench.agent") / "prompts" / "system.md").read_text("utf-8")
