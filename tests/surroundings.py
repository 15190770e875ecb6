"""What every test starts from: none of the caller's own settings, a home of its own, signals as a terminal sends them,
and examples that are the same in every run."""

import os
import signal
import threading

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers
from hypothesis.internal.constants_ast import Constants

from tests import homes

_FOREIGN = ("PINEBENCH_", "ANTHROPIC_", "GIT_", "MAKE", "CLICOLOR")
"""Beginnings of variables that would change what is run."""

_NAMES = {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "MFLAGS", "BASH_ENV", "DEBUG", "PYTHONPATH", "PYTHONWARNINGS"}

_SLOW = "PYTHONDONTWRITEBYTECODE"
"""With it, each of the many processes that tests start compiles all modules: a lint takes 0.47 s instead of 0.18 s."""

_CONSTANTS = "_get_local_constants"
"""The function of Hypothesis that returns the constants of loaded modules."""

_WANTED = {
    f"PINEBENCH_{name}" for name in ("BROWSER", "CORPUS", "MUTANTS", "PARITY", "PYNECORE", "SITE", "VERDICTS")
} | {"PINEBENCH_SOAK_SECONDS", "PINEBENCH_SOAK_SEED"}
"""What a caller says to the tests themselves."""


def settle() -> None:
    """Make the surroundings of this process, and of all that it starts, alike on every machine."""
    for name in filter(_is_foreign, list(os.environ)):
        del os.environ[name]
    homes.move()
    _hear_interruptions()
    # Whether a run passes must depend neither on luck nor on the machine's speed; `make soak` is there for searching.
    slow = [HealthCheck.too_slow]
    settings.register_profile("suite", deadline=None, derandomize=True, database=None, suppress_health_check=slow)
    settings.load_profile("suite")
    _draw_no_constants_of_modules()


def _draw_no_constants_of_modules() -> None:
    """Hypothesis also draws texts and numbers that stand in the modules of this checkout that are loaded.

    So the examples would depend on what other tests imported. To read all modules takes each worker a second.
    """
    none = Constants()
    assert hasattr(providers, _CONSTANTS)
    setattr(providers, _CONSTANTS, lambda: none)


def _is_foreign(name: str) -> bool:
    upper = name.upper()
    if upper in _WANTED:
        return False
    return upper.startswith(_FOREIGN) or upper.endswith("_PROXY") or upper in {*_NAMES, _SLOW}


def _hear_interruptions() -> None:
    """What a shell starts in the background ignores interruptions, and so would every program that a test starts."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)
