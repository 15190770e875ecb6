"""Random scripts with objects, drawings, texts, alerts and logs, for comparisons of the two tiers."""

from __future__ import annotations

import random

_HEAD = """indicator("Shown", overlay = true, max_labels_count = {labels}, max_boxes_count = 20)
type Pivot
    float price = 0.5
    int bar = na
    string name = "none"
    bool up = true
    label mark
    array<float> prices
make(float price, string name, bool up) =>
    Pivot.new(price, bar_index, name + (up ? "+" : na), up, na, array.new<float>(1, price))
method grow(Pivot this, float step) =>
    this.price += step
    this.prices.push(step)
    this.bar := bar_index
    this.price
method told(Pivot this) =>
    na(this) ? "gone" : this.name + str.tostring(this.price, "#.##")
moved(line at, float y) =>
    at.set_y2(y)
    at.get_y2()
pair(float x, string t) =>
    [x + 1, t + "!", bar_index % 2 == 0]
var Pivot held = make(1.0, "h", true)
var Pivot none = na
var pivots = array.new<Pivot>()
var labels = array.new<label>()
var lines = array.new_line()
var string memory = "m"
var label kept = na
var line across = line.new(bar_index, low, bar_index + 5, high)
var box area = box.new(bar_index, high, bar_index + 3, low)
var table grid = table.new(position.top_right, 3, 4)
string words = na
float total = 0
p = make(close, "p", close > open)
[pair_value, pair_text, pair_flag] = pair(open, "q")
"""
_CONDITIONS = ("close > open", "bar_index % 5 == {k}", "high - low > ta.atr(5)", "barstate.islast", "bar_index > {k}")
_TEXTS = (
    "str.tostring(close)",
    "str.tostring(bar_index)",
    'str.format("{0,number,#.#} {1}", close, bar_index)',
    'words + "a"',
    "memory",
    '"x" + str.tostring(close > open)',
    "held.told()",
    "p.name",
    "pair_text",
    'close > open ? "up" : na',
    'close > open ? "" : "down" + str.upper(memory)',
    'str.format_time(time, "yyyy-MM-dd HH:mm", "UTC")',
    'str.replace_all(p.name, "p", "r")',
    "syminfo.ticker",
)
_COLORS = (
    "color.red",
    "close > open ? color.green : na",
    "color.new(color.blue, bar_index % 90)",
    "color.rgb(1, 2, 3)",
)
_STEPS = (
    "pivots.push(p)",
    "held := p",
    "held := held.copy()",
    "held.grow({number})",
    "held.mark := label.new(bar_index, high, {text})",
    "held.mark.set_y({number})",
    "p.name := {text}",
    "memory := {short}",
    "words := {text}",
    "total += held.grow({number})",
    "labels.push(label.new(bar_index, {number}, {text}, color = {color}, tooltip = {text}))",
    "kept := label.new(bar_index, high, {text}, size = size.small)",
    "kept.set_text({text})",
    "kept.delete()",
    "if not na(kept)\n        total += 1",
    "if labels.size() > 3\n        labels.shift().delete()",
    "if labels.size() > 0\n        label.set_x(labels.last(), bar_index - 1)",
    "lines.push(line.new(bar_index - 1, {number}, bar_index + 2, {number}, style = line.style_dotted))",
    "if lines.size() > 2\n        line.delete(lines.pop())",
    "across.set_xy2(bar_index, {number})",
    "total += moved(across, {number})",
    "total += nz(across.get_price(bar_index)) + across.get_x1()",
    "across := line.copy(across)",
    "linefill.new(across, line.new(bar_index, low, bar_index, high), {color})",
    "box.new(bar_index - 1, {number}, bar_index, low, text = {text}, bgcolor = {color})",
    "area.set_lefttop(bar_index, {number})",
    "total += area.get_top()",
    "area := box.new(chart.point.now(high), chart.point.from_index(bar_index + 1, low))",
    "line.new(chart.point.from_time(time, {number}), chart.point.now(), xloc = xloc.bar_time)",
    "grid.cell({column}, {row}, {text}, bgcolor = {color})",
    "grid.cell_set_text({column}, {row}, {text})",
    "grid.clear(0, 0, 1, {row})",
    "alert({text}, alert.freq_{frequency})",
    'log.info("{{0}} {{1}}", {text}, {number})',
    "log.warning({text})",
    "total += na(none) ? 1 : none.price",
    "total += pivots.size() > 0 ? pivots.last().price + pivots.first().prices.size() : 0",
    "for each in pivots\n        total += each.up ? each.price : each.bar",
    "for [k, each] in pivots\n        each.price := each.price + k\n        if k > 3\n            break",
    "if pivots.size() > 4\n        q = pivots.shift()\n        q.grow(1)\n        held := q",
    "if pivots.size() > 1\n        total += pivots.get(1).price - nz(pivots.get(0).bar)",
    "total += (na(held[1]) ? 0 : (held[1]).price) + pair_value + (pair_flag ? 1 : 0)",
)


def shown_script(seed: int) -> str:
    """The script of a seed."""
    chance = random.Random(f"shown {seed}")
    lines = [_HEAD.replace("{labels}", str(chance.choice((5, 20, 300))))]
    for _ in range(chance.randint(6, 18)):
        step = chance.choice(_STEPS)
        made = step.format(
            number=chance.choice(("high", "close - 1", "nz(close[1])", "total")),
            text=chance.choice(_TEXTS),
            short=chance.choice(_TEXTS[:3]),
            color=chance.choice(_COLORS),
            column=chance.randint(0, 2),
            row=chance.randint(0, 3),
            frequency=chance.choice(("all", "once_per_bar", "once_per_bar_close")),
        )
        condition = chance.choice(_CONDITIONS).format(k=chance.randint(0, 4))
        lines += [f"if {condition}", *(f"    {line}" if k == 0 else line for k, line in enumerate(made.split("\n")))]
        if chance.random() < 0.15:
            lines.append(made.replace("\n    ", "\n"))
    lines += ["plot(total)", "plot(held.price)", "plot(held.prices.size())", "plot(pivots.size())", "plot(p.bar)"]
    return "\n".join([*lines, "plot(na(kept) ? 1 : 0)" if chance.random() < 0.3 else "plot(labels.size())", ""])
