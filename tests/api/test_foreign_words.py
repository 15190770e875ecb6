"""Words of scripts, files and symbols in what a notebook or a terminal shows of results: they stay words."""

from typing import Any

import pinebench as pb
from pinebench.api.run_results import RepaintCheck
from pinebench.printable import printable

STEERS = "\x1b]0;a\x07\u202e\u2066\r\x9b2J"


def results(words: str) -> dict[str, Any]:
    """Every kind of result whose names, titles and comments have the words."""
    strategy = f"""//@version=6
strategy("Title {words}")
length = input.int(3, "Input {words}", minval = 2, maxval = 3)
plot(ta.sma(close, length), "Plot {words}")
if bar_index % 9 == 3
    strategy.entry("Entry {words}", strategy.long, comment = "Comment {words}")
if bar_index % 9 == 7
    strategy.close_all("Exit {words}")
"""
    indicator = f'//@version=6\nindicator("Title {words}")\nplot(close, "Plot {words}")\nplot(close, "Close")\n'
    bars = pb.bars("sample:AAPL@1Dx60")
    ran = pb.run(indicator, bars)
    members = [pb.Member(strategy, bars, name=f"{name} {words}") for name in "ab"]
    return {
        "report": pb.check(f'//@version=6\nlibrary("Title {words}")\nplot(clos)\n'),
        "run": ran,
        "figure": ran.figure(),
        "back-test": pb.backtest(strategy, bars),
        "sweep": pb.optimize(strategy, bars, {"length": [2, 3]}, holdout=0),
        "screen": pb.screen(indicator, {f"A {words}": bars, f"B {words}": "sample:NONE@1Dx9"}, "last(Close) > 0"),
        "portfolio": pb.portfolio(members),
        "bars": bars,
        "repaint check": RepaintCheck(False, [], [f"Plot {words} changed"], True),
    }


def html_of(result: Any) -> str:
    """What a notebook shows of a result as HTML; empty if it shows its text only."""
    if hasattr(result, "_repr_html_"):
        return str(result._repr_html_())
    return str(result._repr_mimebundle_().get("text/html", "")) if hasattr(result, "_repr_mimebundle_") else ""


def test_no_result_steers_a_terminal() -> None:
    """In `print`, in the prompt of Python and in the plain text that IPython shows."""
    for name, result in results(STEERS.replace("\r", "")).items():
        plain = result._repr_mimebundle_()["text/plain"] if hasattr(result, "_repr_mimebundle_") else ""
        for told in (str(result), repr(result), plain):
            assert printable(told, keep="\n") == told, name


def test_no_result_hides_letters_in_a_notebook() -> None:
    for name, result in results(STEERS.replace("\r", "")).items():
        assert not set("\x1b\x07\u202e\u2066\x9b") & set(html_of(result)), name
