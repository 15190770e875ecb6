"""Reads requests for indicators: names, names with other settings, and the user's own scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pinebench.checker import Program, Signature, open_program
from pinebench.errors import UsageError
from pinebench.files import read, resources
from pinebench.indicators.catalogue import LIBRARIES, check, find
from pinebench.indicators.dialect import in_dialect
from pinebench.indicators.records import Indicator
from pinebench.near import near_names
from pinebench.runtime import Input, declared_arguments, inputs_of, settings_of

CHARTGEN = "chartgen"
"""The name of the other dialect, which computes what the program chartgen computes."""
WARM_UP = 500
"""The smallest number of bars that warm up an indicator, if there are as many before the bars that are shown."""
_MEMORIES = 15
"""An average of n bars has forgotten its first bar to 13 digits after 15 times n bars, Wilder's to 6 digits."""
_MOST_WARM_UP = 3000


@dataclass(frozen=True)
class IndicatorRequest:
    """A request for one indicator.

    `key` is its name in answers. `record` is its entry in the catalogue, or None for a user's script. `inputs` maps the
    script's variables, or for a user's script also titles of inputs, to values. `libraries` lists the folders with
    imported libraries. `compat` selects chartgen's dialect.
    """

    key: str
    source: str
    inputs: Mapping[str, Any]
    record: Indicator | None = None
    libraries: tuple[str, ...] = LIBRARIES
    compat: bool = False

    @property
    def program(self) -> Program:
        """The checked script."""
        return _opened(self.source, self.libraries)

    @property
    def warm_up(self) -> int:
        """The number of earlier bars to compute before the shown ones, so that averages no longer depend on the first
        bar. It is 0 in chartgen's dialect, which begins at the first shown bar, and for profiles of the shown bars."""
        if self.compat or (self.record is not None and self.record.shown_only):
            return 0
        longest = _longest_constant(self.program) if self.record is None else self.record.memory
        try:
            given = settings_of(self.program, self.inputs)
        except UsageError:  # the run says what is wrong with an input
            given = {}
        for each in inputs_of(self.program):
            value = given.get(each.node, each.default)
            if each.kind == "int" and isinstance(value, int):
                longest = max(longest, value)
        return max(WARM_UP, min(_MEMORIES * longest, _MOST_WARM_UP))

    @property
    def is_overlay(self) -> bool:
        """Whether the indicator is drawn on the prices."""
        return (
            self.record.is_overlay if self.record is not None else bool(declared_arguments(self.program).get("overlay"))
        )

    @property
    def label(self) -> str:
        """The indicator's name on a chart, with its settings; for a script of the user, its `shorttitle` or `title`."""
        if self.record is None:
            given = declared_arguments(self.program)
            return str(given.get("shorttitle") or given.get("title") or self.key)
        values = {each.variable: each.default for each in inputs_of(self.program)} | dict(self.inputs)
        return self.record.label.format(**{name: _shown(value) for name, value in values.items()})


def _longest_constant(program: Program) -> int:
    """Return the largest whole number that a script gives to a function of `ta`, such as the length of an average."""
    given = [
        program.value_of(argument, frame)
        for frame in program.frames
        for call in frame.calls.values()
        if isinstance(call.target, Signature) and call.target.name.startswith("ta.")
        for argument in call.arguments.values()
    ]
    return max((value for is_known, value in given if is_known and type(value) is int), default=0)


def asked(entries: Sequence[object], compat: str | None = None) -> list[IndicatorRequest]:
    """Read a list of names and objects that request indicators.

    An object is `{"name": …, other settings}`, or `{"pine": path or source, "inputs": {…}}` for a script of the user,
    where `pine` may also be the name of a template. `"id"` gives the indicator another key. `compat` is "chartgen" to
    compute what that program computes. Raises UsageError for an unknown name, setting or form.
    """
    if compat not in (None, CHARTGEN):
        raise UsageError(f"compat cannot be '{compat}'", f"leave it out, or give {CHARTGEN}")
    names = [entry.get("name") if isinstance(entry, Mapping) else entry for entry in entries]
    check([name for name in names if isinstance(name, str) and name])
    found: list[IndicatorRequest] = []
    keys: set[str] = set()
    for entry in entries:
        one = _asked(entry, compat == CHARTGEN)
        key, count = one.key, 2
        while key in keys:
            key, count = f"{one.key}_{count}", count + 1
        keys.add(key)
        found.append(IndicatorRequest(key, one.source, one.inputs, one.record, one.libraries, one.compat))
    return found


def parameters(indicator: Indicator) -> list[dict[str, Any]]:
    """Return the settings of an indicator as dictionaries: name, type, default, and description."""
    by_variable = {each.variable: each for each in inputs_of(_opened(indicator.source, LIBRARIES))}
    named = {each.variable: each for each in indicator.parameters}
    order = [*(each.variable for each in indicator.parameters), *(name for name in by_variable if name not in named)]
    return [_told(indicator, by_variable[variable]) for variable in order]


def _told(one: Indicator, asked: Input) -> dict[str, Any]:
    named = next((each for each in one.parameters if each.variable == asked.variable), None)
    default: Any = asked.default if asked.default is None or isinstance(asked.default, bool | int | float) else None
    default = str(asked.default) if default is None and asked.default is not None else default
    if named is not None and named.default is not None:
        default = type(asked.default)(named.default) if asked.default is not None else named.default
    told = {"name": named.name if named is not None else asked.variable, "type": asked.kind, "default": default}
    about = asked.title + (f". {asked.tooltip}" if asked.tooltip else "")
    options = f" One of {', '.join(map(str, asked.options))}." if asked.options else ""
    return told | {"description": f"{about}.{options}".replace("..", ".")}


@cache
def _opened(source: str, libraries: tuple[str, ...]) -> Program:
    return open_program(source, libraries)


def _shown(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _asked(entry: object, compat: bool) -> IndicatorRequest:
    if isinstance(entry, str):
        return _named(entry, {}, compat, None)
    if not isinstance(entry, Mapping):
        raise UsageError("an indicator must be a name or an object", f"got: {entry!r}")
    given: dict[str, Any] = {str(name): value for name, value in entry.items()}
    key = given.pop("id", None)
    if key is not None and not isinstance(key, str):
        raise UsageError("the id of an indicator must be a string", f"got: {key!r}")
    if "pine" in given:
        return _own(given, key)
    name = given.pop("name", None)
    if not isinstance(name, str) or not name:
        raise UsageError(
            'the object that describes an indicator has no "name"', 'expected {"name": "rsi", "length": 21}'
        )
    more = given.pop("inputs", {})
    if not isinstance(more, Mapping):
        raise UsageError(
            f"the inputs of {name} are not an object", 'expected {"name": "rsi", "inputs": {"length": 21}}'
        )
    return _named(name, given | dict(more), compat, key)


def _named(name: str, given: Mapping[str, Any], compat: bool, key: str | None) -> IndicatorRequest:
    one = find(name)
    inputs: dict[str, Any] = {each.variable: each.default for each in one.parameters if each.default is not None}
    inputs |= one.chartgen if compat else {}
    variables = {each.variable: each for each in inputs_of(_opened(one.source, LIBRARIES))}
    by_name = {each.name: each.variable for each in one.parameters}
    by_title = {each.title: variable for variable, each in variables.items()}
    for setting, value in given.items():
        variable = by_name.get(setting) or (setting if setting in variables else by_title.get(setting))
        if variable is None and setting in _LENGTHS:
            variable = _length([*by_name.items(), *((name, name) for name in variables)])
        if variable is None:
            raise UsageError(f"{name} has no setting '{setting}'", _settings(setting, [*by_name, *variables]))
        if value is not None:
            inputs[variable] = value
    return IndicatorRequest(key or name, in_dialect(one) if compat else one.source, inputs, one, compat=compat)


_LENGTHS = ("length", "period", "len", "bars", "window")
"""Names that mean the number of bars of an indicator."""


def _length(known: Sequence[tuple[str, str]]) -> str | None:
    """The variable of the only length among settings and their variables; None if there is none, or several."""
    found = {variable for name, variable in known if name in _LENGTHS}
    return found.pop() if len(found) == 1 else None


def _settings(wanted: str, known: list[str]) -> str:
    names = list(dict.fromkeys(known))
    if not names:
        return "It has no settings."
    near = [f"did you mean {each}?" for each in near_names(wanted, names)]
    return " ".join([*near, f"Its settings are {', '.join(names)}."])


def _own(given: dict[str, Any], key: str | None) -> IndicatorRequest:
    pine, inputs = given.pop("pine"), given.pop("inputs", None) or {}
    if not isinstance(pine, str) or not isinstance(inputs, Mapping):
        raise UsageError(
            '"pine" must be a path or a source, and "inputs" an object', '{"pine": "my.pine", "inputs": {}}'
        )
    if given:
        raise UsageError(
            f"'{next(iter(given))}' is not a key of an object with \"pine\"",
            'put the settings of the script into "inputs"',
        )
    source = pine if "\n" in pine else _file(pine)
    name = key or ("" if "\n" in pine else Path(pine).stem)
    program = _opened(source, LIBRARIES)
    return IndicatorRequest(name or str(declared_arguments(program).get("title") or "pine"), source, dict(inputs))


def _file(name: str) -> str:
    """The text of the script file or the template `name`."""
    if name.endswith(".pine"):
        return read(name).text
    path = resources.folder("templates") / f"{Path(name).name}.pine"
    if path.name != f"{name}.pine" or not path.is_file():
        raise UsageError(
            f"'{name}' is neither a .pine file nor a template", "give a path, a template's name or a source"
        )
    return read(path).text
