"""Snippets for completion: declarations and structures with places to fill in."""

from __future__ import annotations

from typing import NamedTuple


class Snippet(NamedTuple):
    """A text with places to fill in: `$1`, `${1:name}`, and `$0` for the final cursor position.

    `anywhere` says that it is also valid inside a block. Its indented lines are indented by four spaces more than the
    line it is inserted in.
    """

    label: str
    detail: str
    text: str
    anywhere: bool = True


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
        "indicator", "a new indicator", '//@version=6\nindicator("${1:Title}", overlay = ${2:true})\n$0', anywhere=False
    ),
    Snippet(
        "strategy", "a new strategy", '//@version=6\nstrategy("${1:Title}", overlay = ${2:true})\n$0', anywhere=False
    ),
    Snippet(
        "library",
        "a new library",
        '//@version=6\n// @description ${1:Purpose}\nlibrary("${2:Name}")\n$0',
        anywhere=False,
    ),
)
"""Every snippet, in the order of a manual."""
