"""Scripts give what TradingView exported: every series to the last digit, and with the same missing values."""

import pytest

from scripts.data.parity_charts import FILES, series_differences
from tests.parity import EXPORTS


@pytest.mark.parametrize("export", FILES)
def test_scripts_give_what_tradingview_exported(export: str) -> None:
    found = list(series_differences(EXPORTS, export))
    assert found
    for title, wrong in found:
        assert not wrong, f"{title}: {len(wrong)} differ, first {wrong[:3]}"
