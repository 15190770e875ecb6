"""Tables with a row for each bar, and their conversion to numpy, pandas and polars."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pinebench.errors import UnavailableError

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars


class BarTable(ABC):
    """A table with one row for each bar, and named columns."""

    @property
    @abstractmethod
    def times(self) -> Sequence[int]:
        """The opening time of each bar, in milliseconds UTC."""

    @property
    @abstractmethod
    def columns(self) -> Mapping[str, Sequence[Any]]:
        """The columns by name; each has one value for each bar."""

    def to_numpy(self) -> dict[str, numpy.ndarray[Any, Any]]:
        """Return the columns as numpy arrays by name. `time` is datetime64 in milliseconds UTC, and na becomes nan.

        Raises UnavailableError without numpy.
        """
        np = package("numpy")
        found = {"time": np.array(self.times, "datetime64[ms]")}
        return found | {name: array(values) for name, values in self.columns.items()}

    def to_pandas(self) -> pandas.DataFrame:
        """Return the columns as a data frame. Its index is the opening time of each bar (UTC). Raises UnavailableError
        without pandas."""
        pd, np = package("pandas"), package("numpy")
        index = pd.DatetimeIndex(np.array(self.times, "datetime64[ms]"), name="time").tz_localize("UTC")
        return pd.DataFrame({name: array(values) for name, values in self.columns.items()}, index=index)

    def to_polars(self) -> polars.DataFrame:
        """Return the columns as a data frame with a column `time` (UTC). Raises UnavailableError without polars."""
        pl = package("polars")
        time = pl.Series("time", self.times, pl.Int64).cast(pl.Datetime("ms", "UTC"))
        return pl.DataFrame([time, *(pl.Series(name, array(values)) for name, values in self.columns.items())])


def array(values: Sequence[Any]) -> numpy.ndarray[Any, Any]:
    """Return `values` as a numpy array of bools or integers, or else of floats, with na as nan. Raises UnavailableError
    without numpy."""
    np = package("numpy")
    if len(values) and all(isinstance(value, bool) for value in values):
        return np.array(values, bool)
    if len(values) and all(type(value) is int for value in values):
        return np.array(values, np.int64)
    return np.array([float("nan") if value is None else value for value in values], float)


def package(name: str) -> Any:
    """Import an optional package. If it is missing, raises UnavailableError with the command that installs it."""
    try:
        return import_module(name)
    except ImportError:
        raise UnavailableError(f"this function needs the package {name}", f"run: pip install {name}") from None
