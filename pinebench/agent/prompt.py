"""The system prompt of a conversation: the rules, the model's surroundings, and the index of skills."""

from __future__ import annotations

from functools import cache
from importlib import resources

from pinebench.agent.offer import LOAD, OfferedSkills


def system(skills: OfferedSkills | None = None, about: str = "", rules: str = "") -> str:
    """Return the system prompt. It ends with `about`, which describes the model's surroundings, and the index of
    `skills`. `rules` replaces the standard beginning, which is for an assistant that talks with a trader."""
    begin = rules or _rules()
    rules = f"{begin}\n{about.strip()}\n" if about else begin
    if skills is None or not skills.listed.strip():
        return rules
    head = f"# Skills\n\nLoad the one that fits the task with `{LOAD}` before you begin."
    return f"{rules}\n{head}\n\n{skills.listed.strip()}\n"


@cache
def _rules() -> str:
    return (resources.files("pinebench.agent") / "prompts" / "system.md").read_text("utf-8")
