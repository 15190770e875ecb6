"""Our own checker as a compiler."""

import pytest

from pinebench import compilers
from pinebench.compilers import CompilerUnavailable
from pinebench.compilers.local import LocalCompiler
from pinebench.context import CancelledError, Context
from pinebench.errors import UsageError

CLEAN = '//@version=6\nindicator("x")\nplot(close)\n'


def test_a_sound_script_compiles() -> None:
    verdict = LocalCompiler().compile(CLEAN, Context())
    assert (verdict.ok, verdict.origin, verdict.diagnostics) == (True, "local", ())


def test_an_error_does_not() -> None:
    verdict = LocalCompiler().compile(CLEAN.replace("close", "clsoe"), Context())
    assert not verdict.ok
    assert [error.code for error in verdict.errors] == ["CE10272"]


@pytest.mark.parametrize("version", [3, 4, 5])
def test_an_older_script_is_not_judged(version: int) -> None:
    with pytest.raises(CompilerUnavailable, match=f"v{version}"):
        LocalCompiler().compile(CLEAN.replace("=6", f"={version}"), Context())


def test_work_that_was_called_off_is_not_begun() -> None:
    with pytest.raises(CancelledError):
        LocalCompiler().compile(CLEAN, Context(cancelled=lambda: True))


def test_compilers_are_had_by_name() -> None:
    assert [compilers.get(name).name for name in ("local", "online")] == ["local", "online"]
    with pytest.raises(UsageError):
        compilers.get("remote")
