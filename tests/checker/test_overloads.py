"""The overload that a built-in call means, and the argument that is blamed when none fits."""

from pinebench.checker.builtins import OverloadSpec, Signature
from tests.checker.support import checked


def test_the_chosen_overload_is_remembered_with_its_arguments() -> None:
    program = checked("x = math.round(close, precision = 2)")
    calls = program.frame.calls.values()
    chosen = next(call for call in calls if isinstance(call.target, Signature) and call.target.name == "math.round")
    assert isinstance(chosen.overload, OverloadSpec) and "precision" in chosen.overload.index
    assert list(chosen.arguments) == ["number", "precision"]
