"""The table of faults: what is done to a clean script, which codes TradingView answers with, and on which line."""

import random
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tests.checker.mutation import calls, changes, layout, names, slips, values
from tests.checker.mutation.lines import (
    at_arguments,
    at_edit,
    at_node,
    at_operands,
    at_statement_and_uses,
    at_uses,
    behind_edit,
)
from tests.checker.mutation.script import Edit, Script


class Kind(NamedTuple):
    """One kind of fault.

    `codes` are the codes that count as catching it, on a line that `line` allows; `consequences` may come there too.
    `sites` are the places in a script where it can be made; `mutate` makes it at one, or gives None when the outcome is
    not determined there: the type is unknown, or the change is legal.
    """

    name: str
    codes: tuple[str, ...]
    line: Callable[[Script, Any, Edit], Iterable[int]]
    sites: Callable[[Script], Iterable[Any]]
    mutate: Callable[[Script, Any, random.Random], Edit | None]
    consequences: tuple[str, ...] = ()


_UNDECLARED_OBJECT = ("CE10271",)
"""A method of an undeclared variable is an unknown function."""

KINDS = (
    # names
    Kind("typo in a function", ("CE10271",), at_node, names.plain_calls, names.misspell_function),
    Kind("typo in a member", ("CE10272",), at_node, names.builtin_members, names.misspell_member),
    Kind("typo in a variable", ("CE10272",), at_edit, names.variable_uses, names.misspell_variable),
    Kind("typo in a type", ("CE10149",), at_edit, names.written_types, names.misspell_type),
    Kind("typo in a parameter", ("CE10120",), at_edit, calls.named_arguments, calls.misspell_parameter),
    Kind("typo in a field", ("CE10198",), at_node, calls.object_fields, calls.misspell_field),
    Kind("typo in a method", ("CE10271",), at_edit, calls.method_calls, calls.misspell_method),
    Kind(
        "deleted declaration",
        ("CE10272",),
        at_uses,
        names.used_declarations,
        names.delete_declaration,
        _UNDECLARED_OBJECT,
    ),
    Kind(
        "assigned, not declared",
        ("CE10272",),
        at_statement_and_uses,
        names.bare_declarations,
        names.assign_undeclared,
        _UNDECLARED_OBJECT,
    ),
    Kind("used before declared", ("CE10272",), at_edit, names.global_declarations, names.use_before_declaration),
    Kind("declared twice", ("CE10095",), at_edit, names.simple_declarations, names.declare_twice),
    Kind("reserved word", ("CE10150",), at_edit, changes.global_places, names.reserved_word),
    Kind("qualifier without type", ("CE10147",), at_edit, names.bare_declarations, names.bare_qualifier),
    Kind("global changed in function", ("CE10088",), at_edit, names.globals_in_functions, names.assign_global),
    Kind("parameter changed", ("CE10175",), at_edit, names.parameters_in_functions, names.assign_parameter),
    Kind("counter changed", ("CE10174",), at_edit, names.counters, names.assign_counter, ("CE10272",)),
    Kind("deleted function", ("CE10271",), names.at_calls, names.called_functions, names.delete_function),
    Kind("field twice", ("CE10186",), at_edit, values.typed_fields, values.field_twice),
    # calls
    Kind("wrong element", ("CE10123",), at_edit, calls.element_setters, calls.wrong_element),
    Kind("wrong user argument", ("CE10123",), at_edit, calls.user_passed, calls.wrong_user_argument),
    Kind("recursion", ("CE10271",), at_edit, layout.function_starts, calls.recursive_call),
    Kind("required argument dropped", ("CE10165",), calls.at_callee, calls.passed, calls.drop_argument),
    Kind("too many arguments", ("CE10115",), at_arguments, calls.known_calls, calls.add_arguments),
    Kind("positional behind named", ("CE10157",), at_edit, calls.known_calls, calls.positional_behind_named),
    Kind("wrong argument", ("CE10123",), at_edit, calls.builtin_passed, calls.wrong_argument),
    Kind("series for simple", ("CE10123",), at_edit, calls.builtin_passed, calls.series_argument),
    Kind("changing text for constant", ("CE10123",), at_edit, calls.builtin_passed, calls.changing_text),
    Kind("wrong field argument", ("CE10123",), at_edit, calls.constructed, calls.wrong_field_argument),
    Kind("void assigned", ("CE10098",), at_edit, calls.void_calls, calls.assign_void),
    Kind("plot in a block", ("CE10188",), at_edit, changes.block_starts, calls.plot_in_block),
    Kind("break outside a loop", ("CE10135", "CE10136"), at_edit, calls.outside_loops, calls.break_outside),
    # values
    Kind("wrong declared value", ("CE10173",), at_node, values.typed_declarations, values.wrong_declared_value),
    Kind("wrong assigned value", ("CE10173",), at_node, values.reassignments, values.wrong_assigned_value),
    Kind("na without a type", ("CE10097",), at_node, values.untyped_declarations, values.untyped_na),
    Kind("number as condition", ("CE10101",), at_edit, values.conditions, values.number_as_condition),
    Kind("number as bool operand", ("CE10123",), at_edit, values.bool_operands, values.number_as_bool),
    Kind("text as number", ("CE10123",), at_operands, values.sums, values.text_as_number),
    Kind("wrong ternary branch", ("CE10123",), at_operands, values.ternaries, values.wrong_ternary_branch),
    Kind("wrong branch", ("CE10235",), at_node, values.used_structures, values.wrong_branch),
    Kind("compared with na", ("CE10187",), at_edit, values.na_checks, values.compare_with_na),
    Kind("enum compared with number", ("CE10123",), at_edit, values.enum_fields, values.compare_enum_with_number),
    Kind("one tuple name more", ("tuple-count", "CE10239"), at_node, values.tuples, values.one_name_more),
    Kind("tuple to a variable", ("CE10092",), at_edit, values.tuples, values.tuple_to_variable),
    Kind("compared with other type", ("CE10123",), at_operands, values.comparisons, values.compare_with_other_type),
    Kind("loop over a number", ("CE10123",), at_edit, values.collection_loops, values.loop_over_number),
    Kind("number as tuple", ("tuple-shape",), at_node, values.tuples, values.number_as_tuple),
    Kind("number as enum title", ("CE10125",), at_node, values.titled_fields, values.number_as_title),
    Kind("wrong field default", ("CE10170",), at_node, values.default_fields, values.wrong_default),
    # layout
    Kind("open bracket", ("CE10156",), at_edit, layout.open_lists, layout.open_bracket),
    Kind("loop without end", ("CE10161",), at_node, layout.counted_loops, layout.loop_without_end),
    Kind(
        "shifted body",
        ("CE10156", "CE10144", "CE10161"),
        layout.shifted_lines,
        layout.guarded_starts,
        layout.shifted_body,
    ),
    Kind("open parenthesis", ("CE10015",), at_edit, layout.calls_on_one_line, layout.open_parenthesis),
    Kind("open string", ("CE10017", "CE10004"), at_edit, layout.last_strings, layout.open_string),
    Kind("wrapped behind operator", ("CE10156",), at_edit, layout.open_operators, layout.wrap_behind_operator),
    Kind("wrapped before operator", ("CE10013",), behind_edit, layout.open_operators, layout.wrap_before_operator),
    Kind("function in a function", ("CE10156",), at_edit, layout.function_starts, layout.nested_function),
    Kind("block comment", ("CE10156",), at_edit, changes.global_places, layout.block_comment),
    Kind("tuple literal assigned", ("CE10156",), at_edit, changes.global_places, layout.tuple_literal),
    # slips of the hand and habits from other languages
    Kind("comma left out", slips.SYNTAX, slips.around, slips.commas, slips.make),
    Kind("comma twice", slips.SYNTAX, slips.around, slips.doubled_commas, slips.make),
    Kind("operator left out", slips.SYNTAX, slips.around, slips.missing_operators, slips.make),
    Kind("operator twice", slips.SYNTAX, slips.around, slips.doubled_operators, slips.make),
    Kind("dot twice", slips.SYNTAX, slips.around, slips.doubled_dots, slips.make),
    Kind("and as &&", slips.SYNTAX, slips.around, slips.foreign_words, slips.make),
    Kind("then", slips.SYNTAX, slips.around, slips.thens, slips.make),
    Kind("colon behind a condition", slips.SYNTAX, slips.around, slips.colons, slips.make),
    Kind("brace behind a condition", slips.SYNTAX, slips.around, slips.braces, slips.make),
    Kind("if left out", slips.SYNTAX, slips.around, slips.missing_ifs, slips.make),
    Kind("to left out", slips.SYNTAX, slips.around, slips.missing_tos, slips.make),
    Kind("arrow left out", slips.SYNTAX, slips.around, slips.missing_arrows, slips.make),
    Kind("semicolon", slips.SYNTAX, slips.around, slips.semicolons, slips.make),
    Kind("operator at the end", slips.SYNTAX, slips.around, slips.open_ends, slips.make),
    Kind("value left out", slips.SYNTAX, slips.around, slips.missing_values, slips.make),
    Kind("increment", slips.SYNTAX, slips.around, slips.increments, slips.make),
    Kind("lone brace", slips.SYNTAX, slips.around, slips.lone_braces, slips.make),
    Kind("hash comment", slips.SYNTAX, slips.around, slips.hash_comments, slips.make),
    Kind("return", slips.SYNTAX, slips.around, slips.returns, slips.make),
    Kind("body in column one", slips.SYNTAX, slips.around, slips.dedented_bodies, slips.make),
    Kind("switch left out", slips.SYNTAX, slips.around, slips.missing_switches, slips.make),
)
