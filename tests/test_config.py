"""Configuration comes from the nearest file, and only from keys that are known."""

from pathlib import Path

import pytest

from pinebench import config
from pinebench.errors import UsageError


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for keys in config.SECTIONS.values():
        for key in keys:
            monkeypatch.delenv("PINEBENCH_" + key.upper().replace("-", "_"), raising=False)


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert config.section("lint", str(tmp_path)) == {}


def test_the_nearest_file_is_read_and_others_are_not(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "pinebench.toml").write_text('[lint]\nselect = ["CE"]\nignore = ["CW"]\n')
    (tmp_path / "a" / "pyproject.toml").write_text('[tool.pinebench.lint]\nselect = ["PB"]\n')
    (inner / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    assert config.section("lint", str(inner / "script.pine")) == {"select": ["PB"]}
    assert config.section("lint", str(tmp_path)) == {"select": ["CE"], "ignore": ["CW"]}


def test_the_environment_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pinebench.toml").write_text('[lint]\nselect = ["CE"]\n')
    monkeypatch.setenv("PINEBENCH_SELECT", "CW, PB0001")
    assert config.section("lint", str(tmp_path)) == {"select": ["CW", "PB0001"]}


@pytest.mark.parametrize("key", ["base-url", "cdp-host", "allow-evaluate", "online-url"])
def test_a_file_cannot_set_hosts_or_switches(tmp_path: Path, key: str) -> None:
    (tmp_path / "pinebench.toml").write_text(f'[lint]\n{key} = "evil.example"\n')
    with pytest.raises(UsageError, match="has no key"):
        config.section("lint", str(tmp_path))


def test_an_environment_file_is_found_within_the_repository_only(tmp_path: Path) -> None:
    inner = tmp_path / "repository" / "scripts"
    inner.mkdir(parents=True)
    (tmp_path / ".env").write_text("KEY=1\n")
    (tmp_path / "repository" / ".git").mkdir()
    assert config.environment_file(str(inner)) is None
    (tmp_path / "repository" / ".env").write_text("KEY=2\n")
    assert config.environment_file(str(inner)) == str(tmp_path / "repository" / ".env")


def test_a_missing_configuration_file_is_a_clear_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        config.section("lint", str(tmp_path), str(tmp_path / "nowhere.toml"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('[lint]\nselect = "CE"\n', "'select' in \\[lint\\] must be a list of strings, not 'CE'"),
        ("[lint]\nselect = [1]\n", "must be a list of strings"),
        ('[lint]\nselct = ["CE"]\n', "has no key 'selct'"),
        ("[lnt]\n", "there is no section \\[lnt\\]"),
        ('select = ["CE"]\n', "'select' is not in a section"),
        ("lint = 3\n", "'lint' must be a section"),
        ("[lint\n", "is not TOML"),
        ('[lint]\nfail-on = "eror"\n', "'fail-on' in \\[lint\\] must be one of error, warning, info, never, unchecked"),
        (b"\xff\xfe", "is not UTF-8 text: byte 0xff at offset 0"),
    ],
)
def test_a_mistake_in_the_file_names_file_and_key(tmp_path: Path, content: str | bytes, message: str) -> None:
    path = tmp_path / "pinebench.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageError, match=message) as caught:
        config.section("lint", str(tmp_path))
    assert str(path) in caught.value.message


@pytest.mark.parametrize("content", ['library-paths = ["lib"]\n', '[lint]\nlibrary-paths = ["lib"]\n'])
def test_a_key_in_the_wrong_place_is_sent_to_its_section(tmp_path: Path, content: str) -> None:
    (tmp_path / "pinebench.toml").write_text(content)
    with pytest.raises(UsageError) as caught:
        config.section("lint", str(tmp_path))
    assert caught.value.hint == "write it below [check]"


@pytest.mark.parametrize("content", ["tool = 3 # pinebench\n", "[tool.other]\nname = 'pinebench'\n", "pinebench = 1\n"])
def test_a_project_file_that_only_mentions_pinebench_sets_nothing(tmp_path: Path, content: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(content)
    assert config.section("lint", str(tmp_path)) == {}


@pytest.mark.parametrize(
    "content",
    [
        '[tool."pinebench".lint]\nselect = ["CE"]\n',
        '[ tool . pinebench . lint ]\nselect = ["CE"]\n',
        '[tool]\npinebench = {lint = {select = ["CE"]}}\n',
        '\ufeff[tool.pinebench.lint]\nselect = ["CE"]\n',
        '[tool]\npinebench.lint.select = ["CE"]\n',
        'tool.pinebench.lint.select = ["CE"]\n',
        'x = 1\n  "tool" = {pinebench = {lint = {select = ["CE"]}}}\n',
        '\ufefftool = {pinebench = {lint = {select = ["CE"]}}}\n',
        "[ 'tool' ]\npinebench = {lint = {select = [\"CE\"]}}\n",
    ],
)
def test_a_section_counts_however_it_is_written(tmp_path: Path, content: str) -> None:
    (tmp_path / "pyproject.toml").write_text(content, encoding="utf-8")
    assert config.section("lint", str(tmp_path)) == {"select": ["CE"]}


def test_a_project_file_without_the_table_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\ndependencies = ["pinebench>=1"]\n[tool.ruff]\nline-length = 9\n'
    )
    monkeypatch.setattr(config, "_parsed", lambda path: pytest.fail(f"{path} was parsed"))
    assert config.section("lint", str(tmp_path)) == {}


def test_what_stands_in_the_place_of_the_sections_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\npinebench = 3\n")
    with pytest.raises(UsageError, match=r"tool\.pinebench must be a table"):
        config.section("lint", str(tmp_path))


def test_a_choice_is_checked_in_the_environment_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINEBENCH_FAIL_ON", "eror")
    with pytest.raises(UsageError, match="PINEBENCH_FAIL_ON must be one of"):
        config.section("lint", str(tmp_path))


@pytest.mark.parametrize(("said", "meant"), [("0", False), ("No", False), ("off", False), ("TRUE", True), ("on", True)])
def test_a_switch_in_the_environment_is_on_or_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, meant: bool
) -> None:
    monkeypatch.setenv("PINEBENCH_ALIGN", said)
    assert config.section("format", str(tmp_path)) == {"align": meant}
    monkeypatch.setenv("PINEBENCH_ALIGN", "maybe")
    with pytest.raises(UsageError, match="PINEBENCH_ALIGN must be true or false, not 'maybe'"):
        config.section("format", str(tmp_path))


def test_patterns_count_from_the_folder_of_the_file_that_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "scripts"
    inner.mkdir()
    (inner / "pinebench.toml").write_text('[lint]\nexclude = ["archive/*", "draft.pine"]\n')
    monkeypatch.chdir(tmp_path)
    assert config.is_excluded("scripts/archive/a.pine")
    assert config.is_excluded("scripts/deep/draft.pine")
    assert not config.is_excluded("scripts/a.pine")
    assert not config.is_excluded("archive/a.pine")


@pytest.mark.timeout(60)  # Python's own engine would need longer than anybody lives
def test_no_pattern_of_a_foreign_folder_takes_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pinebench.toml").write_text(f'[lint]\nexclude = ["**/{"**/a*/" * 16}b"]\n')
    assert not config.is_excluded("a/" * 60 + "c.pine")
    assert config.is_excluded("a/" * 60 + "b/c.pine")


def test_the_state_folder_becomes_private_unless_other_things_are_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for state, mode in ((tmp_path / "state", 0o700), (tmp_path, 0o755)):
        state.mkdir(exist_ok=True)
        state.chmod(0o755)
        monkeypatch.setenv("PINEBENCH_STATE_DIR", str(state))
        inner = config.private_state_folder("runs")
        assert Path(inner).stat().st_mode & 0o777 == 0o700
        assert state.stat().st_mode & 0o777 == mode


def test_folders_of_libraries_outside_of_the_project_count_after_a_person_approved_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By name, by `..`, by a link, and on another computer; folders inside need nothing. A changed list is another."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    secret, clone = tmp_path / "secret", tmp_path / "clone"
    inner = clone / "scripts"
    for folder in (secret, inner, clone / ".git", clone / "shared"):
        folder.mkdir(parents=True)
    (inner / "link").symlink_to(secret)
    (inner / "dots..").mkdir()
    file, told = str(inner / "pinebench.toml"), list[str]()
    inside = ["lib", "../shared", "dots..", "."]
    outside = [str(secret), "../../secret", "link", "link/..", "//server/share", "../../clone2"]
    listed = [each for pair in zip(inside, outside, strict=False) for each in pair] + outside[len(inside) :]
    config.hear(lambda said, advice: told.append(f"{said} ({advice})"))
    for text in (listed, [*listed, "/"]):
        Path(file).write_text(f"[check]\nlibrary-paths = {text}\n")
        config.forget()
        found = config.library_folders(str(inner / "a.pine"))
        assert found == tuple(str(inner / each) if each != "." else f"{inner}/." for each in inside)
        shown = config.unapproved(file)
        assert list(shown) == [each for each in text if each not in inside]
        assert file in told[-1] and str(secret) in told[-1] and "pinebench config --approve" in told[-1]
        config.approve(file, shown)
        assert config.unapproved(file) == ()
        assert len(config.library_folders(str(inner / "a.pine"))) == len(text)
    assert len(told) == 2, "each list is told once"
    assert config.left_out(file) is None


def test_without_a_repository_only_the_files_own_folder_is_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if the home folder is a repository, as it is for people who keep their settings in git."""
    monkeypatch.setenv("PINEBENCH_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "downloads" / "unpacked"
    folder.mkdir(parents=True)
    file = folder / "pinebench.toml"
    file.write_text('[check]\nlibrary-paths = ["../../libraries", "libraries"]\n')
    for is_repository in (False, True):
        if is_repository:
            (tmp_path / ".git").mkdir()
        config.forget()
        assert config.unapproved(str(file)) == ("../../libraries",)
        assert config.library_folders(str(folder)) == (str(folder / "libraries"),)


def test_the_persons_own_environment_needs_no_approval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pinebench.toml").write_text('[check]\nlibrary-paths = ["/elsewhere"]\n')
    monkeypatch.setenv("PINEBENCH_LIBRARY_PATHS", "/mine, /elsewhere")
    assert config.library_folders(str(tmp_path)) == ("/mine", "/elsewhere")
