"""The Pine editor on a real page with every fault that users meet."""

import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pinebench.context import Context, DeadlineError
from pinebench.tradingview.editor import PageEditor, normalise
from pinebench.tradingview.errors import EditorNotFound, EditorRefused, HeldBack, TextOvertaken
from pinebench.tradingview.page import Page
from tests.tradingview.support import LIMIT, Stage, quickest

pytestmark = pytest.mark.usefixtures("spare_tabs")

GOOD = '//@version=6\nindicator("Good")\nplot(close)\n'
BAD = '//@version=6\nindicator("Bad")\nundeclared1\nundeclared2\nshadowed\n'


# -- finding ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("parents", [0, 5, 11, 19, 20, 25])
@pytest.mark.parametrize("steps", [0, 14, 39])
def test_the_editor_is_found_at_every_depth(stage: Stage, parents: int, steps: int) -> None:
    found = stage.editor(stage.open(parents=parents, steps=steps)).find()
    assert found is not None
    assert (found.strategy, found.parents, found.steps) == ("value.monacoEnv", parents, steps)


@pytest.mark.parametrize(
    ("faults", "strategy"),
    [
        ({"reach": "value"}, "value.monacoEnv"),
        ({"reach": "props"}, "monacoEnv"),
        ({"reach": "editorRef"}, "_editorRef"),
        ({"reach": "global"}, "window.monaco"),
        ({"react16": 1}, "value.monacoEnv"),
        ({"stale": 1}, "value.monacoEnv"),
        ({"stale": "fiber"}, "value.monacoEnv"),
        ({"zero": 1}, "value.monacoEnv"),
        ({"console_editor": 1}, "value.monacoEnv"),
        ({"cookie_banner": 1}, "value.monacoEnv"),
        ({"stale": "fiber", "zero": 1, "console_editor": 1, "react16": 1, "reach": "props"}, "monacoEnv"),
    ],
)
def test_the_live_editor_is_chosen(stage: Stage, faults: dict[str, Any], strategy: str) -> None:
    tab = stage.open(**faults)
    editor = stage.editor(tab)
    found = editor.open()
    assert found.strategy == strategy
    editor.write(GOOD)
    assert stage.value(tab, "live.getValue()") == GOOD
    assert editor.read() == GOOD


@pytest.mark.parametrize(
    "faults",
    [
        {"closed": 1},
        {"closed": 1, "new_bar": 1},
        {"closed": 1, "no_bar": 1},
        {"closed": 1, "no_bar": 1, "no_opener": 1, "api": 1},
        {"mount_after": 800},
        {"closed": 1, "mount_after": 500},
    ],
)
def test_a_closed_editor_is_opened(stage: Stage, faults: dict[str, Any]) -> None:
    editor = stage.editor(stage.open(**faults))
    assert editor.read().startswith("indicator")


def test_a_panel_that_closes_itself_is_opened_again(stage: Stage) -> None:
    tab = stage.open()
    editor = stage.editor(tab)
    editor.open()
    stage.value(tab, "unmount()")
    editor.write(GOOD)
    stage.value(tab, "unmount()")
    assert editor.read() == GOOD


def test_an_editor_out_of_reach_is_reported_with_what_was_tried(stage: Stage) -> None:
    editor = stage.editor(stage.open(reach="none"))
    with pytest.raises(EditorNotFound, match="Monaco cannot be reached") as caught:
        editor.open(timeout=0.7)
    assert "activateScriptEditorTab" in caught.value.message
    assert "doctor" in str(caught.value.hint)


def test_no_way_to_open_is_reported(stage: Stage) -> None:
    editor = stage.editor(stage.open(closed=1, no_bar=1, no_opener=1))
    with pytest.raises(EditorNotFound, match="shows no Pine editor"):
        editor.open(timeout=0.7)


def test_opening_keeps_to_its_deadline(stage: Stage) -> None:
    editor = stage.editor(stage.open(closed=1, no_bar=1, no_opener=1))
    with pytest.raises(DeadlineError):
        editor.open(Context.within(0.3))


# -- text ------------------------------------------------------------------------------------------------------------

TEXTS = {
    "emoji": "// 😀 👨‍👩‍👧 \U0001f1e9\U0001f1ea\n",
    "separators": "// a\u2028b\u2029c\x85d\n",
    "backticks": "// `x` ${window.attack = 1} $`{}`\n",
    "quotes": "// \"a\" 'b' \\n \\u0041 </script>\n",
    "nul": "// \x00\x01\x7f\n",
    "surrogate": "// \ud83d alone\n",
    "empty": "",
    "no line end": "plot(close)",
    "spaces": "   \n\t\n  \n",
    "right to left": "// \u202e שלום مرحبا\n",
}


@pytest.mark.parametrize("faults", [{}, {"no_edits": 1}, {"crlf": 1}, {"reach": "editorRef", "no_edits": 1}])
def test_text_is_read_back_identical(stage: Stage, faults: dict[str, Any]) -> None:
    editor = stage.editor(stage.open(**faults))
    for name, text in TEXTS.items():
        assert editor.write(text).verified, name
        assert editor.read().replace("\r\n", "\n") == text, name


def test_five_thousand_hostile_lines_are_read_back_identical(stage: Stage) -> None:
    text = "".join(f"x{n} = close[{n}] // 😀 `${{n}}` \u2028 'q' \"{n}\" \\\n" for n in range(5000))
    editor = stage.editor(stage.open())
    assert editor.write(text).lines == 5001
    assert editor.read() == text


def test_a_megabyte_is_read_back_identical(stage: Stage) -> None:
    text = "// " + "é😀x" * 260_000
    editor = stage.editor(stage.open())
    editor.write(text)
    assert editor.read() == text


@pytest.mark.parametrize(
    ("text", "held", "changes"),
    [
        ("a\r\nb\rc\nd", "a\nb\nc\nd", ("line ends",)),
        ("\ufeffa", "a", ("byte order mark",)),
        ("\ufeffa\r\n", "a\n", ("byte order mark", "line ends")),
        ("a\n\ufeffb", "a\n\ufeffb", ()),
    ],
)
def test_what_monaco_normalises_is_reported(stage: Stage, text: str, held: str, changes: tuple[str, ...]) -> None:
    assert normalise(text) == (held, changes)
    editor = stage.editor(stage.open())
    assert editor.write(text).normalised == changes
    assert editor.read() == held


def test_one_undo_brings_the_old_text_back(stage: Stage) -> None:
    tab = stage.open()
    editor = stage.editor(tab)
    before = editor.read()
    written = editor.write(GOOD)
    assert (written.via, written.previous) == ("edit", before)
    stage.value(tab, "live.undo()")
    assert editor.read() == before


def test_a_read_only_script_is_refused(stage: Stage) -> None:
    editor = stage.editor(stage.open(read_only=1))
    with pytest.raises(EditorRefused, match="read-only"):
        editor.write(GOOD)
    found = editor.find()
    assert found is not None and found.read_only


def test_a_page_that_does_not_give_its_text_is_named(stage: Stage) -> None:
    editor = stage.editor(stage.open(no_text=1))
    with pytest.raises(EditorRefused, match="does not give its text"):
        editor.read()
    with pytest.raises(EditorRefused, match="does not give its text"):
        editor.write(GOOD)


def test_a_text_that_cannot_be_read_is_not_replaced(stage: Stage) -> None:
    tab = stage.open(no_text=1)
    written = "window.written"
    stage.value(tab, f"{written} = []; void (live.executeEdits = live.setValue = (...all) => {written}.push(all))")
    with pytest.raises(EditorRefused, match="does not give its text"):
        stage.editor(tab).write(GOOD)
    assert stage.value(tab, written) == []


def test_the_editor_is_asked_where_its_model_is_silent(stage: Stage) -> None:
    editor = stage.editor(stage.open(no_model_text=1))
    editor.write(GOOD)
    assert editor.read() == GOOD


@pytest.mark.parametrize("faults", [{"closed": 1}, {"keeps_hidden": 1}])
def test_an_editor_of_another_part_of_the_page_is_never_written_to(stage: Stage, faults: dict[str, Any]) -> None:
    tab = stage.open(foreign_editor=1, **faults)
    stage.value(tab, "TradingView.bottomWidgetBar.hideWidget('pine-editor')")
    editor = stage.editor(tab)
    editor.write(GOOD)
    assert stage.value(tab, "live.getValue()") == GOOD
    assert stage.value(tab, "chat.getValue()") == "dear all"


def test_text_that_comes_back_changed_is_never_called_written(stage: Stage) -> None:
    editor = stage.editor(stage.open(mangles=1))
    with pytest.raises(EditorRefused, match="did not accept the text: it differs from line 3"):
        editor.write(GOOD)


@pytest.fixture
def long_settling(monkeypatch: pytest.MonkeyPatch) -> None:
    """For pages on which something more is sure to come, however long a busy machine makes it wait."""
    monkeypatch.setattr("pinebench.tradingview.verdict.ERRORS_SETTLE_MS", 10_000)
    monkeypatch.setattr("pinebench.tradingview.verdict.CONSOLE_SETTLE_MS", 10_000)


# -- compiling -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "faults",
    [
        {},
        {"doubled": 1},
        {"icon_only": 1},
        {"icon_only": "unlabelled"},
        {"lang": "de"},
        {"lang": "ko", "icon_only": 1},
        {"hidden_copy": 1},
        {"save_and_add": 1},
        {"disabled_for": 400},
        {"no_add": 1},
        {"no_add": 1, "api": 1},
        {"late": 1500},
        {"late_study": 800},
        {"no_marker_events": 1},
        {"fixed_label": 1},
        {"alert": 1},
        {"cookie_banner": 1},
        {"reach": "props", "stale": "fiber"},
    ],
)
def test_markers_and_studies_are_read_back(
    stage: Stage, faults: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "late_study" in faults:  # is sure to come, however long a busy machine makes it wait
        monkeypatch.setattr("pinebench.tradingview.verdict.CONSOLE_SETTLE_MS", 10_000)
    tab = stage.open(**faults)
    editor = stage.editor(tab)
    editor.write(BAD)
    bad = editor.compile()
    assert not bad.ok
    assert [(marker["line"], marker["severity"]) for marker in bad.markers] == [
        (3, "error"),
        (4, "error"),
        (5, "warning"),
    ]
    assert bad.errors[0]["code"] == "CE10272"
    editor.write(GOOD)
    good = editor.compile()
    assert good.ok and not good.markers
    assert good.outcome == "added" and good.study == "St1"
    editor.write(GOOD + "// shadowed\n")
    again = editor.compile()
    assert again.ok and again.outcome in ("updated", "compiled")
    assert [marker["severity"] for marker in again.markers] == ["warning"]
    assert stage.value(tab, "window.compiles") == [BAD, GOOD, GOOD + "// shadowed\n"]
    assert stage.value(tab, "window.saves") == []


def test_objects_that_a_page_makes_anew_are_no_sign_of_an_update(stage: Stage) -> None:
    editor = stage.editor(stage.open(fresh_objects=1, late=500))
    editor.write(GOOD)
    assert editor.compile().outcome == "added"
    editor.write(BAD)
    assert editor.compile().outcome == "errors"
    editor.write(GOOD)
    assert editor.compile().outcome == "updated"


@pytest.mark.parametrize(
    ("kind", "reason", "answered"),
    [
        ("gopro", "plan allows no further", ["Cancel"]),
        ("session-disconnected", "taken over by another device", []),
        ("confirm", "question is still open", []),
        ("save-before-add", "wants the script saved", ["Cancel"]),
        ("something new", "answer it in the browser", []),
    ],
)
def test_a_dialog_instead_of_a_verdict_is_named(stage: Stage, kind: str, reason: str, answered: list[str]) -> None:
    tab = stage.open(dialog=kind)
    editor = stage.editor(tab)
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="asked a question instead of compiling") as caught:
        editor.compile()
    assert reason in str(caught.value.hint)
    assert stage.value(tab, "window.answers") == answered
    assert stage.value(tab, "window.saves") == []


def test_a_dialog_that_was_open_before_is_not_taken_for_an_answer(stage: Stage) -> None:
    editor = stage.editor(stage.open(disconnected=1))
    editor.write(GOOD)
    assert editor.compile().ok


def test_a_dialog_that_was_open_before_is_named_if_there_is_no_verdict(stage: Stage) -> None:
    editor = stage.editor(stage.open(disconnected=1, silent=1))
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match=r"no verdict within 0\.5 s, and a dialog is open: 'Session") as caught:
        editor.compile(timeout=0.5)
    assert "another device" in str(caught.value.hint)


def test_no_verdict_is_an_error_within_the_limit(stage: Stage) -> None:
    editor = stage.editor(stage.open(silent=1))
    editor.write(GOOD)

    def give_up() -> float:
        started = time.monotonic()
        with pytest.raises(EditorRefused, match=r"no verdict within 0\.5 s"):
            editor.compile(timeout=0.5)
        return time.monotonic() - started

    assert quickest(give_up, 3) < 3


def test_errors_from_before_are_not_taken_for_a_verdict(stage: Stage) -> None:
    tab = stage.open()
    editor = stage.editor(tab)
    editor.write(BAD)
    assert not editor.compile().ok
    stage.value(tab, "void (faults.silent = 1)")
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="no verdict"):
        editor.compile(timeout=0.5)


def test_a_late_answer_to_a_compile_that_was_given_up_is_no_verdict_on_the_next(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pinebench.tradingview.editor.FORMER_SECONDS", 60.0)
    tab = stage.open(late=1500)
    editor = stage.editor(tab)
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="no verdict"):
        editor.compile(timeout=0.3)
    editor.write(BAD)
    compiled = editor.compile(timeout=60)
    assert compiled.outcome == "errors" and not compiled.ok
    assert stage.value(tab, "window.compiles") == [GOOD, BAD]


def test_errors_marked_while_typing_count_where_the_button_stays_disabled(stage: Stage) -> None:
    tab = stage.open(disabled_for=60_000)
    editor = stage.editor(tab)
    editor.write(BAD)
    marker = "{startLineNumber: 3, startColumn: 1, endLineNumber: 3, endColumn: 5, severity: 8, message: 'Undeclared'}"
    stage.value(tab, f"setMarkers(live.getModel().uri, [{marker}])")
    compiled = editor.compile()
    assert compiled.outcome == "linted" and not compiled.ok
    assert [marker["line"] for marker in compiled.errors] == [3]


def test_a_model_that_the_page_puts_in_its_place_is_followed(stage: Stage) -> None:
    editor = stage.editor(stage.open(swap_model=1))
    editor.write(BAD)
    assert [marker["line"] for marker in editor.compile().errors] == [3, 4]


def test_a_study_that_somebody_else_adds_is_not_taken_for_the_script(stage: Stage) -> None:
    editor = stage.editor(stage.open(built_in=1))
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="no verdict"):
        editor.compile(timeout=0.5)


def test_a_question_after_the_word_of_the_console_is_waited_for(stage: Stage, long_settling: None) -> None:
    editor = stage.editor(stage.open(word_first=600))
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="asked a question instead of compiling"):
        editor.compile()


def test_markers_that_never_settle_end_at_the_limit(stage: Stage, long_settling: None) -> None:
    editor = stage.editor(stage.open(restless=1))
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match=r"still changing after 0\.5 s"):
        editor.compile(timeout=0.5)


def test_the_same_markers_again_and_again_are_settled(stage: Stage) -> None:
    editor = stage.editor(stage.open(repeated=1))
    editor.write(BAD)
    assert [marker["message"] for marker in editor.compile(timeout=LIMIT).errors] == ["Undeclared"]


def test_markers_without_words_or_places_are_read(stage: Stage) -> None:
    editor = stage.editor(stage.open(bare_markers=1))
    editor.write(BAD)
    errors = editor.compile().errors
    assert [(error["line"], error["column"], error["end_line"], error["message"]) for error in errors] == [
        (3, 1, 3, "the page gives no reason"),
        (1, 1, 1, "the page gives no reason"),
    ]


def test_a_reload_during_a_compile_is_named(stage: Stage) -> None:
    tab = stage.open(silent=1)
    editor = stage.editor(tab)
    editor.write(GOOD)
    # Only once the button is pressed, however long that takes.
    stage.value(tab, "void add.addEventListener('click', () => setTimeout(() => location.reload(), 300))")
    with pytest.raises(EditorRefused, match="page was reloaded"):
        editor.compile()
    assert editor.find() is not None


def test_two_threads_share_one_toolkit(stage: Stage) -> None:
    editor = stage.editor(stage.open())
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(lambda _: editor.find(), range(8)))
        compiling = pool.submit(lambda: (editor.write(BAD), editor.compile())[1])
        while not compiling.done():
            editor.find()
        assert len(compiling.result().errors) == 2


def test_a_button_that_stays_disabled_is_named(stage: Stage) -> None:
    editor = stage.editor(stage.open(disabled_for=60_000))
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="remained disabled"):
        editor.compile(timeout=0.4)


def test_the_console_is_read(stage: Stage) -> None:
    editor = stage.editor(stage.open())
    editor.write(BAD)
    assert editor.compile().console[0]["type"] == "error"
    assert editor.console() == [{"timestamp": "12:30:45", "type": "error", "message": "Compilation failed"}]


# -- whose text it is ------------------------------------------------------------------------------------------------


def test_a_verdict_on_another_text_is_none(stage: Stage) -> None:
    tab = stage.open(late=600)
    editor = stage.editor(tab)
    editor.write(BAD)
    stage.value(tab, f"void setTimeout(() => live.setValue({json.dumps(GOOD)}), 150)")
    with pytest.raises(TextOvertaken) as caught:
        editor.compile(text=BAD)
    assert caught.value.by == "page"


def test_nothing_is_pressed_for_a_text_that_is_gone(stage: Stage) -> None:
    tab = stage.open()
    editor = stage.editor(tab)
    editor.write(BAD)
    stage.value(tab, f"live.setValue({json.dumps(GOOD)})")
    with pytest.raises(TextOvertaken):
        editor.compile(text=BAD)
    assert stage.value(tab, "window.compiles") == []


def test_an_editor_closed_during_a_compile_answers_at_once(stage: Stage) -> None:
    def close() -> float:
        tab = stage.open(silent=1)
        editor = stage.editor(tab)
        editor.write(GOOD)
        once = "if (window.compiles.length === 0) return; clearInterval(timer); unmount()"
        stage.value(tab, f"void (() => {{ const timer = setInterval(() => {{ {once}; }}, 20); }})()")
        started = time.monotonic()
        with pytest.raises(EditorRefused, match="editor was closed"):
            editor.compile()
        return time.monotonic() - started

    assert quickest(close, 3) < 3


def test_the_text_that_was_replaced_is_kept_once_and_said(stage: Stage, state: Path) -> None:
    tab = stage.open()
    told: list[str] = []
    editor = PageEditor(Page(stage.connect(tab, notify=told.append)))
    unsaved = editor.read() + "// not saved anywhere\n"
    stage.value(tab, f"live.setValue({json.dumps(unsaved)})")
    kept = editor.write(GOOD).kept
    assert kept is not None and kept.read_text() == unsaved
    assert kept.stat().st_mode & 0o077 == 0
    assert told == [f"a copy of the text that was in the editor is in {kept}"]
    assert editor.write(BAD).kept is None and editor.write(BAD).kept is None
    assert [*(state / "replaced").iterdir()] == [kept]
    kept.write_text("// a person works on in the copy\n")
    stage.value(tab, f"live.setValue({json.dumps(unsaved)})")
    second = editor.write(GOOD).kept
    assert second is not None and second.read_text() == unsaved
    assert kept.read_text() == "// a person works on in the copy\n"


def test_a_guarded_editor_replaces_only_its_own(stage: Stage) -> None:
    tab = stage.open()
    editor = PageEditor(Page(stage.connect(tab)), guarded=True)
    editor.write(GOOD)
    stage.value(tab, "live.setValue('// mine, not saved')")
    for text in (BAD, GOOD):
        with pytest.raises(HeldBack, match="left it unchanged"):
            editor.write(text)
    assert stage.value(tab, "live.getValue()") == "// mine, not saved"
    stage.value(tab, f"live.setValue({json.dumps(BAD)})")  # as a push by hand does
    editor.write(GOOD)
    assert stage.value(tab, "live.getValue()") == GOOD


@pytest.mark.parametrize("times", [1, 2])
def test_a_text_that_the_starting_page_replaces_is_written_again(stage: Stage, times: int) -> None:
    tab = stage.open()
    stage.value(
        tab,
        f"""void (() => {{ let left = {times}; const own = live.executeEdits;
        live.executeEdits = (...all) => {{ own(...all);
          if (left-- > 0) setTimeout(() => live.setValue("// saved long ago"), 120); }}; }})()""",
    )
    editor = stage.editor(tab)
    editor.push(GOOD)
    assert stage.value(tab, "live.getValue()") == GOOD


def test_a_page_that_never_lets_go_is_named(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = stage.open()
    stage.value(tab, "void setInterval(() => live.setValue('// stubborn'), 20)")
    with pytest.raises(EditorRefused):
        stage.editor(tab).push(GOOD)


STOPPED = "Runtime error: Error on bar 3: Index -1 is out of bounds."


@pytest.mark.parametrize(
    ("faults", "words"),
    [({"stops": 0}, STOPPED), ({"stops": 300}, STOPPED), ({"stops": 0, "wordless": 1}, "the page does not say why")],
)
def test_a_study_that_stops_at_run_time_is_told_with_its_error(
    stage: Stage, faults: dict[str, Any], words: str
) -> None:
    tab = stage.open(**faults)
    said: list[str] = []
    editor = PageEditor(Page(stage.connect(tab, notify=said.append)))
    for outcome in ("added", "updated"):
        editor.write(GOOD)
        done = editor.compile()
        assert (done.outcome, done.state, done.failure) == (outcome, "failed", words)
    assert said[-1] == f"the script is on the chart, but stopped there: {words}"


# -- dialogs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "text", "kind"),
    [
        ('data-name="indicator-properties-dialog" data-dialog-name="Inputs"', "Length", "settings"),
        ('data-name="indicator-properties-dialog" data-dialog-name="Inputs"', "Log in to see more", "settings"),
        ('data-name="dialog" data-dialog-name="Inputs"', "Length", "unknown"),
        ('data-name="analog" aria-label="indicator"', "Blog index", "unknown"),
        ('data-name="sign-in-dialog"', "Welcome back", "sign-in"),
        ('data-name="x"', "Please log in.", "sign-in"),
        ('data-name="x"', "Änderungen <button>Nicht speichern</button>", "unsaved-changes"),
        ('data-name="confirm-dialog"', "Fortfahren?", "unknown"),
        ('data-name="confirm-dialog"', "Replace the study of the other pane?", "unknown"),
        ('data-name="confirm-dialog"', "This script uses external data", "external-data"),
        ('data-name="confirm-dialog"', "You have unsaved changes", "unsaved-changes"),
        ('data-name="x"', "<button>Save</button><button>before</button>", "save-before-add"),
    ],
)
def test_a_dialog_is_known_by_whole_words_of_one_field(stage: Stage, names: str, text: str, kind: str) -> None:
    tab = stage.open()
    dialog = f'<div role="dialog" {names} style="width:100px;height:100px">{text}</div>'
    stage.value(tab, f"void document.body.insertAdjacentHTML('beforeend', {json.dumps(dialog)})")
    assert [found["kind"] for found in stage.editor(tab).page.call("dialogs")] == [kind]


def test_a_dialog_that_a_person_opened_is_left_alone(stage: Stage) -> None:
    tab = stage.open(late=400)
    editor = stage.editor(tab)
    editor.write(GOOD)
    stage.value(tab, "void setTimeout(() => dialog('indicator-properties-dialog', 'Inputs', ['Cancel', 'OK']), 100)")
    assert editor.compile().ok
    assert stage.value(tab, "window.answers") == []
    assert stage.value(tab, "document.querySelector('[role=dialog]') !== null")


def test_external_data_is_confirmed_only_by_a_switch(stage: Stage) -> None:
    tab = stage.open(dialog="confirm")
    editor = stage.editor(tab)
    editor.write(GOOD)
    with pytest.raises(EditorRefused) as caught:
        editor.compile()
    assert "still open" in str(caught.value.hint) and "--confirm-external-data" in str(caught.value.hint)
    assert stage.value(tab, "window.answers") == []
    stage.value(tab, "document.querySelector('[role=dialog]').remove(); void delete faults.dialog")
    stage.value(
        tab,
        """void (() => { const add = document.getElementById("add"); const own = add.onclick; add.onclick = () =>
        dialog("confirm-dialog", "This script uses external data", ["Cancel", "Continue"],
          (answer) => answer === "Continue" && own()); })()""",
    )
    editor.write(GOOD)
    assert editor.compile(confirm_external_data=True).ok
    assert stage.value(tab, "window.answers") == ["Continue"]


@pytest.mark.parametrize("question", ["Replace the strategy on the chart?", "Fortfahren?", "Two devices are in use"])
def test_a_question_about_anything_else_is_told_and_left_to_a_person(stage: Stage, question: str) -> None:
    tab = stage.open()
    stage.value(
        tab,
        f"""void (document.getElementById("add").onclick = () =>
        dialog("confirm-dialog", {json.dumps(question)}, ["Cancel", "Continue"]))""",
    )
    editor = stage.editor(tab)
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match=re.escape(question)) as caught:
        editor.compile(confirm_external_data=True)
    assert "--confirm-external-data" not in str(caught.value.hint)
    assert stage.value(tab, "window.answers") == []


def test_a_question_with_save_or_discard_is_never_confirmed(stage: Stage) -> None:
    tab = stage.open()
    stage.value(
        tab,
        """void (document.getElementById("add").onclick = () =>
        dialog("confirm-dialog", "Third-party data", ["Cancel", "OK", "Save"]))""",
    )
    editor = stage.editor(tab)
    editor.write(GOOD)
    with pytest.raises(EditorRefused, match="asked a question"):
        editor.compile(confirm_external_data=True)
    assert stage.value(tab, "window.answers") == []
