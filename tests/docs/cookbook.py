"""What a run of a recipe shows, as `pine/cookbook/recipes.toml` writes it down."""

from typing import Any

from pinebench.workers.jobs import RunResult


def shown(ran: RunResult) -> dict[str, Any]:
    """Counts of shapes, drawings, trades, alerts and logs by name, and under `last` the values of plots at the end.

    Names with a count of 0 are left out; values are rounded to six digits, and na is left out.
    """
    result = ran.result
    found: dict[str, Any] = {plot.title: plot.exported.count(True) for plot in result.plots if _is_shape(plot.exported)}
    found |= {kind: len(drawings) for kind, drawings in result.drawings.items()}
    found |= {"alerts": len(result.alerts), "logs": len(result.logs)}
    if ran.tested is not None:
        found["trades"] = len(ran.tested.trades)
    last = {plot.title: _rounded(plot.exported[-1]) for plot in result.plots if not _is_shape(plot.exported)}
    found["last"] = {title: value for title, value in last.items() if value == value}
    return {name: value for name, value in found.items() if value}


def _is_shape(values: list[Any]) -> bool:
    return isinstance(values[-1], bool)


def _rounded(value: Any) -> float:
    return float(f"{float('nan') if value is None else value:.6g}")
