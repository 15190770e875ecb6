"""The folder of an imported library is added to pinebench.toml, whose other text stays as it is."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from pinebench.lsp.library_paths import adding, folders_of
from pinebench.syntax.edits import apply_edits
from tests.lsp.conftest import Connect

SCRIPT = '//@version=6\nindicator("x")\nimport me/Mine/1 as m\nplot(m.f(close))\n'
LIBRARY = '//@version=6\nlibrary("Mine")\nexport f(float x) => x\n'
EDITS = {"documentChanges": True, "resourceOperations": ["create"], "changeAnnotationSupport": {}}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[check]\nlibrary-paths = ["libs"]\n'),
        ("[lint]\nfail-on = 'error'", "[lint]\nfail-on = 'error'\n\n[check]\nlibrary-paths = [\"libs\"]\n"),
        ("# ours\r\n[ check ]  # now\r\n", '# ours\r\n[ check ]  # now\r\nlibrary-paths = ["libs"]\r\n'),
        ("[check]\nlibrary-paths = []\n", '[check]\nlibrary-paths = ["libs"]\n'),
        ("[check]\nlibrary-paths = ['a]']  # [b]\n", "[check]\nlibrary-paths = ['a]', \"libs\"]  # [b]\n"),
        (
            "[check]\nlibrary-paths = [\n    'a',\n    'b',\n]\n[lint]\n",
            "[check]\nlibrary-paths = [\n    'a',\n    'b',\n    \"libs\"\n]\n[lint]\n",
        ),
        ("check.library-paths = ['a']\n", None),
        ("[check]\nlibrary-paths = ['libs']\n", None),
        ("[check]\nlibrary-paths = [\n    'a' # last\n]\n", None),
        ("[check\n", None),
    ],
)
def test_the_folder_is_added_and_nothing_else_changes(before: str, after: str | None) -> None:
    edit = adding(before, "libs")
    assert (edit and apply_edits(before, [edit])) == after
    if after is not None:
        assert tomllib.loads(after)["check"]["library-paths"][-1] == "libs"


def test_only_a_folder_that_has_the_library_under_its_user_counts(tmp_path: Path) -> None:
    scripts = [str(tmp_path / each) for each in ("a/me/Mine.pine", "b/me/Mine/1.pine", "me/Mine.pine", "c/Mine.pine")]
    scripts += [str(tmp_path / each) for each in ("d/me/Mine/2.pine", "e/notme/Mine.pine")]
    assert folders_of("me/Mine/1", scripts, str(tmp_path)) == [".", "a", "b"]
    assert folders_of("me/Mine/1", [str(tmp_path.parent / "me/Mine.pine")], str(tmp_path)) == []


@pytest.mark.parametrize("text", [None, "[lint]\nfail-on = 'error'\n"])
def test_an_editor_is_offered_the_folder_for_the_configuration(
    connect: Connect, tmp_path: Path, text: str | None
) -> None:
    (tmp_path / "libs" / "me").mkdir(parents=True)
    (tmp_path / "libs" / "me" / "Mine.pine").write_text(LIBRARY, encoding="utf-8")
    script = tmp_path / "x.pine"
    script.write_text(SCRIPT, encoding="utf-8")
    file = tmp_path / "pinebench.toml"
    if text is not None:
        file.write_text(text, encoding="utf-8")

    def offered(capabilities: dict[str, Any]) -> list[dict[str, Any]]:
        client = connect(capabilities, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "w"}])
        client.notify("workspace/didChangeWatchedFiles", changes=[{"uri": file.as_uri(), "type": 2}])
        client.open(script.as_uri(), SCRIPT)
        place = {"line": 2, "character": 8}
        found = client.ask(
            "textDocument/codeAction",
            textDocument={"uri": script.as_uri()},
            range={"start": place, "end": place},
            context={"diagnostics": []},
        )
        return [each for each in found if "library-paths" in each["title"]]

    [made] = offered({"workspace": {"workspaceEdit": EDITS}})
    assert made["title"] == "Add 'libs' to library-paths in pinebench.toml"
    *created, change = made["edit"]["documentChanges"]
    assert [each["uri"] for each in created] == ([] if text is not None else [file.as_uri()])
    [edit] = change["edits"]
    assert change["textDocument"]["uri"] == file.as_uri() and edit["annotationId"]
    assert edit["range"]["start"] == edit["range"]["end"]
    assert edit["range"]["start"] == {"line": 2 if text is not None else 0, "character": 0}
    assert edit["newText"].endswith('[check]\nlibrary-paths = ["libs"]\n')
    assert len(offered({})) == (text is not None), "an editor that cannot make files is not asked to"
    file.write_text((text or "") + edit["newText"], encoding="utf-8")
    assert offered({"workspace": {"workspaceEdit": EDITS}}) == []
