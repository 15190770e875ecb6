"""The records of the catalogue: the facts about an indicator that its script does not state."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["overlay", "panel", "external"]

LABELS = frozenset(
    "buy sell buy_small sell_small gold_buy buy_oversold sell_overbought rsi_oversold rsi_overbought"
    " stoch_oversold stoch_overbought wt_bull_div wt_bear_div rsi_bull_div rsi_bear_div stoch_bull_div stoch_bear_div"
    " any_bull_div any_bear_div cross_up_os cross_down_ob cross_up cross_down flip_up flip_down".split()
)
"""The labels that signals of the catalogue's indicators have."""


@dataclass(frozen=True, slots=True)
class IndicatorParameter:
    """A setting of an indicator: its name, the script's variable that it sets, and its default. If `default` is None,
    the script's own default applies."""

    name: str
    variable: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Indicator:
    """One indicator of the catalogue. Its script is the file `path`.

    `aliases` are other names for it, and so is `title`, which its script declares. An `overlay` is drawn on the prices,
    and a `panel` below them. An `external` one is a panel that needs bars of another symbol, or shorter bars. `label`
    is its name on a chart, with the script's variables in braces. `limits` are the smallest and the largest value of
    its panel. `signals` lists the labels of its signals. With `shown_only` it is computed from the bars that are shown,
    without the bars before them. `lower` is the variable of the input that names the timeframe of the shorter bars that
    it requests. `memory` is the length of its longest average, if that is not a setting.

    `lines` maps names of lines to the titles of their plots, in order. If it is empty, all plots are lines under their
    titles. `segments` maps a colour (`#RRGGBB`) to the name of the horizontal lines and polylines that the script draws
    in it. `chartgen` are the inputs, and `calls` the functions, that the dialect of chartgen uses instead.
    """

    name: str
    description: str
    kind: Kind
    label: str
    path: Path
    aliases: tuple[str, ...] = ()
    limits: tuple[float, float] | None = None
    signals: tuple[str, ...] = ()
    parameters: tuple[IndicatorParameter, ...] = ()
    shown_only: bool = False
    lower: str = ""
    memory: int = 0
    lines: dict[str, str] = field(default_factory=dict[str, str])
    segments: dict[str, str] = field(default_factory=dict[str, str])
    chartgen: dict[str, str] = field(default_factory=dict[str, str])
    calls: dict[str, str] = field(default_factory=dict[str, str])
    title: str = ""

    @property
    def is_overlay(self) -> bool:
        """Whether the indicator is drawn on the prices."""
        return self.kind == "overlay"

    @property
    def source(self) -> str:
        """The Pine text of the indicator."""
        from pinebench.files import read

        return read(self.path).text
