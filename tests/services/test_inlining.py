"""A variable is replaced by its value only where the script computes the same."""

from pinebench.services.inlining import inlined
from pinebench.syntax.edits import apply_edits
from tests.runtime.running import values
from tests.services.support import HEAD, opened

DONE = {
    "s|um = close + open\nplot(sum * 2)\n": "plot((close + open) * 2)\n",
    "sum = close + open\nplot(s|um)\n": "plot(close + open)\n",
    "ti|mes = 3\nf(x) => x * times\nplot(f(close) + times)\n": "f(x) => x * 3\nplot(f(close) + 3)\n",
    "m|id = math.avg(high, low)\nif close > mid\n    log.info('x')\nplot(mid)\n": (
        "if close > math.avg(high, low)\n    log.info('x')\nplot(math.avg(high, low))\n"
    ),
    "f(x) =>\n    d|ouble = x * 2\n    double + 1\nplot(f(close))\n": "f(x) =>\n    (x * 2) + 1\nplot(f(close))\n",
    "is|_up = close > open\nplot(is_up ? 1 : 0)\n": "plot((close > open) ? 1 : 0)\n",
    "float sp|an = high - low\nx = span\nplot(x / span)\n": "x = high - low\nplot(x / (high - low))\n",
}
REFUSED = (
    # it is assigned again, keeps its value, or is read as a history
    "v|al = close\nval := open\nplot(val)\n",
    "var v|al = close\nplot(val)\n",
    "v|al = close + 1\nplot(val[1])\n",
    # its value has a state, an effect, or another value at another time
    "v|al = ta.ema(close, 3)\nif close > open\n    log.info(str.tostring(val))\nplot(val)\n",
    "v|al = close[1]\nplot(val)\n",
    "v|al = math.random(0, 1)\nplot(val + val)\n",
    "a = array.from(1.0, 2.0)\nv|al = a.pop()\nplot(val + a.size())\n",
    "a = array.from(1.0, 2.0)\nv|al = a.size()\na.clear()\nplot(val)\n",
    "v|al = array.new_float(3)\narray.set(val, 0, close)\nplot(array.get(val, 0))\n",
    "v|al = map.new<string, float>()\nval.put('x', close)\nplot(val.get('x'))\n",
    "v|al = chart.point.now(close)\nval.price := 2\nplot(val.price)\n",
    "type P\n    float x = 1\nv|al = P.new()\nval.x := 2\nplot(val.x)\n",
    "v|al = label.new(bar_index, close)\nval.set_text('x')\nplot(close)\n",
    "v|al = input.int(3, 'X')\nplot(close * val)\n",
    "f(x) =>\n    log.info('x')\n    x\nv|al = f(close)\nplot(val + val)\n",
    "type P\n    float x = 1\np = P.new()\nv|al = p.x\np.x := 2\nplot(val)\n",
    # what it reads changes before it is read
    "c = 1\nv|al = c + 1\nc := 5\nplot(val + c)\n",
    "var c = 0\nv|al = c + 1\nc += 1\nplot(val)\n",
    # a name means something else at a use
    "a = 1.0\nv|al = a + 1\nf(a) => val + a\nplot(f(5) + a)\n",
    "v|al = close\nf() =>\n    close = 3.0\n    val + close\nplot(f())\n",
    # another type, other code on its line, nothing that reads it, or no variable
    "float v|al = 1\nplot(math.round(val / 2))\n",
    "v|al = 1, other = 2\nplot(val + other)\n",
    "if close > open\n    v|al = 1\nplot(close)\n",
    "v|al = 1\nplot(close)\n",
    "[v|al, b] = ta.supertrend(3, 10)\nplot(val)\n",
    "for v|al = 0 to 3\n    log.info(str.tostring(val))\nplot(close)\n",
    "f(v|al) => val + 1\nplot(f(close))\n",
    "v|al = 1  // why\nplot(val)\n",
    "plot(clo|se)\n",
)


def test_a_value_is_written_where_the_script_computes_the_same() -> None:
    for marked, wanted in DONE.items():
        view, place = opened(marked, HEAD)
        found = inlined(view, place)
        assert found is not None, marked
        after = apply_edits(view.text, found[1])
        assert after == HEAD + wanted, marked
        assert values(after) == values(view.text), marked


def test_a_variable_stays_where_its_value_may_be_another() -> None:
    for marked in REFUSED:
        assert inlined(*opened(marked, HEAD)) is None, marked
