"""The recipes of docs/interoperability.md with the real packages, each in an environment of its own."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.cli.support import CHECKOUT
from tests.soak.installing import LIMIT, installed, pip_environment

pytestmark = pytest.mark.soak

PAGE = CHECKOUT / "docs/interoperability.md"
PACKAGES = {
    "quantstats": "quantstats==0.0.86",
    "backtesting.py": "backtesting==0.6.6",
    "vectorbt": "vectorbt==1.2.0",
    "freqtrade": "freqtrade==2026.9",
    "jesse": "jesse==3.5.3",
}
"""The package of each recipe, by the first word of its heading."""
CHECKS = {
    "quantstats": """
        peak, worst = 0.0, 0.0
        for value in test.equity:
            peak = max(peak, value)
            worst = min(worst, value / peak - 1)
        assert worst < 0 and abs(drawdown - worst) < 1e-9, (drawdown, worst)
        daily = [b / a - 1 for a, b in zip(test.equity, test.equity[1:])]
        mean = sum(daily) / len(daily)
        spread = (sum((one - mean) ** 2 for one in daily) / (len(daily) - 1)) ** 0.5
        bars_a_year = 252 ** 0.5
        assert len(returns) == len(daily)
        assert abs(sharpe - mean / spread * bars_a_year) < 1e-9, (sharpe, mean / spread * bars_a_year)
        """,
    "backtesting.py": """
        closed = theirs._trades
        # Theirs closes what is open at the end only if it is told to.
        assert len(trades) == len(closed) > 3
        assert list(trades["Size"]) == list(closed["Size"])
        for name in ("EntryPrice", "ExitPrice", "PnL"):
            assert max(abs(a - b) for a, b in zip(trades[name], closed[name])) < 1e-6, name
        for name in ("EntryTime", "ExitTime"):
            assert list(trades[name].dt.tz_localize(None)) == list(closed[name]), name
        assert set(trades) <= set(closed)
        """,
    "vectorbt": """
        theirs = portfolio.trades.records_readable
        theirs = theirs[theirs["Status"] == "Closed"]
        ours = pb.backtest(text, bars).trades_frame().dropna(subset="exit_time")
        assert len(ours) == len(theirs) > 3
        for one, other in (("entry_price", "Avg Entry Price"), ("exit_price", "Avg Exit Price"), ("profit", "PnL")):
            assert max(abs(a - b) for a, b in zip(ours[one], theirs[other])) < 1e-6, one
        """,
    "freqtrade": """
        frame = bars.to_pandas().reset_index(names="date")
        plain = {"stake_currency": "USDT", "dry_run": True, "exchange": {"name": "binance"}, "timeframe": "1d"}
        strategy = PineStrategy(plain)
        done = strategy.advise_indicators(frame.copy(), {"pair": "BTC/USDT"})
        done = strategy.advise_exit(strategy.advise_entry(done, {"pair": "BTC/USDT"}), {"pair": "BTC/USDT"})
        assert len(done) == len(frame)
        import talib.abstract as ta
        theirs = ta.RSI(frame, timeperiod=14)
        assert done["rsi"].isna().sum() == theirs.isna().sum() == 14
        assert (done["rsi"] - theirs).abs().max() < 1e-6
        assert set(done["direction"].dropna()) == {1.0, -1.0}
        assert (done["enter_long"] == 1).sum() == (theirs < 30).sum()
        """,
    "jesse": """
        import numpy
        import jesse.indicators as ta
        columns = bars.columns
        names = ("open", "close", "high", "low", "volume")
        candles = numpy.column_stack([numpy.array(bars.times, float), *(columns[name] for name in names)])
        for function, theirs in (
            ("ta.sma", ta.sma(candles, 21, sequential=True)),
            ("ta.highest", ta.donchian(candles, 21, sequential=True).upperband),
        ):
            source = "high" if function == "ta.highest" else "close"
            ours = pine(candles, function, source, 21, sequential=True)
            assert len(ours) == len(theirs)
            assert numpy.nanmax(numpy.abs(ours - theirs)) < 1e-6, function
            assert pine(candles, function, source, 21) == ours[-1]
        """,
}
"""The asserts after each recipe."""


def sections() -> dict[str, str]:
    """The code of the page by the first word of its heading; the first part has the name "" and is for all."""
    parts = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = {"": parts[0], **{part.split()[0].rstrip(":"): part for part in parts[1:]}}
    return {
        name: "\n".join(re.findall(r"^```python\n(.*?)^```", part, re.DOTALL | re.MULTILINE))
        for name, part in found.items()
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(folder)]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, timeout=LIMIT)
    (only,) = folder.glob("*.whl")
    return only


def test_every_recipe_is_checked() -> None:
    assert {name for name, code in sections().items() if name and code} == set(PACKAGES) == set(CHECKS)


@pytest.mark.parametrize("name", PACKAGES)
def test_a_recipe_gives_the_same_numbers_as_the_package(name: str, wheel: Path, tmp_path: Path) -> None:
    python = installed(tmp_path / "venv", sys.executable, f"{wheel}[run]", PACKAGES[name])
    code = sections()
    script = tmp_path / "recipe.py"
    (tmp_path / "recipe.txt").write_text(code[""] + code[name] + textwrap.dedent(CHECKS[name]))
    # Packages have processes and threads of their own, so the start is guarded, as docs/python.md asks.
    script.write_text('if __name__ == "__main__":\n    exec(open("recipe.txt").read())\n')
    environment = pip_environment(tmp_path) | {"PATH": f"{python.parent}:/usr/bin:/bin", "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [str(python), str(script)], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=LIMIT
    )
    assert done.returncode == 0, done.stdout + done.stderr
