"""PB1017: constants that always stop the run, what is left alone, and what the safe fix writes."""

import pytest

from pinebench import reference
from pinebench.checker import open_program
from pinebench.diagnostics import Diagnostic
from pinebench.linter.fixes import fix_text
from pinebench.linter.rules import opinions_on
from pinebench.linter.rules.stopping_literal import READ
from pinebench.runtime import stopped_by
from tests.linter.rules.support import INDICATOR, marked
from tests.tables import each

OBJECTS = "type P\n    float a\n    string b\nrows = array.from(P.new(1, 'x'))\n"
ASKED = "plot(request.security(syminfo.tickerid, {}, close))"
STOPPED = [
    (ASKED.format('"4H"'), ['"4H"']),
    (ASKED.format('"1441"'), ['"1441"']),
    (ASKED.format('"13M"'), ['"13M"']),
    ('plot(time("15m"))', ['"15m"']),
    ('plot(close > open ? time("1d") : 0)', ['"1d"']),
    (ASKED.format('close > open ? "4H" : "240"'), ['"4H"']),
    ('tf = "4" + "H"\n' + ASKED.format("tf"), ['"4" + "H"']),
    ('tf = input.string("4H", "TF", options = ["4H", "1D"])\n' + ASKED.format("tf"), ['"4H"', '"4H"']),
    ('f(t) => request.security(syminfo.tickerid, t, close)\nplot(f("60") + f("1h"))', ['"1h"']),
    ('tf = input.timeframe("1H")\n' + ASKED.format("tf"), ['"1H"']),
    ('s = input.session("930-1600")\nplot(time("", s))', ['"930-1600"']),
    ('plot(time("", "9:30-16:00", "America/NewYork"))', ['"9:30-16:00"', '"America/NewYork"']),
    ('plot(hour(time, "UTC+25"))', ['"UTC+25"']),
    ('plot(timestamp("Feb 20"))', ['"Feb 20"']),
    ("""plot(str.length(str.format('{"a": {0}}', close)))""", ["""'{"a": {0}}'"""]),
    ('log.info("{0} {", close)', ['"{0} {"']),
    ('plot(str.length(str.format_time(time, "yyyy tt")))', ['"yyyy tt"']),
    (OBJECTS + 'rows.sort(sort_field = "c")', ['"c"']),
    (OBJECTS + "rows.sort(sort_field = 2)", ["2"]),
    ("plot(close[-1])", ["-1"]),
    ("s = 0\nfor i = 0 to 10 by -1\n    s += i\nplot(s)", ["-1"]),
    ("step = 0\ns = 0.0\nfor i = 0.5 to 3 by step\n    s += i\nplot(s)", ["step"]),
    ("s = 0.0\nfor i = 10 to 0 by -0.5\n    s += i\nplot(s)", ["-0.5"]),
]
RUNS = [
    *[ASKED.format(f'"{text}"') for text in ("", "1", "1440", "D", "1D", "52W", "12M", "45S")],
    'plot(time("", "0930-1600:23456", "GMT+5:30"))',
    'plot(time("", "24x7"))',
    'plot(timestamp("27 MAY 24 00:00 +0300"))',
    """plot(str.length(str.format("'{'{0}", close)))""",
    """log.info('{"a": 1}')""",
    "plot(str.length(str.format_time(time, \"yyyy-MM-dd 'at' HH:mm\")))",
    OBJECTS + 'rows.sort(sort_field = "b")',
    OBJECTS + "rows.sort(sort_field = 1)",
    "plot(close[1])",
    "s = 0\nfor i = 10 to 0 by 2\n    s += i\nplot(s)",
    "step = input.int(0)\ns = 0\nfor i = 0 to 10 by step\n    s += i\nplot(s)",
    "step = -1\nstep := 2\ns = 0\nfor i = 0 to 10 by step\n    s += i\nplot(s)",
]
"""Code that no literal stops."""
TRANSLATED = [
    'tz = input.string("Exchange", options = ["Exchange", "UTC"])\n'
    'plot(hour(time, tz == "Exchange" ? syminfo.timezone : tz))',
    'tf = input.string("Chart", options = ["Chart", "60"])\nif tf != "Chart"\n'
    "    log.info(str.tostring(request.security(syminfo.tickerid, tf, close)))\nplot(close)",
    'tf = input.timeframe("Chart", options = ["Chart", "60"])\n'
    + ASKED.format("tf == 'Chart' ? timeframe.period : tf"),
    'tf = input.string("4H", options = ["4H", "1D"])\nused = switch tf\n    "4H" => "240"\n    => tf\n'
    + ASKED.format("used"),
]
"""Names of options that a condition translates before they are read."""


def test_what_stops_a_run_is_reported_where_it_is_written() -> None:
    for body, expected in STOPPED:
        assert marked("PB1017", body) == expected, body


@pytest.mark.parametrize("bodies", [RUNS, TRANSLATED])
def test_what_runs_is_left_alone(bodies: list[str]) -> None:
    for body in bodies:
        assert marked("PB1017", body) == [], body


@each(
    ("body", "fixed"),
    [
        (ASKED.format('"4H"'), ASKED.format('"240"')),
        ("plot(time('1d'))", "plot(time('1D'))"),
        ('plot(time("15m"))', 'plot(time("15"))'),
        # Fifteen months and 15 minutes are both possible.
        ('plot(time("15M"))', None),
        ('plot(time("", "9:30-16:00"))', 'plot(time("", "0930-1600"))'),
        ('plot(time("", "930-1600:23456"))', 'plot(time("", "0930-1600:23456"))'),
        ('plot(time("", "0930-1600:8"))', None),
        (
            """plot(str.length(str.format('{"a": {0}}', close)))""",
            r"""plot(str.length(str.format('\'{\'"a": {0}}', close)))""",
        ),
        ("plot(str.length(str.format('{{{0}}}', close)))", None),
        # Another place may compare the text.
        ('tf = "4H"\n' + ASKED.format("tf"), None),
    ],
)
def test_only_a_certain_correction_is_safe(body: str, fixed: str | None) -> None:
    def found(text: str) -> list[Diagnostic]:
        return list(opinions_on(open_program(text), ["PB1017"], None))

    changed = fix_text(f"{INDICATOR}{body}\n", opinions=("PB1017",), should_fix=lambda each: each.code == "PB1017").text
    assert changed == f"{INDICATOR}{fixed or body}\n"
    if fixed is not None:
        assert found(changed) == []


def test_every_parameter_with_a_form_is_read() -> None:
    forms = {"timeframe", "timezone", "dateString", "formatString"}
    for name in reference.functions():
        function = reference.function(name)
        assert function is not None
        given = {parameter.name for overload in function.overloads for parameter in overload.parameters} & forms
        assert given <= set(READ.get(name, ())), name


def test_the_parsers_are_those_of_runs() -> None:
    told = {
        "timeframe": ("4H", "Invalid timeframe: 4H"),
        "session": ("0930", "bad session entry - 0930"),
        "timezone": ("Mars", "Invalid time zone: Mars"),
        "date": ("soon", "Unrecognized date-time format: soon"),
        "pattern": ("{a}", "can't parse argument number: a"),
        "time pattern": ("tt", "Invalid `format` value: tt"),
    }
    for kind, (text, message) in told.items():
        fault = stopped_by(kind, text)
        assert fault is not None and fault.message == message
        assert stopped_by(kind, "") is None
