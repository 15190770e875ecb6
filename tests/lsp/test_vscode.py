"""The extension for VS Code: what it says it brings is there, and is packed."""

import json
import re
import runpy
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from pinebench.debugger.debug_process import KNOWN

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / "pinebench" / "lsp" / "vscode"


def test_the_package_with_its_parts_is_packed(tmp_path: Path) -> None:
    """Without the client library, which npm fetches."""
    build = runpy.run_path(str(CHECKOUT / "scripts" / "release" / "build_vsix.py"))
    build["gather"](tmp_path / "folder")
    build["pack"](tmp_path / "folder", tmp_path / "it.vsix")
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    named = [package["main"], *(each["path"] for each in contributes["grammars"])]
    named += [each["configuration"] for each in contributes["languages"]]
    named += [each["path"] for each in contributes["snippets"]]
    named += [package["icon"], *(icon for each in contributes["languages"] for icon in each["icon"].values())]
    named += [step["media"]["markdown"] for each in contributes["walkthroughs"] for step in each["steps"]]
    named += [f"{name}.js" for name in re.findall(r"require\('\./(\w+)'\)", (FOLDER / "client.js").read_text())]
    with zipfile.ZipFile(tmp_path / "it.vsix") as archive:
        names = set(archive.namelist())
        assert {f"extension/{name.removeprefix('./')}" for name in named} <= names
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        picture = archive.read(f"extension/{package['icon']}")
        ElementTree.fromstring(archive.read("[Content_Types].xml"))
        for name in names:
            if name.endswith(".json"):
                json.loads(archive.read(name))
    assets = {element.get("Path") for element in manifest.iter() if element.tag.endswith("Asset")}
    assert assets <= names
    # The marketplace refuses an icon that is not a PNG of at least 128 by 128.
    assert picture[:8] == b"\x89PNG\r\n\x1a\n"
    assert all(int.from_bytes(picture[place : place + 4]) >= 128 for place in (16, 20))


def test_its_settings_are_those_that_the_server_reads() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    settings = set(package["contributes"]["configuration"]["properties"])
    server = (CHECKOUT / "pinebench" / "lsp" / "server.py").read_text(encoding="utf-8")
    # The client reads the command; the client library, what is traced.
    for name in settings - {"pinebench.command", "pinebench.trace.server"}:
        assert f'"{name.rpartition(".")[2]}"' in server, name
    assert package["contributes"]["configuration"]["properties"]["pinebench.command"]["scope"] == "machine"


HARMLESS = {
    "pinebench.inlayHints.parameterNames": "only what the editor shows",
    "pinebench.inlayHints.types": "only what the editor shows",
    "pinebench.trace.server": "only what the output channel shows",
}
"""The settings that a workspace which nobody trusts may change, with the reason."""


def test_a_workspace_that_is_not_trusted_names_no_program_and_no_file() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    restricted = package["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    properties = package["contributes"]["configuration"]["properties"]
    open_to_all = {name for name, each in properties.items() if each.get("scope") != "machine"} - {*restricted}
    assert open_to_all == HARMLESS.keys()


def test_its_debugger_launches_with_the_arguments_that_the_adapter_reads() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    [debugger] = package["contributes"]["debuggers"]
    client = (FOLDER / "client.js").read_text(encoding="utf-8")
    assert f"registerDebugAdapterDescriptorFactory('{debugger['type']}'" in client
    launch = debugger["configurationAttributes"]["launch"]
    assert set(launch["properties"]) == set(KNOWN) and launch["required"] == ["program"]
    assert set(debugger["initialConfigurations"][0]) - {"type", "request", "name"} <= set(KNOWN)


def _does_indent(line: str) -> bool:
    configuration = json.loads((FOLDER / "language-configuration.json").read_text(encoding="utf-8"))
    return re.search(configuration["indentationRules"]["increaseIndentPattern"], line) is not None


def test_a_line_that_opens_a_block_indents_the_next_one() -> None:
    opening = ["if close > open", "else", "else if x", "for i = 0 to 3", "while true", "switch", "switch x", "type P"]
    opening += ["f(x) =>", "f(x) =>  // why", "x = if a", "x := switch b", 'x = switch "a"', "export f(x) =>", "enum E"]
    opening += [
        "    if x // y",
        "    a =>",
        "if (a > b)",
        "if(a)",
        "while (x)",
        "switch (x)",
        'x = y == "//" ? 1 : 2, z = if a',
    ]
    for line in opening:
        assert _does_indent(line), line


def test_comments_texts_and_names_do_not_indent_the_next_line() -> None:
    for line in (
        *("// call it like f(x) =>", "// x = if foo", 's = "x = if"', "type = 1", "once = 2", "s = 'f() =>'", "a => 1"),
        *("x = close  // if so", "x == if", "ifx = 3", "iff(a, b, c)", "x = close >= open", "f(x) => x + 1"),
    ):
        assert not _does_indent(line), line


def test_pine_is_indented_by_four_spaces_whatever_the_user_has() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    defaults = package["contributes"]["configurationDefaults"]["[pine]"]
    assert (defaults["editor.tabSize"], defaults["editor.insertSpaces"]) == (4, True)
    assert defaults["editor.detectIndentation"] is False


ANYWHERE = {"pinebench.restart": "it helps when no script is open", "pinebench.newScript": "it makes a script"}
"""The commands that the palette always shows, and why."""
KEYS = ("editorLangId", "resourceLangId", "resourceFilename", "debugType")


def test_commands_of_scripts_are_shown_for_scripts_only() -> None:
    """Each condition speaks of a key that VS Code knows, and each menu and key of a command that there is."""
    contributes = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]
    shown = {each["command"]: each["when"] for each in contributes["menus"]["commandPalette"]}
    commands = {each["command"] for each in contributes["commands"]}
    assert commands == shown.keys() | ANYWHERE.keys()
    places = [*contributes["keybindings"], *(each for menu in contributes["menus"].values() for each in menu)]
    for place in places:
        assert place["command"] in commands
        for part in place["when"].split(" || "):
            assert part.split(" ")[0] in KEYS and part.split(" ")[1] in ("==", "=~"), place


def test_the_walkthrough_names_commands_and_events_that_there_are() -> None:
    contributes = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))["contributes"]
    commands = {each["command"] for each in contributes["commands"]}
    told = json.dumps(contributes["walkthroughs"])
    named = {name for name in re.findall(r"(?:command:|onCommand:)([\w.]+)", told) if name.startswith("pinebench.")}
    assert named and named <= commands
    settings = set(contributes["configuration"]["properties"])
    assert set(re.findall(r"%22(pinebench\.\w+)%22", told)) <= settings
    assert "setContext', 'pinebench.isRunning'" in (FOLDER / "status.js").read_text(encoding="utf-8")
