"""Infers types of unary, binary and ternary expressions, and finds the operand that TradingView was seen to report."""

from __future__ import annotations

from pinebench.checker.arguments import report_type
from pinebench.checker.builtins import special_values
from pinebench.checker.checker import Checker
from pinebench.checker.types import (
    ADDABLE,
    BOOL,
    COLLECTIONS,
    COLOR,
    FLOAT,
    INT,
    NA,
    NUMBERS,
    OBJECTS,
    SERIES,
    STRING,
    UNKNOWN,
    UNKNOWN_BASE,
    VOID,
    Base,
    Type,
    display,
    is_faulty,
    unify,
    unknown_type,
)
from pinebench.patterns import lazy_pattern
from pinebench.syntax import nodes

_ARITHMETIC = frozenset("+-*/%")
_COMPARISON = lazy_pattern(r"[ \t]*(==|!=|<=|>=|<|>)")
_ORDERING = frozenset(("<", ">", "<=", ">="))
_EQUALITY_RANK = {FLOAT: 6, STRING: 5, BOOL: 4, INT: 2, COLOR: 1}
_ENUM_RANK = 3
_INCOMPARABLE = frozenset(OBJECTS[name] for name in ("box", "polyline", "table", "linefill", "chart.point"))
_INCOMPARABLE_KINDS = COLLECTIONS | {"udt"}
"""Kinds that `==` does not accept. Of the objects, only lines and labels can be compared (recorded verdicts)."""
_BRANCH_ORDER = (BOOL, COLOR, INT, FLOAT, STRING)
"""If the branches of `?:` do not agree, the one whose type is further to the right is reported (recorded verdicts)."""


def unary(checker: Checker, node: nodes.Unary) -> Type:
    """Infer the type of `not x`, `+x` or `-x`."""
    operand = checker.evaluate(node.operand)
    base = operand.base
    if node.operator == "not":
        if base is not BOOL and base is not UNKNOWN_BASE:
            hint = _compared_behind(checker, node)
            report_type(checker, "operator not", "expr0", node.operand, operand, "simple bool", hint=hint)
            return UNKNOWN
        return BOOL.at(operand.qualifier)
    if base in NUMBERS:
        return base.at(operand.qualifier)
    if base is NA:
        return FLOAT.at(operand.qualifier)
    if base is UNKNOWN_BASE:
        return unknown_type((operand,))
    blame(checker, node.operator, 0, node.operand, operand, "simple int")
    return UNKNOWN


def _compared_behind(checker: Checker, node: nodes.Unary) -> str | None:
    """A hint for a comparison after `not x`: `not` only applies to `x` (manual, operators)."""
    behind = _COMPARISON.match(checker.document.text, checker.offset + node.end)
    if behind is None:
        return None
    return f"`not` comes before `{behind.group(1)}`: put the comparison in parentheses, `not (a {behind.group(1)} b)`."


def binary(checker: Checker, node: nodes.Binary) -> Type:
    """Infer the type of a chain of binary operators. It loops over the left operands instead of recursing, because
    chains can be long."""
    chain: list[nodes.Binary] = []
    left: nodes.Node = node
    while isinstance(left, nodes.Binary):
        chain.append(left)
        left = left.left
    result = checker.evaluate(left)
    types = checker.frame.types
    for link in reversed(chain):
        right = checker.evaluate(link.right)
        result = types[link] = _pair(checker, link, result, right)
    return result


def _pair(checker: Checker, node: nodes.Binary, left: Type, right: Type) -> Type:
    operator = node.operator
    if operator in _ARITHMETIC:
        return arithmetic(checker, operator, node.left, left, node.right, right)
    if operator in ("and", "or"):
        return _logical(checker, node, left, right)
    if operator in _ORDERING:
        return _ordering(checker, node, left, right)
    if left.base is NA or right.base is NA:
        checker.report("CE10187", node)
        return UNKNOWN
    return equality(checker, operator, node.left, left, node.right, right)


def blame(checker: Checker, operator: str, number: int, node: nodes.Node, type_: Type, expected: str) -> None:
    """Report CE10123 for operand `number` of `operator`."""
    report_type(checker, f"operator {operator}", f"expr{number}", node, type_, expected)


def arithmetic(
    checker: Checker, operator: str, left_node: nodes.Node, left: Type, right_node: nodes.Node, right: Type
) -> Type:
    """Infer the type of `left operator right` for `+ - * / %`. Also used for compound assignments."""
    qualifier = max(left.qualifier, right.qualifier)
    first, second = left.base, right.base
    if first is INT and second is INT:
        return INT.at(qualifier)
    if first in NUMBERS and second in NUMBERS:
        return FLOAT.at(qualifier)
    if first is UNKNOWN_BASE or second is UNKNOWN_BASE:
        result = _half_known(operator, left, right, qualifier)
        if result is None:
            _blame_arithmetic(checker, operator, left_node, left, right_node, right)
        return result or UNKNOWN
    if operator == "+" and {first, second} <= _TEXTS and STRING in (first, second):
        return STRING.at(qualifier)
    if _numeric(first) and _numeric(second):
        return _nullable_number(first, second).at(qualifier)
    _blame_arithmetic(checker, operator, left_node, left, right_node, right)
    return UNKNOWN


def _blame_arithmetic(
    checker: Checker, operator: str, left_node: nodes.Node, left: Type, right_node: nodes.Node, right: Type
) -> None:
    """Report each operand that does not fit the other one. Next to a string a string is expected, otherwise a
    number."""
    pairs = ((0, left_node, left, right), (1, right_node, right, left))
    for number, node, type_, other in pairs:
        if operator == "+" and other.base is STRING and type_.base not in ADDABLE:
            blame(checker, operator, number, node, type_, "const string")
            return
    for number, node, type_, other in pairs:
        if type_.literal and other.base in ADDABLE:
            _blame_member(checker, operator, number, node, other.base)
        elif not _numeric(type_.base) and type_.base is not UNKNOWN_BASE:
            expected = f"const {_number_name(other.base)}" if _numeric(other.base) else "simple float"
            blame(checker, operator, number, node, type_, expected)


def _blame_member(checker: Checker, operator: str, number: int, node: nodes.Node, base: Base) -> None:
    """Report CE10068: a literal next to an operand that expects constants of its own special type."""
    values = ", ".join(special_values(base))
    name = f"operator {operator}"
    checker.report("CE10068", node, argumentName=f"expr{number}", funName=name, possibleValues=values)


_TEXTS = frozenset((STRING, NA))


def _half_known(operator: str, left: Type, right: Type, qualifier: int) -> Type | None:
    """Return the type of `left operator right` if one operand is unknown. Return None if no type of it fits the other
    operand."""
    known = right.base if left.base is UNKNOWN_BASE else left.base
    if known is FLOAT:
        return FLOAT.at(qualifier)
    if known is STRING and operator == "+":
        return STRING.at(qualifier)
    if known is UNKNOWN_BASE or _numeric(known) or is_faulty(left) or is_faulty(right):
        return unknown_type((left, right), qualifier)
    return None


def _numeric(base: Base) -> bool:
    return base in NUMBERS or base is NA or base in ADDABLE


def _nullable_number(first: Base, second: Base) -> Base:
    if first in ADDABLE or second in ADDABLE:
        return first if first in ADDABLE else second
    return INT if INT in (first, second) and FLOAT not in (first, second) else FLOAT


def _number_name(base: Base) -> str:
    return "float" if base is FLOAT else "int"


def _logical(checker: Checker, node: nodes.Binary, left: Type, right: Type) -> Type:
    good = True
    pairs = ((0, node.left, left, right), (1, node.right, right, left))
    for number, operand, type_, other in pairs:
        if type_.base is BOOL or type_.base is UNKNOWN_BASE:
            continue
        good = False
        expected = "series bool" if other.qualifier == SERIES and other.base is BOOL else "const bool"
        blame(checker, node.operator, number, operand, type_, expected)
    return BOOL.at(max(left.qualifier, right.qualifier)) if good else UNKNOWN


def _ordering(checker: Checker, node: nodes.Binary, left: Type, right: Type) -> Type:
    good = True
    pairs = ((0, node.left, left, right), (1, node.right, right, left))
    for number, operand, type_, other in pairs:
        if _numeric(type_.base) or type_.base is UNKNOWN_BASE:
            continue
        good = False
        expected = "const float" if _numeric(other.base) else "simple float"
        blame(checker, node.operator, number, operand, type_, expected)
    return BOOL.at(max(left.qualifier, right.qualifier)) if good else UNKNOWN


def equality(
    checker: Checker, operator: str, left_node: nodes.Node, left: Type, right_node: nodes.Node, right: Type
) -> Type:
    """Infer the type of `left == right` or `left != right`. Also used for the cases of a switch."""
    if VOID in (left.base, right.base) or unify(left.base, right.base) is None:
        _blame_unequal(checker, operator, left_node, left, right_node, right)
        return UNKNOWN
    if left.base.kind in _INCOMPARABLE_KINDS or left.base in _INCOMPARABLE:
        blame(checker, operator, 0, left_node, left, "simple string")
        blame(checker, operator, 1, right_node, right, "simple string")
        return UNKNOWN
    qualifier = max(left.qualifier, right.qualifier)
    if left.base is COLOR and right.base is COLOR:
        qualifier = SERIES
    return BOOL.at(qualifier)


def _blame_unequal(
    checker: Checker, operator: str, left_node: nodes.Node, left: Type, right_node: nodes.Node, right: Type
) -> None:
    """Report the operand that is a literal if only one is; otherwise the one with the lower rank in
    `_EQUALITY_RANK`."""
    blame_left = left.literal if left.literal != right.literal else _rank(left.base) < _rank(right.base)
    # a colour next to a number is always the reported one, and a float is expected
    if COLOR in (left.base, right.base) and (left.base in NUMBERS or right.base in NUMBERS):
        blame_left = left.base is COLOR
    number, operand, type_, other = (0, left_node, left, right) if blame_left else (1, right_node, right, left)
    blame(checker, operator, number, operand, type_, _equality_noun(other.base))


def _rank(base: Base) -> int:
    return _ENUM_RANK if base.kind == "enum" else _EQUALITY_RANK.get(base, 0)


def _equality_noun(base: Base) -> str:
    if base.kind == "enum":
        return "const enum"
    if base in NUMBERS:
        return "const float"
    if base.kind == "scalar":
        return f"const {base.name}"
    return display(base.at(SERIES))


def ternary(checker: Checker, node: nodes.Ternary) -> Type:
    """Infer the type of a chain of ternaries. It loops over the `otherwise` parts instead of recursing, because chains
    can be long."""
    chain: list[tuple[nodes.Ternary, Type, Type]] = []
    tail: nodes.Node = node
    while isinstance(tail, nodes.Ternary):
        condition = checker.evaluate(tail.condition)
        chain.append((tail, condition, checker.evaluate(tail.then)))
        tail = tail.otherwise
    result = checker.evaluate(tail)
    types = checker.frame.types
    for link, condition, then in reversed(chain):
        result = types[link] = _choice(checker, link, condition, then, result)
    return result


def _choice(checker: Checker, node: nodes.Ternary, condition: Type, then: Type, otherwise: Type) -> Type:
    good = True
    if condition.base is not BOOL and condition.base is not UNKNOWN_BASE:
        expected = "series bool" if SERIES in (then.qualifier, otherwise.qualifier) else "const bool"
        blame(checker, "?:", 0, node.condition, condition, expected)
        good = False
    if then.base.kind == "tuple" or otherwise.base.kind == "tuple":
        checker.report("CE10163", node.then if then.base.kind == "tuple" else node.otherwise)
        return UNKNOWN
    base = unify(then.base, otherwise.base)
    if base is None:
        _blame_branch(checker, node, then, otherwise)
        return UNKNOWN
    if not good:
        return UNKNOWN
    qualifier = max(condition.qualifier, then.qualifier, otherwise.qualifier)
    return unknown_type((then, otherwise), qualifier) if base is UNKNOWN_BASE else base.at(qualifier)


def _blame_branch(checker: Checker, node: nodes.Ternary, then: Type, otherwise: Type) -> None:
    """Report the branch that is a literal if only one is; otherwise the one whose type comes later in
    `_BRANCH_ORDER`."""
    first, second = _branch_rank(then.base), _branch_rank(otherwise.base)
    blame_then = then.literal if then.literal != otherwise.literal else first > second
    number, operand, type_, other = (
        (1, node.then, then, otherwise) if blame_then else (2, node.otherwise, otherwise, then)
    )
    blame(checker, "?:", number, operand, type_, _branch_noun(other))


def _branch_rank(base: Base) -> int:
    return _BRANCH_ORDER.index(base) if base in _BRANCH_ORDER else len(_BRANCH_ORDER)


def _branch_noun(other: Type) -> str:
    if other.base.kind != "scalar":
        return display(other)
    return f"{'series' if other.qualifier == SERIES else 'simple'} {other.base.name}"
