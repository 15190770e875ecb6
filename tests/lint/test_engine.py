"""One script in, its findings out; libraries on disk are those that the configuration names."""

from __future__ import annotations

from pathlib import Path

from pinebench import config
from pinebench.lint import check_text

SCRIPT = '//@version=6\nindicator("x")\nimport Me/Steps/1 as steps\nplot(steps.twice("a"))\n'


def test_library_folders_count_from_the_configuration_file(tmp_path: Path) -> None:
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["libs"]\n', encoding="utf-8")
    (tmp_path / "libs").mkdir()
    (tmp_path / "libs" / "Steps.pine").write_text(
        '//@version=6\nlibrary("Steps")\nexport twice(float x) => x * 2\n', encoding="utf-8"
    )
    inner = tmp_path / "deep" / "script.pine"
    inner.parent.mkdir()
    folders = config.library_folders(str(inner))
    assert folders == (str(tmp_path / "libs"),)
    assert [finding.code for finding in check_text(SCRIPT, str(inner), folders)] == ["CE10123"]


def test_without_folders_a_library_is_unknown() -> None:
    assert check_text(SCRIPT) == []
