"""The built-ins that depend on the kind of a script."""

from pinebench import reference
from pinebench.reference.declarations import GROUPS, UnsupportedUse, refused, standing

KINDS = ("indicator", "strategy", "library")


def test_everything_that_reads_or_places_orders_is_refused_in_indicators() -> None:
    for name in (*reference.functions(), *reference.variables()):
        record = reference.function(name) or reference.variable(name)
        assert record is not None
        trades = "orders" in record.effects.reads | record.effects.changes
        expected = [UnsupportedUse.REFUSED if trades else None, None, None]
        if name != "alertcondition":
            assert [standing(name, kind) for kind in KINDS] == expected, name


def test_alert_conditions_do_nothing_outside_of_indicators() -> None:
    assert [standing("alertcondition", kind) for kind in KINDS] == [None, UnsupportedUse.IDLE, UnsupportedUse.IDLE]


def test_constants_and_unknown_names_are_in_no_group() -> None:
    for name in (*reference.constants(), "strategy", "strategy.nothing", "close"):
        assert {standing(name, kind) for kind in KINDS} == {None}, name
    assert {standing(group.beginning + "equity", None) for group in GROUPS} == {None}


def test_the_first_words_find_every_refused_builtin() -> None:
    assert refused("indicator") == ("strategy",)
    assert refused("library") == refused(None) == ()
