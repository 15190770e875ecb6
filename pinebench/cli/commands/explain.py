"""`pinebench explain`: explain a code, a built-in name or a keyword of Pine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import Style, style_for

if TYPE_CHECKING:
    import argparse

    from pinebench.cli.table import Subparsers
    from pinebench.codes import Code
    from pinebench.reference import Constant, Function, Parameter, Type, Variable

WIDTH = 80
"""Columns that prose is wrapped to."""

_EPILOG = """\
examples:
  pinebench explain CE10272     why TradingView refuses a script, with a bad and a good one
  pinebench explain ta.sma      signature, parameters and meaning of a built-in
  pinebench explain style       the rules of a group, or all codes with one beginning (PB2), as --select takes them
  pinebench explain strategy    the meanings of a name, and the members of its namespace
  pinebench explain varip       how a keyword is written, and what it does
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command's arguments."""
    parser = subparsers.add_parser(
        "explain",
        usage="pinebench explain CODE|NAME",
        description="Explain a code from a report, or a built-in name or a keyword of Pine Script v6.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "name",
        metavar="CODE|NAME",
        help="a code, a beginning of codes or a group of rules (CE10156, PB2, style), or a name (ta.sma, varip)",
    )


def run(args: argparse.Namespace) -> int:
    """Print what is known about the code or the name."""
    from pinebench import codes
    from pinebench.services.explained import unknown

    paint = style_for(sys.stdout)
    name = args.name.strip().partition("(")[0].removesuffix(".")
    code = codes.find(name)
    if code and code.name in codes.opinion_codes():
        blocks = [_opinion(code, paint)]
    else:
        blocks = [_code(code, paint)] if code else _reference(name, paint)
    blocks += [] if code else _several(name, paint)
    if not blocks:
        raise unknown(name)
    sys.stdout.write("\n".join(blocks))
    return 0


def _several(pattern: str, paint: Style) -> list[str]:
    """The codes that `pattern` selects in the way of --select: it is the beginning of codes, or a group of rules."""
    from pinebench import codes
    from pinebench.linter.findings import matches

    every = {**codes.all_codes(), **codes.opinion_codes()}
    found = [code for name, code in every.items() if pattern and matches(name, pattern)]
    if not found:
        return []
    rows = [
        f"  {paint(f'{code.name:<10}', code.severity.label)} {code.alias or code.template.splitlines()[0]}"
        for code in found
    ]
    count = f"{len(found)} code{'s' if len(found) != 1 else ''}"
    title = f"{paint(pattern, 'bold')}: {count}; 'pinebench explain CODE' explains one"
    return ["\n".join([title, *rows]) + "\n"]


def _code(code: Code, paint: Style) -> str:
    level = code.severity.label
    whose = "TradingView's words" if code.text == "tradingview" else "our words"
    lines = [
        f"{paint(code.name, 'bold')}: {paint(level, level)} ({whose})",
        *(f"  {line}" for line in code.template.replace("{{", "{").replace("}}", "}").splitlines()),
        "",
        *_wrapped(code.why),
        "",
        "Reported here:",
        *_script(code.bad),
        "",
        "Right:",
        *_script(code.good),
    ]
    return "\n".join(lines) + "\n"


def _opinion(code: Code, paint: Style) -> str:
    """The page of a rule: its docstring."""
    from inspect import getdoc

    from pinebench.linter.rules import rule

    level = code.severity.label
    explained = rule(code.name)
    told = "on by default" if code.default else f"off unless --select {code.name} or {code.alias}"
    lines = [f"{paint(code.name, 'bold')} {code.alias}: {paint(level, level)} (our opinion; {told})"]
    lines.append(f"  {code.template.replace('{{', '{').replace('}}', '}')}")
    for part in (getdoc(explained) or "").split("\n\n"):
        lines += ["", *(part.splitlines() if part.startswith("    ") else _wrapped(part.replace("\n", " ")))]
    for name, option in explained.options.items():
        lines += ["", *_wrapped(f"Option `{name}`, {option.shown} unless set: {option.about}")]
    return "\n".join(lines) + "\n"


def _reference(name: str, paint: Style) -> list[str]:
    """The blocks of text for everything named `name`: keyword, function, variable, constant, type and namespace."""
    from pinebench import reference

    blocks: list[str] = []
    if keyword := reference.keyword(name):
        head = f"{paint(name, 'bold')}: keyword"
        lines = [*_wrapped(keyword.form, "      ", "  "), "", *_wrapped(keyword.description, "  ")]
        blocks.append("\n".join([head, *lines]) + "\n")
    if function := reference.function(name):
        blocks.append(_function(function, paint))
    if variable := reference.variable(name):
        blocks.append(_variable(variable, paint))
    if constant := reference.constant(name):
        blocks.append(_constant(constant, paint))
    if built_in := reference.types().get(name):
        blocks.append(_type(built_in, paint))
    members = reference.members(name)
    if members:
        title = f"{paint(name + '.*', 'bold')}: namespace of {len(members)} names"
        blocks.append("\n".join([title, *_wrapped(", ".join(sorted(members)), "  ")]) + "\n")
    return blocks


def _function(function: Function, paint: Style) -> str:
    lines = [f"{paint(function.name + '()', 'bold')}: function", *_wrapped(function.description, "  ")]
    described: dict[str, Parameter] = {}
    for overload in function.overloads:
        names = ", ".join(item.name if item.required else f"[{item.name}]" for item in overload.parameters)
        signature = _wrapped(f"{function.name}({names}) → {overload.returns}", "      ", "  ")
        lines += ["", *(paint(line, "bold") for line in signature)]
        # Overloads mostly repeat their parameters, so only parameters that differ from earlier overloads are shown.
        new = [item for item in overload.parameters if described.get(item.name) != item]
        described.update((item.name, item) for item in new)
        lines += _parameters(new)
    notes: list[str] = []
    if function.history_dependent:
        notes.append("its result depends on earlier bars: call it on every bar")
    if function.top_level_only:
        notes.append("it may be called at the script's top level only")
    if function.receiver:
        notes.append(f"it is also a method of {function.receiver}")
    lines += ["", *_wrapped("Note: " + "; ".join(notes) + ".", "  ")] if notes else []
    return "\n".join(lines) + "\n"


def _parameters(parameters: list[Parameter]) -> list[str]:
    width = max((len(item.name) for item in parameters), default=0)
    lines: list[str] = []
    for item in parameters:
        facts = [item.type]
        if item.default is not None:
            facts.append(f"default {item.default}")
        if item.allowed:
            facts.append(f"one of {', '.join(item.allowed)}")
        lines += _wrapped("; ".join(facts), " " * (width + 6), f"    {item.name:<{width}}  ")
    return lines


def _variable(variable: Variable, paint: Style) -> str:
    head = f"{paint(variable.name, 'bold')}: variable, {variable.type}"
    return "\n".join([head, *_wrapped(variable.description, "  ")]) + "\n"


def _constant(constant: Constant, paint: Style) -> str:
    head = f"{paint(constant.name, 'bold')}: constant, {constant.type}"
    return "\n".join([head, *_wrapped(constant.description, "  ")]) + "\n"


def _type(found: Type, paint: Style) -> str:
    lines = [f"{paint(found.name, 'bold')}: {found.kind} type"]
    lines += [f"  {field.name}: {field.type}" for field in found.fields]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    from textwrap import wrap

    return wrap(
        text,
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _script(source: str) -> list[str]:
    return [f"    {line}".rstrip() for line in source.rstrip("\n").splitlines()]
