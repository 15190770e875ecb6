"""Update the signatures in `pinebench/reference/data` from collected JSON data and our corrections; report the changes.

Usage: python scripts/data/update_reference.py SOURCE_DIR [--sentences FILE]

SOURCE_DIR has functions.json, variables.json, constants.json, types.json, libraries.json and
libraries-history-dependent.json.

Our own additions stay: our lines in a record, a whole record with the line `ours`, and records that are missing in the
collected data. The report lists new and changed records, and records that still need a text of ours.

Nothing is written while a new built-in lacks its sentence: the script prints the missing lines, and exits with 1.
FILE contains them as TOML: `"ta.newone" = "Gives the mean of the last highs and lows."`.
"""

import argparse
import difflib
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pinebench.reference import texts as reference_texts  # noqa: E402 - of this checkout
from pinebench.reference.data.tables import Tables  # noqa: E402 - of this checkout
from pinebench.reference.data.tables import read as read_records  # noqa: E402 - of this checkout
from pinebench.reference.records import read_function  # noqa: E402 - of this checkout
from pinebench.reference.signs import TYPES  # noqa: E402 - of this checkout
from scripts.data import record_files  # noqa: E402 - of this checkout
from scripts.data import reference_corrections as corrections  # noqa: E402 - of this checkout

TARGET = ROOT / "pinebench" / "reference" / "data"
BASES = ("const ", "input ", "simple ", "series ")
LONGEST_SENTENCE = 160
"""Characters of the longest sentence about a built-in."""
VARIADIC_NAME = {"arg0": "arg0, arg1, ...", "number0": "number0, number1, ..."}

Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("source", type=Path, help="the folder with the collected JSON files")
    parser.add_argument("--sentences", type=Path, help="a TOML file with the sentences of new built-ins, by name")
    options = parser.parse_args()
    report: list[str] = []
    sentences = tomllib.loads(options.sentences.read_text(encoding="utf-8")) if options.sentences else {}
    texts, remarks = generate(options.source, sentences=sentences)
    print(*remarks, sep="\n", file=sys.stderr)
    if unsaid := without_sentence(texts):
        print("Nothing was written: these need a sentence each (--sentences FILE).", file=sys.stderr)
        print(*(f'"{name}" = ""' for name in unsaid), sep="\n")
        return 1
    for name, text in texts.items():
        path = TARGET / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        report += difflib.unified_diff(old.splitlines(True), text.splitlines(True), f"old/{name}", f"new/{name}", n=1)
        if old != text:
            path.write_text(text, encoding="utf-8")
    sys.stdout.writelines(report)
    return 0


def without_sentence(texts: Mapping[str, str]) -> list[str]:
    """Return the built-ins and types, in the texts of data files, that have no sentence or one that is too long."""
    said = {name: TYPES.get(name, "") for name in re.findall(r'^    "([\w.]+)":', texts["types.py"], re.MULTILINE)}
    for file, text in texts.items():
        if file.endswith(".txt"):
            records = (row for table in read_records(text).values() for row in table.items())
            said.update((name, record_files.parts(record)[0].get("says", "")) for name, record in records)
    return sorted(name for name, sentence in said.items() if not is_sentence(sentence))


def is_sentence(text: str) -> bool:
    """Return whether a text can be shipped as the sentence about a built-in."""
    return text.endswith(".") and len(text) <= LONGEST_SENTENCE


def generate(
    source: Path, folder: Path = TARGET, sentences: Mapping[str, str] | None = None
) -> tuple[dict[str, str], list[str]]:
    """Return the text of every data file, by name, and remarks on records to check by hand.

    `folder` has the present files. `sentences` are the sentences of new built-ins.
    """
    functions = {name: convert_function(name, row) for name, row in load_functions(source).items()}
    apply_corrections(functions)
    signatures = {
        "function": {name: function_text(functions[name]).splitlines() for name in functions},
        "variable": {row["name"]: [variable_type(row["type"])] for row in load(source, "variables")},
        "constant": {row["name"]: ["const " + row["type"]] for row in load(source, "constants")},
    }
    texts, remarks = updated_files(signatures, folder, sentences or {})
    texts["types.py"] = module(
        "The types that a declaration can name, with their kinds and fields.",
        "TYPES: dict[str, tuple[str, tuple[tuple[str, str], ...]]]",
        {
            row["name"]: (row["kind"], tuple((field["name"], field["type"]) for field in row.get("fields", ())))
            for row in load(source, "types")
            if row["kind"] != "qualifier"
        },
    )
    texts["libraries.list"] = libraries_list(source)
    return texts, remarks


def updated_files(
    signatures: dict[str, dict[str, list[str]]], folder: Path, sentences: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Return the texts of the files with new signatures, and remarks. Our own lines in the records stay."""
    files = {path: record_files.read(path) for path in record_files.paths(folder)}
    remarks: list[str] = []
    for kind, known in signatures.items():
        homes = {name: tables for tables in files.values() for name in tables[kind]}
        for name, tables in homes.items():
            if name not in known:
                remarks.append(f"{name}: kept, although the collected data do not have it")
            else:
                tables[kind][name] = updated(name, tables[kind][name], known[name], remarks)
        for name in known.keys() - homes.keys():
            tables = home_of(name, files)
            says = {"says": sentences[name]} if sentences.get(name) else {}
            record = record_files.joined(says, known[name])
            tables[kind] = dict(sorted([*tables[kind].items(), (name, record)]))
            remarks.append(f"{name}: new; {needs(name, kind, record)}")
    return {path.name: record_files.written(path, tables) for path, tables in files.items()}, sorted(remarks)


def needs(name: str, kind: str, record: str) -> str:
    """Name the texts that a new record needs before it can be shipped."""
    wanted = [] if is_sentence(record_files.parts(record)[0].get("says", "")) else ["a sentence (line `says`)"]
    if kind == "function":
        if reference_texts.text(name).example is None:
            wanted.append("an example in pinebench/reference/texts")
        parameters = dict.fromkeys(
            parameter.name for overload in read_function(name, record).overloads for parameter in overload.parameters
        )
        nameless = [each for each in parameters if not reference_texts.phrase(name, each)]
        wanted += [f"a phrase for {each} in texts/parameters.txt" for each in nameless]
    return "it needs " + "; ".join([*wanted, "its effects, and whatever else is known about it"])


def updated(name: str, record: str, signature: list[str], remarks: list[str]) -> str:
    """Return the record of `name` with a new signature and with our own lines."""
    ours, old = record_files.parts(record)
    if "ours" in ours:
        return record
    computed = overload_lines(old)
    before = [line for line in old if not line.startswith("runs ")]
    if before != signature:
        gone = " / ".join(line for line in before if line not in signature)
        come = " / ".join(line for line in signature if line not in before)
        remarks.append(f"{name}: changed; was `{gone}`, is `{come}`")
    count = sum(line.startswith("-> ") for line in signature)
    for number, lost in computed.items():
        if number >= count:
            remarks += [f"{name}: the overload is gone whose line was `{line}`" for line in lost]
    lines: list[str] = []
    overload = 0
    for line in signature:
        lines.append(line)
        if line.startswith("-> "):
            lines += computed.get(overload, [])
            overload += 1
    return record_files.joined(ours, lines)


def overload_lines(signature: list[str]) -> dict[int, list[str]]:
    """Return the lines `runs` of single overloads, by the overload's number."""
    found: dict[int, list[str]] = {}
    overload = -1
    for line in signature:
        overload += line.startswith("-> ")
        if line.startswith("runs "):
            found.setdefault(overload, []).append(line)
    return found


def home_of(name: str, files: Mapping[Path, Tables]) -> Tables:
    """Return the file for a new record: the one with its namespace, or else the one for names without one."""
    start = name.partition(".")[0] + "."
    for tables in files.values():
        if "." in name and any(known.startswith(start) for table in tables.values() for known in table):
            return tables
    return next(tables for path, tables in files.items() if path.stem == "plain")


def load(source: Path, name: str) -> Any:
    return json.loads((source / f"{name}.json").read_text(encoding="utf-8"))


def load_functions(source: Path) -> dict[str, Row]:
    names = corrections.NAMES
    return {str(names.get(row["name"], row["name"])): row for row in load(source, "functions")}


def convert_function(name: str, row: Row) -> Row:
    flags = row.get("flags", {})
    variadic = 0 if name == "math.sum" else flags.get("minArgs", 0)
    overloads = [convert_overload(overload, bool(variadic)) for overload in row.get("overloads") or [row]]
    required = row.get("requiredByCompiler")
    if required is None:
        required = [parameter["name"] for parameter in overloads[0]["parameters"] if parameter["required"]]
    return {
        "overloads": overloads,
        "required": required,
        "variadic": variadic,
        "history_dependent": flags.get("historyDependent", False),
        "top_level_only": flags.get("topLevelOnly", False),
    }


def convert_overload(overload: Row, variadic: bool) -> Row:
    parameters = [convert_parameter(parameter) for parameter in overload["parameters"]]
    if variadic and parameters[-1]["name"].endswith("1"):
        parameters.pop()
        parameters[-1]["name"] = VARIADIC_NAME[parameters[-1]["name"]]
        parameters[-1]["required"] = True
    return {"parameters": parameters, "returns": type_text(overload["returns"])}


def convert_parameter(parameter: Row) -> Row:
    default = parameter.get("default")
    return {
        "name": parameter["name"],
        "type": type_text(parameter["type"]),
        "required": parameter["required"],
        "default": corrections.DEFAULTS.get(default, default) if default is not None else None,
        "allowed": tuple(parameter.get("allowedValues") or ()),
        "noun": None,
    }


FIXED_TYPES = {
    "any array type": "array<T>",
    "any matrix type": "matrix<T>",
    "any map type": "map<K,V>",
    "series <type of the array's elements>": "T",
    "series <type of the matrix's elements>": "T",
    "series <type of the map's elements>": "K",
    "map<keyType, valueType>": "map<K,V>",
    "series <type>": "T",
    "<matrix_type>": "T",
    "<value_type>": "V",
    "array<type>": "array<T>",
    "matrix<type>": "matrix<T>",
    "tuple of enum fields: [enumName.field1, enumName.field2, ...]": "tuple<const enum>",
    "void": "void",
}


def type_text(text: str) -> str:
    """Return the compact text for a type that the reference describes in words."""
    if text in FIXED_TYPES:
        return FIXED_TYPES[text]
    literal_tuple = re.fullmatch(r"tuple of (const [\w/]+) values: .*", text)
    if literal_tuple:
        return f"tuple<{type_text(literal_tuple[1])}>"
    if text.startswith("["):
        return "[" + ", ".join(type_text(part.strip()) for part in text[1:-1].split(",")) + "]"
    qualifier = next((word for word in BASES if text.startswith(word)), "")
    bases = [collection_text(base) for base in split_union(text[len(qualifier) :])]
    return qualifier + "|".join(bases)


def split_union(text: str) -> list[str]:
    """Split a union at its slashes: `a/b<c/d>` becomes `["a", "b<c/d>"]`."""
    return re.findall(r"(?:[^/<]|<[^>]*>)+", text)


def collection_text(base: str) -> str:
    collection = re.fullmatch(r"(array|matrix|map)<(.*)>", base)
    if not collection:
        return base
    if not collection[2]:
        return "map<any,any>" if collection[1] == "map" else f"{collection[1]}<any>"
    inner = "|".join(split_union(collection[2]))
    return f"{collection[1]}<({inner})>" if "|" in inner else f"{collection[1]}<{inner}>"


def variable_type(text: str) -> str:
    """Rewrite `series<float>` to `series float`; `array<box>` stays as it is."""
    qualified = re.fullmatch(r"(const|input|simple|series)<(.*)>", text)
    return f"{qualified[1]} {qualified[2]}" if qualified else text


def apply_corrections(functions: dict[str, Row]) -> None:
    for name, number, names, _ in corrections.REQUIRED_IN_OVERLOAD:
        for parameter in functions[name]["overloads"][number]["parameters"]:
            if parameter["name"] in names:
                parameter.update(required=True, default=None)
    for name, number, parameter_name, text, _ in corrections.TYPES:
        for parameter in parameters_of(functions[name], parameter_name, number):
            parameter["type"] = text
    for name, number, text, _ in corrections.RETURNS:
        for overload in chosen(functions[name], number):
            overload["returns"] = text
    for name, number, names, _ in corrections.ORDER:
        functions[name]["overloads"][number]["parameters"].sort(key=lambda parameter: names.index(parameter["name"]))
    for name, parameter_name, allowed, _ in corrections.ALLOWED:
        for parameter in parameters_of(functions[name], parameter_name):
            parameter["allowed"] = allowed
    for name, parameter_name, default, _ in corrections.FUNCTION_DEFAULTS:
        for parameter in parameters_of(functions[name], parameter_name):
            if not parameter["required"]:
                parameter["default"] = default
    for name, number, types, _ in corrections.EXTRA_OVERLOADS:
        functions[name]["overloads"].append(with_types(functions[name]["overloads"][number], types))
    for name, number, dropped, _ in corrections.SHORTER_OVERLOADS:
        overloads = functions[name]["overloads"]
        overloads.insert(0, without_parameter(overloads[number], dropped))
    for name, row, _ in corrections.EXTRA_PARAMETERS:
        keys = ("name", "type", "required", "default")
        functions[name]["overloads"][-1]["parameters"].append(
            {**dict(zip(keys, row, strict=True)), "allowed": (), "noun": None}
        )
    for function in functions.values():
        for overload in function["overloads"]:
            for parameter in overload["parameters"]:
                if parameter["type"] == "const plot_display":
                    parameter["type"] = corrections.DISPLAY_TYPE
    for name, nouns in corrections.NOUNS.items():
        for parameter_name, noun in nouns.items():
            for parameter in parameters_of(functions[name], parameter_name):
                parameter["noun"] = noun
    for name, number, parameter_name, noun in corrections.OVERLOAD_NOUNS:
        for parameter in parameters_of(functions[name], parameter_name, number):
            parameter["noun"] = noun


def chosen(function: Row, number: int | None) -> list[Row]:
    return function["overloads"] if number is None else [function["overloads"][number]]


def parameters_of(function: Row, name: str, number: int | None = None) -> list[Row]:
    """Return the parameters named `name`; a variadic one is also found by its first name. Exits if there is none."""
    found = [
        parameter
        for overload in chosen(function, number)
        for parameter in overload["parameters"]
        if parameter["name"] == name or parameter["name"].startswith(name + ", ")
    ]
    if not found:
        raise SystemExit(f"a correction names the unknown parameter {name}")
    return found


def with_types(overload: Row, types: tuple[str, str]) -> Row:
    parameters = [dict(parameter) for parameter in overload["parameters"]]
    for parameter, text in zip(parameters, types, strict=False):
        parameter["type"] = text
    return {"parameters": parameters, "returns": overload["returns"]}


def without_parameter(overload: Row, name: str) -> Row:
    parameters = [dict(parameter) for parameter in overload["parameters"] if parameter["name"] != name]
    return {"parameters": parameters, "returns": overload["returns"]}


def function_text(function: Row) -> str:
    """Return the signature of one function in the form that `pinebench.reference.records` reads."""
    lines: list[str] = []
    if function["required"]:
        lines.append("needs " + "; ".join(function["required"]))
    if function["variadic"]:
        lines.append(f"variadic {function['variadic']}")
    if function["history_dependent"]:
        lines.append("history")
    if function["top_level_only"]:
        lines.append("global")
    for overload in function["overloads"]:
        lines += [parameter_text(parameter) for parameter in overload["parameters"]]
        lines.append("-> " + overload["returns"])
    return "\n".join(lines)


def parameter_text(parameter: Row) -> str:
    name = parameter["name"] + ("" if parameter["required"] else "?")
    default = "" if parameter["required"] else parameter["default"] or ""
    columns = [name, parameter["type"], default, parameter["noun"] or ""]
    columns.append(" ".join(parameter["allowed"]))
    while not columns[-1]:
        columns.pop()
    return "; ".join(columns)


def libraries_list(source: Path) -> str:
    """Return the exports of known published libraries, a library in a line; `*` marks those that depend on history."""
    dependent = load(source, "libraries-history-dependent")
    rows = (
        (path, (name + "*" * (name in dependent.get(path, ())) for name in sorted(names)))
        for path, names in load(source, "libraries").items()
    )
    return "".join(f"{path}: {' '.join(marked)}\n" for path, marked in rows)


def module(purpose: str, name: str, table: dict[str, Any]) -> str:
    head = (
        f'"""{purpose}\n\nWritten by scripts/data/update_reference.py.\n"""\n\nfrom __future__ import annotations\n\n'
    )
    rows = "".join(f"    {key!r}: {value!r},\n" for key, value in table.items())
    text = formatted(f"{head}{name} = {{\n{rows}}}\n")
    too_long = any(len(line) > 120 for line in text.splitlines())
    return text.replace("\n\nfrom", "\n# ruff: noqa: E501\n\nfrom", 1) if too_long else text


def formatted(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--line-length", "120", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, timeout=60).stdout


if __name__ == "__main__":
    sys.exit(main())
