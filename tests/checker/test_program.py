"""What a checked script tells other rooms: symbols, references, types, bound calls, values and effects."""

from pathlib import Path

from pinebench.checker import BuiltinCall, Program, UserCall, check
from pinebench.checker.symbols import FieldSymbol, FunctionSymbol, VariableSymbol
from pinebench.checker.types import display
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes, parse
from pinebench.syntax.walk import walk

SCRIPT = (Path(__file__).parent / "facts.pine").read_text(encoding="utf-8")


def program() -> Program:
    checked = check(parse(SCRIPT))
    assert not [finding for finding in checked.diagnostics if finding.severity is Severity.ERROR]
    return checked


def statement(checked: Program, beginning: str) -> nodes.Node:
    """The global statement whose text begins with `beginning`."""
    for chunk in checked.document.chunks:
        for node in chunk.body:
            if checked.document.text[chunk.start + node.start :].startswith(beginning):
                return node
    raise AssertionError(beginning)


def value(checked: Program, beginning: str) -> nodes.Node:
    node = statement(checked, beginning)
    assert isinstance(node, nodes.VariableDeclaration | nodes.TupleDeclaration)
    return node.value


def call(checked: Program, text: str) -> nodes.Call:
    """The first call in the script whose text begins with `text`."""
    for chunk in checked.document.chunks:
        for node in walk(chunk.body):
            if isinstance(node, nodes.Call):
                start = chunk.start + node.start
                if checked.document.text[start : chunk.start + node.end].startswith(text):
                    return node
    raise AssertionError(text)


def variable(checked: Program, name: str) -> VariableSymbol:
    found = checked.symbol_at(SCRIPT.index(f"{name} ="))
    assert isinstance(found, VariableSymbol)
    return found


def shown(checked: Program, node: nodes.Node) -> str:
    type_ = checked.type_of(node)
    assert type_ is not None
    return display(type_)


def test_symbol_at_a_use_is_the_declared_one() -> None:
    checked = program()
    assert checked.symbol_at(SCRIPT.index("seen.push")) is variable(checked, "seen")


def test_symbol_at_a_builtin_is_its_dotted_name() -> None:
    assert program().symbol_at(SCRIPT.index("ta.sma") + 3) == "ta.sma"


def test_symbol_at_blank_space_is_none() -> None:
    assert program().symbol_at(SCRIPT.index("//@version")) is None


def test_references_include_the_declaration_and_every_use() -> None:
    checked = program()
    spans = checked.references(variable(checked, "last"))
    assert [SCRIPT[span.start : span.end] for span in spans] == ["last"] * 4
    assert spans[0].start == SCRIPT.index("last")


def test_references_of_a_function_are_its_calls_and_its_name() -> None:
    checked = program()
    function = checked.symbol_at(SCRIPT.index("average("))
    assert isinstance(function, FunctionSymbol)
    assert len(checked.references(function)) == 3


def test_a_method_is_found_at_its_calls() -> None:
    checked = program()
    method = checked.symbol_at(SCRIPT.index("level.raise") + 8)
    assert isinstance(method, FunctionSymbol) and method.name == "raise"
    assert len(checked.references(method)) == 2
    assert checked.symbol_at(SCRIPT.index("seen.push") + 6) == "array.push"


def test_fields_are_found_at_their_uses() -> None:
    checked = program()
    price = checked.symbol_at(SCRIPT.index("price"))
    assert isinstance(price, FieldSymbol)
    assert len(checked.references(price)) == 3
    buy = checked.symbol_at(SCRIPT.index("buy"))
    assert isinstance(buy, nodes.EnumField) and len(checked.references(buy)) == 2


def test_a_field_named_like_a_builtin_is_not_that_builtin() -> None:
    checked = check(parse('//@version=6\nindicator("x")\ntype P\n    float close\nplot(P.new(1).close + close)\n'))
    assert len(checked.references("close")) == 1


def test_types_carry_qualifier_and_elements() -> None:
    checked = program()
    assert shown(checked, value(checked, "int length")) == "input int"
    assert shown(checked, value(checked, "var array")) == "array<float>"
    assert shown(checked, value(checked, "[upper")) == "[series float, series float, series float]"
    assert shown(checked, value(checked, "level =")) == "Level"


def test_user_types_and_enums_keep_their_identity() -> None:
    checked = program()
    level = checked.type_of(value(checked, "level ="))
    side = checked.type_of(value(checked, "Side side"))
    assert level is not None and level.base.symbol is checked.types["Level"]
    assert side is not None and side.base.symbol is checked.enums["Side"]


def test_na_has_the_type_of_its_context() -> None:
    checked = program()
    assert shown(checked, value(checked, "float last")) == "simple float"
    best = value(checked, "float best")
    assert isinstance(best, nodes.Ternary)
    assert shown(checked, best.otherwise) == "simple float"


def test_symbols_know_how_they_are_used() -> None:
    checked = program()
    assert variable(checked, "one").indexed
    assert not variable(checked, "two").indexed
    assert variable(checked, "last").assigned_in_loop
    assert not variable(checked, "best").assigned_in_loop


def test_a_variable_in_parentheses_is_indexed_too() -> None:
    checked = check(parse('//@version=6\nindicator("x")\na = close\nplot((a)[1])\n'))
    assert [symbol.indexed for symbol in checked.variables] == [True]


def test_captured_globals_are_marked() -> None:
    text = '//@version=6\nindicator("x")\nlimit = 5\nother = 6\nabove() => close > limit\nplot(above() ? other : 0)\n'
    checked = check(parse(text))
    names = {symbol.name: symbol.captured for symbol in checked.variables}
    assert names["limit"] and not names["other"]


def test_bound_call_fills_in_defaults() -> None:
    checked = program()
    bound = checked.call(call(checked, "ta.bb"))
    assert isinstance(bound, BuiltinCall)
    assert [argument.parameter for argument in bound.arguments] == ["series", "length", "mult"]
    plotted = checked.call(call(checked, "plot(one"))
    assert plotted is not None
    by_name = {argument.parameter: argument for argument in plotted.arguments}
    assert by_name["linewidth"].value == 2
    assert by_name["trackprice"].node is None and isinstance(by_name["trackprice"].default, nodes.Literal)
    assert by_name["trackprice"].is_constant and by_name["trackprice"].value is False
    assert by_name["style"].value == "plot.style_line"


def test_bound_call_of_a_user_function_gives_defaults_as_nodes_and_its_frame() -> None:
    checked = program()
    bound = checked.call(call(checked, "average(close)"))
    assert isinstance(bound, UserCall) and bound.receiver is None
    source, bars = bound.arguments
    assert source.default is None and source.node is not None
    assert bars.default is not None and checked.text_of(bars.default) == "5"
    assert (bars.is_constant, bars.value, bars.type and display(bars.type)) == (True, 5, "literal int")
    assert display(bound.frame.result) == "series float"


def test_method_call_knows_its_receiver() -> None:
    checked = program()
    user = checked.call(call(checked, "level.raise"))
    builtin = checked.call(call(checked, "seen.push"))
    assert isinstance(user, UserCall) and isinstance(user.receiver, nodes.Name)
    assert isinstance(builtin, BuiltinCall) and isinstance(builtin.receiver, nodes.Name)
    assert builtin.receiver.id == "seen"


def test_call_sites_are_numbered_apart() -> None:
    checked = program()
    sites = [checked.call(call(checked, text)) for text in ("average(close)", "average(bar_index")]
    assert sites[0] is not None and sites[1] is not None
    assert sites[0].site != sites[1].site


def test_functions_are_specialised_by_argument_types() -> None:
    checked = program()
    function = checked.symbol_at(SCRIPT.index("average("))
    assert isinstance(function, FunctionSymbol)
    parameters = {tuple(display(type_) for type_ in frame.parameters) for frame in checked.frames_of(function)}
    assert parameters == {("series float", "series int"), ("series int", "series int")}


def test_argument_qualifiers_and_values() -> None:
    checked = program()
    bound = checked.call(call(checked, "input.int"))
    assert bound is not None
    default = next(argument for argument in bound.arguments if argument.parameter == "defval")
    assert default.is_constant and default.value == 14
    assert default.type is not None and display(default.type) == "literal int"


def test_constant_expressions_are_folded() -> None:
    checked = program()
    assert checked.value_of(value(checked, "float factor")) == (True, 3.0)
    assert checked.value_of(value(checked, "float best")) == (False, None)


def test_inputs_and_plots_and_declaration() -> None:
    checked = program()
    assert [(found.name, found.variable and found.variable.name) for found in checked.inputs] == [
        ("input.int", "length"),
        ("input.enum", "side"),
    ]
    assert [found.name for found in checked.plots] == ["plot", "plot"]
    declaration = checked.declaration
    assert declaration is not None and declaration.name == "indicator"
    given = {argument.parameter: argument.value for argument in declaration.call.arguments if argument.node is not None}
    assert given == {"title": "Facts", "overlay": True, "max_lines_count": 50}


def test_inputs_of_a_function_that_is_called_belong_to_the_script() -> None:
    checked = check(parse('//@version=6\nindicator("x")\nsize() => input.int(3)\nplot(size())\n'))
    assert [found.name for found in checked.inputs] == ["input.int"]


def names(symbols: frozenset[VariableSymbol]) -> set[str]:
    return {symbol.name for symbol in symbols}


def test_effects_of_statements() -> None:
    checked = program()
    loop = checked.effects(statement(checked, "for i"))
    assert names(loop.writes) == {"last"} and "last" in names(loop.reads)
    declared = checked.effects(statement(checked, "float factor"))
    assert declared.pure and not declared.stateful and names(declared.writes) == {"factor"}
    assert checked.effects(statement(checked, "one =")).stateful
    assert not checked.effects(statement(checked, "seen.push(one")).pure


def test_effects_of_a_specialisation() -> None:
    checked = program()
    function = checked.symbol_at(SCRIPT.index("average("))
    assert isinstance(function, FunctionSymbol)
    assert all(checked.effects_of(frame).stateful for frame in checked.frames_of(function))


def test_findings_are_sorted_by_place() -> None:
    checked = check(parse('//@version=6\nindicator("x")\na = b\nc = d\nplot(e)\n'))
    starts = [finding.span.start for finding in checked.diagnostics]
    assert starts == sorted(starts) and len(starts) == 3
