"""Skills: instructions for models, each in a folder with a `SKILL.md`. A project can add its own."""

from pinebench.skills.catalogue import MOST_CHARACTERS, Skill, Skills, approve, find, index, known, load

__all__ = ["MOST_CHARACTERS", "Skill", "Skills", "approve", "find", "index", "known", "load"]
