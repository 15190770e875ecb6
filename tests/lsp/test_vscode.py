"""The extension for VS Code: what it says it brings is there, and is packed."""

from __future__ import annotations

import json
import runpy
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from pinebench.debugger.launching import KNOWN

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = CHECKOUT / "pinebench" / "lsp" / "vscode"


def test_the_package_with_its_parts_is_packed(tmp_path: Path) -> None:
    """Without the client library, which npm fetches."""
    build = runpy.run_path(str(CHECKOUT / "scripts" / "build_vsix.py"))
    build["gather"](tmp_path / "folder")
    build["pack"](tmp_path / "folder", tmp_path / "it.vsix")
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    named = [package["main"], *(each["path"] for each in contributes["grammars"])]
    named += [each["configuration"] for each in contributes["languages"]]
    with zipfile.ZipFile(tmp_path / "it.vsix") as archive:
        names = set(archive.namelist())
        assert {f"extension/{name.removeprefix('./')}" for name in named} <= names
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        ElementTree.fromstring(archive.read("[Content_Types].xml"))
        for name in names:
            if name.endswith(".json"):
                json.loads(archive.read(name))
    assets = {element.get("Path") for element in manifest.iter() if element.tag.endswith("Asset")}
    assert assets <= names


def test_its_settings_are_those_that_the_server_reads() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    settings = set(package["contributes"]["configuration"]["properties"])
    server = (CHECKOUT / "pinebench" / "lsp" / "server.py").read_text(encoding="utf-8")
    for name in settings - {"pinebench.command"}:
        assert f'"{name.rpartition(".")[2]}"' in server, name
    assert package["contributes"]["configuration"]["properties"]["pinebench.command"]["scope"] == "machine"


def test_its_commands_are_registered() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    client = (FOLDER / "client.js").read_text(encoding="utf-8")
    for command in package["contributes"]["commands"]:
        assert command["command"].removeprefix("pinebench.") in client


def test_its_debugger_launches_with_the_arguments_that_the_adapter_reads() -> None:
    package = json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))
    [debugger] = package["contributes"]["debuggers"]
    client = (FOLDER / "client.js").read_text(encoding="utf-8")
    assert f"registerDebugAdapterDescriptorFactory('{debugger['type']}'" in client
    launch = debugger["configurationAttributes"]["launch"]
    assert set(launch["properties"]) == set(KNOWN) and launch["required"] == ["program"]
    assert set(debugger["initialConfigurations"][0]) - {"type", "request", "name"} <= set(KNOWN)
