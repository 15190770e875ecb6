"""Alerts on prices, plots, lines and scripts: made in the dialog, met on the bars they should be, told in a replay."""

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from pinebench.tools.chart_browser import ChartBrowser
from pinebench.tools.tool_calls import call
from tests.studio.gallery.drawing import hide_panel, shot
from tests.studio.support import BARS, CHART, FRAMES, Driver, away
from tests.studio.test_desk import size
from tests.studio.test_look import findings

DIALOG = "document.querySelector('[data-name=\"alerts-create-edit-dialog\"]')"
ALERTS = "TradingViewApi._alertService.getAlerts()"
REPLAY = "TradingViewApi._replayApi"
SCRIPT = """//@version=6
indicator("Conditions", overlay = true)
plot(ta.sma(close, 10), "Mean")
if bar_index % 7 == 0
    alert("seven", alert.freq_once_per_bar)
"""


@pytest.fixture
def page(shared: Driver) -> Iterator[Driver]:
    """The module's page without studies, drawings and alerts, with the alerts' panel open."""
    size(shared, 1440, 900)
    hide_panel(shared)
    if not shared.js("document.querySelector('.alerts__list') !== null"):
        shared.click('.strip [data-name="alerts"]')
    shared.until("document.querySelector('.alerts__list') !== null")
    yield shared
    shared.js(f"{REPLAY}.stopReplay(), 1")
    shared.js("document.querySelector('[role=dialog] [aria-label=Close]')?.click(), 1")
    shared.js(
        f"{ALERTS}.then((all) => fetch('/pricealerts/delete_alerts', {{method: 'POST', body:"
        " JSON.stringify({payload: {alert_ids: all.map((one) => one.alert_id)}})}))"
    )
    shared.js(f"{ALERTS}.then(() => 1)")
    shared.js(f"{CHART}.removeAllShapes(), {CHART}.removeAllStudies(), 1")


def open_dialog(page: Driver) -> None:
    page.click("#header-toolbar-alerts")
    page.until(f"{DIALOG} !== null")


def fill(page: Driver, name: str, value: str) -> None:
    page.js(
        f"(() => {{ const field = {DIALOG}.querySelector('[name={name}]');"
        " const kind = {SELECT: HTMLSelectElement, TEXTAREA: HTMLTextAreaElement,"
        " INPUT: HTMLInputElement}[field.tagName];"
        f" Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(field, {json.dumps(value)});"
        " field.dispatchEvent(new Event('input', {bubbles: true}));"
        " field.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def option(page: Driver, name: str, label: str) -> str:
    return page.js(
        f"[...{DIALOG}.querySelector('[name={name}]').options]"
        f".find((one) => one.textContent.includes({json.dumps(label)})).value"
    )


def create(page: Driver) -> dict[str, Any]:
    before = page.js(f"{ALERTS}.then((all) => all.length)")
    page.js(f"{DIALOG}.querySelector('[type=submit]').click(), 1")
    page.until(f"{DIALOG} === null")
    page.until(f"{ALERTS}.then((all) => all.length === {before + 1})")
    return page.js(f"{ALERTS}.then((all) => all.at(-1))")


def history(page: Driver) -> str:
    return page.js("document.querySelector('[data-name=\"alert-history\"]').textContent")


def closes(page: Driver) -> list[list[float]]:
    return page.js(f"Array.from({{length: {BARS}.size()}}, (_, i) => {BARS}.valueAt(i))")


def ticks(bar: list[float]) -> list[float]:
    """The prices that a bar passes through, first to the end that is nearer to its open."""
    _, start, high, low, end, *_ = bar
    return [start, high, low, end] if high - start < start - low else [start, low, high, end]


def test_the_rows_of_the_dialog_lie_one_below_another_and_times_are_those_of_the_axis(page: Driver) -> None:
    page.js(f"{CHART}.createStudy('SMA').then(() => 1)")
    page.click('[aria-label="Create Alert"]')
    page.until(f"{DIALOG}?.querySelector('[name=level0]') != null")
    rows = page.js(
        f"[...{DIALOG}.querySelectorAll('.alert-label, [name=source], [name=condition], [name=level0], [name=value0],"
        " [name=frequency], [name=message]')].map((node) => node.getBoundingClientRect())"
        ".map(({left, top, right, bottom}) => [left, top, right, bottom])"
    )
    for one, other in itertools.combinations(rows, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1], (one, other)
    assert re.search(r"last \d{4}-\d\d-\d\d\.$", history(page))  # bars of a day have dates, as in the data window


def test_two_clicks_create_one_alert(page: Driver) -> None:
    open_dialog(page)
    page.js(f"(() => {{ const one = {DIALOG}.querySelector('[type=submit]'); one.click(); one.click(); }})()")
    page.until(f"{DIALOG} === null")
    page.js(f"{ALERTS}.then(() => 1)")
    assert page.js(f"{ALERTS}.then((all) => all.length)") == 1


def test_conditions_are_met_on_the_bars_that_arithmetic_says(page: Driver) -> None:
    bars = closes(page)
    prices = [bar[4] for bar in bars]
    level, low = sorted(prices)[len(prices) // 2], sorted(prices)[len(prices) // 3]
    pairs = list(itertools.pairwise(prices))
    wanted = {
        "cross_up": sum(a < level <= b for a, b in pairs),
        "cross_down": sum(a > level >= b for a, b in pairs),
        "cross": sum(a < level <= b or a > level >= b for a, b in pairs),
        "greater": sum(b > level for _, b in pairs),
        "less": sum(b < level for _, b in pairs),
        "inside_channel": sum(low <= b <= level for _, b in pairs),
        "outside_channel": sum(not low <= b <= level for _, b in pairs),
        "entering_channel": sum(not low <= a <= level and low <= b <= level for a, b in pairs),
        "exiting_channel": sum(low <= a <= level and not low <= b <= level for a, b in pairs),
    }
    open_dialog(page)
    assert findings(page) == []
    fill(page, "frequency", "2")
    for kind, count in wanted.items():
        fill(page, "condition", kind)
        fill(page, "value0", str(level))
        if kind.endswith("channel"):
            fill(page, "value1", str(low))
        assert f"On {count} of the {len(bars)} bars" in history(page), kind
    for kind, sign in (("moving_up", 1), ("moving_down", -1)):
        fill(page, "condition", kind)
        fill(page, "value0", "3")
        fill(page, "period", "5")
        count = sum(sign * (b - a) >= 3 for a, b in zip(prices, prices[5:], strict=False))
        assert (f"On {count} of" if count else "On none") in history(page), kind
    fill(page, "condition", "moving_up_percent")
    fill(page, "value0", "2")
    count = sum(b - a >= a * 0.02 for a, b in zip(prices, prices[5:], strict=False))
    assert (f"On {count} of" if count else "On none") in history(page)
    # Within a bar more happens than at its close.
    fill(page, "condition", "greater")
    fill(page, "frequency", "1")
    fill(page, "value0", str(level))
    assert f"On {sum(bar[2] > level for bar in bars[1:])} of" in history(page)
    fill(page, "value0", "much")
    assert page.js(f"{DIALOG}.querySelector('[type=submit]').disabled")


def test_alerts_on_plots_lines_and_scripts_fire_as_bars_come_and_as_often_as_asked(page: Driver) -> None:
    page.editor.write(SCRIPT)
    assert page.editor.compile().outcome == "added"
    hide_panel(page)
    bars = closes(page)
    start = 300
    page.js(
        f"{CHART}.createMultipointShape([{{time: {bars[start - 20][0]}, price: {bars[start][4]}}},"
        f" {{time: {bars[start + 60][0]}, price: {bars[start][4]}}}], {{shape: 'trend_line'}})"
    )
    open_dialog(page)
    fill(page, "source", option(page, "source", "Mean"))
    fill(page, "condition", "less")
    fill(page, "level0", "price")
    fill(page, "frequency", "2")
    on_plot = create(page)
    open_dialog(page)
    fill(page, "level0", option(page, "level0", "Trend line"))
    fill(page, "frequency", "0")
    fill(page, "message", "met the line")
    on_line = create(page)
    open_dialog(page)
    fill(page, "source", option(page, "source", "any alert() call"))
    fill(page, "frequency", "2")
    on_script = create(page)
    assert [one["condition"]["type"] for one in (on_plot, on_line, on_script)] == ["less", "cross", "alert_cond"]
    assert findings(page, "[data-name=alerts]") == []
    # The registry lists all of them, whatever they are on.
    desk = ChartBrowser(port=page.port, target=page.tab)
    try:
        assert [one["condition"] for one in call(desk, "alert_list", {})["alerts"]] == ["less", "cross", "alert_cond"]
    finally:
        desk.close()
    steps = 16
    studies = f"{CHART}._chartWidget.model().model().dataSources()"
    page.js(f"{REPLAY}.selectDate({bars[start][0]} * 1000)")
    page.until(f"{BARS}.size() === {start + 1} && !{studies}.at(-1).isLoading()")
    fired = "[...document.querySelectorAll('[data-name=\"fired-alerts\"] li')].map((one) => one.textContent)"
    before = page.js(f"{fired}.length")
    for step in range(1, steps + 1):
        page.js(f"{REPLAY}.doStep()")
        page.until(f"{BARS}.size() === {start + 1 + step} && !{studies}.at(-1).isLoading()")
    prices = [bar[4] for bar in bars]
    came = range(start + 1, start + 1 + steps)
    below = sum(sum(prices[i - 9 : i + 1]) / 10 < prices[i] for i in came)
    level = prices[start]
    path = [level, *(tick for i in came for tick in ticks(bars[i]))]
    crossed = any(a < level <= b or a > level >= b for a, b in itertools.pairwise(path))
    new = f"{fired}.slice(0, {fired}.length - {before})"
    for words, least in (("mean", below), ("met the line", int(crossed)), ("any alert() call", 2)):
        page.until(f"{new}.filter((one) => one.toLowerCase().includes({json.dumps(words)})).length >= {least}")
    told = page.js(new)
    assert sum("mean" in one.lower() for one in told) == below
    assert sum("met the line" in one for one in told) == int(crossed), "once and no more"
    assert sum("any alert() call" in one.lower() for one in told) in (2, 3)
    # Toasts tell of them, the one that fires once has ended, and the others go on.
    assert page.js("document.querySelectorAll('[data-name=toast]').length") > 0
    active = f"{ALERTS}.then((all) => Object.fromEntries(all.map((one) => [one.alert_id, one.active])))"
    page.until(f"{active}.then((all) => all[{on_line['alert_id']}] === {json.dumps(not crossed)})")
    still = page.js(active)
    assert still[str(on_plot["alert_id"])] is still[str(on_script["alert_id"])] is True


def test_an_alert_that_is_made_during_a_replay_does_not_fire_on_the_bars_before_it(page: Driver) -> None:
    start = 300
    page.js(f"{REPLAY}.selectDate({closes(page)[start][0]} * 1000)")
    page.until(f"{BARS}.size() === {start + 1}")

    def step(count: int) -> None:
        page.js(f"{REPLAY}.doStep()")
        page.until(f"{BARS}.size() === {start + 1 + count}")

    for count in (1, 2, 3):
        step(count)
    open_dialog(page)
    fill(page, "condition", "greater")
    fill(page, "value0", "0")
    fill(page, "frequency", "2")
    fill(page, "message", "made late")
    create(page)
    fired = (
        "[...document.querySelectorAll('[data-name=\"fired-alerts\"] li')]"
        ".filter((one) => one.textContent.includes('made late')).length"
    )
    step(4)
    page.until(f"{fired} > 0")
    assert page.js(fired) == 1


def test_the_list_shows_the_bars_of_an_alert_and_changes_it(page: Driver) -> None:
    bars = closes(page)
    level = sorted(bar[4] for bar in bars)[len(bars) // 2]
    before = shot(page)
    open_dialog(page)
    fill(page, "condition", "cross_up")
    fill(page, "value0", str(level))
    fill(page, "frequency", "2")
    made = create(page)
    # A line on the chart marks the price that it waits at.
    page.js(FRAMES)
    away(page)
    after = shot(page)
    across = range(0, before.width - 90, 3)
    changed = [sum(before.getpixel((x, y)) != after.getpixel((x, y)) for x in across) for y in range(before.height)]
    assert max(changed) > len(across) * 0.3
    item = f'[data-name="alert-item-{made["alert_id"]}"]'
    page.click(f"{item} [aria-expanded]")
    times = f"[...document.querySelectorAll('{item} [data-name=\"alert-times\"] button')]"
    page.until(f"{times}.length > 0")
    last = max(i for i in range(1, len(bars)) if bars[i - 1][4] < level <= bars[i][4])
    page.js(f"{times}[0].click(), 1")
    page.until(f"(({{from, to}}) => from <= {bars[last][0]} && to >= {bars[last][0]})({CHART}.getVisibleRange())")
    away(page)
    assert findings(page) == []
    page.click(f"{item} [aria-label^=Edit]")
    page.until(f"{DIALOG} !== null")
    assert page.js(f"{DIALOG}.querySelector('[name=value0]').value") == str(level)
    fill(page, "condition", "cross_down")
    page.js(f"{DIALOG}.querySelector('[type=submit]').click(), 1")
    page.until(f"{DIALOG} === null")
    page.until(f"{ALERTS}.then((all) => all.length === 1 && all[0].condition.type === 'cross_down')")
    # Without its study an alert says that it does not fire.
    page.js(f"{CHART}.createStudy('RSI')")
    page.until(f"{CHART}.getAllStudies().length === 1")
    open_dialog(page)
    page.until(f"[...{DIALOG}.querySelector('[name=source]').options].length > 1")
    fill(page, "source", option(page, "source", "RSI"))
    create(page)
    page.js(f"{CHART}.removeAllStudies()")
    page.until("document.querySelector('[data-name=alerts]').textContent.includes('is not on the chart')")
