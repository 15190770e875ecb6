"""Our run of a recording: its trades are the ones of the list of trades, field by field."""

from pinebench.backtesting.trade_list import rows
from pinebench.verification.recordings import RecordedTrade
from pinebench.verification.reruns import rerun
from pinebench.workers.jobs import perform
from pinebench.workers.request import Request
from tests.verification.support import recorded

_PYRAMID = """//@version=6
strategy("Pyramid", pyramiding = 3, commission_type = strategy.commission.percent, commission_value = 0.1)
if bar_index % 5 == 0
    strategy.entry("L", strategy.long)
if bar_index % 20 == 19
    strategy.close("L", qty_percent = 50)
if bar_index % 40 == 39
    strategy.close_all()
"""


def test_trades_have_the_numbers_of_the_list_of_trades() -> None:
    recording = recorded(_PYRAMID)
    tested = perform(Request(recording.script, recording.bars, recording.symbol)).tested
    assert tested is not None
    listed = [RecordedTrade(*(row[name] for name in RecordedTrade._fields)) for row in rows(tested)]
    assert rerun(recording).trades == listed
    sums = [sum(each.profit or 0.0 for each in listed[: i + 1]) for i in range(len(listed))]
    # The commissions of entries that are still open count already.
    assert any((each.cumulative_profit or 0.0) < sums[i] - 1e-9 for i, each in enumerate(listed))
