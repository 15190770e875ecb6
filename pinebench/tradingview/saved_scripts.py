"""Lists the saved scripts, starts a new one, opens one in the editor, and saves only the intended one."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from pinebench.context import Context
from pinebench.tradingview import results
from pinebench.tradingview.bindings import Binding, Bindings
from pinebench.tradingview.connection import LOOK_TIMEOUT
from pinebench.tradingview.editor import EditorWrite, PageEditor, first_difference, given_text, normalise, pause
from pinebench.tradingview.errors import EditorRefused, PageError, SaveRefused, ServiceError
from pinebench.tradingview.page import CTRL, META
from pinebench.tradingview.script_service import (
    SERVICE_TIMEOUT,
    SavedScript,
    find_script,
    listed_scripts,
    same_name,
    service_data,
)
from pinebench.tradingview.verdict import blocking

API_TIMEOUT = 5.0
"""Seconds that the page's own editor API may take to make or open a script."""

NEW_SECONDS = 1.0
"""Seconds that the panel may take to show the name of a new script after the page's own API has made it."""

SAVE_TIMEOUT = 10.0
"""Seconds that the script service may take to list the new version after a save."""

_EDITOR_ACTIONS = {"openNewScript": "starting a new script", "openScript": "opening the script"}
"""The words for each action of the page's own editor API."""

SHOW_SECONDS = 2.0
"""Seconds that the editor may take to show the text of a script after the page's own API has opened it."""

STARTERS = {
    "indicator": '//@version=6\nindicator("{name}", overlay = true)\nplot(close)\n',
    "strategy": '//@version=6\nstrategy("{name}", overlay = true)\n',
    "library": '//@version=6\n\n// @description Describe the library here.\nlibrary("{name}")\n',
}
"""The text that a new script starts with, by kind."""


@dataclass(frozen=True, slots=True)
class SaveResult:
    """The result of a save. `verified` means that the script service lists the new version."""

    name: str
    version: str | None
    created: bool
    verified: bool


@dataclass(frozen=True, slots=True)
class ScriptInEditor:
    """A script in the editor. `bound` says whether the editor's Save button writes to this script. `via` names the way
    in which it was put there, and `written` is the result of the write, if there was one."""

    name: str
    script_id: str | None
    source: str
    bound: bool
    via: str
    written: EditorWrite | None = None


@dataclass(frozen=True, slots=True)
class _PendingSave:
    """A save of the script `target` with `text` that the service does not list yet.

    `before` has the saved scripts before it, by name. The dialogs `asked` were open before, so they are left alone; the
    dialogs `answered` have got the name.
    """

    target: str
    text: str
    before: dict[str, SavedScript]
    asked: set[tuple[int, str]]
    answered: set[int] = field(default_factory=set[int])

    @property
    def is_new(self) -> bool:
        """Whether no script had this name before."""
        return self.target not in self.before

    def is_result(self, script: SavedScript) -> bool:
        """Whether `script` is a newer version of the target."""
        return script.name == self.target and is_newer(script, self.before.get(self.target))


class SavedScripts:
    """The saved scripts of the user who is logged in on the page of `editor`, and the script that the editor holds.

    Each public method is one complete step and may be called from any thread.
    """

    def __init__(self, editor: PageEditor, bindings: Bindings | None = None) -> None:
        """`bindings` remember which script pinebench put into the editor; without them only this object does."""
        self.editor = editor
        self._page = editor.page
        self._bindings = bindings or Bindings()

    def listed(self, context: Context | None = None) -> list[SavedScript]:
        """Return the saved scripts of the user who is logged in on the page. Raises ServiceError."""
        limit = int(SERVICE_TIMEOUT * 1000)
        answer = self._page.call(
            "list_scripts", {"limit": limit}, timeout=SERVICE_TIMEOUT + 2, read=True, context=context
        )
        return listed_scripts(answer)

    def shown_name(self, known: Iterable[str] = ()) -> str | None:
        """Return the name of the script to which the editor's Save button writes, as the panel shows it, or None.
        `known` holds names of saved scripts, which help to find the name if TradingView has moved it on the page."""
        return self._page.call("script_name", {"names": [*known]}, timeout=LOOK_TIMEOUT, read=True)["name"]

    def new(self, kind: str = "indicator", name: str = "Untitled script", *, discard: bool = False) -> ScriptInEditor:
        """Start a new script of `kind` (indicator, strategy, library). With the page's own editor API the editor is
        bound to the new script. Without that API, or if the API did nothing, only the text is replaced, and a later
        save is refused. Raises EditorRefused if there are unsaved changes, unless `discard` is true."""
        text = STARTERS[kind].replace("{name}", name.replace("\\", "\\\\").replace('"', '\\"'))
        with self._page.connection.exclusive():
            self.editor.open()
            with self._keeping_text():
                before = self._standing()
                bound = self._editor_api("openNewScript", kind, discard) and self._is_new(before)
            written = self.editor.write(text)
            self._bindings.set(self._key(), Binding(name) if bound else None)
        return ScriptInEditor(name, None, text, bound, "api" if bound else "text", written)

    def _standing(self) -> tuple[str | None, frozenset[str] | None, str]:
        """Return the name of the script in the editor, the names of all saved scripts if they are known, and the
        text."""
        try:
            saved = frozenset(script.name for script in self.listed())
        except ServiceError:
            saved = None
        return self.shown_name(saved or ()), saved, self.editor.read()

    def _is_new(self, before: tuple[str | None, frozenset[str] | None, str]) -> bool:
        """Return whether the editor has left the script that it held `before`, so that a save does not write to it. The
        name that the panel shows decides, because on some pages the editor API acts on an invisible editor."""
        name, saved, text = before
        limit = time.monotonic() + NEW_SECONDS
        while True:
            shown = self.shown_name(saved or ())
            left = shown not in saved if saved is not None and shown is not None else shown != name
            # Without any name, only another text shows that there is another script.
            if left or (shown is None and name is None and self.editor.read() != text):
                return True
            if time.monotonic() >= limit:
                return False
            time.sleep(0.05)

    @contextlib.contextmanager
    def _keeping_text(self) -> Generator[None]:
        """Keep a copy of the editor's text if the page replaces it in the body by its own means, without an undo."""
        text = self.editor.read()
        try:
            yield
        finally:
            if not self.editor.holds(text, 0.0):
                self.editor.keep(text, "")

    def open(self, name: str, *, discard: bool = False) -> ScriptInEditor:
        """Open the saved script with this name or title, or the only script whose name or title contains `name`.

        Raises EditorRefused if no script or several match, or if there are unsaved changes and `discard` is false.
        """
        with self._page.connection.exclusive():
            script = find_script(self.listed(), name)
            source = self._saved_text(script)
            self.editor.open()
            argument = {"scriptIdPart": script.id, "version": script.version}
            with self._keeping_text():
                bound = self._editor_api("openScript", argument, discard)
                if bound:
                    # A page may show the text of this script already, because it was written there, and save another.
                    bound = self.editor.holds(source, SHOW_SECONDS) and self.shown_name([script.name]) in (
                        None,
                        script.name,
                    )
            written = None if bound else self.editor.write(source)
            self._bindings.set(self._key(), Binding(script.name, script.id, script.version) if bound else None)
        return ScriptInEditor(script.name, script.id, source, bound, "api" if bound else "text", written)

    def save(self, name: str | None = None, context: Context | None = None) -> SaveResult:
        """Save the editor's script, and check that the script service has the new version.

        Without `name`, only a script that pinebench put there (`new`, `open`, an earlier `save`) is saved; its name and
        version must still be the same. To save another script, pass its `name`. A new script needs a name that is not
        taken. Raises SaveRefused if the save could write to another script, and EditorRefused if the page saved another
        one.
        """
        with self._page.connection.exclusive(context):
            self.editor.open(context)
            before = {script.name: script for script in self.listed(context)}
            bound = self._bindings.get(self._key())
            names = [*before, bound.name] if bound else [*before]
            shown = self.shown_name(names)
            target = save_target(name, shown, bound, before)
            asked: list[results.DialogEntry] = self._page.call(
                "dialogs", timeout=LOOK_TIMEOUT, read=True, context=context
            )
            pressed: results.PressedSave = self.editor.call("press_save", {"name": shown, "names": names}, context)
            text = given_text(pressed["text"])
            if pressed["via"] is None:
                raise SaveRefused(
                    f"the editor showed the script '{shown}', and now shows '{pressed['shown']}'",
                    "somebody opened another script: look at the editor, then try again",
                )
            if pressed["via"] == "keyboard":
                self._page.press_key("s", "KeyS", 83, META if pressed["mac"] else CTRL, context)
            created = target not in before
            pending = _PendingSave(target, text, before, {(each["id"], each["text"]) for each in asked})
            listed = self._await_saved(pending, context)
            saved = SaveResult(target, listed.version if listed else None, created, listed is not None)
            if listed is not None:
                self._bindings.set(self._key(), Binding(listed.name, listed.id, listed.version))
        return saved

    def _await_saved(self, save: _PendingSave, context: Context | None) -> SavedScript | None:
        """Answer the dialog that asks for a name, if it comes, and wait until the service has the new version with
        the text of `save`.

        The result is None if no new version is listed
        within `SAVE_TIMEOUT` seconds. Raises EditorRefused if another script or another text was saved, and
        ServiceError if the service does not answer properly.
        """
        end = time.monotonic() + SAVE_TIMEOUT
        text = without_idle_blanks(save.text)
        while True:
            waiting = self._answer_dialogs(save, context)
            fresh: SavedScript | None = None
            listed: list[SavedScript] = []
            held = ""
            try:
                listed = self.listed(context)
                fresh = next(filter(save.is_result, listed), None)
                held = "" if fresh is None else without_idle_blanks(self._saved_text(fresh, context))
                if fresh is not None and held == text:
                    return fresh
            except ServiceError:
                if time.monotonic() >= end:
                    raise  # else the service may have recovered by the next look
            over = time.monotonic() >= end
            if over or (save.is_new and not save.answered and waiting is None):
                refuse_foreign_save(listed, save.before, save.target)
            if over and waiting is not None:
                self.editor.refuse_dialog(waiting, context, instead_of="saving")
            if over and fresh is not None:
                raise EditorRefused(
                    f"'{save.target}' now has version {fresh.version}, but its text differs from the text in "
                    f"the editor: {first_difference(text, held)}",
                    "look at its history on TradingView: somebody else may have saved it",
                )
            if over:
                return None
            pause(0.1, context)

    def _answer_dialogs(self, save: _PendingSave, context: Context | None) -> results.DialogEntry | None:
        """Answer the dialogs that ask for the name of a new script. Return one that cannot be answered yet, or None.

        Raises EditorRefused for every other dialog that blocks the page.
        """
        waiting: results.DialogEntry | None = None
        shown: list[results.DialogEntry] = self._page.call("dialogs", timeout=LOOK_TIMEOUT, read=True, context=context)
        for dialog in blocking(shown):
            if dialog["id"] in save.answered or (dialog["id"], dialog["text"]) in save.asked:
                continue
            if not save.is_new or dialog["kind"] not in ("save-name", "unknown"):
                self.editor.refuse_dialog(dialog, context, instead_of="saving")
            answer = self._page.call(
                "answer_dialog", {"id": dialog["id"], "purpose": "save", "name": save.target}, timeout=LOOK_TIMEOUT
            )
            if answer.get("gone") or answer.get("pressed"):
                save.answered.add(dialog["id"])
            elif dialog["kind"] == "save-name" or answer.get("disabled"):
                waiting = dialog
            else:  # it does not ask for a name
                self.editor.refuse_dialog(dialog, context, instead_of="saving")
        return waiting

    def _saved_text(self, script: SavedScript, context: Context | None = None) -> str:
        """Return the text of the listed version of a script. Raises ServiceError."""
        request = {"id": script.id, "version": script.version, "limit": int(SERVICE_TIMEOUT * 1000)}
        answer = self._page.call("get_script", request, timeout=SERVICE_TIMEOUT + 2, read=True, context=context)
        data = service_data(answer, f"read the script '{script.name}'")
        if not isinstance(data, dict) or not isinstance(data.get("source"), str) or not data["source"]:
            raise ServiceError(
                f"the script service returned '{script.name}' without its source", "open it in the browser"
            )
        return data["source"]

    def _editor_api(self, action: str, argument: Any, discard: bool) -> bool:
        """Call `action` of the page's own editor API, and return whether the page has that API.

        A question about unsaved changes is answered by discarding them. Without `discard`, it is cancelled, and
        EditorRefused is raised.
        """
        request = {"action": action, "argument": argument, "limit": API_TIMEOUT * 1000}
        try:
            answer: results.EditorApiAnswer = self._page.call("editor_api", request, timeout=API_TIMEOUT + 3)
        except PageError as error:
            raise EditorRefused(
                f"the page's editor refused {action}: {error}", "try it by hand in the browser"
            ) from error
        asked = blocking(answer["dialogs"])
        for dialog in asked:
            if dialog["kind"] != "unsaved-changes":
                self.editor.refuse_dialog(dialog, instead_of=_EDITOR_ACTIONS[action])
            purpose = "discard" if discard else "cancel"
            self._page.call("answer_dialog", {"id": dialog["id"], "purpose": purpose}, timeout=LOOK_TIMEOUT)
            if not discard:
                raise EditorRefused(
                    f"the page asked a question: {dialog['text']!r}",
                    "save your changes, or allow pinebench to discard them",
                )
        if answer["available"] and not answer["settled"] and not asked:
            raise EditorRefused(
                f"the page's editor did not finish {action} in time",
                "look at the editor in the browser, then try again",
            )
        return answer["available"]

    def _key(self) -> str:
        """Return the page's name in the bindings: its address without the query."""
        return str(self._page.connection.tab().identity["href"]).split("?")[0].split("#")[0]


def _check_owned(name: str | None, bound: Binding, current: SavedScript | None) -> None:
    """Raise SaveRefused if the saved script of the editor is gone or newer, or if `name` is another one."""
    if current is None or current.id != bound.script_id:
        raise SaveRefused(f"the script '{bound.name}' is no longer among the saved scripts", "save it as a new script")
    if name is not None and not same_name(name, bound.name):
        raise SaveRefused(
            f"Save in the editor would save '{bound.name}', not '{name}'",
            "omit the name to save that script; to save another script, open it or start a new one",
        )
    if current.version != bound.version and name != bound.name:
        raise SaveRefused(
            f"'{bound.name}' has version {current.version}, but pinebench knows version {bound.version}",
            f"somebody has saved it since: look at it, then name '{bound.name}' to overwrite it",
        )


def save_target(name: str | None, shown: str | None, bound: Binding | None, listed: dict[str, SavedScript]) -> str:
    """Return the name of the script to which a save would write. Raises SaveRefused if the save must not happen. `name`
    is the name that the caller gave, and `shown` the name that the page shows. `bound` is the script that pinebench put
    into the editor. `listed` maps names to saved scripts."""
    if shown is None:
        raise SaveRefused("it is not known which saved script the editor has open", "save it by hand in the browser")
    like = None if shown in listed else _may_be(shown, listed)
    if like is not None and not (bound is not None and bound.script_id is not None and same_name(shown, bound.name)):
        raise SaveRefused(
            f"the editor shows '{shown}', which may be the saved script '{like}'", "save it by hand in the browser"
        )
    if bound is not None and bound.script_id is None and shown not in listed:
        wanted = name or bound.name
        if wanted in listed:
            raise SaveRefused(f"a script called '{wanted}' already exists", "choose another name")
        return wanted
    if bound is not None and bound.script_id is not None and same_name(shown, bound.name):
        _check_owned(name, bound, listed.get(bound.name))
        return bound.name
    if name is not None and same_name(name, shown):
        return shown
    if name is not None and shown not in listed and name not in listed:
        return name
    raise SaveRefused(
        f"the editor has the script '{shown}' open, which pinebench did not open",
        "start a new script, open the script that you mean, or give its name to overwrite it",
    )


def without_idle_blanks(text: str) -> str:
    """Return a script without insignificant whitespace: blanks at the ends of lines, and blank lines around the script.
    Indentation has a meaning, even on the first line, so it is kept."""
    lines = [line.rstrip(" \t") for line in normalise(text)[0].split("\n")]
    return "\n".join(lines).strip("\n")


def is_newer(script: SavedScript, known: SavedScript | None) -> bool:
    """Return whether a listed script is new (`known` is None), or another version of the known one."""
    return known is None or (script.id == known.id and script.version != known.version)


def refuse_foreign_save(listed: list[SavedScript], before: dict[str, SavedScript], target: str) -> None:
    """Raise EditorRefused if an existing script other than `target` got a new version.

    This happens if the page knew the existing script by another name, or if somebody opened another script meanwhile.
    """
    wanted = f"saving '{target}'" if target in before else "making a new script"
    for script in listed:
        known = before.get(script.name)
        if known is not None and script.name != target and is_newer(script, known):
            raise EditorRefused(
                f"the page saved '{script.name}' as version {script.version} instead of {wanted}",
                f"version {known.version} is in its history on TradingView: restore it there",
            )


def _may_be(shown: str, names: Iterable[str]) -> str | None:
    """Return the saved script that `shown` may mean although the names differ, or None. The page may have cut the name
    short, or added something after it."""
    words = " ".join(shown.casefold().split())
    cut = words.rstrip("….")
    for name in names:
        saved = " ".join(name.casefold().split())
        if saved and re.match(re.escape(saved) + r"(?!\w)", words):
            return name
        if cut and cut != words and saved.startswith(cut):
            return name
    return None
