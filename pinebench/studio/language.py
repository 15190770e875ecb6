"""The language for the page's editor: what completion offers and hovering explains, from the reference."""

from __future__ import annotations

import json
from functools import cache

from pinebench import reference

KEYWORDS = tuple(sorted(reference.keywords() - reference.types().keys()))


@cache
def words_json() -> bytes:
    """Every word of the language as JSON, `[{name, kind, signatures, description}]`, sorted by name."""
    words = [
        *({"name": name, "kind": "keyword", "signatures": [], "description": ""} for name in KEYWORDS),
        *(
            {"name": name, "kind": "type", "signatures": [], "description": ""}
            for name in reference.types()
            if reference.function(name) is None
        ),
        *map(_function, reference.functions()),
        *(_value(name, "variable") for name in reference.variables()),
        *(_value(name, "constant") for name in reference.constants()),
    ]
    words.sort(key=lambda word: str(word["name"]))
    return json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()


def _function(name: str) -> dict[str, object]:
    function = reference.function(name)
    assert function is not None
    signatures = [_signature(name, overload) for overload in function.overloads]
    return {"name": name, "kind": "function", "signatures": signatures, "description": function.description}


def _signature(name: str, overload: reference.Overload) -> dict[str, object]:
    parameters = [
        {
            "label": f"{p.name}{'' if p.required else '?'}: {p.type}",
            "note": " ".join(
                part
                for part in (
                    f"Default: {p.default}." if p.default is not None else "",
                    f"One of: {', '.join(p.allowed)}." if p.allowed else "",
                )
                if part
            ),
        }
        for p in overload.parameters
    ]
    inside = ", ".join(str(parameter["label"]) for parameter in parameters)
    return {"label": f"{name}({inside}) → {overload.returns}", "parameters": parameters}


def _value(name: str, kind: str) -> dict[str, object]:
    value = reference.variable(name) if kind == "variable" else reference.constant(name)
    assert value is not None
    return {
        "name": name,
        "kind": kind,
        "signatures": [{"label": f"{name}: {value.type}", "parameters": []}],
        "description": value.description,
    }
