"""The settings of a lint run for one script: the findings to show, the severity that fails the run, and the options of
rules."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, cast

from pinebench import config
from pinebench.config import keys
from pinebench.config.keys import Key
from pinebench.errors import UsageError
from pinebench.linter.findings import EVERYTHING, UNCHECKED_SCRIPT, FindingFilter, check_patterns
from pinebench.records import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pinebench.linter.findings import Finding
    from pinebench.linter.project import ScriptFindings
    from pinebench.linter.rules import Option, Options, OptionValue, Rule

NEVER = "never"
"""The value of `fail-on` with which no finding fails the run."""


_NAMING = ("select", "extend-select", "ignore")
"""The keys whose values are codes."""


class FileSettings(NamedTuple):
    """The settings for one script.

    `view` says which findings to show. `fail_on` is the lowest severity that fails the run, or NEVER. `opinions` maps
    the codes of the rules to run to the options set for each rule. `unchecked` says whether a script that was not
    checked fails the run.
    """

    view: FindingFilter
    fail_on: str
    opinions: Options
    unchecked: bool = False

    def as_shown(self, result: ScriptFindings) -> ScriptFindings:
        """Return `result` as the view shows it. If unchecked scripts fail the run, the finding about an unchecked
        script is always shown."""
        shown = result.as_shown(self.view)
        if not self.unchecked:
            return shown
        known = {*shown.findings, *(each.finding for each in shown.hidden)}
        added = [each for each in result.findings if each.code == UNCHECKED_SCRIPT and each not in known]
        return shown._replace(findings=sorted([*shown.findings, *added], key=lambda each: each.order))

    def fails_by(self, finding: Finding) -> bool:
        """Return whether `finding` fails the run."""
        if finding.code == UNCHECKED_SCRIPT and self.unchecked:
            return True
        return self.fail_on != NEVER and finding.severity <= config.FAIL_ON.index(self.fail_on)

    def fails(self, result: ScriptFindings) -> bool:
        """Return whether `result`, as `as_shown` returns it, fails the run. A hidden error fails it too, because
        TradingView refuses the script anyway."""
        return any(map(self.fails_by, (*result.findings, *result.hidden_errors)))


def file_settings(
    path: str,
    file: str | None = None,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    fail_on: str | None = None,
    tradingview: bool = False,
) -> FileSettings:
    """Return the settings for the script at `path`: the flags and, for flags that are not set, the configuration.

    `file` is the configuration to use instead of the nearest one. The other arguments are the command's flags with the
    same names. `ignore` adds to the ignored codes of the configuration. Findings with codes that a section of the
    configuration ignores for this file are computed, but hidden.

    Raises UsageError for a code, a rule or an option that does not exist.
    """
    settings = config.resolved("lint", path, file)
    check_patterns(select, "--select")
    check_patterns(ignore, "--ignore")
    _check_codes(settings, config.file_for(path, file))
    also = [] if select else list(settings["extend-select"].value)
    hide: list[str] = []
    levels = [settings["fail-on"].value]
    for _, own in config.per_file(path, file):
        also += [] if select else own.get("extend-select", [])
        hide += own.get("ignore", [])
        if "fail-on" in own and not settings["fail-on"].origin.startswith("PINEBENCH_"):
            levels.append(own["fail-on"])
    view = FindingFilter(
        tuple(select or settings["select"].value),
        (*ignore, *settings["ignore"].value),
        tradingview,
        tuple(also),
        tuple(hide),
    )
    options = options_of(path, file)
    severity, unchecked = _fail_on(fail_on or "", *reversed(levels))
    return FileSettings(view, severity, {code: options.get(code, {}) for code in view.opinions}, unchecked)


def default_settings() -> FileSettings:
    """Return the settings for a source without a file, to which no configuration applies."""
    return FileSettings(EVERYTHING, config.FAIL_ON[0], {code: {} for code in EVERYTHING.opinions})


def _fail_on(*levels: str) -> tuple[str, bool]:
    """The lowest severity that fails the run, and whether unchecked scripts fail it.

    The first of `levels` that names a severity decides: the flags, then the configuration. `unchecked` alone does not
    set the severity.
    """
    unchecked = False
    for level in levels:
        words = level.split(",")
        unchecked = unchecked or config.UNCHECKED in words
        severity = next((word for word in reversed(words) if word and word != config.UNCHECKED), None)
        if severity is not None:
            return severity, unchecked
    return config.FAIL_ON[0], unchecked


def _check_codes(settings: dict[str, config.Setting], found: str | None) -> None:
    """Raise UsageError if `settings` of the section `lint`, or the sections for single files in the configuration
    `found`, name a code that does not exist."""
    for key in _NAMING:
        value, origin = settings[key]
        check_patterns(value, origin if origin.startswith("PINEBENCH_") else f"{origin}: '{key}' in [lint]")
    for pattern, own in config.per_file_in(found) if found else ():
        for key in _NAMING:
            check_patterns(own.get(key, ()), f"{found}: '{key}' in [per-file.\"{pattern}\"]")


class RunSettings:
    """The settings for the scripts of one run, cached for each configuration file.

    `flags` are the arguments of `file_settings`. They and the environment do not change during the run.
    """

    def __init__(self, file: str | None = None, **flags: Any) -> None:
        self._file = file
        self._flags = flags
        self._files: dict[str, str | None] = {}
        self._patterns: dict[str | None, Sequence[str]] = {}
        self._libraries: dict[str | None, tuple[str, ...]] = {}
        self._asked: dict[tuple[object, ...], FileSettings] = {}

    def excludes(self, path: str) -> bool:
        """Return whether the key `exclude` of the section `lint` leaves out the script at `path`."""
        found = self._file_of(path)
        if found not in self._patterns:
            self._patterns[found] = config.resolved_in("lint", found)["exclude"].value
        patterns = self._patterns[found]
        return bool(patterns) and config.excluding_of(path, patterns, found) is not None

    def libraries(self, path: str) -> tuple[str, ...]:
        """Return the folders with the source of imported libraries, for the script at `path`."""
        found = self._file_of(path)
        if found not in self._libraries:
            self._libraries[found] = config.libraries_in(found)
        return self._libraries[found]

    def asked(self, path: str) -> FileSettings:
        """Return the settings for the script at `path`; scripts with the same settings share one object."""
        found = self._file_of(path)
        key = (found, *(pattern for pattern, _ in config.per_file(path, self._file)))
        if key not in self._asked:
            self._asked[key] = file_settings(path, self._file, **self._flags)
        return self._asked[key]

    def _file_of(self, path: str) -> str | None:
        folder = os.path.dirname(path)
        if folder not in self._files:
            self._files[folder] = config.file_for(path, self._file)
        return self._files[folder]


def options_of(path: str, file: str | None = None) -> Options:
    """Return the options of rules that the configuration for `path` sets, by the rule's code.

    Raises UsageError for a rule or an option that does not exist, and for a value that the option does not accept.
    """
    found = config.file_for(path, file)
    return _options_in(found) if found else {}


def _options_in(file: str) -> Options:
    found: dict[str, dict[str, OptionValue]] = {}
    for name, settings in config.rule_options(file):
        from pinebench.codes import rule_names
        from pinebench.linter.rules import rule, rules

        code = rule_names().get(name, name)
        if code not in rules():
            raise UsageError(f"{file}: there is no rule '{name}'", "'pinebench explain PB' lists all rules")
        options = _as_keys(rule(code))
        values = {key: _value(f"{file}: '{key}' in [rules.{name}]", options, key, settings[key]) for key in settings}
        found.setdefault(code, {}).update(values)
    return found


def schema() -> dict[str, Any]:
    """Return the JSON schema of the configuration. It holds the options of every rule, under its name and under its
    code."""
    from pinebench.config.schema import schema as schema_with
    from pinebench.linter.rules import rules

    named: dict[str, dict[str, Key]] = {}
    for code, each in rules().items():
        named[each.name()] = named[code] = _as_keys(each)
    return schema_with(named)


def _as_keys(rule: type[Rule]) -> dict[str, Key]:
    """Return the options of `rule` as keys of a configuration."""
    return {name: _as_key(option) for name, option in rule.options.items()}


def _as_key(option: Option) -> Key:
    if option.type is tuple:
        return Key(list, option.about, list(cast("tuple[str, ...]", option.default)))
    return Key(option.type, option.about, option.default, least=option.least)


def _value(place: str, options: dict[str, Key], name: str, value: Any) -> OptionValue:
    key = options.get(name)
    if key is None:
        raise UsageError(f"{place} is not an option", f"options are {', '.join(options)}" if options else "it has none")
    if not keys.fits(value, key.type):
        raise UsageError(f"{place} must be {keys.kind_of(key.type)}, not {keys.short(value)}")
    keys.check_value(place, key, value)
    return tuple(value) if key.type is list else value
