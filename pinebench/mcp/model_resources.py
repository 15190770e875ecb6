"""Resources that models can read without a tool: reference, language, codes, templates, the open script, the chart, and
the last picture."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import mcp_types as types

from pinebench.context import Context
from pinebench.errors import UsageError
from pinebench.printable import json_text
from pinebench.tools import registry
from pinebench.tools.chart_browser import ChartBrowser, Image
from pinebench.tools.tool_calls import perform

_ROOT = "pinebench://"
_JSON = "application/json"
_PINE = "text/x-pine"
_TEXT = "text/plain"
_MARKDOWN = "text/markdown"

Content = types.TextResourceContents | types.BlobResourceContents


def _resource(path: str, name: str, about: str, mime_type: str) -> types.Resource:
    return types.Resource(uri=_ROOT + path, name=name, description=about, mime_type=mime_type)


LISTED = [
    _resource("script", "current script", "The text in the Pine editor.", _PINE),
    _resource("chart", "chart state", "Symbol, timeframe, type and studies of the chart.", _JSON),
    _resource("screenshot", "last screenshot", "The most recent picture.", "image/png"),
    _resource("reference", "Pine v6 names", "Every built-in name and keyword.", _TEXT),
    _resource("language", "Pine v6 topics", "Titles of the pages about the language.", _TEXT),
    _resource("codes", "error codes", "Every code of the compiler and the linter, one per line.", _TEXT),
    _resource("templates", "templates", "The script templates.", _JSON),
    _resource("skills", "skills", "Instructions for analyses, reviews and scans: name and subject of each.", _TEXT),
]
"""The resources with a fixed address."""

TEMPLATES = [
    types.ResourceTemplate(uri_template=f"{_ROOT}{path}/{{name}}", name=name, description=about, mime_type=mime_type)
    for path, name, about, mime_type in (
        ("reference", "a Pine name", "Explains a built-in or keyword, with an example and its traps.", _JSON),
        ("language", "a topic", "A page or section about the language.", _MARKDOWN),
        ("codes", "an error code", "Why a code is reported, with a wrong and a correct script.", _JSON),
        ("templates", "a template", "A template's script.", _PINE),
        ("skills", "a skill", "The instructions of a skill.", _MARKDOWN),
    )
]
"""The resources whose address contains a name."""


def read(uri: str, chart_browser: ChartBrowser, context: Context, picture: Image | None) -> Content:
    """Return the resource at `uri`. `picture` is the latest picture. Raises UsageError if there is no such resource,
    and any error from reading it."""
    match = re.fullmatch(r"pinebench://([a-z]+)(?:/(.+))?/?", uri)
    reader = _READERS.get((match[1], match[2] is not None)) if match else None
    if match is None or reader is None:
        known = ", ".join(each.uri for each in LISTED)
        raise UsageError(f"there is no resource {uri[:200]}", f"the resources are {known}")
    if match[1] == "screenshot":
        return _screenshot(uri, picture)
    text, mime_type = reader(chart_browser, context, unquote(match[2] or ""))
    return types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)


def names(template: str, begun: str) -> list[str]:
    """Return the values of `{name}` in the URI template `template` that begin with `begun`, ignoring case."""
    from pinebench import codes, reference, skills
    from pinebench.authoring import catalogue
    from pinebench.services import topics

    known: list[str] = []
    if template == f"{_ROOT}reference/{{name}}":
        groups = (reference.functions(), reference.variables(), reference.constants(), reference.types())
        known = sorted({name for group in (*groups, reference.keywords()) for name in group})
    elif template == f"{_ROOT}language/{{name}}":
        known = [topic.address for topic in topics.topics()]
    elif template == f"{_ROOT}codes/{{name}}":
        known = sorted({**codes.all_codes(), **codes.opinion_codes()})
    elif template == f"{_ROOT}templates/{{name}}":
        known = [each.name for each in catalogue.templates()]
    elif template == f"{_ROOT}skills/{{name}}":
        known = list(skills.known().by_name)
    return [name for name in known if name.lower().startswith(begun.lower())]


def _screenshot(uri: str, picture: Image | None) -> Content:
    if picture is None:
        raise UsageError("no picture has been taken yet", "capture_screenshot takes one")
    blob = base64.b64encode(picture.data).decode()
    return types.BlobResourceContents(uri=uri, mime_type=picture.mime_type, blob=blob)


def _told(chart_browser: ChartBrowser, context: Context, name: str, /, **arguments: object) -> dict[str, Any]:
    return perform(chart_browser, registry.find(name), dict(arguments), context)


def _script(chart_browser: ChartBrowser, context: Context, _: str) -> tuple[str, str]:
    return _told(chart_browser, context, "pine_get_source", max_chars=500_000)["source"], _PINE


def _chart(chart_browser: ChartBrowser, context: Context, _: str) -> tuple[str, str]:
    return json_text(_told(chart_browser, context, "chart_get_state"), indent=2), _JSON


def _names(_: ChartBrowser, __: Context, ___: str) -> tuple[str, str]:
    from pinebench import reference

    kinds = {
        "functions": reference.functions(),
        "variables": reference.variables(),
        "constants": reference.constants(),
        "types": reference.types(),
        "keywords": reference.keywords(),
    }
    return "\n".join(f"{kind}: {', '.join(sorted(names))}" for kind, names in kinds.items()), _TEXT


def _topics(_: ChartBrowser, __: Context, ___: str) -> tuple[str, str]:
    from pinebench.services.topics import topics

    return "\n".join(f"{topic.address}: {topic.title}" for topic in topics()), _TEXT


def _topic(_: ChartBrowser, __: Context, name: str) -> tuple[str, str]:
    from pinebench.services import topics

    topic = topics.find(name)
    if topic is None:
        pages = ", ".join(each.address for each in topics.topics() if each.is_page)
        raise UsageError(f"there is no topic '{name}'", f"the pages are {pages}")
    return topic.text, _MARKDOWN


def _codes(_: ChartBrowser, __: Context, ___: str) -> tuple[str, str]:
    from pinebench import codes

    every = {**codes.all_codes(), **codes.opinion_codes()}
    return "\n".join(f"{each.name} ({each.severity.label}): {each.template}" for each in every.values()), _TEXT


def _templates(chart_browser: ChartBrowser, context: Context, _: str) -> tuple[str, str]:
    return json_text(_told(chart_browser, context, "template_list"), indent=2), _JSON


def _explained(chart_browser: ChartBrowser, context: Context, name: str) -> tuple[str, str]:
    return json_text(_told(chart_browser, context, "pine_explain", name=name), indent=2), _JSON


def _template(chart_browser: ChartBrowser, context: Context, name: str) -> tuple[str, str]:
    return _told(chart_browser, context, "template_get", name=name)["source"], _PINE


def _skills(_: ChartBrowser, __: Context, ___: str) -> tuple[str, str]:
    from pinebench import skills

    return skills.index(), _TEXT


def _skill(_: ChartBrowser, __: Context, name: str) -> tuple[str, str]:
    from pinebench import skills

    return skills.load(name), _MARKDOWN


_READERS: dict[tuple[str, bool], Callable[[ChartBrowser, Context, str], tuple[str, str]]] = {
    ("script", False): _script,
    ("chart", False): _chart,
    ("screenshot", False): _script,
    ("reference", False): _names,
    ("language", False): _topics,
    ("codes", False): _codes,
    ("templates", False): _templates,
    ("reference", True): _explained,
    ("language", True): _topic,
    ("codes", True): _explained,
    ("templates", True): _template,
    ("skills", False): _skills,
    ("skills", True): _skill,
}
