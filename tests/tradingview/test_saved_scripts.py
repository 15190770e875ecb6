"""Saved scripts on a real page: listed, opened, and never written over by mistake."""

import json
from pathlib import Path
from typing import Any

import pytest

from pinebench.tradingview.bindings import Binding, Bindings
from pinebench.tradingview.editor import PageEditor
from pinebench.tradingview.errors import EditorRefused, SaveRefused, ServiceError
from pinebench.tradingview.page import Page
from pinebench.tradingview.saved_scripts import SavedScripts, save_target
from pinebench.tradingview.script_service import SavedScript
from tests.tradingview.support import Stage

pytestmark = pytest.mark.usefixtures("spare_tabs")

GOOD = '//@version=6\nindicator("Good")\nplot(close)\n'


def test_scripts_are_listed(stage: Stage) -> None:
    scripts = stage.scripts(stage.open()).listed()
    assert [(script.id, script.name, script.version) for script in scripts] == [("USER;1", "Kept", "3.0")]


@pytest.mark.parametrize(
    ("facade", "reason"),
    [("403", "requires a log-in"), ("429", "too many requests"), ("500", "HTTP 500"), ("html", "not JSON")],
)
def test_a_failing_script_service_is_named(stage: Stage, facade: str, reason: str) -> None:
    with pytest.raises(ServiceError, match=reason):
        stage.scripts(stage.open(facade=facade)).listed()


def test_a_silent_script_service_ends_at_the_limit(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tradingview.saved_scripts.SERVICE_TIMEOUT", 0.4)
    with pytest.raises(ServiceError, match="no answer in time"):
        stage.scripts(stage.open(facade="hang")).listed()


def test_a_script_that_pinebench_did_not_open_is_never_saved(stage: Stage) -> None:
    tab = stage.open()
    scripts = stage.scripts(tab)
    scripts.editor.write(GOOD)
    with pytest.raises(SaveRefused, match="the script 'Kept' open, which pinebench did not open"):
        scripts.save()
    with pytest.raises(SaveRefused):
        scripts.save("Other")
    assert stage.value(tab, "window.saves") == []
    saved = scripts.save("Kept")  # naming it is the permission
    assert (saved.version, saved.created, saved.verified) == ("4.0", False, True)


def test_a_new_script_is_saved_under_its_name_and_then_again(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    opened = scripts.new("strategy", "Mine")
    assert opened.bound and 'strategy("Mine"' in scripts.editor.read()
    scripts.editor.write(GOOD)
    first = scripts.save()
    assert (first.name, first.created, first.verified) == ("Mine", True, True)
    scripts.editor.write(GOOD + "// more\n")
    second = scripts.save()
    assert (second.created, second.verified) == (False, True)
    assert stage.value(tab, "window.saves") == ["Mine", "Mine"]
    assert stage.value(tab, "store[0].source").count("plot(open)") == 1


def test_an_editor_api_that_never_finishes_makes_no_script(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tradingview.saved_scripts.API_TIMEOUT", 0.3)
    tab = stage.open(api=1, stuck_api=1)
    scripts = stage.scripts(tab)
    before = scripts.editor.read()
    with pytest.raises(EditorRefused, match="did not finish openNewScript"):
        scripts.new("indicator", "Mine")
    assert scripts.editor.read() == before
    with pytest.raises(SaveRefused):
        scripts.save("Mine")


def test_a_name_that_has_moved_is_found_by_what_it_says(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stage.value(tab, "void (label().removeAttribute('data-name'), label().className = 'x-title-y')")
    assert scripts.shown_name() is None
    assert scripts.shown_name(["Kept", "Other"]) == "Kept"
    assert scripts.save().version == "4.0"


@pytest.mark.parametrize("mark", [" ●", "*", " (unsaved)", " v3"])
def test_a_mark_behind_the_name_does_not_make_it_another_script(stage: Stage, mark: str) -> None:
    tab = stage.open(api=1, mark=mark)
    scripts = stage.scripts(tab)
    scripts.editor.write(GOOD)
    with pytest.raises(SaveRefused, match="may be the saved script 'Kept'"):
        scripts.save("Other")
    assert stage.value(tab, "window.saves") == []


def test_a_name_that_is_cut_short_may_be_a_saved_script() -> None:
    kept = {"Kept for long": SavedScript("1", "Kept for long", "", "1.0")}
    with pytest.raises(SaveRefused, match="may be the saved script"):
        save_target("Other", "Kept fo…", None, kept)
    assert save_target("Other", "Untitled script", None, kept) == "Other"


@pytest.mark.parametrize("name", ["Other", "New"])
def test_a_name_that_was_said_is_never_passed_over_for_the_script_that_is_open(name: str) -> None:
    kept = {each: SavedScript(number, each, "", "1.0") for number, each in (("1", "Kept"), ("2", "Other"))}
    bound = Binding("Kept", "1", "1.0")
    with pytest.raises(SaveRefused, match=f"would save 'Kept', not '{name}'"):
        save_target(name, "Kept", bound, kept)
    assert save_target("kept", "Kept", bound, kept) == save_target(None, "Kept", bound, kept) == "Kept"


def test_a_page_that_saves_over_another_script_is_not_called_saved(stage: Stage) -> None:
    tab = stage.open()
    scripts = stage.scripts(tab)
    stage.value(tab, "void (label().textContent = 'Something else')")
    with pytest.raises(EditorRefused, match=r"saved 'Kept' as version 4\.0 instead of making a new script"):
        scripts.save("Other")


def test_a_script_that_is_opened_by_hand_at_the_last_moment_is_not_saved(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stage.value(tab, "void store.push({...store[0], scriptIdPart: 'USER;2', scriptName: 'Other', version: '7.0'})")

    def decide(*given: Any) -> str:
        stage.value(tab, "bind(store[1], 'Other')")
        return save_target(*given)

    monkeypatch.setattr("pinebench.tradingview.saved_scripts.save_target", decide)
    with pytest.raises(SaveRefused, match="showed the script 'Kept', and now shows 'Other'"):
        scripts.save()
    assert stage.value(tab, "window.saves") == []


def test_another_script_that_got_the_save_is_named(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tradingview.saved_scripts.SAVE_TIMEOUT", 0.3)
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stage.value(tab, "store.push({...store[0], scriptIdPart: 'USER;2', scriptName: 'Other', version: '7.0'})")
    stage.value(tab, "void (bound = store[1])")  # the panel still shows the name of the other one
    with pytest.raises(EditorRefused, match=r"saved 'Other' as version 8\.0 instead of saving 'Kept'"):
        scripts.save()


def test_a_version_with_another_text_is_not_called_saved(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pinebench.tradingview.saved_scripts.SAVE_TIMEOUT", 0.3)
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stage.value(
        tab, "void (window.writeBound = () => { bound.version = '4.0'; bound.source = '// of another device'; })"
    )
    with pytest.raises(
        EditorRefused, match=r"has version 4\.0, but its text differs from the text .* differs from line 1 on"
    ):
        scripts.save()
    with pytest.raises(SaveRefused, match="knows version"):
        scripts.save()


BLANKS = '\n//@version=6\nindicator("Mine")  \nplot(close)\t\n\n'


@pytest.mark.parametrize(
    ("kept", "is_same"),
    [
        ("source.replace(/[ \\t]+$/gm, '').trim()", True),
        ("source.replace(/\\n/g, '\\r\\n')", True),
        ("source.replace('plot', '  plot')", False),
        ("source.replace('\\n//', '  //')", False),
    ],
    ids=["ends of lines", "line ends", "an indentation", "the first indentation"],
)
def test_only_blanks_without_a_meaning_may_differ_in_a_saved_text(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, kept: str, is_same: bool
) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    scripts.editor.write(BLANKS)
    change = f"const source = live.getValue(); bound.version = '4.0'; bound.source = {kept};"
    stage.value(tab, f"void (window.writeBound = () => {{ {change} }})")
    if is_same:
        assert scripts.save().verified
        return
    monkeypatch.setattr("pinebench.tradingview.saved_scripts.SAVE_TIMEOUT", 0.3)
    with pytest.raises(EditorRefused, match="its text differs from the text"):
        scripts.save()


def test_a_question_that_asks_for_no_name_is_told_while_a_new_script_is_saved(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.new("indicator", "Mine")
    stage.value(tab, "void (window.save = () => dialog('confirm-dialog', 'Publish it as well?', ['No', 'Yes']))")
    stage.value(tab, "void (document.querySelector('.saveButton-z9').onclick = () => window.save())")
    with pytest.raises(EditorRefused, match="Publish it as well"):
        scripts.save()
    assert stage.value(tab, "window.answers") == []


_DISABLED = """void (new MutationObserver(() => {
    const button = [...document.querySelectorAll("[role=dialog] button")].find((one) => one.textContent === "Save");
    if (!button || button.late) return;
    button.late = button.disabled = true;
    LATER
}).observe(document.body, { childList: true, subtree: true }))"""
"""The button that saves is disabled as its dialog opens, and `LATER` follows."""


@pytest.mark.parametrize("name", ["save-name", "x"])
def test_the_button_of_the_dialog_for_the_name_may_be_enabled_late(stage: Stage, name: str) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.new("indicator", "Mine")
    later = f"""button.parentNode.dataset.name = "{name}"; let writes = 0;
        button.parentNode.addEventListener("input", () => {{ if (++writes === 2) button.disabled = false; }});"""
    stage.value(tab, _DISABLED.replace("LATER", later))
    assert scripts.save().verified
    assert stage.value(tab, "window.saves") == ["Mine"]


def test_a_dialog_for_the_name_that_cannot_be_answered_is_told_as_that_of_a_save(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tradingview.saved_scripts.SAVE_TIMEOUT", 0.3)
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.new("indicator", "Mine")
    stage.value(tab, _DISABLED.replace("LATER", ""))
    with pytest.raises(EditorRefused, match="asked a question instead of saving: 'Save script"):
        scripts.save()
    assert stage.value(tab, "window.saves") == []


def test_a_dialog_that_was_open_before_the_save_gets_no_name(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.new("indicator", "Mine")
    stage.value(
        tab, "dialog('x', 'Copy of the layout', ['Cancel', 'Save'], (said, name) => { window.copied = name; }, true)"
    )
    assert scripts.save().verified
    assert stage.value(tab, "window.copied") is None


def test_the_button_that_saves_the_layout_is_never_pressed(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stage.value(
        tab,
        """void (() => { const layout = document.createElement("button"); layout.textContent = "Save";
        layout.onclick = () => { window.layoutSaved = true; }; document.body.prepend(layout);
        panel.className = "x-panel"; document.querySelector("[class*=saveButton]").remove(); })()""",
    )
    assert scripts.save().version == "4.0"  # by the keyboard
    assert stage.value(tab, "window.layoutSaved") is None


def test_of_two_panels_the_one_with_the_used_editor_is_named_saved_and_compiled(stage: Stage) -> None:
    tab = stage.open(api=1, second_panel=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    assert scripts.shown_name() == "Kept"
    scripts.editor.write(GOOD)
    assert scripts.editor.compile(text=GOOD).outcome == "added"
    assert scripts.save().version == "4.0"
    assert stage.value(tab, "window.elsewhere") == []
    assert stage.value(tab, "store[0].source") == GOOD


@pytest.mark.parametrize("call", ["new", "open_script"])
def test_a_text_that_the_page_itself_replaces_is_kept(stage: Stage, state: Path, call: str) -> None:
    tab = stage.open(api=1)
    told: list[str] = []
    scripts = SavedScripts(PageEditor(Page(stage.connect(tab, notify=told.append))))
    scripts.editor.open()
    unsaved = scripts.editor.read() + "// not saved anywhere\n"
    stage.value(tab, f"live.setValue({json.dumps(unsaved)})")
    stage.value(
        tab,
        """void (() => { const own = TradingViewApi.pineEditorTestApi();
        const openNewScript = async () => { bind(null, "Untitled script"); live.setValue("// begin"); };
        TradingViewApi.pineEditorTestApi = () => ({...own, openNewScript}); })()""",
    )
    assert (scripts.new("indicator", "Mine") if call == "new" else scripts.open("Kept")).bound
    assert unsaved in [file.read_text() for file in (state / "replaced").iterdir()]
    assert any("a copy of the text" in line for line in told)


def test_a_service_that_stumbles_after_the_save_is_asked_again(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stumble = "() => { faults.facade = '500'; setTimeout(() => delete faults.facade, 400); }"
    stage.value(tab, f"void document.querySelector('[class*=saveButton]').addEventListener('click', {stumble})")
    assert scripts.save().version == "4.0"


def test_a_state_folder_that_cannot_be_written_does_not_undo_a_save(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    tab = stage.open(api=1)
    scripts = SavedScripts(PageEditor(Page(stage.connect(tab))), Bindings(tmp_path / "file" / "bindings.json"))
    scripts.new("indicator", "Mine")
    assert scripts.save().verified
    scripts.editor.write(GOOD)
    assert scripts.save().verified


def test_without_a_name_to_compare_nothing_is_saved(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.open("Kept")
    stage.value(tab, "label().remove()")
    with pytest.raises(SaveRefused, match="it is not known which saved script"):
        scripts.save("Kept")
    assert stage.value(tab, "window.saves") == []


def test_a_taken_name_is_refused(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.new("indicator", "Kept")
    with pytest.raises(SaveRefused, match="already exists"):
        scripts.save()
    assert stage.value(tab, "window.saves") == []


def test_a_version_that_pinebench_does_not_know_is_not_overwritten(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    assert scripts.open("kept").bound
    stage.value(tab, "void (store[0].version = '9.0')")
    with pytest.raises(SaveRefused, match=r"version 9\.0, but pinebench knows version 3\.0"):
        scripts.save()
    assert stage.value(tab, "window.saves") == []


def test_a_script_opened_by_hand_meanwhile_is_not_overwritten(stage: Stage) -> None:
    tab = stage.open(api=1)
    scripts = stage.scripts(tab)
    scripts.new("indicator", "Mine")
    scripts.save()
    stage.value(tab, "bind(store[0], 'Kept')")
    with pytest.raises(SaveRefused, match="the script 'Kept' open"):
        scripts.save()
    assert stage.value(tab, "window.saves") == ["Mine"]


def test_opening_without_the_api_changes_only_the_text(stage: Stage) -> None:
    tab = stage.open(unbound=1)
    scripts = stage.scripts(tab)
    opened = scripts.open("Kept")
    assert not opened.bound and opened.via == "text"
    assert "plot(open)" in scripts.editor.read()
    with pytest.raises(SaveRefused):
        scripts.save()
    assert not scripts.new("library", "Lib").bound


def test_a_name_that_no_script_has_lists_those_there_are(stage: Stage) -> None:
    with pytest.raises(EditorRefused, match="no saved script is called 'Nope' \\('Kept'\\)"):
        stage.scripts(stage.open()).open("Nope")


def test_unsaved_changes_are_kept_unless_told_otherwise(stage: Stage) -> None:
    tab = stage.open(api=1, unsaved=1)
    scripts = stage.scripts(tab)
    before = scripts.editor.read()
    with pytest.raises(EditorRefused, match="unsaved changes"):
        scripts.new()
    assert scripts.editor.read() == before
    assert stage.value(tab, "window.answers") == ["Cancel"]
    assert scripts.new(discard=True).bound
    assert stage.value(tab, "window.answers") == ["Cancel", "Discard"]


def test_a_binding_outlives_the_process(stage: Stage, tmp_path: Path) -> None:
    tab = stage.open(api=1)
    file = tmp_path / "state" / "bindings.json"
    first = SavedScripts(PageEditor(Page(stage.connect(tab))), Bindings(file))
    first.new("indicator", "Mine")
    first.save()
    second = SavedScripts(PageEditor(Page(stage.connect(tab))), Bindings(file))
    second.editor.write(GOOD)
    assert second.save().verified
    file.write_text("{broken")
    with pytest.raises(SaveRefused):
        SavedScripts(PageEditor(Page(stage.connect(tab))), Bindings(file)).save()
