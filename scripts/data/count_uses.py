"""Count how often real scripts use each built-in, keyword and parameter.

Usage: python scripts/data/count_uses.py FOLDER [N/M]

Completion sorts names that fit equally well by these counts. The counts of built-ins go into their records (the lines
`used` and `often`); the counts of other words go into `pinebench/services/data/uses.py`. With N/M only every Mth script
is counted, starting with the Nth, so that the others can be used for measurements.
"""

import math
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pinebench import reference  # noqa: E402 - of this checkout
from pinebench.checker.argument_text import path_of  # noqa: E402 - of this checkout
from pinebench.syntax import nodes, parse  # noqa: E402 - of this checkout
from pinebench.syntax.walk import walk  # noqa: E402 - of this checkout
from scripts.data import record_files  # noqa: E402 - of this checkout

TARGET = ROOT / "pinebench" / "services" / "data" / "uses.py"
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_CODE = re.compile(r"//[^\r\n]*|\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*'")
LEAST = 2
"""The smallest number of scripts that must use a name, so that it is in the list."""


class Counts:
    """The number of scripts that use each name. A script counts 1, and 1 more for each doubling of its uses."""

    def __init__(self) -> None:
        self.names: Counter[str] = Counter()
        self.members: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.methods: Counter[str] = Counter()
        self.parameters: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, text: str) -> None:
        """Count the script `text`."""
        document = parse(text)
        own = _declared(text)
        words = Counter(_WORD.findall(_CODE.sub(" ", text)))
        known = {*reference.keywords(), *_roots()} - own
        for word, count in words.items():
            if word in known:
                self.names[word] += _weight(count)
        found = Counter(key for chunk in document.chunks for node in walk(chunk.body) for key in _keys(node, own))
        for (kind, owner, name), count in found.items():
            if kind == "member":
                self.members[owner][name] += _weight(count)
            elif kind == "method":
                self.methods[name] += _weight(count)
            else:
                self.parameters[owner][name] += _weight(count)


def _weight(count: int) -> int:
    return 1 + int(math.log2(count))


def _declared(text: str) -> set[str]:
    names: set[str] = set()
    for chunk in parse(text).chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.VariableDeclaration | nodes.FunctionDeclaration | nodes.Parameter):
                names.add(node.name.id)
    return names


def _roots() -> set[str]:
    everything = (*reference.functions(), *reference.variables(), *reference.constants(), *reference.types())
    return {name.partition(".")[0] for name in everything}


def _keys(node: nodes.Node, own: set[str]) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []
    if isinstance(node, nodes.Member):
        path = path_of(node)
        if path is not None and path.partition(".")[0] not in own and path.rpartition(".")[0] in reference.namespaces():
            owner, _, name = path.rpartition(".")
            found.append(("member", owner, name))
    if isinstance(node, nodes.Call):
        path = path_of(node.callee)
        function = path if path is not None and reference.function(path) is not None else None
        if function is None and isinstance(node.callee, nodes.Member):
            found.append(("method", "", node.callee.name))
        for argument in node.arguments:
            if isinstance(argument, nodes.NamedArgument) and function is not None:
                found.append(("parameter", function, argument.name))
    return found


def main(arguments: list[str]) -> int:
    """Count the scripts and write the orders."""
    paths = sorted(Path(arguments[0]).rglob("*.pine"))
    if len(arguments) > 1:
        first, every = map(int, arguments[1].split("/"))
        paths = paths[first::every]
    counts = Counts()
    for path in paths:
        counts.add(path.read_bytes().decode("utf-8", errors="replace"))
    TARGET.write_text(_module(counts), encoding="utf-8")
    _write_records(counts)
    print(f"{len(paths)} scripts counted, {TARGET} and the records of the built-ins written")
    return 0


def _module(counts: Counts) -> str:
    builtin = _builtins()
    words = {word: count for word, count in counts.names.items() if count >= LEAST and word not in builtin}
    for owner in counts.members.keys() & reference.namespaces():
        named = {f"{owner}.{name}": count for name, count in counts.members[owner].items() if count >= LEAST}
        inner = {name.rpartition(".")[2] for name in named} & reference.members(owner)
        words |= {name: n for name, n in named.items() if name.rpartition(".")[2] in inner and name not in builtin}
    lines = [
        '"""How much real scripts use keywords and namespaces; written by scripts/data/count_uses.py."""',
        "# ruff: noqa: E501 - generated by scripts/data/count_uses.py",
        "",
        f'WORDS = "{" ".join(f"{word}={count}" for word, count in sorted(words.items()))}"',
        '"""Keywords, and namespaces by their whole names, each with its count."""',
        "",
        f'METHODS = "{_ordered(counts.methods, _method_names())}"',
        '"""The names of built-in methods, called with a dot on a value, most used first."""',
        "",
    ]
    return "\n".join(lines)


def _builtins() -> set[str]:
    return {*reference.functions(), *reference.variables(), *reference.constants()}


def _write_records(counts: Counts) -> None:
    """Write the lines `used` and `often` of every record; of records with one name, only the first has `used`."""
    counted: set[str] = set()
    for path in record_files.paths():
        tables = record_files.read(path)
        for kind, table in tables.items():
            for name, record in table.items():
                lines: dict[str, str] = {}
                if name not in counted and (count := _count(counts, name)) >= LEAST:
                    lines["used"] = str(count)
                    counted.add(name)
                if kind == "function" and (often := _ordered(counts.parameters[name], _parameters(name))):
                    lines["often"] = often
                table[name] = record_files.with_lines(record, ("used", "often"), lines)
        record_files.write(path, tables)


def _count(counts: Counts, name: str) -> int:
    owner, _, short = name.rpartition(".")
    return counts.members[owner][short] if owner else counts.names[name]


def _ordered(counts: Counter[str], known: frozenset[str] | set[str] | None = None) -> str:
    kept = ((name, count) for name, count in counts.items() if count >= LEAST and (known is None or name in known))
    return " ".join(name for name, _ in sorted(kept, key=lambda pair: (-pair[1], pair[0])))


def _method_names() -> set[str]:
    return {name for type_ in reference.types() for name in reference.methods(type_)}


def _parameters(name: str) -> set[str]:
    function = reference.function(name)
    return set() if function is None else {p.name for overload in function.overloads for p in overload.parameters}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
