"""A migrated script computes on bars what its own version did by TradingView's guides, or its report says otherwise."""

import pytest

from pinebench.migration import migrate
from pinebench.migration.remarks import RemarkKind
from tests.migration.semantics import MEANT, Meant
from tests.runtime.running import HEAD, bars_of, values
from tests.tables import each

DECLARED = {3: 'study("Old")\n', 4: 'study("Old")\n', 5: 'indicator("Old")\n'}
CLOSES = [10.0, 11, 12, 11, 9, 9, 13, 14, 12, 10, 8, 9, 11, 12, 15, 14, 14, 10, 11, 13, 12, 9, 8, 7, 10, 12, 14, 13]


@each("meant", MEANT)
def test_it_computes_what_it_did_or_says_that_it_does_not(meant: Meant) -> None:
    done = migrate(f"//@version={meant.version}\n{DECLARED[meant.version]}{meant.old}\n")
    assert (done.refused, done.errors) == (None, ())
    minutes = {"15": 15, "60": 60, "D": 1440}[meant.timeframe]
    bars = bars_of(CLOSES, minutes)
    ours = values(done.text, bars, timeframe=meant.timeframe)
    theirs = values(HEAD + meant.spelled, bars, timeframe=meant.timeframe)
    told = [remark.text for remark in done.remarks if remark.kind is not RemarkKind.CHANGED]
    if not meant.told:
        assert ours == pytest.approx(theirs, abs=1e-9), done.text
    else:
        assert ours != theirs, done.text
        assert [text for text in told if meant.told in text], done.remarks
