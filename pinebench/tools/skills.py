"""Skills: instructions for a subject, such as a chart analysis or a repaint audit."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from pinebench.tools.arguments import TextArgument
from pinebench.tools.chart_browser import ToolContext
from pinebench.tools.registry import Needs, tool


class SkillSummary(TypedDict):
    """A skill in a list. `origin` names where it comes from: pinebench or this project."""

    name: str
    description: str
    origin: str


class SkillText(TypedDict):
    """All skills, or the `instructions` of the requested skill. `remarks` are about skills that were left out."""

    skills: NotRequired[list[SkillSummary]]
    name: NotRequired[str]
    origin: NotRequired[str]
    instructions: NotRequired[str]
    remarks: list[str]


@tool(
    "skills",
    "List the skills (how to analyse, review or scan with these tools), or read one before you begin.",
    needs=Needs.NOTHING,
)
def load_skill(
    at: ToolContext, name: Annotated[str | None, TextArgument("without it: list", 80, example="chart-analysis")] = None
) -> SkillText:
    """Return the list of skills, or the instructions of one."""
    from pinebench import skills

    if name is None:
        known = skills.known()
        listed: list[SkillSummary] = [
            {"name": each.name, "description": each.description, "origin": each.origin}
            for each in known.by_name.values()
        ]
        return {"skills": listed, "remarks": known.remarks}
    found = skills.find(name)
    return {"name": found.name, "origin": found.origin, "instructions": skills.load(found.name), "remarks": []}
