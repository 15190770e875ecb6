"""The chart up to the bar of a stop: it moves with the run, shows nothing of later bars, and changes nothing."""

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from tests.debugger.client import Client

DATA = "sample:AAPL@60x120"
SCRIPT = """//@version=6
strategy("Charted", overlay = true)
mean = ta.sma(close, 3)
if ta.crossover(close, mean)
    strategy.entry("Long", strategy.long)
if ta.crossunder(close, mean)
    strategy.close("Long")
plot(mean, "Mean", color = #ff00aa)
label.new(bar_index, high, "bar " + str.tostring(bar_index))
plot(close, "Last", color = #00aaff)
"""


def words(svg: str) -> set[str]:
    """The texts in a drawing."""
    return {"".join(each.itertext()) for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("text")}


def chart(client: Client, **given: Any) -> dict[str, Any]:
    return client.ask("pinebench/chart", **given)


def test_the_chart_ends_with_the_bar_of_the_stop_and_moves_with_it(client: Client, path: Path) -> None:
    client.launch(path, [{"line": 10, "condition": "bar_index == 60"}], data=DATA)
    client.stopped()
    told = chart(client, bars=30, width=900, height=500)
    assert (told["first"], told["bar"]) == (31, 60)
    assert told["where"].startswith("bar 60, 20") and 'viewBox="0 0 900 500"' in told["svg"]
    seen = words(told["svg"])
    assert {"bar 40", "bar 60"} <= seen and "bar 61" not in seen
    assert "#ff00aa" in told["svg"] and "#00aaff" in told["svg"]
    assert any(text.startswith("Long") for text in seen)  # a fill of the strategy
    client.set_breakpoints(path, [])
    assert client.go("pinebench/nextBar")["bar"] == 61
    assert "bar 61" not in words(chart(client, bars=30)["svg"])  # its label is not drawn yet
    client.go("pinebench/previousBar")
    before = chart(client, bars=30, width=900, height=500)
    assert (before["bar"], "bar 60" in words(before["svg"])) == (60, False)
    while client.go("next")["line"] != 10:
        pass
    assert chart(client, bars=30, width=900, height=500) == told


def test_the_first_bar_and_live_bars_have_a_chart_but_not_in_every_look(client: Client, path: Path) -> None:
    assert not client.request("pinebench/chart")["success"]
    client.launch(path, [{"line": 10, "condition": "barstate.isrealtime"}], data=DATA, live=2, stopOnEntry=True)
    client.stopped()
    assert (first := chart(client, bars=9_999_999))["first"] == first["bar"] == 0
    for given in ({"width": 10}, {"height": 99999}, {"theme": "pink"}, {"bars": "many"}):
        answer = client.request("pinebench/chart", **given)
        assert not answer["success"] and answer["message"], given
    seen = [(client.go("continue")["bar"], chart(client, theme="dark")["svg"]) for _ in range(5)]
    assert [bar for bar, _ in seen] == [118, 118, 118, 118, 119]
    assert len({svg for _, svg in seen}) == 5 and all("#0f1318" in svg for _, svg in seen)


def test_a_stop_inside_the_color_of_a_plot_has_a_chart(client: Client, path: Path) -> None:
    """The plot has its value of the bar then, but not yet its color."""
    path.write_text(
        '//@version=6\nindicator("x", overlay = true)\ntint(float value) =>\n    x = value * 2\n'
        '    x > 0 ? color.red : color.blue\nplot(close, "Close", tint(close))\nplot(open, "Open", tint(open))\n',
        encoding="utf-8",
    )
    client.launch(path, [{"line": 4, "condition": "bar_index == 60"}], data=DATA)
    client.stopped()
    for _ in range(8):
        told = client.ask("pinebench/chart", bars=30, width=900, height=500)
        assert "<svg" in told["svg"]
        client.go("stepIn")
