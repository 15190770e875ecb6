"""What is asked of a script: flags over the environment over settings for a file over sections, and nothing hidden."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pinebench import config
from pinebench.config import keys
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.files import DecodedText
from pinebench.linter import check_text
from pinebench.linter.project import LintedFile, ScriptFindings
from pinebench.linter.rules import Option, rule
from pinebench.linter.settings import FileSettings, RunSettings, file_settings, options_of, schema

ROOT = Path(__file__).resolve().parents[2]
TYPO = '//@version=6\nindicator("x")\nplot(clsoe)\n'
WARNED = '//@version=7\nindicator("x")\nplot(close)\n'


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Writes a configuration, and answers what is then asked of a script."""
    for name in ("SELECT", "EXTEND_SELECT", "IGNORE", "EXCLUDE", "FAIL_ON"):
        monkeypatch.delenv(f"PINEBENCH_{name}", raising=False)
    monkeypatch.chdir(tmp_path)
    numbers = iter(range(1000))

    def ask(text: str, path: str = "a.pine", **flags: Any) -> FileSettings:
        # A file of its own each time: what was read once is remembered.
        file = tmp_path / f"{next(numbers)}.toml"
        file.write_text(text)
        return file_settings(path, str(file), **flags)

    return ask


def told(asked: FileSettings, text: str) -> ScriptFindings:
    script = LintedFile("a.pine", DecodedText(text))
    return ScriptFindings(script, check_text(text, "a.pine", opinions=asked.opinions)).as_shown(asked.view)


@pytest.mark.parametrize("level", ["error", "warning", "info"])
def test_an_error_that_settings_for_a_file_hide_fails_all_the_same(settings: Any, level: str) -> None:
    for ignored in ("CE10272", "CE", "ALL"):
        asked = settings(f'[lint]\nfail-on = "{level}"\n[per-file."*.pine"]\nignore = ["{ignored}"]\n')
        result = told(asked, TYPO)
        assert result.findings == []
        assert [(each.finding.severity, each.by_comment) for each in result.hidden] == [(Severity.ERROR, False)]
        assert asked.fails(result)


def test_a_warning_that_they_hide_does_not_fail(settings: Any) -> None:
    asked = settings('[lint]\nfail-on = "warning"\n[per-file."*.pine"]\nignore = ["PB0002"]\n')
    assert not asked.fails(told(asked, WARNED))
    assert asked.fails(told(settings('[lint]\nfail-on = "warning"\n'), WARNED))


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("a.pine", True),
        ("old/*", True),
        ("old/a.pine", True),
        ("*.pine", True),
        ("new/*", False),
        ("old", True),
        ("old/", True),
        ("./old", True),
        ("ol?/", True),
        ("./old/*", True),
        ("**/a.pine", True),
        ("**/old/**", True),
        ("old/**/a.pine", True),
        ("a.pine/", False),  # that is no folder
        ("ld", False),
        ("new", False),
        ("", False),
        ("/", False),
        ("./", False),
        ("b.pine", False),
        ("*/old/a.pine", False),  # however the script was named on the command line
    ],
)
def test_patterns_name_the_script_or_its_path_from_the_configuration(
    settings: Any, tmp_path: Path, pattern: str, fits: bool
) -> None:
    (tmp_path / "old").mkdir()
    for path in ("old/a.pine", str(tmp_path / "old" / "a.pine"), "./old/../old/a.pine"):
        assert settings(f'[per-file."{pattern}"]\nignore = ["CW"]\n', path).view.hide == (("CW",) if fits else ())


def test_a_pattern_may_be_a_path_from_the_root_of_the_disk_and_names_no_folder_above_the_configuration(
    settings: Any, tmp_path: Path
) -> None:
    for pattern, fits in ((tmp_path / "old", True), (tmp_path / "*.pine", True), (tmp_path.name, False)):
        view = settings(f'[per-file."{pattern}"]\nignore = ["CW"]\n', "old/a.pine").view
        assert view.hide == (("CW",) if fits else ()), pattern


def test_settings_for_a_file_add_up_and_the_last_level_counts(settings: Any) -> None:
    text = """
        [lint]
        select = ["CE"]
        ignore = ["CE10120"]
        [per-file."*.pine"]
        extend-select = ["PB1001"]
        ignore = ["CW10003"]
        fail-on = "never"
        [per-file."a*"]
        ignore = ["CW10002"]
        fail-on = "info"
    """
    view = settings(text).view
    assert (view.select, view.also) == (("CE",), ("PB1001",))
    assert (view.ignore, view.hide) == (("CE10120",), ("CW10003", "CW10002"))
    assert settings(text).fail_on == "info"
    assert list(settings(text).opinions) == ["PB1001"]


def test_unchecked_alone_keeps_the_severity_of_the_other_settings(settings: Any) -> None:
    text = '[lint]\nfail-on = "warning"\n[per-file."*"]\nfail-on = "unchecked"\n'
    assert (settings(text).fail_on, settings(text).unchecked) == ("warning", True)
    never = settings(text + '[per-file."a*"]\nfail-on = "never"\n')
    assert (never.fail_on, never.unchecked) == ("never", False)


def test_flags_win_and_the_environment_wins_over_files(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[lint]\nextend-select = ["PB1"]\n[per-file."*"]\nfail-on = "info"\nextend-select = ["PB1"]\n'
    assert settings(text, select=["CE"]).view.also == ()
    assert settings(text, fail_on="never").fail_on == "never"
    monkeypatch.setenv("PINEBENCH_FAIL_ON", "warning")
    assert settings(text).fail_on == "warning"


@pytest.fixture
def _options(monkeypatch: pytest.MonkeyPatch) -> None:
    declared = {
        "least": Option(3, "A number.", least=1),
        "share": Option(0.5, "A part."),
        "names": Option(("a",), "Names."),
        "strict": Option(False, "A switch."),
    }
    monkeypatch.setattr(rule("PB1001"), "options", declared)


@pytest.mark.usefixtures("_options")
def test_options_of_rules_reach_them_by_name_or_code(settings: Any) -> None:
    text = (
        '[lint]\nselect = ["PB1"]\n[rules.unused-variable]\nleast = 7\nnames = ["x"]\n[rules.PB1001]\nstrict = true\n'
    )
    assert settings(text).opinions["PB1001"] == {"least": 7, "names": ("x",), "strict": True}
    assert settings(text).opinions["PB1002"] == {}


BAD = {
    "[rules.nothing]\n": "there is no rule 'nothing'",
    "[rules.PB1001]\nmost = 1\n": "'most' in [rules.PB1001] is not an option",
    '[rules.PB1001]\nleast = "7"\n': "must be a whole number, not '7'",
    "[rules.PB1001]\nleast = 7.5\n": "must be a whole number",
    "[rules.PB1001]\nleast = true\n": "must be a whole number",
    "[rules.PB1001]\nleast = 0\n": "must be at least 1, not 0",
    "[rules.PB1001]\nnames = [1]\n": "must be a list of strings",
    "[rules]\nPB1001 = 3\n": "'PB1001' in [rules] must be a section",
    "rules = 3\n": "'rules' must be a section",
    "[per-file]\nignore = []\n": "'ignore' in [per-file] must be a section",
    '[per-file."a"]\nselect = []\n': "has no key 'select'",
    '[per-file."a"]\nexclude = []\n': "has no key 'exclude'",
    '[per-file."a"]\nfail-on = "fatal"\n': "must be one of error, warning, info, never",
    "[lint]\nselct = []\n": "has no key 'selct'",
    '[lint]\nselect = "CE"\n': "must be a list of strings",
    '[lint]\nfail-on = "fatal"\n': "must be one of",
    "[format]\nwidth = 39\n": "must be at least 40",
    "[format]\nwidth = true\n": "must be a whole number",
    "[format]\nalign = 1\n": "must be true or false",
    "[lnt]\n": "there is no section [lnt]",
}
GOOD = (
    "",
    "[lint]\n",
    '[lint]\nselect = ["CE"]\nextend-select = []\nignore = ["CW"]\nexclude = ["a/*"]\nfail-on = "info"\n',
    '[per-file."a/**"]\nignore = ["CW"]\nextend-select = ["PB1"]\nfail-on = "never"\n',
    '[check]\nlibrary-paths = ["x"]\n[format]\nwidth = 40\nalign = false\n',
    '[rules.unused-variable]\nleast = 1\nshare = 1\nnames = ["b"]\nstrict = true\n[rules.PB1002]\n',
)


@pytest.mark.usefixtures("_options")
@pytest.mark.parametrize("text", BAD)
def test_a_mistake_is_one_clear_line_and_the_schema_refuses_it(settings: Any, text: str) -> None:
    with pytest.raises(UsageError) as caught:
        settings(text)
    assert BAD[text] in caught.value.message
    assert ".toml: " in caught.value.message
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(parsed(text), schema())


@pytest.mark.usefixtures("_options")
@pytest.mark.parametrize("text", GOOD)
def test_what_is_accepted_the_schema_accepts(settings: Any, text: str) -> None:
    settings(text)
    jsonschema.validate(parsed(text), schema())


def test_what_pages_show_is_accepted(settings: Any) -> None:
    shown = [
        block
        for page in (ROOT / "docs" / "checking.md", ROOT / "docs" / "ci.md")
        for block in re.findall(r"^```toml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        if not block.startswith("script = ")  # a test of a script
    ]
    assert len(shown) >= 2
    for text in shown:
        settings(text, "generated/a.pine")
        jsonschema.validate(parsed(text), schema())


def test_a_code_that_there_is_not_is_refused(settings: Any) -> None:
    for text, place in (
        ('[per-file."a"]\nignore = ["CE99999"]\n', "'ignore' in [per-file.\"a\"]"),
        ('[per-file."no such script"]\nextend-select = ["nothing"]\n', "'extend-select' in [per-file."),
        ('[lint]\nselect = ["CE1", "nothing"]\n', "'select' in [lint]"),
        ('[lint]\nextend-select = ["nothing"]\n', "'extend-select' in [lint]"),
        ('[lint]\nignore = ["ignored"]\n', "'ignore' in [lint]"),
    ):
        with pytest.raises(UsageError, match="there is no code") as caught:
            settings(text, "a")
        assert f".toml: {place}" in caught.value.message


def test_a_code_that_there_is_not_is_refused_wherever_it_was_said(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for flag in ("select", "ignore"):
        with pytest.raises(UsageError, match=f"^--{flag}: there is no code 'nothing'"):
            settings("", **{flag: ["CE", "nothing"]})
    monkeypatch.setenv("PINEBENCH_IGNORE", "CE, nothing")
    with pytest.raises(UsageError, match=r"^PINEBENCH_IGNORE: there is no code 'nothing'"):
        settings("")


def test_what_is_forgotten_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "pinebench.toml"
    for minutes in (15.0, 30.0):
        file.write_text(f"[rules.lower-timeframe-request]\nminutes = {minutes}\n")
        config.forget()
        assert [*options_of("a.pine").values()] == [{"minutes": minutes}]


def test_the_schema_is_one_and_the_shipped_file_is_it() -> None:
    jsonschema.Draft7Validator.check_schema(schema())
    shipped = Path(keys.__file__).with_name("pinebench.schema.json")
    assert json.loads(shipped.read_text(encoding="utf-8")) == schema()


def test_without_a_configuration_no_rule_has_options(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert options_of(str(tmp_path / "a.pine")) == {}


def parsed(text: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def test_what_is_settled_for_a_run_is_what_each_script_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, text in (
        ("one", '[lint]\nselect = ["PB"]\nexclude = ["old*"]\n[per-file."b.pine"]\nignore = ["PB1001"]\n'),
        ("two", '[check]\nlibrary-paths = ["libraries"]\n[lint]\nfail-on = "warning"\n'),
        ("none", ""),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "pinebench.toml").write_text(text)
    paths = [f"{folder}/{name}.pine" for folder in ("one", "two", "none") for name in ("a", "b", "c", "old1")]
    for flags in ({}, {"select": ["CE"], "fail_on": "never"}):
        settled = RunSettings(None, **flags)
        for path in (*paths, *paths):
            assert settled.asked(path) == file_settings(path, None, **flags)
            assert settled.excludes(path) == config.is_excluded(path) == (path == "one/old1.pine")
            assert settled.libraries(path) == config.library_folders(path)
        assert settled.asked("one/a.pine") is settled.asked("one/c.pine")
        assert settled.asked("one/a.pine") is not settled.asked("one/b.pine")
