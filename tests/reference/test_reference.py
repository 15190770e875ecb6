"""The reference is whole: counts, names, type texts, required parameters as the compiler enforces them."""

import re

import pytest

from pinebench import reference
from pinebench.reference.data import tables

BASES = set(
    """
    int float bool string color line label box table linefill polyline chart.point footprint volume_row plot hline
    enum udt na any source backadjustment barmerge_gaps barmerge_lookahead hline_style plot_display plot_line_style
    plot_simple_display plot_style scale_type settlement sort_order strategy_direction text_format T K V
    """.split()
)
COLLECTION = re.compile(r"(array|matrix|map|tuple)<(.*)>")


def split(text: str, separator: str) -> list[str]:
    """`text` cut at `separator` outside brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "<(") - (character in ">)")
        if character == separator and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def assert_type(text: str) -> None:
    unqualified = re.sub(r"^(const|input|simple|series) ", "", text)
    for base in split(unqualified.removeprefix("(").removesuffix(")"), "|"):
        collection = COLLECTION.fullmatch(base)
        if collection:
            for part in split(collection[2], ","):
                assert_type(part)
        else:
            assert base in BASES, text


def assert_result(text: str, names: set[str]) -> None:
    if text == "void":
        return
    if text.startswith("["):
        for part in text[1:-1].split(", "):
            assert_type(part)
        return
    argument = re.search(r"typeof (\w+)", text)
    if argument:
        assert argument[1] in names, text
        return
    assert_type(text.removeprefix("qualified "))


def every_overload() -> list[tuple[str, reference.Overload]]:
    found = []
    for name in reference.functions():
        function = reference.function(name)
        assert function is not None
        found += [(name, overload) for overload in function.overloads]
    return found


def test_counts() -> None:
    assert len(reference.functions()) == 475
    assert len(reference.variables()) == 162
    assert len(reference.constants()) == 237
    assert len(reference.libraries()) == 88
    assert len(reference.types()) == 17


def test_every_function_resolves_with_a_description() -> None:
    for name in reference.functions():
        function = reference.function(name)
        assert function is not None and function.name == name and function.overloads
        assert function.description.endswith("."), name
        assert len(function.description) < 110, name


def test_every_variable_and_constant_resolves_with_a_description() -> None:
    for name in reference.variables():
        variable = reference.variable(name)
        assert variable is not None and variable.description.endswith(".")
        assert_type(variable.type)
    for name in reference.constants():
        constant = reference.constant(name)
        assert constant is not None and constant.description.endswith(".")
        assert constant.type.startswith("const ")
        assert_type(constant.type)


def test_unknown_names_are_none() -> None:
    assert reference.function("ta.emax") is None
    assert reference.variable("closed") is None
    assert reference.constant("color.pink") is None
    assert reference.library_exports("Nobody/Nothing/1") is None
    assert reference.library_history_dependent("Nobody/Nothing/1") is None
    assert reference.members("nothing") == frozenset()
    assert reference.methods("int") == {}


def test_every_type_text_parses() -> None:
    for _, overload in every_overload():
        names = {parameter.name for parameter in overload.parameters}
        for parameter in overload.parameters:
            assert_type(parameter.type)
        assert_result(overload.returns, names)


def test_parameters_of_an_overload_have_distinct_names() -> None:
    for name, overload in every_overload():
        names = [parameter.name for parameter in overload.parameters]
        assert len(names) == len(set(names)), name


def test_required_parameters_have_no_default_and_stand_first() -> None:
    for name, overload in every_overload():
        optional = False
        for parameter in overload.parameters:
            assert not (parameter.required and parameter.default), name
            assert not (parameter.required and optional) or name == "array.insert"
            optional = optional or not parameter.required


def test_required_parameters_are_those_of_the_first_overload() -> None:
    for name in reference.functions():
        function = reference.function(name)
        assert function is not None
        needed = {parameter.name for parameter in function.overloads[0].parameters if parameter.required}
        assert needed == set(function.required), name


def test_variadic_functions() -> None:
    variadic = {name for name in reference.functions() if (f := reference.function(name)) and f.variadic}
    assert variadic == {
        "array.from",
        "log.error",
        "log.info",
        "log.warning",
        "math.avg",
        "math.max",
        "math.min",
        "str.format",
    }
    for name in variadic:
        function = reference.function(name)
        assert function is not None
        assert function.overloads[-1].parameters[-1].name.endswith(", ...")


def test_flags() -> None:
    functions = [function for name in reference.functions() if (function := reference.function(name))]
    assert sum(function.history_dependent for function in functions) == 61
    assert sum(function.top_level_only for function in functions) == 20


def test_defaults_are_known_names_or_literals() -> None:
    literal = re.compile(r'-?\d+(\.\d+)?|true|false|na|".*"|[\w.]+\(.*\)', re.DOTALL)
    for name, overload in every_overload():
        names = {parameter.name for parameter in overload.parameters}
        for parameter in overload.parameters:
            default = parameter.default
            known = default is None or literal.fullmatch(default) or default in names
            known = known or reference.constant(str(default)) or reference.variable(str(default))
            assert known, f"{name} {parameter.name} {default}"


def test_allowed_values_are_known() -> None:
    for name, overload in every_overload():
        for parameter in overload.parameters:
            for value in parameter.allowed:
                dotted = "." in value
                known = reference.constant(value) or reference.variable(value)
                assert known or not dotted, f"{name} {parameter.name} {value}"


def test_methods_go_by_the_type_of_the_first_parameter() -> None:
    assert "push" in reference.methods("array")
    assert "from" not in reference.methods("array")
    assert "new" not in reference.methods("line")
    assert "copy" in reference.methods("chart.point")
    assert set(reference.methods("polyline")) == {"delete"}
    receiver = reference.methods("matrix")["mult"].receiver
    assert receiver == "matrix"


def test_namespaces_and_members() -> None:
    assert {"ta", "strategy", "strategy.risk", "chart.point"} <= reference.namespaces()
    assert {"sma", "tr", "vwap"} <= reference.members("ta")
    assert {"risk", "closedtrades", "long", "entry"} <= reference.members("strategy")


def test_types() -> None:
    point = reference.types()["chart.point"]
    assert point.kind == "object"
    assert [(field.name, field.type) for field in point.fields] == [
        ("index", "series int"),
        ("time", "series int"),
        ("price", "series float"),
    ]


def test_libraries() -> None:
    exports = reference.library_exports("TradingView/ta/9")
    assert exports is not None and "dema" in exports and "emax" not in exports
    older = reference.library_exports("TradingView/ta/7")
    assert older is not None and "requestVolumeDelta" not in older
    for path in reference.libraries():
        dependent = reference.library_history_dependent(path)
        every = reference.library_exports(path)
        assert dependent is not None and every is not None and dependent <= every, path
    assert not set(reference.imported_libraries()) & set(reference.libraries())
    for path in reference.imported_libraries():
        assert re.fullmatch(r"\w+/\w+/[1-9]\d*", path) and reference.library_exports(path) is None


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("input", "defval title inline group tooltip display active"),
        ("line.new", "x1 y1 x2 y2 xloc extend color style width force_overlay"),
        ("ta.highest", "source length"),
    ],
)
def test_signatures_that_the_collected_data_had_wrong(name: str, parameters: str) -> None:
    function = reference.function(name)
    assert function is not None
    assert parameters in [" ".join(p.name for p in overload.parameters) for overload in function.overloads]


def test_every_builtin_says_what_it_does() -> None:
    """A built-in that the reference gains fails here until somebody says what it does."""
    for name, record in {**tables.FUNCTIONS, **tables.VARIABLES}.items():
        words = {line.partition(" ")[0] for line in record.strip().splitlines()}
        assert "says" in words, name
        assert ("pure" in words) != bool(words & {"reads", "changes", "keeps"}), name


def test_effects_agree_with_what_else_is_known() -> None:
    for name in reference.functions():
        function = reference.function(name)
        assert function is not None
        done = function.effects
        assert done.keeps or not function.history_dependent, name
        assert done.changes & {"plots", "alerts", "orders", "declaration"} or not function.top_level_only, name
        changes_first = "object" in done.changes
        assert function.receiver is not None or not changes_first, name


@pytest.mark.parametrize(
    ("name", "reads", "changes", "keeps"),
    [
        ("strategy.closedtrades.profit", {"orders"}, set(), False),
        ("strategy.opentrades.size", {"orders"}, set(), False),
        ("strategy.convert_to_account", {"orders"}, set(), False),
        ("strategy.entry", {"orders"}, {"orders"}, False),
        ("label.new", set(), {"drawings"}, False),
        ("label.get_x", {"object"}, set(), False),
        ("line.set_x1", set(), {"object", "drawings"}, False),
        ("array.pop", {"object"}, {"object"}, False),
        ("array.new", set(), set(), False),
        ("ta.sma", set(), set(), True),
        ("ta.tr", {"bars"}, set(), True),
        ("math.abs", set(), set(), False),
        ("request.security", {"requests"}, set(), True),
    ],
)
def test_effects_of_functions(name: str, reads: set[str], changes: set[str], keeps: bool) -> None:
    function = reference.function(name)
    assert function is not None
    assert function.effects == (reads, changes, keeps)


def test_effects_of_variables() -> None:
    names = ("close", "strategy.position_size", "syminfo.mintick", "ta.obv", "timenow", "na")
    found = [variable.effects for name in names if (variable := reference.variable(name)) is not None]
    assert [(set(each.reads), each.keeps) for each in found] == [
        ({"bars"}, False),
        ({"orders"}, False),
        ({"chart"}, False),
        ({"bars"}, True),
        ({"clock"}, False),
        (set(), False),
    ]
