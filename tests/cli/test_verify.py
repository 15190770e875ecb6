"""`pinebench verify FOLDER` runs a saved comparison again and ends with its verdict."""

from dataclasses import replace
from pathlib import Path

import pytest

from pinebench.cli import main
from pinebench.cli.exit_codes import FINDINGS, FINE
from pinebench.verification import folders
from tests.verification.support import recorded


@pytest.mark.parametrize(("by", "code", "said"), [(0.0, FINE, "trades: "), (1.0, FINDINGS, "1 different")])
def test_a_saved_comparison_ends_with_its_verdict(
    by: float, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = recorded()
    assert recording.trades is not None
    first, *others = recording.trades
    assert first.entry_price is not None
    changed = [first._replace(entry_price=first.entry_price + by), *others]
    folders.save(folders.prepared(replace(recording, trades=changed)), str(tmp_path / "saved"))
    assert main(["verify", str(tmp_path / "saved")]) == code
    assert said in capsys.readouterr().out
