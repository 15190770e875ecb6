"""The notebooks in docs/examples/ run from their first cell to their last, in a kernel of their own."""

from pathlib import Path

import pytest

from tests.authoring.fake_anthropic import script
from tests.authoring.support import CLEAN, MISSPELLED, isolate, service

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NAMES = sorted(file.name for file in EXAMPLES.glob("*.ipynb"))


def test_there_are_six_and_they_are_kept_without_results() -> None:
    import nbformat  # not when tests are collected: it loads much

    assert len(NAMES) == 6
    for name in NAMES:
        cells = nbformat.read(EXAMPLES / name, 4).cells
        assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nbformat
    from nbclient import NotebookClient

    isolate(monkeypatch, tmp_path)
    notebook = nbformat.read(EXAMPLES / name, 4)
    with service(monkeypatch, script(MISSPELLED), script(CLEAN)):
        NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": tmp_path}}
        ).execute()
    told = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert told and not [output for output in told if output.output_type == "error" or output.get("name") == "stderr"]
