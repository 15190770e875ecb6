"""Snippets for completion: declarations and structures with placeholders."""

from __future__ import annotations

from pinebench.records import NamedTuple
from pinebench.services.signatures import CallHelp


class Snippet(NamedTuple):
    """A text with placeholders: `$1`, `${1:name}`, and `$0` for the final cursor position.

    `anywhere` tells whether it is also valid inside a block, and `begins_script` whether it declares the script. Its
    indented lines get four spaces more than the line where it is inserted.
    """

    label: str
    detail: str
    text: str
    anywhere: bool = True
    begins_script: bool = False


SNIPPETS = (
    Snippet("if", "if … block", "if ${1:condition}\n    $0"),
    Snippet("if else", "if … else … blocks", "if ${1:condition}\n    ${2:na}\nelse\n    $0"),
    Snippet("for", "for … to … block", "for ${1:i} = ${2:0} to ${3:10}\n    $0"),
    Snippet("for in", "for … in … block", "for ${1:item} in ${2:collection}\n    $0"),
    Snippet(
        "for [index, item]", "for … in … block with an index", "for [${1:i}, ${2:item}] in ${3:collection}\n    $0"
    ),
    Snippet("while", "while … block", "while ${1:condition}\n    $0"),
    Snippet("switch", "switch on a value", "switch ${1:value}\n    ${2:case} => $0\n    => na"),
    Snippet("switch true", "switch on conditions", "switch\n    ${1:condition} => $0\n    => na"),
    Snippet("function", "function with a block", "${1:name}(${2:float value}) =>\n    $0", anywhere=False),
    Snippet("method", "method with a block", "method ${1:name}(${2:Type} this) =>\n    $0", anywhere=False),
    Snippet("type", "type with fields", "type ${1:Name}\n    ${2:float} ${3:field}$0", anywhere=False),
    Snippet("enum", "enum with members", 'enum ${1:Name}\n    ${2:first} = "${3:First}"$0', anywhere=False),
    Snippet("import", "import of a library", "import ${1:User}/${2:Library}/${3:1} as ${4:name}", anywhere=False),
    Snippet(
        *("indicator", "a new indicator", 'indicator("${1:Title}", overlay = ${2:true})\n$0'),
        anywhere=False,
        begins_script=True,
    ),
    Snippet(
        *("strategy", "a new strategy", 'strategy("${1:Title}", overlay = ${2:true})\n$0'),
        anywhere=False,
        begins_script=True,
    ),
    Snippet(
        *("library", "a new library", '// @description ${1:Purpose}\nlibrary("${2:Name}")\n$0'),
        anywhere=False,
        begins_script=True,
    ),
)
"""Every snippet, in the order of a manual."""


def call_snippet(name: str, signature: CallHelp) -> str:
    """Return the snippet for a call of `name`: a placeholder for each required argument, or a single placeholder if all
    arguments are optional."""
    required = [parameter.name for parameter in signature.shown if parameter.required and "," not in parameter.name]
    places = [f"${{{number}:{each}}}" for number, each in enumerate(required, 1)]
    if not places and signature.shown:
        places = ["$1"]
    return f"{name}({', '.join(places)})$0"
