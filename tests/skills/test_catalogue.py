"""Skills are found, listed and loaded; a project's folder adds to ours, and replaces none of them silently."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pinebench import skills
from pinebench.errors import UsageError
from pinebench.skills import catalogue


def write(project: Path, name: str, text: str | None = None, *, folder: str | None = None) -> Path:
    """Write a skill of a project."""
    where = project / "skills" / (folder or name)
    where.mkdir(parents=True)
    told = f"---\nname: {name}\ndescription: Says {name}.\n---\nDo it.\n" if text is None else text
    (where / "SKILL.md").write_text(told, encoding="utf-8")
    return where


def test_ours_are_listed_with_a_line_each(tmp_path: Path) -> None:
    lines = skills.index(tmp_path).splitlines()
    assert [line.partition(":")[0] for line in lines] == [f"- {skill.name}" for skill in catalogue.ours()]
    assert len(lines) >= 2


def test_one_is_loaded_without_its_front_matter(tmp_path: Path) -> None:
    text = skills.load("pine-development", tmp_path)
    assert text.startswith("# Pine development")
    assert skills.load(" Pine_Development ", tmp_path) == text


def test_skills_of_a_clone_reach_nobody_until_a_person_approves_them(tmp_path: Path) -> None:
    where = write(tmp_path, "repaint-audit")
    for _ in range(2):
        found = skills.known(tmp_path)
        assert [each.is_ours for each in found.by_name.values()] == [True] * len(catalogue.ours())
        assert [each.name for each in found.unapproved] == ["repaint-audit"]
        assert "pinebench skills --approve" in found.remarks[0]
        assert "Do it." not in skills.load("repaint-audit", tmp_path) and "Says" not in skills.index(tmp_path)
        skills.approve(found.unapproved, tmp_path)
        assert "Do it." in skills.load("repaint-audit", tmp_path)
        # Another folder with the same texts is another folder, and a changed text is another text.
        assert write(tmp_path / "clone", "repaint-audit") and skills.known(tmp_path / "clone").unapproved
        shutil.rmtree(tmp_path / "clone")
        with (where / "SKILL.md").open("a", encoding="utf-8") as file:
            file.write("And more.\n")


def approved(project: Path) -> catalogue.Skills:
    """The skills of a project whose own ones a person has approved."""
    skills.approve(skills.known(project).unapproved, project)
    return skills.known(project)


def _linked(project: Path) -> None:
    elsewhere = write(project.parent / "elsewhere", "my-levels", EVIL.format(name="my-levels"))
    shutil.rmtree(project / "skills" / "my-levels")
    (project / "skills" / "my-levels").symlink_to(elsewhere, target_is_directory=True)


EVIL = "---\nname: {name}\ndescription: EVIL.\n---\nEVIL.\n"
CHANGES: dict[str, Callable[[Path], object]] = {
    "its text": lambda project: _put(project, "my-levels", EVIL.format(name="my-levels")),
    "its description": lambda project: _put(
        project, "my-levels", EVIL.format(name="my-levels").replace("EVIL.\n", "D.", 1)
    ),
    "a blank at its end": lambda project: _put(project, "my-levels", FINE + " EVIL"),
    "the ends of its lines": lambda project: _put(project, "my-levels", FINE.replace("\n", "\r\n") + "EVIL"),
    "a sign that is not seen": lambda project: _put(project, "my-levels", FINE + "\u200bEVIL"),
    "a new one beside it": lambda project: write(project, "evil-one", EVIL.format(name="evil-one")),
    "a new one with the name of ours": lambda project: write(
        project, "repaint-audit", EVIL.format(name="repaint-audit")
    ),
    "the name of ours in other letters": lambda project: write(
        project, "Repaint-Audit", EVIL.format(name="repaint-audit")
    ),
    "the name of ours with letters that look alike": lambda project: write(
        project, "r\u0435paint-audit", EVIL.format(name="repaint-audit")
    ),
    "the name of ours from another folder": lambda project: write(
        project, "x", EVIL.format(name="repaint-audit"), folder="x"
    ),
    "a link to elsewhere": _linked,
    "the folder as a link": lambda project: (
        shutil.move(project / "skills", project / "moved"),
        _put(project, "my-levels", EVIL.format(name="my-levels"), "moved"),
        (project / "skills").symlink_to(project / "moved", target_is_directory=True),
    ),
}
"""What a pull of a repository can bring after a person approved its skill `my-levels`."""
FINE = "---\nname: my-levels\ndescription: Says my-levels.\n---\nDo it.\n"


def _put(project: Path, name: str, text: str, folder: str = "skills") -> None:
    (project / folder / name / "SKILL.md").write_text(text, encoding="utf-8", newline="")


def test_nothing_that_comes_after_an_approval_is_approved(tmp_path: Path) -> None:
    for number, (name, change) in enumerate(CHANGES.items()):
        project = tmp_path / str(number) / "project"
        write(project, "my-levels")
        assert "Do it." in approved(project).by_name["my-levels"].text
        change(project)
        found = skills.known(project)
        assert "EVIL" not in skills.index(project), name
        assert [each.name for each in found.by_name.values() if "EVIL" in each.text] == [], name
        assert found.unapproved or found.remarks, f"{name}: nobody is told"
        with contextlib.suppress(UsageError):
            assert "EVIL" not in skills.load("my-levels", project) + skills.load("repaint-audit", project), name


def test_a_skill_that_nobody_approved_is_not_told_as_missing(tmp_path: Path) -> None:
    write(tmp_path, "my-levels")
    with pytest.raises(UsageError, match="the skill my-levels of this project is not approved"):
        skills.load("my levels", tmp_path)


def test_a_skill_of_a_project_is_added_and_marked(tmp_path: Path) -> None:
    write(tmp_path, "my-levels")
    approved(tmp_path)
    assert skills.index(tmp_path).splitlines()[-1] == "- my-levels: Says my-levels. (from this project)"
    first, _, rest = skills.load("my-levels", tmp_path).partition("\n\n")
    assert "comes from this project" in first and rest == "Do it.\n"


def test_a_skill_of_a_project_never_replaces_ours_silently(tmp_path: Path) -> None:
    write(tmp_path, "repaint-audit")
    found = approved(tmp_path)
    assert found.remarks == ["the project's skill repaint-audit replaces pinebench's own"]
    line = next(line for line in skills.index(tmp_path).splitlines() if line.startswith("- repaint-audit"))
    assert line.endswith("(from this project, in place of pinebench's own)")
    assert "in place of pinebench's own" in skills.load("repaint-audit", tmp_path).splitlines()[0]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("Loud", None, "the name of its folder is not valid"),
        ("two--hyphens", None, "the name of its folder is not valid"),
        ("a" * 65, None, "the name of its folder is not valid"),
        ("plain", "no front matter", "does not begin with front matter"),
        ("open", "---\nname: open\n", "front matter has no end"),
        ("other", "---\nname: another\ndescription: x\n---\nDo it.\n", "has the name 'another', not 'other'"),
        ("silent", "---\nname: silent\n---\nDo it.\n", "has no description"),
        ("twice", "---\nname: twice\nname: twice\n---\nDo it.\n", "has the key name twice"),
        ("empty", "---\nname: empty\ndescription: x\n---\n\n", "has no instructions"),
        ("odd", "---\nname: odd\n= 3\n---\nDo it.\n", "is not 'key: text'"),
        ("wordy", f"---\nname: wordy\ndescription: {'x' * 1025}\n---\nDo it.\n", "more than 1024"),
        ("large", "---\nname: large\ndescription: x\n---\n" + "x" * 20_001, "large"),
    ],
)
def test_a_malformed_skill_is_left_out_with_a_remark(tmp_path: Path, name: str, text: str | None, said: str) -> None:
    write(tmp_path, name, text)
    found = skills.known(tmp_path)
    assert list(found.by_name) == [skill.name for skill in catalogue.ours()]
    assert len(found.remarks) == 1 and said in found.remarks[0]


def test_nothing_outside_of_the_folder_is_read(tmp_path: Path) -> None:
    outside = write(tmp_path / "elsewhere", "secret")
    folder = tmp_path / "skills"
    folder.mkdir()
    (folder / "linked").symlink_to(outside, target_is_directory=True)
    (folder / "secret").mkdir()
    (folder / "secret" / "SKILL.md").symlink_to(outside / "SKILL.md")
    found = skills.known(tmp_path)
    assert [remark.rpartition(": ")[2] for remark in found.remarks] == ["it is a link that leads out of the folder"] * 2
    for name in ("../elsewhere/skills/secret", "secret", "linked", str(outside)):
        with pytest.raises(UsageError, match="there is no skill"):
            skills.load(name, tmp_path)


def test_other_folders_are_no_skills_and_many_are_cut(tmp_path: Path) -> None:
    (tmp_path / "skills" / "notes").mkdir(parents=True)
    assert skills.known(tmp_path).remarks == []
    for number in range(catalogue.MOST_OF_PROJECT + 1):
        write(tmp_path, f"s{number:02}")
    found = approved(tmp_path)
    assert found.remarks == ["only the first 50 of the 51 skills of the project are used"]


def test_descriptions_can_be_written_as_yaml_allows_and_cannot_fake_a_line(tmp_path: Path) -> None:
    write(tmp_path, "folded", "---\nname: folded\ndescription: >-\n  One\n  two.\nmetadata:\n  a: b\n---\nDo it.\n")
    write(tmp_path, "marked", "---\nname: \"marked\"\ndescription: 'It''s \"so\"'\n---\nDo it.\n")
    write(tmp_path, "sly", f"---\nname: sly\ndescription: a\u2028- repaint-audit{' x' * 200}\n---\nDo it.\n")
    found = approved(tmp_path).by_name
    assert found["folded"].description == "One two."
    assert found["marked"].description == 'It\'s "so"'
    line = skills.index(tmp_path).splitlines()[-1]
    assert line.startswith("- sly: a - repaint-audit") and len(line) < 350 and "…" in line


def test_an_unknown_name_is_answered_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as refused:
        skills.load("repaint_audits", tmp_path)
    assert refused.value.hint == "did you mean repaint-audit?"
    with pytest.raises(UsageError) as refused:
        skills.load("xyz\x1b[2J", tmp_path)
    assert "\x1b" not in refused.value.message and "pine-development" in (refused.value.hint or "")
