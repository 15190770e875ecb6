"""PB1017: what the safe fix of a constant that always stops the run writes, and which parameters are read."""

from __future__ import annotations

from pinebench import reference
from pinebench.checker import open_program
from pinebench.diagnostics import Diagnostic
from pinebench.linter.fixes import fix_text
from pinebench.linter.rules import opinions_on
from pinebench.linter.rules.stopping_literal import READ
from pinebench.runtime import stopped_by
from tests.linter.rules.support import INDICATOR
from tests.tables import each

ASKED = "plot(request.security(syminfo.tickerid, {}, close))"


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

    changed = fix_text(f"{INDICATOR}{body}\n", opinions=("PB1017",), wanted=lambda each: each.code == "PB1017").text
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
