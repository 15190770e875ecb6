"""Small projects that a careless bundler gets wrong: each has a script and libraries, and runs on any bars."""

from __future__ import annotations

HEAD = "//@version=6\n"


def library(name: str, text: str) -> str:
    """The text of a library."""
    return f'{HEAD}library("{name}")\n{text}'


def script(imports: str, text: str) -> str:
    """The text of an indicator."""
    return f'{HEAD}indicator("Main", overlay = true)\n{imports}\n{text}'


POINTS = library(
    "Points",
    """export const float SCALE = 2.0
// @type A place on the chart.
// @field price The price.
export type Point
    float price = 2.0
    int bar = 0
export enum Side
    up = "above"
    down
// @function Moves a point.
// @param this The point.
// @param step The distance.
// @returns The moved point.
export method move(Point this, float step = 2.0) =>
    Point.new(this.price + step * SCALE, this.bar + 1)
export method move(Point this, int step) =>
    Point moved = this.copy()
    moved.bar += step
    moved
export side(float a, float b) => a > b ? Side.up : Side.down
export unused(float x) => x * SCALE
""",
)

PROJECTS: dict[str, dict[str, str]] = {
    "overloads, methods, defaults, a type and an enum": {
        "main.pine": script(
            "import me/Points/1 as p",
            """p.Point at = p.Point.new(close)
moved = at.move().move(1.5).move(3)
also = p.move(at, step = 2.0)
other = p.Point.new()
plot(moved.price + also.price + other.price)
plot(moved.bar)
plot(p.side(close, open) == p.Side.up ? 1 : 0)
if barstate.islast
    label.new(bar_index, close, str.tostring(p.side(close, open)))
""",
        ),
        "libs/me/Points.pine": POINTS,
    },
    "the same names in two libraries": {
        "main.pine": script(
            "import me/A/1 as a\nimport me/B/1 as b",
            """x = a.value(close) + b.value(close)
a.Kind k = a.Kind.one
b.Kind m = b.Kind.one
plot(x + (k == a.Kind.one ? 1 : 0) + (m == b.Kind.two ? 10 : 0))
plot(a.Box.new(close).size + b.Box.new(open, low).other)
plot(a.Box.new(close).area() - b.Box.new(open, low).area())
""",
        ),
        "libs/me/A.pine": library(
            "A",
            """const float shared = 3
helper(float x) => x * shared
export value(float x) => helper(x) + 1
export type Box
    float size
export method area(Box this) => this.size * shared
export enum Kind
    one
    two
""",
        ),
        "libs/me/B.pine": library(
            "B",
            """const float shared = 5
helper(float x) => x - shared
export value(float x) => helper(x) - 1
export type Box
    float size
    float other
export method area(Box this) => this.size * this.other / shared
export enum Kind
    two
    one
""",
        ),
    },
    "an enum and a type with one name, and the script's own": {
        "main.pine": script(
            "import me/A/1 as a\nimport me/B/1 as b",
            """type State
    int n = 7
enum Mode
    calm
State own = State.new()
b.State theirs = b.State.new(4.5)
plot(own.n + theirs.value + (a.State.up == a.now(close, open) ? 1 : 0))
plot(Mode.calm == Mode.calm ? 2 : 3)
""",
        ),
        "libs/me/A.pine": library(
            "A", "export enum State\n    up\n    down\nexport now(float a, float b) => a > b ? State.up : State.down\n"
        ),
        "libs/me/B.pine": library("B", "export type State\n    float value\n"),
    },
    "a diamond of imports": {
        "main.pine": script(
            "import me/Left/1 as left\nimport me/Right/1 as right\nimport me/Base/1 as base",
            "plot(left.go(close) + right.go(close))\nplot(left.made().n)\n",
        ),
        "libs/me/Base.pine": library(
            "Base", "export type Thing\n    int n = 4\nexport half(float x) => x / 2\nexport const int STEP = 3\n"
        ),
        "libs/me/Left.pine": library(
            "Left",
            "import me/Base/1 as base\nexport go(float x) => base.half(x) + base.STEP\n"
            "export made() => base.Thing.new(base.STEP)\n",
        ),
        "libs/me/Right.pine": library(
            "Right", "import me/Base/1 as b\nexport go(float x) => b.half(b.half(x)) - b.STEP\n"
        ),
    },
    "state that each call keeps": {
        "main.pine": script(
            "import me/Count/1 as c",
            """first = c.count(1)
second = c.count(2)
third = close > open ? c.count(10) : 0
float looped = 0
for i = 1 to 3
    looped += c.count(i)
smooth = c.smooth(close, 5) - c.smooth(open, 5)
plot(first)
plot(second)
plot(third)
plot(looped)
plot(smooth)
plot(c.ticks())
plot(c.before(close))
plot(c.START)
""",
        ),
        "libs/me/Count.pine": library(
            "Count",
            """var float begin = close
float average = ta.sma(close, 3)
float wide = average * 2
export const int START = 2
export count(int step) =>
    var int n = START
    n += step
    n
export smooth(float x, simple int length) =>
    ta.ema(x, length) + nz(ta.ema(x, length)[1]) + begin
export ticks() =>
    varip int n = 0
    n += 1
    n
export before(float x) => x - wide[1] + average[2]
""",
        ),
    },
    "names that hide names": {
        "main.pine": script(
            "import me/T/1 as t",
            """t_size = 3
size(float x) => x * 100
f(float t) =>
    float both = t + 1
    both
g(float x) =>
    float size = x
    size + t.size(x)
type Hidden
    float size = 1
Hidden t2 = Hidden.new(5)
sum = t.size(close) + t_size + size(close) + f(close) + g(open) + t2.size
plot(sum, title = "t.size(close)")
plot(t.deep(close))
plot(t.clash(close))
""",
        ),
        "libs/me/T.pine": library(
            "T",
            """const float size_of = 2
export size(float x) =>
    float t_size = x * size_of
    float size = t_size + 1
    size
export deep(float sum) =>
    float f = sum
    for size = 1 to 2
        float size_of = f
        f += size * size_of
    f
export clash(float close) => close + size(close)
""",
        ),
    },
    "text, comments and lines": {
        "main.pine": script(
            "import me/T/1 as t // the tools",
            """// t.twice is not code here
string words = "t.twice(close) and t.NAME" + t.NAME
plot(
     t.twice(
       close,
       plus = 1),  // t.twice
     title = "t.twice")
// 𝒜 comment with 𝒲ide letters
x = t.twice(close, 2), y = t.twice(open)
plot(x - y, title = "𝒜"), plot(str.length(words))
if barstate.islast
    log.info("t.NAME {0}", t.NAME)
    alert("t.NAME " + t.NAME)
    table tb = table.new(position.top_right, 1, 1)
    tb.cell(0, 0, t.NAME)
""",
        ),
        "libs/me/T.pine": library(
            "T",
            """export const string NAME = "NAME of T, twice(x)"  // its name
one = 1, export_like = 2
// @function Twice. See also NAME and twice().
// @param x NAME
export twice(
     float x,   // twice of this
     float plus = 0) =>
    // twice
    string NAMED = "twice"
    x * 2 +
      plus + one + export_like
""",
        ),
    },
    "one library by two names": {
        "main.pine": script(
            "import me/Points/1 as p\nimport me/Points/1 as q",
            "p.Point a = q.Point.new(close)\nq.Point b = a.move()\nplot(b.price + p.SCALE + q.SCALE)\n",
        ),
        "libs/me/Points.pine": POINTS,
    },
    "two versions of one library": {
        "main.pine": script("import me/V/1 as v\nimport me/V/2 as w", "plot(v.value(close) * 1000 + w.value(close))\n"),
        "libs/me/V/1.pine": library("V", "export value(float x) => x + 1\n"),
        "libs/me/V/2.pine": library("V", "export value(float x) => x + 2\n"),
    },
    "the namespace of built-ins as an alias": {
        "main.pine": script(
            "import me/ta/1 as ta",
            "plot(ta.sma(close, 3) + ta.mine(close))\nplot(ta.ema(close, 4))\n",
        ),
        "libs/me/ta.pine": library("ta", "export mine(float x) => ta.sma(x, 2) * 2\n"),
    },
    "collections, templates, tuples and loops": {
        "main.pine": script(
            "import me/L/1 as l",
            """var array<l.Level> levels = array.new<l.Level>()
levels.push(l.Level.new(close, l.Kind.high))
if levels.size() > 5
    levels.shift()
[top, bottom] = l.extremes(levels)
map<string, l.Level> named = map.new<string, l.Level>()
named.put("a", levels.last())
float sum = 0
for [i, level] in levels
    sum += level.weight(i)
    switch level.kind
        l.Kind.high => sum += 1
        l.Kind.low => sum -= 1
plot(top - bottom)
plot(sum)
plot(named.get("a").price)
l.Level[] old = array.from(l.Level.new(1, l.Kind.low))
plot(old.size())
picked = input.enum(l.Kind.low, "Kind", options = [l.Kind.high, l.Kind.low])
plot(picked == l.Kind.low ? 1 : 0)
""",
        ),
        "libs/me/L.pine": library(
            "L",
            """export enum Kind
    high = "High"
    low = "Low"
export type Level
    float price
    Kind kind = Kind.low
    array<float> history = na
    Level next = na
export method weight(Level this, int i) => this.price * (i + 1) * (this.kind == Kind.high ? 1 : -1)
export extremes(array<Level> levels) =>
    float top = na
    float bottom = na
    for level in levels
        top := math.max(nz(top, level.price), level.price)
        bottom := math.min(nz(bottom, level.price), level.price)
    [top, bottom]
""",
        ),
    },
    "methods with the names of built-in methods": {
        "main.pine": script(
            "import me/M/1 as m",
            """array<float> plain = array.new<float>()
plain.push(close)
m.Bag bag = m.Bag.new(array.new<float>())
bag.push(close)
bag.push(open)
method size(float this) => this * 3
plot(plain.size() + bag.size() + close.size() + m.size(bag))
plot(bag.values.sum())
""",
        ),
        "libs/me/M.pine": library(
            "M",
            """export type Bag
    array<float> values
export method push(Bag this, float x) => this.values.push(x)
export method size(Bag this) => this.values.size() * 10
""",
        ),
    },
    "a strategy with orders, logs and an error": {
        "main.pine": f"""{HEAD}strategy("S", default_qty_value = 2)
import me/Trade/1 as tr
tr.enter(ta.crossover(ta.sma(close, 3), ta.sma(close, 8)), "in")
if ta.crossunder(ta.sma(close, 3), ta.sma(close, 8))
    strategy.close("in")
plot(strategy.equity)
plot(tr.risk(close))
""",
        "libs/me/Trade.pine": library(
            "Trade",
            """import me/Check/1 as check
export enter(bool signal, string id) =>
    if signal
        log.info("enter {0}", id)
        strategy.entry(id, strategy.long)
export risk(float x) => check.positive(x) * 0.01
""",
        ),
        "libs/me/Check.pine": library(
            "Check",
            """export positive(float x) =>
    if bar_index == 250
        runtime.error("positive() stops")
    math.abs(x)
""",
        ),
    },
    "private code that only a library needs": {
        "main.pine": script("import me/P/1 as p", "plot(p.run(close))\n"),
        "libs/me/P.pine": library(
            "P",
            """type Inner
    float x = 1
enum Way
    here
    there
var int first = bar_index
method grown(Inner this) => Inner.new(this.x + 1)
plus(x, y) => x + y
method plus(Inner this) => this.x
chosen(Way way) => way == Way.here ? 1 : 2
export run(float x) =>
    Inner inner = Inner.new(x)
    plus(inner.grown().plus(), chosen(Way.there)) + plus(1, 2) + first
plot(run(close))
""",
        ),
    },
}
"""Each project by what is nasty about it: its files by path; `main.pine` is the script."""
