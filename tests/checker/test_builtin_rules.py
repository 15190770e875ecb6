"""Rules of single built-ins: declarations, orders, requests, sorting, line widths."""

import pytest

from pinebench import reference
from pinebench.checker import check
from pinebench.diagnostics import Severity
from pinebench.syntax import parse
from tests.checker.support import checked, codes, messages, spans

OBJECTS = "type P\n    color c\n    int n\na = array.new<P>()\n"


def errors(script: str) -> list[str]:
    """The codes of the errors of a whole script."""
    return [finding.code for finding in check(parse(script)).diagnostics if finding.severity is Severity.ERROR]


CONSTANTS = [name for name in reference.constants() if name.startswith("strategy.")]
"""What indicators and libraries may use of `strategy.*`."""
PLACES = [
    *[name for name in reference.variables() if name.startswith("strategy.")],
    *[
        'strategy.entry("l", strategy.long)',
        "strategy.close_all()",
        'strategy.cancel("l")',
        'strategy.exit("x", stop = 1)',
        "strategy.closedtrades.entry_price(0)",
        "strategy.opentrades.size(0)",
        "strategy.default_entry_qty(close)",
        "strategy.convert_to_account(1)",
        "strategy.risk.max_position_size(1)",
    ],
]


def test_only_strategies_trade() -> None:
    for place in PLACES:
        name = place.partition("(")[0]
        line = place if "(" in place else f"q = {place}"
        told = (
            f"You cannot use strategy functions ({name}) in indicator script."
            ' Please replace "indicator" with "strategy".'
        )
        assert messages(line) == [told]
        assert spans(line) == [f"CE10027 {place}"]
        assert errors(f'//@version=6\nstrategy("s")\n{line}\nplot(close)\n') == [], place
        if "risk" not in name:
            assert errors(f'//@version=6\nlibrary("s")\nexport f(int x) =>\n    {line}\n    x\n') == [], place


def test_constants_of_strategies_work_everywhere() -> None:
    assert CONSTANTS
    for name in CONSTANTS:
        assert codes(f"x = {name}") == "", name
        assert errors(f'//@version=6\nlibrary("s")\nexport f(int x) =>\n    y = {name}\n    x\n') == [], name


def test_too_many_values_are_requested() -> None:
    def request(symbol: str, count: int) -> str:
        return f'request.security("{symbol}", "D", [{", ".join(["close"] * count)}])'

    assert codes(request("A", 127)) == ""
    assert codes(request("A", 128)) == "too-many-request-values"
    assert codes("\n".join(request(symbol, 64) for symbol in "ABC")) == ""


def test_the_message_names_the_field_and_its_type() -> None:
    assert messages(f"{OBJECTS}a.sort()") == [
        '"array.sort()" cannot sort by the field "c", which is of the "color" type'
    ]


@pytest.mark.parametrize(("boxes", "expected"), [(500, []), (1500, [Severity.INFO])])
def test_too_many_boxes_are_worth_a_remark(boxes: int, expected: list[Severity]) -> None:
    script = f'//@version=6\nindicator("x", max_boxes_count = {boxes})\nplot(close)\n'
    assert [finding.severity for finding in check(parse(script)).diagnostics] == expected


def test_a_request_follows_a_tree_of_calls_once() -> None:
    tree = "".join(f"f{n}() => f{n - 1}() + f{n - 1}()\n" for n in range(1, 40))
    head = f"f0() =>\n    label.new(bar_index, high)\n    close\n{tree}"
    assert codes(f'{head}x = request.security("A", "D", f39())\nplot(x)') == "CE10057"


def test_the_default_size_of_orders_is_a_number() -> None:
    head = "//@version=6\nQ = float(na)\nstrategy('x', default_qty_value = {})\nplot(close)\n"
    told = {given: errors(head.format(given)) for given in ("na", "float(na)", "Q", "1", "1.5")}
    assert told == {"na": ["CE10034"], "float(na)": ["CE10034"], "Q": ["CE10034"], "1": [], "1.5": []}


def test_what_only_the_manual_forbids_is_a_warning() -> None:
    """Each of these was an error that TradingView's compiler was never seen to report."""
    scripts = {
        "linewidth-too-small": "plot(close, linewidth = 0)",
        "default-not-in-options": 'x = input.string("c", options = ["a", "b"])',
        "request-depends-on-loop": 'for i = 0 to 1\n    x = request.security("A", "D", close[i])',
        "sort-field-type": OBJECTS + "a.sort()",
        "import-alias-repeated": "import A/B/1\nimport C/B/1",
        "switch-default-missing": "x = switch bar_index\n    1 => plot.style_line",
    }
    for code, script in scripts.items():
        found = checked(script).diagnostics
        assert [finding.severity for finding in found if finding.code == code] == [Severity.WARNING], code
        assert not [finding.code for finding in found if finding.severity is Severity.ERROR], code
