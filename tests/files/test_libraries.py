from pathlib import Path

from pinebench.files.libraries import find_library, list_libraries


def test_libraries_whose_user_is_known_are_listed(tmp_path: Path) -> None:
    files = ("Loose.pine", "acme/Any.pine", "acme/Tools/2.pine", "acme/Tools.pine", "acme/Tools/notes.pine", "a/b.txt")
    for file in files:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(f"// {file}\n")
    (tmp_path / ".git" / "x").mkdir(parents=True)
    (tmp_path / ".git" / "x" / "1.pine").write_text("")
    assert list_libraries([tmp_path]) == [("acme/Any/1", False), ("acme/Tools/2", True)]
    assert find_library([tmp_path], "acme/Any/7") == "// acme/Any.pine\n"
    assert find_library([tmp_path], "whoever/Loose/1") == "// Loose.pine\n"
