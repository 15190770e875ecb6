"""All commands that a key or the palette can start: one table for keys, palette, footer and help."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from textual.binding import Binding, BindingType

from pinebench.tui.panels import PANELS

FILE, EDIT, CODE, COMPILE, INSPECT, VIEW = "File", "Edit", "Code", "Compile and chart", "Inspect", "View"


class Command(NamedTuple):
    """A command of the workbench.

    `title` is its name on the screen, under the heading `group`. The first of `keys` is the one that is shown. `does`
    is its function, as `module:function`; it takes the workbench. `footer` is its word in the footer; it is empty if
    the footer does not show it.
    """

    name: str
    title: str
    keys: str
    does: str
    group: str
    footer: str = ""
    given: str = ""
    """A second argument for the function; empty if it takes only the workbench."""

    def run(self, bench: Any) -> Any:
        """Call the command's function."""
        module, _, function = self.does.partition(":")
        found: Callable[..., Any] = getattr(import_module(f"pinebench.tui.{module}"), function)
        return found(bench, self.given) if self.given else found(bench)

    @property
    def is_question(self) -> bool:
        """Whether the next keys are meant for what the command shows: for its question, or for its panel."""
        return self.title.endswith("…") or self.group == FILE or self.name.startswith("panel-")

    @property
    def key(self) -> str:
        """The key that is shown for the command, as people write it; empty if it has none."""
        return written(self.keys.partition(",")[0])


COMMANDS = (
    Command("help", "Help for the part with the focus", "f1", "viewing:help_here", VIEW, "Help"),
    Command("palette", "All commands…", "ctrl+p", "viewing:palette", VIEW, "Commands"),
    Command("save", "Save", "ctrl+s", "filing:save", FILE, "Save"),
    Command("save-all", "Save all scripts", "", "filing:save_all", FILE),
    Command("save-as", "Save as…", "alt+s", "filing:save_as", FILE),
    Command("open", "Open a file…", "ctrl+o", "filing:open_file", FILE, "Open"),
    Command("new", "New script", "ctrl+n", "filing:new", FILE),
    Command("templates", "New script from a template…", "alt+n", "templates:pick", FILE),
    Command("close", "Close the tab", "ctrl+w", "filing:close", FILE),
    Command("reload", "Load the file back from disk", "", "filing:reload", FILE),
    Command("compare-disk", "Show how the text differs from the file", "", "filing:compare", FILE),
    Command("next-tab", "Next tab", "ctrl+pagedown,alt+right", "filing:next_tab", FILE),
    Command("previous-tab", "Previous tab", "ctrl+pageup,alt+left", "filing:previous_tab", FILE),
    Command("offer-drafts", "Restore unsaved texts that were left…", "", "filing:offer_drafts", FILE),
    Command("dropped-drafts", "Restore a text that was dropped…", "", "filing:offer_dropped", FILE),
    Command("quit", "Quit", "ctrl+q", "filing:quit", FILE),
    Command("find", "Find…", "ctrl+f", "searching:find", EDIT),
    Command("replace", "Replace…", "ctrl+r", "searching:replace", EDIT),
    Command("replace-all", "Replace all", "alt+a", "searching:replace_all", EDIT),
    Command("find-next", "Find the next one", "f3", "searching:find_next", EDIT),
    Command("find-previous", "Find the previous one", "shift+f3", "searching:find_previous", EDIT),
    Command("go-to-line", "Go to a line…", "ctrl+g", "searching:go_to_line", EDIT),
    Command("complete", "Complete", "ctrl+@,ctrl+space", "code_help:complete", CODE),
    Command("hover", "What is this?", "ctrl+k", "code_help:hover", CODE),
    Command("signature", "Show the parameters of the call", "alt+k", "code_help:signature", CODE),
    Command("definition", "Go to the definition", "f12,ctrl+b", "code_help:definition", CODE),
    Command("back", "Back to where you were", "alt+j", "code_help:back", CODE),
    Command("references", "Every use of the name…", "shift+f12,alt+r", "refactoring:references", CODE),
    Command("rename", "Rename…", "f2", "refactoring:rename", CODE),
    Command(
        "extract-variable", "Extract the selection into a variable", "", "refactoring:extract", CODE, given="variable"
    ),
    Command(
        "extract-function", "Extract the selection into a function", "", "refactoring:extract", CODE, given="function"
    ),
    Command("inline", "Inline the variable", "", "refactoring:inline", CODE),
    Command("move-function", "Move the function to a library…", "", "refactoring:move", CODE),
    Command("unused-exports", "Exports that no script uses…", "", "refactoring:unused_exports", CODE),
    Command("actions", "Mend, hide, extract…", "f4", "code_help:actions", CODE, "Mend"),
    Command("fix-all", "Apply every safe fix", "", "code_help:fix_all", CODE),
    Command("symbols", "Go to a declaration…", "ctrl+t", "code_help:symbols", CODE),
    Command("format", "Format the script", "alt+l", "code_help:lay_out", CODE),
    Command("explain", "Explain the finding", "alt+x", "code_help:explain", CODE),
    Command("next-problem", "Next problem", "f8", "code_help:next_problem", CODE, "Problem"),
    Command("previous-problem", "Problem before", "shift+f8", "code_help:previous_problem", CODE),
    Command("compile-local", "Check with our own checker", "f5", "compiling:compile_with", COMPILE, "Check", "local"),
    Command("compile-online", "Compile by TradingView, online", "f6", "compiling:compile_with", COMPILE, "", "online"),
    Command("compile-chart", "Compile on the chart", "f7", "compiling:compile_with", COMPILE, "", "chart"),
    Command("run", "Run on bars", "f9", "viewing:run", COMPILE, "Run"),
    Command("inspect", "Run on bars and keep every value", "shift+f9", "inspecting:inspect", INSPECT),
    Command("next-bar", "Look at the next bar", "alt+full_stop", "inspecting:next_bar", INSPECT),
    Command("previous-bar", "Look at the bar before", "alt+comma", "inspecting:previous_bar", INSPECT),
    Command("first-bar", "Look at the first bar", "", "inspecting:first_bar", INSPECT),
    Command("last-bar", "Look at the last bar", "", "inspecting:last_bar", INSPECT),
    Command("go-to-bar", "Go to a bar…", "alt+z", "inspecting:go_to_bar", INSPECT),
    Command("next-change", "Next change of the name", "alt+greater_than_sign", "inspecting:next_change", INSPECT),
    Command("previous-change", "Last change of the name", "alt+less_than_sign", "inspecting:previous_change", INSPECT),
    Command("why", "Why does this have its value?", "alt+y", "inspecting:why", INSPECT),
    Command("breakpoint", "Set or remove a breakpoint", "ctrl+l", "inspecting:toggle_breakpoint", INSPECT),
    Command("breakpoint-if", "Breakpoint with a condition…", "alt+semicolon", "inspecting:set_condition", INSPECT),
    Command("no-breakpoints", "Remove all breakpoints", "", "inspecting:clear_breakpoints", INSPECT),
    Command("next-stop", "To the next stop at a breakpoint", "f10", "inspecting:next_stop", INSPECT),
    Command("previous-stop", "To the last stop at a breakpoint", "shift+f10", "inspecting:previous_stop", INSPECT),
    Command("push", "Put the script on the page", "alt+p", "compiling:push", COMPILE),
    Command("pull", "Fetch the script from the page", "alt+g", "compiling:pull", COMPILE),
    Command("bring-back", "Restore a text that was replaced…", "", "compiling:bring_back", COMPILE),
    Command("proposal", "The assistant's proposal…", "alt+d", "viewing:proposal", COMPILE),
    Command("stop", "Stop the running work", "alt+q", "viewing:stop", COMPILE),
    *(
        Command(
            f"panel-{panel.key}", f"Show {panel.title}", panel.shortcut, "viewing:show_panel", VIEW, given=panel.key
        )
        for panel in PANELS
    ),
    Command("dock", "Show or hide the panels", "ctrl+backslash", "viewing:toggle_dock", VIEW, "Panels"),
    Command("menu", "Menu of this place…", "shift+f1", "viewing:menu", VIEW),
    Command("tab-menu", "Menu of the tab…", "", "viewing:tab_menu", VIEW),
    Command("suspend", "Suspend: back to the shell until fg", "", "viewing:suspend", VIEW),
    Command("enlarge", "This part over the whole screen, and back", "f11,alt+0", "room:enlarge", VIEW),
    Command("larger", "Make the panels larger", "alt+equals_sign,alt+plus", "room:larger", VIEW),
    Command("smaller", "Make the panels smaller", "alt+minus", "room:smaller", VIEW),
    Command("usual-size", "Give the panels the size that they need", "", "room:usual", VIEW),
    Command("editor", "To the editor", "alt+e", "viewing:to_editor", VIEW),
    Command("theme", "Choose the colours…", "", "viewing:theme", VIEW),
)
"""Every command."""

BY_NAME = {command.name: command for command in COMMANDS}


def bindings() -> list[BindingType]:
    """The keys of all commands. They come before the keys of a widget, but do nothing while a dialog is open."""
    return [
        Binding(
            command.keys,
            f"do('{command.name}')",
            command.footer or command.title,
            show=bool(command.footer),
            key_display=command.key,
            priority=True,
        )
        for command in COMMANDS
        if command.keys
    ]


def written(key: str) -> str:
    """A key as people write it; empty if `key` is empty."""
    if not key:
        return ""
    names = {
        "ctrl": "^",
        "pageup": "PgUp",
        "pagedown": "PgDn",
        "@": "Space",
        "enter": "Enter",
        "underscore": "/",
    }
    names |= {"semicolon": ";", "comma": ",", "full_stop": ".", "less_than_sign": "<", "greater_than_sign": ">"}
    names |= {"right_square_bracket": "]", "number_sign": "#", "asterisk": "*", "question_mark": "?"}
    names |= {"backslash": "\\", "minus": "-", "plus": "+", "equals_sign": "="}
    parts = [
        names.get(part, part.upper() if len(part) == 1 or part[0] == "f" else part.title()) for part in key.split("+")
    ]
    return "".join(part if part == "^" else f"{part}+" for part in parts[:-1]) + parts[-1]
