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

    `title` is its name on the screen, under the heading `group`. `keys` are its keys; the first one is shown. `does` is
    its function, as `module:function`; it takes the workbench, and `given` if that is not empty. `footer` is its word
    in the footer, or empty if the footer does not show it.
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
        """Whether the next keys are meant for the question or panel that the command opens."""
        return self.title.endswith("…") or self.group == FILE or self.name.startswith("panel-")

    @property
    def key(self) -> str:
        """The first key of the command as people write it, such as `^S`; empty if it has none."""
        return written(self.keys.partition(",")[0])


COMMANDS = (
    Command("help", "Help for the part with the focus", "f1", "view_commands:help_here", VIEW, "Help"),
    Command("palette", "All commands…", "ctrl+p", "view_commands:palette", VIEW, "Commands"),
    Command("save", "Save", "ctrl+s", "file_commands:save", FILE, "Save"),
    Command("save-all", "Save all scripts", "", "file_commands:save_all", FILE),
    Command("save-as", "Save as…", "alt+s", "file_commands:save_as", FILE),
    Command("open", "Open a file…", "ctrl+o", "file_commands:open_file", FILE, "Open"),
    Command("new", "New script", "ctrl+n", "file_commands:new", FILE),
    Command("templates", "New script from a template…", "alt+n", "templates:pick", FILE),
    Command("close", "Close the tab", "ctrl+w", "file_commands:close", FILE),
    Command("reload", "Reload the file from disk", "", "file_commands:reload", FILE),
    Command("compare-disk", "Show how the text differs from the file", "", "file_commands:compare", FILE),
    Command("next-tab", "Next tab", "ctrl+pagedown,alt+right", "file_commands:next_tab", FILE),
    Command("previous-tab", "Previous tab", "ctrl+pageup,alt+left", "file_commands:previous_tab", FILE),
    Command("offer-drafts", "Restore unsaved texts…", "", "draft_commands:offer_drafts", FILE),
    Command("dropped-drafts", "Restore a dropped text…", "", "draft_commands:offer_dropped", FILE),
    Command("quit", "Quit", "ctrl+q", "file_commands:quit", FILE),
    Command("find", "Find…", "ctrl+f", "text_search:find", EDIT),
    Command("replace", "Replace…", "ctrl+r", "text_search:replace", EDIT),
    Command("replace-all", "Replace all", "alt+a", "text_search:replace_all", EDIT),
    Command("find-next", "Find the next match", "f3", "text_search:find_next", EDIT),
    Command("find-previous", "Find the previous match", "shift+f3", "text_search:find_previous", EDIT),
    Command("go-to-line", "Go to a line…", "ctrl+g", "text_search:go_to_line", EDIT),
    Command("complete", "Complete", "ctrl+@,ctrl+space", "code_help:complete", CODE),
    Command("hover", "What is this?", "ctrl+k", "code_help:hover", CODE),
    Command("signature", "Show the parameters of the call", "alt+k", "code_help:signature", CODE),
    Command("definition", "Go to the definition", "f12,ctrl+b", "code_help:definition", CODE),
    Command("back", "Back to where you were", "alt+j", "code_help:back", CODE),
    Command("references", "Every use of the name…", "shift+f12,alt+r", "project_commands:references", CODE),
    Command("rename", "Rename…", "f2", "project_commands:rename", CODE),
    Command(
        "extract-variable",
        "Extract the selection into a variable",
        "",
        "project_commands:extract",
        CODE,
        given="variable",
    ),
    Command(
        "extract-function",
        "Extract the selection into a function",
        "",
        "project_commands:extract",
        CODE,
        given="function",
    ),
    Command("inline", "Inline the variable", "", "project_commands:inline", CODE),
    Command("move-function", "Move the function to a library…", "", "project_commands:move", CODE),
    Command("unused-exports", "Exports that no script uses…", "", "project_commands:unused_exports", CODE),
    Command("actions", "Fix, hide, extract…", "f4", "code_help:actions", CODE, "Fix"),
    Command("fix-all", "Apply every safe fix", "", "code_help:fix_all", CODE),
    Command("symbols", "Go to a declaration…", "ctrl+t", "code_help:symbols", CODE),
    Command("format", "Format the script", "alt+l", "code_help:lay_out", CODE),
    Command("explain", "Explain the finding", "alt+x", "code_help:explain", CODE),
    Command("next-problem", "Next problem", "f8", "code_help:next_problem", CODE, "Problem"),
    Command("previous-problem", "Previous problem", "shift+f8", "code_help:previous_problem", CODE),
    Command(
        "compile-local", "Check with our own checker", "f5", "compile_commands:compile_with", COMPILE, "Check", "local"
    ),
    Command(
        "compile-online", "Compile online by TradingView", "f6", "compile_commands:compile_with", COMPILE, "", "online"
    ),
    Command("compile-chart", "Compile on the chart", "f7", "compile_commands:compile_with", COMPILE, "", "chart"),
    Command("run", "Run on bars", "f9", "view_commands:run", COMPILE, "Run"),
    Command("inspect", "Run on bars and record every value", "shift+f9", "inspection_commands:inspect", INSPECT),
    Command("next-bar", "Show the next bar", "alt+full_stop", "inspection_commands:next_bar", INSPECT),
    Command("previous-bar", "Show the previous bar", "alt+comma", "inspection_commands:previous_bar", INSPECT),
    Command("first-bar", "Show the first bar", "", "inspection_commands:first_bar", INSPECT),
    Command("last-bar", "Show the last bar", "", "inspection_commands:last_bar", INSPECT),
    Command("go-to-bar", "Go to a bar…", "alt+z", "inspection_commands:go_to_bar", INSPECT),
    Command(
        "next-change", "Next change of the name", "alt+greater_than_sign", "inspection_commands:next_change", INSPECT
    ),
    Command(
        "previous-change",
        "Previous change of the name",
        "alt+less_than_sign",
        "inspection_commands:previous_change",
        INSPECT,
    ),
    Command("why", "Why does this have its value?", "alt+y", "inspection_commands:why", INSPECT),
    Command("breakpoint", "Set or remove a breakpoint", "ctrl+l", "breakpoint_commands:toggle_breakpoint", INSPECT),
    Command(
        "breakpoint-if", "Breakpoint with a condition…", "alt+semicolon", "breakpoint_commands:set_condition", INSPECT
    ),
    Command("no-breakpoints", "Remove all breakpoints", "", "breakpoint_commands:clear_breakpoints", INSPECT),
    Command("next-stop", "Next stop at a breakpoint", "f10", "inspection_commands:next_stop", INSPECT),
    Command(
        "previous-stop", "Previous stop at a breakpoint", "shift+f10", "inspection_commands:previous_stop", INSPECT
    ),
    Command("push", "Put the script on the page", "alt+p", "compile_commands:push", COMPILE),
    Command("pull", "Fetch the script from the page", "alt+g", "compile_commands:pull", COMPILE),
    Command("bring-back", "Restore a replaced text…", "", "compile_commands:bring_back", COMPILE),
    Command("proposal", "The assistant's proposal…", "alt+d", "view_commands:proposal", COMPILE),
    Command("stop", "Stop the running work", "alt+q", "view_commands:stop", COMPILE),
    *(
        Command(
            f"panel-{panel.key}",
            f"Show {panel.title}",
            panel.shortcut,
            "view_commands:show_panel",
            VIEW,
            given=panel.key,
        )
        for panel in PANELS
    ),
    Command("dock", "Show or hide the panels", "ctrl+backslash", "view_commands:toggle_dock", VIEW, "Panels"),
    Command("menu", "Menu at the cursor…", "shift+f1", "view_commands:menu", VIEW),
    Command("tab-menu", "Menu of the tab…", "", "view_commands:tab_menu", VIEW),
    Command("suspend", "Suspend: back to the shell until fg", "", "view_commands:suspend", VIEW),
    Command("enlarge", "Enlarge this part to the whole screen, and back", "f11,alt+0", "view_commands:enlarge", VIEW),
    Command("larger", "Make the panels larger", "alt+equals_sign,alt+plus", "view_commands:larger", VIEW),
    Command("smaller", "Make the panels smaller", "alt+minus", "view_commands:smaller", VIEW),
    Command("usual-size", "Fit the panels to their content", "", "view_commands:usual", VIEW),
    Command("editor", "Go to the editor", "alt+e", "view_commands:to_editor", VIEW),
    Command("theme", "Choose the colours…", "", "view_commands:theme", VIEW),
)
"""Every command."""

BY_NAME = {command.name: command for command in COMMANDS}


def bindings() -> list[BindingType]:
    """Return the keys of all commands. They come before the keys of a widget, but do nothing while a dialog is open."""
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
    """Return a key as people write it, such as `^S` for `ctrl+s`; empty if `key` is empty."""
    if not key:
        return ""
    names = {"ctrl": "^", "pageup": "PgUp", "pagedown": "PgDn", "@": "Space", "enter": "Enter", "underscore": "/"}
    names |= {"semicolon": ";", "comma": ",", "full_stop": ".", "less_than_sign": "<", "greater_than_sign": ">"}
    names |= {"right_square_bracket": "]", "number_sign": "#", "asterisk": "*", "question_mark": "?"}
    names |= {"backslash": "\\", "minus": "-", "plus": "+", "equals_sign": "="}
    parts = [
        names.get(part, part.upper() if len(part) == 1 or part[0] == "f" else part.title()) for part in key.split("+")
    ]
    return "".join(part if part == "^" else f"{part}+" for part in parts[:-1]) + parts[-1]
