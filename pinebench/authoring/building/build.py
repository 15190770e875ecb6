"""Combines modules into one Pine Script v6 strategy: any entry can open a position, if all filters allow it. The
strategy has one exit and one sizing method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from pinebench.authoring.building.modules import find
from pinebench.authoring.building.parts import StrategyModule, Value
from pinebench.authoring.building.presets import PRESETS
from pinebench.errors import UsageError

Direction = Literal["both", "long", "short"]

_WIDTH = 110
"""The largest number of characters in a line of the description."""


class StrategyPlan(NamedTuple):
    """The modules of a strategy. `values` maps `module.setting` to the default of a setting."""

    title: str
    entries: tuple[StrategyModule, ...]
    filters: tuple[StrategyModule, ...]
    exit: StrategyModule
    sizing: StrategyModule
    direction: Direction
    values: dict[str, Value]

    @property
    def modules(self) -> tuple[StrategyModule, ...]:
        """All modules, in the order in which the script contains them."""
        return (*self.entries, *self.filters, self.exit, self.sizing)


class BuiltStrategy(NamedTuple):
    """A generated strategy: its plan and its script."""

    plan: StrategyPlan
    source: str


def plan_of(
    title: str | None = None,
    *,
    preset: str | None = None,
    entries: Sequence[str] | None = None,
    filters: Sequence[str] | None = None,
    exit: str | None = None,
    sizing: str | None = None,
    direction: Direction = "both",
    settings: Mapping[str, object] | None = None,
) -> StrategyPlan:
    """Return the plan for the named modules. Modules that are not named come from `preset`. `settings` replaces the
    defaults of inputs, by `module.setting`. Raises UsageError if a name does not exist or is repeated, if a setting is
    invalid, or if there is no entry."""
    known = PRESETS.get(preset) if preset is not None else None
    if preset is not None and known is None:
        raise UsageError(f"there is no preset '{preset[:60]}'", f"the presets are {', '.join(PRESETS)}")
    if entries is None:
        entries = known.entries if known else ()
    if filters is None:
        filters = known.filters if known else ()
    if not entries:
        raise UsageError("a strategy needs an entry", "name entries, or a preset")
    plan = StrategyPlan(
        " ".join((title or (known.title if known else "")).split()),
        tuple(find("entry", name) for name in entries),
        tuple(find("filter", name) for name in filters),
        find("exit", exit or (known.exit if known else "atr_stop")),
        find("sizing", sizing or (known.sizing if known else "fixed_risk")),
        direction,
        {},
    )
    for module in plan.modules:
        if plan.modules.count(module) > 1:
            raise UsageError(f"{module.name} is named twice", "name each module once")
    own = [each.name for each in plan.modules]
    given = {name: value for name, value in (known.settings if known else {}).items() if name.partition(".")[0] in own}
    named = plan._replace(values=_values(plan, {**given, **(settings or {})}))
    return named._replace(title=named.title or " + ".join(each.title for each in named.entries))


def build(plan: StrategyPlan) -> BuiltStrategy:
    """Return the script for a plan, in the layout of Pine's style guide."""
    from pinebench.formatting import format_text

    regions = (
        ("Inputs", _inputs(plan)),
        ("Functions", _FUNCTIONS),
        ("Calculations", _calculations(plan)),
        ("Orders", _orders(plan)),
        ("Visuals", _visuals(plan)),
    )
    body = "\n\n".join(f"//#region ———————————————————— {title}\n\n{text}\n\n//#endregion" for title, text in regions)
    return BuiltStrategy(plan, format_text(f"{_head(plan)}\n\n{body}\n").text)


def _values(plan: StrategyPlan, settings: Mapping[str, object]) -> dict[str, Value]:
    """Check the settings, and return them. Raises UsageError if a setting is not in the plan or does not fit."""
    own = {module.name: module for module in plan.modules}
    values: dict[str, Value] = {}
    for name, value in settings.items():
        module, _, setting = name.partition(".")
        found = own[module].setting(setting) if module in own else None
        if found is None:
            known = [f"{each.name}.{one.name}" for each in plan.modules for one in each.settings]
            raise UsageError(f"there is no setting '{name[:80]}'", f"the settings are {', '.join(known)}")
        values[name] = found.taken(name, value)
    for module in plan.modules:
        _check_order(module, values)
    return values


def _check_order(module: StrategyModule, values: Mapping[str, Value]) -> None:
    if module.ordered is None:
        return
    names = [f"{module.name}.{name}" for name in module.ordered]
    low, high = (values.get(name, _default(module, name)) for name in names)
    if not float(low) < float(high):
        raise UsageError(f"{names[0]} must be less than {names[1]}, got: {low} and {high}")


def _default(module: StrategyModule, name: str) -> Value:
    return next(each.default for each in module.settings if f"{module.name}.{each.name}" == name)


def _head(plan: StrategyPlan) -> str:
    words = " ".join(each.purpose for each in plan.entries)
    if plan.filters:
        words += " Only if all filters agree: " + ", ".join(each.title.lower() for each in plan.filters) + "."
    words += f" {plan.exit.purpose} Size: {plan.sizing.purpose[0].lower()}{plan.sizing.purpose[1:]}"
    words += (
        " Signals come from closed bars, and orders are filled at the next open;"
        " the stop never risks more than is accepted."
    )
    lines = _folded(f"@description {words}")
    return "\n".join(
        [
            "//@version=6",
            f"//{lines[0]}",
            *(f"//  {line}" for line in lines[1:]),
            f"strategy({text(plan.title)}, overlay = true, initial_capital = 10000,",
            "     default_qty_type = strategy.percent_of_equity, default_qty_value = 10,",
            "     commission_type = strategy.commission.percent, commission_value = 0.05, slippage = 1,",
            "     pyramiding = 0, margin_long = 100, margin_short = 100)",
        ]
    )


def _folded(words: str) -> list[str]:
    from textwrap import wrap

    return wrap(words, _WIDTH, break_long_words=False, break_on_hyphens=False)


def text(words: str) -> str:
    """Return `words`, which must be one line, as a Pine Script string literal."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _inputs(plan: StrategyPlan) -> str:
    lines = [
        'const string LONG_ID = "Long"',
        'const string SHORT_ID = "Short"',
        'const string LONG_EXIT = "Long exit"',
        'const string SHORT_EXIT = "Short exit"',
        'const string GROUP_RISK = "Risk and direction"',
    ]
    lines += [f"const string {_group(module)} = {text(module.title)}" for module in plan.modules if module.settings]
    lines.append("")
    lines += [_input(plan, module, number) for module in plan.modules for number in range(len(module.settings))]
    lines += [
        'float riskInput = input.float(1.0, "Risk per trade, %", minval = 0.05, maxval = 10.0, step = 0.05,\n'
        '     group = GROUP_RISK, tooltip = "Largest share of equity that a stop may lose.")',
        'float exposureInput = input.float(90.0, "Largest position, %", minval = 1.0, maxval = 95.0, step = 5.0,\n'
        '     group = GROUP_RISK, tooltip = "Largest share of equity in a position; below 100, some stays free.")',
        f'bool longsInput = input.bool({_literal(plan.direction != "short")}, "Long trades", group = GROUP_RISK,\n'
        '     tooltip = "Off: nothing is bought.")',
        f'bool shortsInput = input.bool({_literal(plan.direction != "long")}, "Short trades", group = GROUP_RISK,\n'
        '     tooltip = "Off: nothing is sold short.")',
    ]
    return "\n".join(lines)


def _group(module: StrategyModule) -> str:
    return f"GROUP_{module.name.upper()}"


def _input(plan: StrategyPlan, module: StrategyModule, number: int) -> str:
    setting = module.settings[number]
    value = plan.values.get(f"{module.name}.{setting.name}", setting.default)
    limits = ""
    if setting.kind in ("int", "float"):
        shown = int if setting.kind == "int" else float
        limits = f", minval = {shown(setting.least)}, maxval = {shown(setting.most)}"
        limits += f", step = {setting.step}" if setting.step else ""
    kind = {"int": "int", "float": "float", "bool": "bool", "session": "string"}[setting.kind]
    return (
        f"{kind} {setting.variable} = input.{setting.kind}({_literal(value)}, {text(setting.title)}{limits},\n"
        f"     group = {_group(module)}, tooltip = {text(setting.tooltip)})"
    )


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return text(value) if isinstance(value, str) else repr(value)


_FUNCTIONS = """\
//@function        Largest quantity that loses no more than the accepted share of equity at the stop.
//@param money     Equity in the symbol's currency.
//@param distance  Distance between the price and the stop.
//@returns         The quantity, within the largest allowed position; zero if there is no room for a stop.
riskSize(float money, float distance) =>
    float byRisk = distance > 0.0 ? money * riskInput / 100.0 / (distance * syminfo.pointvalue) : 0.0
    math.min(byRisk, money * exposureInput / 100.0 / (close * syminfo.pointvalue))

//@function        Rounds a quantity down to what can be traded.
//@param quantity  The quantity.
//@returns         The quantity in whole steps; zero when that is too little.
inSteps(float quantity) =>
    math.max(0.0, math.floor(quantity / syminfo.mincontract) * syminfo.mincontract)"""


def _calculations(plan: StrategyPlan) -> str:
    parts = [module.code for module in (*plan.entries, *plan.filters) if module.code]
    parts.append(_STATE)
    parts += [plan.exit.code] if plan.exit.code else []
    parts.append(_sizes(plan))
    parts.append(_signals(plan))
    return "\n\n".join(parts)


_STATE = """\
bool isFlat = strategy.position_size == 0
bool isLong = strategy.position_size > 0
bool isShort = strategy.position_size < 0
float capital = strategy.convert_to_symbol(strategy.equity)"""


def _sizes(plan: StrategyPlan) -> str:
    lines = [f"float longDistance = {plan.exit.long}", f"float shortDistance = {plan.exit.short}"]
    lines += [plan.sizing.code] if plan.sizing.code else []
    for side in ("long", "short"):
        allowed = f"riskSize(capital, {side}Distance)"
        asked: str = getattr(plan.sizing, side)
        lines.append(f"float {side}Size = inSteps({f'math.min({asked}, {allowed})' if asked else allowed})")
    return "\n".join(lines)


def _signals(plan: StrategyPlan) -> str:
    lines = ["//  Orders are decided when a bar has closed, so no signal disappears later."]
    for side in ("long", "short"):
        conditions: list[str] = [getattr(each, side) for each in plan.entries]
        signal = " or ".join(f"({each})" for each in conditions) if len(conditions) > 1 else conditions[0]
        lines.append(f"bool {side}Signal = {signal}")
    late = f" and not {plan.exit.at_once}" if plan.exit.at_once else ""
    for side in ("long", "short"):
        agreed = "".join(f" and {getattr(each, side)}" for each in plan.filters)
        title = side.capitalize()
        lines.append(
            f"bool go{title} = barstate.isconfirmed and isFlat and {side}sInput and {side}Signal{agreed}{late} and "
            f"{side}Size > 0.0"
        )
    return "\n".join(lines)


def _reason(plan: StrategyPlan, side: str) -> str:
    """Return an expression for the title of the first entry whose condition holds."""
    *others, last = plan.entries
    return "".join(f"{getattr(each, side)} ? {text(each.title)} : " for each in others) + text(last.title)


def _orders(plan: StrategyPlan) -> str:
    exit = plan.exit
    target = ',\n         limit = targetPrice, comment_profit = "Target"' if exit.target else ""
    lines = ["var string opener = na", "var float stopPrice = na"]
    lines += ["var float targetPrice = na", ""] if exit.target else [""]
    for side, sign, back in (("long", "-", "+"), ("short", "+", "-")):
        title, name = side.capitalize(), side.upper()
        lines += [
            f"if go{title} and not goLong" if side == "short" else f"if go{title}",
            f"    opener := {_reason(plan, side)}",
            f"    stopPrice := close {sign} {side}Distance",
        ]
        if exit.target:
            lines.append(f"    targetPrice := {exit.target} > 0.0 ? close {back} {exit.target} : na")
        lines.append(f"    strategy.entry({name}_ID, strategy.{side}, {side}Size, comment = opener)")
    for side, best in (("long", "max"), ("short", "min")):
        title, trail = side.capitalize(), getattr(exit, f"{side}_trail")
        if trail:
            lines += [f"if is{title} and barstate.isconfirmed", f"    stopPrice := math.{best}(stopPrice, {trail})"]
    lines.append("")
    for side in ("long", "short"):
        title, name = side.capitalize(), side.upper()
        lines += [
            f"if go{title} or is{title}",
            f'    strategy.exit({name}_EXIT, {name}_ID, stop = stopPrice, comment_loss = "Stop"{target})',
        ]
    lines += ["", *_endings(plan)]
    return "\n".join(lines)


def _endings(plan: StrategyPlan) -> list[str]:
    lines: list[str] = []
    for side, other in (("long", "short"), ("short", "long")):
        title, name = side.capitalize(), side.upper()
        done = [
            f"opener == {text(each.title)} and {getattr(each, f'{side}_done')}"
            for each in plan.entries
            if getattr(each, f"{side}_done")
        ]
        conditions = [f"{other}Signal", *(f"({each})" for each in done), *([plan.exit.over] if plan.exit.over else [])]
        lines += [
            f"bool is{title}Over = {' or '.join(conditions)}",
            f"if is{title} and barstate.isconfirmed and is{title}Over",
            f'    strategy.close({name}_ID, comment = "Over")',
        ]
    if plan.exit.at_once:
        lines += [
            f"if not isFlat and barstate.isconfirmed and {plan.exit.at_once}",
            '    strategy.close_all(comment = "End of day", immediately = true)',
        ]
    return lines


def _visuals(plan: StrategyPlan) -> str:
    lines = [module.plots for module in plan.modules if module.plots]
    lines.append('plot(isFlat ? na : stopPrice, "Stop", color.red, style = plot.style_linebr)')
    if plan.exit.target:
        lines.append('plot(isFlat ? na : targetPrice, "Target", color.green, style = plot.style_linebr)')
    lines += [
        'plotshape(goLong, "Long signal", shape.triangleup, location.belowbar, color.teal, size = size.tiny)',
        'plotshape(goShort, "Short signal", shape.triangledown, location.abovebar, color.orange, size = size.tiny)',
    ]
    return "\n".join(lines)
