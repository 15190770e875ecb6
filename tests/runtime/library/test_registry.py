"""Every built-in function of the reference is computed by the library, or belongs to who runs scripts."""

import inspect

from pinebench import reference
from pinebench.runtime.builtins import CONTEXT_FUNCTIONS, FUNCTIONS, KERNELS, SOURCES
from tests.tables import each

_OTHERS = frozenset(
    """
    alert alertcondition barcolor bgcolor bool color fill float hline indicator int library max_bars_back na nz
    plot plotarrow plotbar plotcandle plotchar plotshape string
    """.split()
)
"""What declares, draws, orders, asks or casts: the runtime's own, as everything in the namespaces below."""

_NAMESPACES = frozenset(
    """
    box chart input label line linefill log polyline request runtime strategy table ticker
    """.split()
)
_VARIABLES = frozenset(
    """
    session.isfirstbar session.isfirstbar_regular session.islastbar session.islastbar_regular session.ismarket
    session.ispostmarket session.ispremarket time_tradingday
    """.split()
)


def _computed() -> dict[str, list[str]]:
    """The names of the registries by the reference's names."""
    found: dict[str, list[str]] = {}
    for key in (*FUNCTIONS, *CONTEXT_FUNCTIONS, *KERNELS):
        found.setdefault(key.partition("#")[0], []).append(key)
    return found


def test_every_function_is_computed_or_somebody_elses() -> None:
    computed = set(_computed())
    missing = {name for name in reference.functions() if name not in computed}
    assert {name for name in missing if name.partition(".")[0] not in _NAMESPACES} == _OTHERS


def test_every_variable_of_ta_is_computed() -> None:
    computed = _computed()
    for name in reference.variables():
        if name.startswith("ta."):
            assert name in computed, name
            assert reference.function(name) is None or f"{name}#variable" in computed[name], name


def test_nothing_is_computed_that_is_not_in_the_reference() -> None:
    known = {*reference.functions(), *reference.variables()}
    assert {name for name in _computed() if name not in known} == set()
    assert {name for name in _VARIABLES if name not in CONTEXT_FUNCTIONS} == set()


@each("name", sorted(name for name in _computed() if reference.function(name) is not None))
def test_every_overload_is_reached_and_takes_its_parameters(name: str) -> None:
    function = reference.function(name)
    assert function is not None
    for number, overload in enumerate(function.overloads):
        key = f"{name}#{number}" if f"{name}#{number}" in _computed()[name] else name
        assert key in _computed()[name], f"{key} is in no registry"
        if function.variadic:
            continue
        if key in KERNELS:
            given = 1 + (key in SOURCES) + len(overload.parameters) + len(KERNELS[key].reads)
            signature = inspect.signature(KERNELS[key].__call__)  # pyright: ignore[reportFunctionMemberAccess]
            signature.bind(None, *range(given))
        elif name in ("time", "time_close"):
            inspect.signature(CONTEXT_FUNCTIONS[key]).bind(None, *range(5))
        else:
            context = key in CONTEXT_FUNCTIONS
            called = CONTEXT_FUNCTIONS[key] if context else FUNCTIONS[key]
            inspect.signature(called).bind(*range(len(overload.parameters) + context))
