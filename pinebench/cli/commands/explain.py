"""`pinebench explain`: explain a code from a report, a built-in, a word or a topic of Pine Script v6."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pinebench.cli.console import Style, style_for
from pinebench.errors import UsageError
from pinebench.printable import json_text

if TYPE_CHECKING:
    import argparse

    from pinebench.codes import Code
    from pinebench.reference import Constant, Function, Parameter, Type, Variable
    from pinebench.reference.texts import ReferenceScript

WIDTH = 80
"""The number of columns to which prose is wrapped."""

EPILOG = """\
examples:
  pinebench explain CE10272     why TradingView refuses a script, with a bad and a good one
  pinebench explain ta.sma      signature, parameters, an example and what to watch out for
  pinebench explain style       the rules of a group, or all codes with one beginning (PB2), as --select takes them
  pinebench explain strategy    the meanings of a name, and the members of its namespace
  pinebench explain varip       how a keyword is written, and what it does; also operators ('?:') and annotations
  pinebench explain 'series vs simple'           a topic of the language
  pinebench explain --search moving average      all texts with these words
"""

USAGE = "CODE|NAME|TOPIC | --search WORDS"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "name",
        nargs="+",
        metavar="CODE|NAME|TOPIC",
        help="a code, a prefix of codes or a group of rules (CE10156, PB2, style), a name (ta.sma), or a topic",
    )
    parser.add_argument(
        "--search", action="store_true", help="search all pages for these words; the best match comes first"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the output format (default: text)")


def run(args: argparse.Namespace) -> int:
    """Print the explanation of the code, the name or the topic, or the results of a search."""
    from pinebench import codes
    from pinebench.services.explained import unknown

    as_json = getattr(args, "format", "text") == "json"
    paint = Style(False) if as_json else style_for(sys.stdout)
    given = " ".join(args.name)
    if args.search:
        return _search(given, paint, as_json=as_json)
    name = given.strip().partition("(")[0].removesuffix(".") or given.strip()
    code = codes.find(name)
    if code and code.name in codes.opinion_codes():
        blocks = [_opinion(code, paint)]
    else:
        blocks = [_code(code, paint)] if code else _reference(name, paint)
    blocks += [] if code else _several(name, paint)
    blocks = blocks or _topic(given)
    if not blocks:
        raise unknown(name)
    sys.stdout.write(_as_json(name, code, blocks) if as_json else "\n".join(blocks))
    return 0


def _as_json(name: str, code: Code | None, blocks: list[str]) -> str:
    """The texts about `name` as JSON; for a code also its parts."""
    told: dict[str, object] = {"version": 1, "name": name, "texts": [block.rstrip("\n") for block in blocks]}
    if code is not None:
        parts = ("name", "alias", "template", "why", "bad", "good")
        told["code"] = {"severity": code.severity.label, **{part: getattr(code, part) for part in parts}}
    return json_text(told) + "\n"


def _search(words: str, paint: Style, *, as_json: bool = False) -> int:
    """Print what a search finds, a line each."""
    from pinebench.services.reference_search import search

    found = search(words)
    if not found:
        raise UsageError(f"no page has the words '{words}'", "try fewer or shorter words; 'aver' also finds 'average'")
    if as_json:
        from pinebench.printable import json_text

        sys.stdout.write(json_text({"version": 1, "words": words, "found": [hit._asdict() for hit in found]}) + "\n")
        return 0
    width = max(len(hit.name) for hit in found)
    for hit in found:
        lines = _wrapped(f"{hit.sentence}", " " * (width + 2), f"{hit.name:<{width}}  ")
        sys.stdout.write("\n".join(lines).replace(hit.name, paint(hit.name, "bold"), 1) + "\n")
    return 0


def _topic(name: str) -> list[str]:
    """The text of a topic of the language pages."""
    from pinebench.services.topics import find

    topic = find(name)
    return [topic.text] if topic is not None else []


def _several(pattern: str, paint: Style) -> list[str]:
    """The codes that `pattern` selects in the way of --select: it is the beginning of codes, or a group of rules."""
    from pinebench import codes
    from pinebench.amounts import counted
    from pinebench.linter.findings import matches

    every = {**codes.all_codes(), **codes.opinion_codes()}
    found = [code for name, code in every.items() if pattern and matches(name, pattern)]
    if not found:
        return []
    rows = [
        f"  {paint(f'{code.name:<10}', code.severity.label)} {code.alias or code.template.splitlines()[0]}"
        for code in found
    ]
    title = f"{paint(pattern, 'bold')}: {counted(len(found), 'code')}; 'pinebench explain CODE' explains one"
    return ["\n".join([title, *rows]) + "\n"]


def _code(code: Code, paint: Style) -> str:
    level = code.severity.label
    whose = "TradingView's message" if code.text == "tradingview" else "our message"
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
    name = reference.annotation(name) or name
    if word := reference.word(name):
        head = f"{paint(name, 'bold')}: {_kind_of_word(name)}"
        lines = [*_wrapped(word.form, "      ", "  "), "", *_wrapped(word.description, "  ")]
        blocks.append("\n".join([head, *lines, *_texts(name, paint)]) + "\n")
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


def _kind_of_word(name: str) -> str:
    from pinebench import reference

    if name in reference.operators():
        return "operator"
    return "annotation" if name in reference.compiler_annotations() else "keyword"


def _texts(name: str, paint: Style) -> list[str]:
    """The example of a built-in or word, and what to watch out for, with the scripts that demonstrate it."""
    from pinebench.reference import texts

    told = texts.text(name)
    lines = ["", paint("  Example:", "bold"), *_shown(told.example)] if told.example is not None else []
    for warning in told.watch_outs:
        lines += ["", *_wrapped(f"Watch out: {warning.text}", "  "), *_shown(warning.script)]
    return lines


def _shown(script: ReferenceScript) -> list[str]:
    """The lines of a script, and what it shows."""
    return [*_script(script.text), *(f"    → {line}" for line in script.shown)]


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
        lines += _parameters(function.name, new)
    notes: list[str] = []
    if function.history_dependent:
        notes.append("its result depends on earlier bars: call it on every bar")
    if function.top_level_only:
        notes.append("it may be called only in the script's global scope")
    if function.receiver:
        notes.append(f"it is also a method of {function.receiver}")
    lines += ["", *_wrapped("Note: " + "; ".join(notes) + ".", "  ")] if notes else []
    return "\n".join([*lines, *_texts(function.name, paint)]) + "\n"


def _parameters(function: str, parameters: list[Parameter]) -> list[str]:
    from pinebench.reference.texts import phrase

    width = max((len(item.name) for item in parameters), default=0)
    lines: list[str] = []
    for item in parameters:
        facts = [item.type]
        if item.default is not None:
            facts.append(f"default {item.default}")
        if item.allowed:
            facts.append(f"one of {', '.join(item.allowed)}")
        if told := phrase(function, item.name):
            facts.append(told)
        lines += _wrapped("; ".join(facts), " " * (width + 6), f"    {item.name:<{width}}  ")
    return lines


def _variable(variable: Variable, paint: Style) -> str:
    head = f"{paint(variable.name, 'bold')}: variable, {variable.type}"
    from pinebench import reference

    # A name that is a function too has its texts there.
    texts = [] if reference.function(variable.name) else _texts(variable.name, paint)
    return "\n".join([head, *_wrapped(variable.description, "  "), *texts]) + "\n"


def _constant(constant: Constant, paint: Style) -> str:
    head = f"{paint(constant.name, 'bold')}: constant, {constant.type}"
    return "\n".join([head, *_wrapped(constant.description, "  ")]) + "\n"


def _type(found: Type, paint: Style) -> str:
    lines = [f"{paint(found.name, 'bold')}: {found.kind} type", *_wrapped(found.description, "  ")]
    for field in found.fields:
        lines += _wrapped(f"{field.name}: {field.type}. {field.description}", "    ", "  ")
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
