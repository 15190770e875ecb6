"""Which built-ins depend on history. `findings/consistency.txt` has the calls that do not run on every bar."""

from pinebench import reference


def test_no_method_depends_on_history() -> None:
    """A call is passed over where its path names no built-in that does, whatever value it is a method of."""
    functions = [found for name in reference.functions() if (found := reference.function(name)) is not None]
    assert [found.name for found in functions if found.history_dependent and found.receiver] == []
    assert any(found.history_dependent for found in functions)
