from pathlib import Path

import pytest

from pinebench.errors import UsageError
from pinebench.files.libraries import find_library, list_libraries, locate_library


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


def test_an_unreadable_library_is_not_replaced_with_another_file(tmp_path: Path) -> None:
    (tmp_path / "acme" / "Tools").mkdir(parents=True)
    (tmp_path / "acme" / "Tools.pine").write_text("// the last version\n")
    broken = tmp_path / "acme" / "Tools" / "1.pine"
    broken.write_bytes(b"// caf\xe9\n")
    with pytest.raises(UsageError, match=r"1\.pine is not UTF-8"):
        locate_library([tmp_path], "acme/Tools/1")
    assert find_library([tmp_path], "acme/Tools/1") is None
    assert find_library([tmp_path], "acme/Tools/2") == "// the last version\n"


def test_a_file_in_place_of_a_folder_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "acme").write_text("")
    (tmp_path / "Tools.pine").write_text("// Tools\n")
    assert find_library([tmp_path], "acme/Tools/1") == "// Tools\n"
