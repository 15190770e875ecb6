"""Skills: instructions for models, each in a folder with a `SKILL.md`; ours, and those of a project."""

from pinebench.skills.catalogue import MOST_CHARACTERS, Skill, Skills, find, index, known, load

__all__ = ["MOST_CHARACTERS", "Skill", "Skills", "find", "index", "known", "load"]
