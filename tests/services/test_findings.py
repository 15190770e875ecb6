"""The findings that an editor shows while a script is typed."""

from pathlib import Path

import pytest

from pinebench import config
from pinebench.diagnostics import Severity
from pinebench.errors import UsageError
from pinebench.linter.rules import opinions_on
from pinebench.services import OpenScript
from pinebench.services.findings import findings, related, safely_fixed
from tests.services.support import HEAD

IDLE = "".join(f"idle{number} = {number}\n" for number in range(5))
TEXT = f"{HEAD}{IDLE}plot(close)\n"


def warned(script: OpenScript) -> list[str]:
    """The texts of the warnings of a script, in the order of the report."""
    found, _ = findings(script.view, str(Path("x.pine").absolute()))
    shown = [each for each in found if each.severity is not Severity.ERROR]
    return [script.view.text[each.span.start : each.span.end] for each in shown]


def test_warnings_stay_while_a_line_is_incomplete() -> None:
    names = [f"idle{number}" for number in range(5)]
    for at, typed, gone in (
        ("plot", "z = ta.", ()),
        ("plot", "x = (\n\n\n", ()),
        ("idle2", "(", ("idle2",)),
        ("close)", "close, ", ()),
        ("idle0", "\n\nif\n", ("idle0",)),
    ):
        script = OpenScript(TEXT)
        assert warned(script) == names
        place = TEXT.index(at)
        for offset, letter in enumerate(typed):
            script.edit(place + offset, place + offset, letter)
            told = warned(script)
            if script.view.snapshot.diagnostics:
                assert [name for name in names if name not in gone] == [name for name in told if name not in gone], (
                    typed
                )
            assert sorted(set(told)) == sorted(told)


def test_a_finding_that_stays_has_no_fix_and_ends_with_the_next_whole_text() -> None:
    path = str(Path("x.pine").absolute())
    script = OpenScript(f"{HEAD}import some/Thing/1 as idle\nplot(close)\n")
    assert any(each.fix is not None for each in findings(script.view, path)[0])
    end = len(script.view.text)
    script.edit(end, end, "y = (")
    stale, _ = findings(script.view, path)
    assert any(each.severity is not Severity.ERROR for each in stale)
    assert not [each for each in stale if each.severity is not Severity.ERROR and each.fix is not None]
    script.replace(f"{HEAD}plot(close)\n")
    assert findings(script.view, path)[0] == []
    script.replace(f"{HEAD}plot(close\n")
    assert warned(script) == []


def test_a_text_that_was_never_whole_has_only_its_errors() -> None:
    script = OpenScript(TEXT + "plot(")
    assert warned(script) == []


def test_what_the_changed_lines_name_is_not_called_unused() -> None:
    script = OpenScript(TEXT)
    assert "idle2" in warned(script)
    end = len(script.view.text)
    script.edit(end, end, "plot(idle2, nosuch)\n")
    assert "idle2" not in warned(script)
    assert "idle3" in warned(script)


def test_a_finding_names_the_other_place_that_it_speaks_of() -> None:
    for body, code, place in (
        ("level = 1.0\nif close > open\n    level = high\nplot(level)\n", "CW10013", "level"),
        ("level = 1.0\nlevel = 2.0\nplot(level)\n", "CE10095", "level"),
        (
            "type box1\n    int x\nf(box1 a) =>\n    box1 box1 = a\n    box1.x\nplot(f(box1.new(1)))\n",
            "CW10013",
            "box1",
        ),
    ):
        view = OpenScript(HEAD + body).view
        [finding] = [each for each in view.program.diagnostics if each.code == code]
        [other] = related(view, finding)
        assert view.text[other.span.start : other.span.end] == place
        assert other.span.start == view.text.index(place) and place in other.text


def test_the_line_with_the_same_code_is_a_related_place() -> None:
    view = OpenScript(f"{HEAD}a = ta.sma(close, 20)\nplot(a)\nplot(ta.sma(close, 20))\n").view
    [finding] = opinions_on(view.program, ["PB4011"])
    [other] = related(view, finding)
    assert view.text[other.span.start : other.span.end] == "a = ta.sma(close, 20)"


def test_every_safe_fix_leaves_the_findings_alone_that_the_configuration_ignores(tmp_path: Path) -> None:
    text = f"{HEAD}let x = close\nplot(x)\n"
    view, path = OpenScript(text).view, str(tmp_path / "x.pine")
    assert safely_fixed(view, path) == f"{HEAD}x = close\nplot(x)\n"
    (tmp_path / "pinebench.toml").write_text('[lint]\nignore = ["CE"]\n')
    config.forget()
    assert safely_fixed(view, path) == text
    (tmp_path / "pinebench.toml").write_text('[lint]\nignore = ["CE"\n')
    config.forget()
    with pytest.raises(UsageError, match="is not TOML"):
        safely_fixed(view, path)
