"""Rules on alerts: what each reports, and the honest code that looks like it."""

from __future__ import annotations

from tests.linter.rules.support import STRATEGY, marked
from tests.tables import each


def alerting(message: str) -> str:
    return f"message = {message}\nif close > open\n    alert(message)\nplot(close)"


REPORTED = [
    ("PB6001", alerting("""'{"a": 1'"""), ["message"]),
    ("PB6001", alerting("""'{"a": "' + syminfo.ticker + ', "b": 1}'"""), ["message"]),
    ("PB6001", alerting('''"{'a': 1}"'''), ["message"]),
    ("PB6001", alerting("""str.format("'{'\\"a\\": {0}, }", close)"""), ["message"]),
    (
        "PB6001",
        """alertcondition(close > open, "x", '{"a": {{ticker}}}')\nplot(close)""",
        ["""'{"a": {{ticker}}}'"""],
    ),
    ("PB6002", "if close > open\n    alert('up at {{close}}')\nplot(close)", ["'up at {{close}}'"]),
    ("PB6002", "alertcondition(close > open, 'x', '{{symbol}}')\nplot(close)", ["'{{symbol}}'"]),
    ("PB6002", "alertcondition(close > open, 'x', '{{plot_1}}')\nplot(close)", ["'{{plot_1}}'"]),
    ("PB6002", "alertcondition(close > open, 'x', '{{plot(\"B\")}}')\nplot(close, 'A')", ["'{{plot(\"B\")}}'"]),
    (
        "PB6002",
        "alertcondition(close > open, 'x', '{{strategy.order.action}}')\nplot(close)",
        ["'{{strategy.order.action}}'"],
    ),
    ("PB6003", STRATEGY + "alertcondition(close > open, 'x', 'y')\n", ["alertcondition(close > open, 'x', 'y')"]),
    ("PB6003", STRATEGY + "up = close > open\nalertcondition(up)\n", ["alertcondition(up)"]),
    (
        "PB6003",
        STRATEGY + "alertcondition(close > high[1], message = 'y')\nplot(1)\n",
        ["alertcondition(close > high[1], message = 'y')"],
    ),
    ("PB6004", "if close > open\n    alert('x', alert.freq_all)\nplot(close)", ["alert.freq_all"]),
    ("PB6004", "alert('x', freq = alert.freq_all)\nplot(close)", ["alert.freq_all"]),
    ("PB6004", "f() => alert('x', alert.freq_all)\nf()\nplot(close)", ["alert.freq_all"]),
    (
        "PB6001",
        "made(string side) => '{\"side\": \"' + side + '\", }'\nif close > open\n    alert(made('buy'))\nplot(close)",
        ["made('buy')"],
    ),
    (
        "PB6001",
        "words = '{'\nwords += '\"a\": 1'\nwords := words + ']'\nif close > open\n    alert(words)\nplot(close)",
        ["words"],
    ),
    (
        "PB6001",
        'buy = close > open\nif close > open\n    alert(buy ? \'{"side": "buy"}\' : \'{"side": "sell"\')\nplot(close)',
        ['buy ? \'{"side": "buy"}\' : \'{"side": "sell"\''],
    ),
    (
        "PB6001",
        "if close > open\n    alert('{\"symbol\": ' + syminfo.ticker + '}')\nplot(close)",
        ["'{\"symbol\": ' + syminfo.ticker + '}'"],
    ),
    (
        "PB6002",
        "c = close > open ? color.red : color.blue\nalertcondition(close > open, 'x', '{{plot_2}}')\n"
        "plot(close, color = c)",
        ["'{{plot_2}}'"],
    ),
    ("PB6002", "alertcondition(close > open, 'x', '{{plot(\"RSI\")}}')\nplot(close)", ["'{{plot(\"RSI\")}}'"]),
    (
        "PB6004",
        "if barstate.isrealtime and close > open\n    alert('x', alert.freq_all)\nplot(close)",
        ["alert.freq_all"],
    ),
    ("PB6004", "if barstate.islast\n    alert('x', alert.freq_all)\nplot(close)", ["alert.freq_all"]),
    (
        "PB6001",
        "m = switch\n    close > open => '{\"a\": 1'\n    => '{\"a\": 2'\nif close > high[1]\n    alert(m)\n"
        "plot(close)",
        ["m"],
    ),
    (
        "PB6001",
        "m = if close > open\n    '{\"a\": 1}'\nelse\n    '{\"a\": 2'\nif close > high[1]\n    alert(m)\nplot(close)",
        ["m"],
    ),
    ("PB6002", "plot(close)\nhline(50)\nalertcondition(close > open, 'x', '{{plot_1}}')", ["'{{plot_1}}'"]),
    (
        "PB6001",
        alerting("""'{"a": ' + str.tostring(close) + array.join(array.from('x'), ',') + "'b': 1}\""""),
        ["message"],
    ),
    ("PB6001", alerting("""str.format("'{'\\"a\\": {0}", close)"""), ["message"]),
    (
        "PB6001",
        "f(a, b) => '{\"a\": ' + str.tostring(a) + ', \"b\": ' + str.tostring(b)\n"
        "if close > open\n    alert(f(close, 1))\nplot(close)",
        ["f(close, 1)"],
    ),
]

LEFT_ALONE = [
    ("PB6001", alerting("""'{"a": 1}'""")),
    ("PB6001", alerting("""'{"a": ' + str.tostring(close) + ', "b": "' + syminfo.ticker + '"}'""")),
    ("PB6001", alerting("""str.format("'{'\\"a\\": {0}'}'", close)""")),
    ("PB6001", alerting("""'{"a": 1}\\n{"b": 2}'""")),
    (
        "PB6001",
        "pair(k, v, last) => '\"' + k + '\":\"' + v + '\"' + (last ? '' : ',')\n"
        "if close > open\n    alert('{' + pair('a', 'b', false) + pair('c', 'd', true) + '}')\nplot(close)",
    ),
    (
        "PB6001",
        "up = close > open, down = close < open\nif up or down\n"
        "    alert('{' + (up ? '\"up\": 1' : '') + (down ? '\"down\": 1' : '') + '}')\nplot(close)",
    ),
    (
        "PB6001",
        "string more = ''\nif volume > 9\n    more := ', \"v\": 1'\n"
        "if close > open\n    alert('{\"p\": ' + str.tostring(close) + more + '}')\nplot(close)",
    ),
    (
        "PB6001",
        "string end = '}'\nif volume > 9\n    end := ', \"v\": 1}'\n"
        "if close > open\n    alert('{\"p\": ' + str.tostring(close) + end)\nplot(close)",
    ),
    ("PB6001", alerting("'{' + array.join(array.from('a'), ',') + '}'")),
    ("PB6001", """alertcondition(close > open, "x", '{"a": {{close}}, "b": "{{ticker}}"}')\nplot(close)"""),
    ("PB6001", alerting("'[x] crossed'") + ""),
    ("PB6001", alerting("'{{ticker}}: crossed'")),
    ("PB6002", "if close > open\n    alert('{{name of the receiver}} ' + str.tostring(close))\nplot(close)"),
    ("PB6002", "alertcondition(close > open, 'x', '{{ticker}} {{ close }} {{plot_0}}')\nplot(close)"),
    ("PB6002", "alertcondition(close > open, 'x', '{{plot(\"A\")}}')\nplot(close, 'A')"),
    (
        "PB6002",
        STRATEGY + "if close > open\n"
        "    strategy.entry('L', strategy.long, alert_message = '{{strategy.order.action}}')\n",
    ),
    ("PB6003", "alertcondition(close > open, 'x', 'y')\nplot(close)"),
    ("PB6003", STRATEGY + "if close > open\n    alert('x')\n"),
    ("PB6003", STRATEGY + "if close > open\n    strategy.entry('L', strategy.long, alert_message = 'x')\n"),
    ("PB6004", "if close > open\n    alert('x', alert.freq_once_per_bar)\nplot(close)"),
    ("PB6004", "if barstate.isconfirmed and close > open\n    alert('x', alert.freq_all)\nplot(close)"),
    ("PB6004", "if close > open\n    alert('x')\nplot(close)"),
    (
        "PB6001",
        "made(string side) => '{\"side\": \"' + side + '\"}'\nif close > open\n    alert(made('buy'))\nplot(close)",
    ),
    (
        "PB6001",
        "words = '{'\nwords += '\"a\": 1'\nwords := words + '}'\nif close > open\n    alert(words)\nplot(close)",
    ),
    (
        "PB6001",
        "words = '{'\nif close > open\n    words += '\"a\": 1'\nwords := words + ']'\n"
        "if close > open\n    alert(words)\nplot(close)",
    ),
    (
        "PB6001",
        'buy = close > open\nif close > open\n    alert(buy ? \'{"side": "buy"}\' : \'{"side": "sell"}\')\nplot(close)',
    ),
    ("PB6001", "if close > open\n    alert('{\"symbol\": \"' + syminfo.ticker + '\"}')\nplot(close)"),
    (
        "PB6002",
        "words = close > open ? '{{close}}' : '{{open}}'\n"
        "alertcondition(close > open, 'a', 'x {{ticker}}')\nplot(str.length(words))",
    ),
    (
        "PB6004",
        "int event = 0\nif barstate.isconfirmed\n    event := close > open ? 1 : 0\nif event > 0\n"
        "    alert('e', alert.freq_all)",
    ),
    (
        "PB6004",
        "send(string m, string freq = 'close') =>\n    if freq == 'all'\n        alert(m, alert.freq_all)\n"
        "    else\n        alert(m, alert.freq_once_per_bar_close)\nif close > open\n    send('x')",
    ),
    ("PB6002", "alertcondition(close > open, 'x', '{{plot_3}}')\nplotcandle(open, high, low, close, 'A')"),
    (
        "PB6002",
        "c = close > open ? color.red : color.blue\nalertcondition(close > open, 'x', '{{plot_1}}')\n"
        "plot(close, color = c)",
    ),
    ("PB6002", "alertcondition(close > open, 'x', '{{plot(\"Plot\")}}')\nplot(close)"),
    (
        "PB6004",
        "varip sent = false\nif barstate.isnew\n    sent := false\nif close > open and not sent\n"
        "    alert('x', alert.freq_all)\n    sent := true\nplot(close)",
    ),
    (
        "PB6004",
        "type Zone\n    float top\n    bool told = false\nvar z = Zone.new(close)\nif high > z.top and not z.told\n"
        "    z.told := true\n    alert('x', alert.freq_all)\nplot(close)",
    ),
    (
        "PB6004",
        "var states = array.new<int>(3, 0)\nfor i = 0 to 2\n    state = states.get(i)\n    if state == 0 and high > i\n"
        "        states.set(i, 1)\n        alert('x', alert.freq_all)\nplot(close)",
    ),
    ("PB6004", "if barstate.isnew\n    alert('x', alert.freq_all)\nplot(close)"),
    (
        "PB6001",
        "m = switch\n    close > open => '{\"a\": 1}'\n    => '{\"a\": 2}'\nif close > high[1]\n    alert(m)\n"
        "plot(close)",
    ),
    (
        "PB6001",
        "m = if close > open\n    '{\"a\": 1}'\nif close > high[1]\n    alert(m + ' ')\nplot(close)",
    ),
]


@each(("code", "body", "expected"), REPORTED)
def test_it_is_reported(code: str, body: str, expected: list[str]) -> None:
    assert marked(code, body) == expected


@each(("code", "body"), LEFT_ALONE)
def test_it_is_left_alone(code: str, body: str) -> None:
    assert marked(code, body) == []
