"""Scripts of any size whose shape tempts a checker into more than linear work."""

from collections.abc import Callable

_HEAD = '//@version=6\nindicator("Growth")\n'


def _script(*lines: str) -> str:
    return _HEAD + "\n".join(lines) + "\nplot(close)\n"


def statements(size: int) -> str:
    """Many short statements."""
    return _script(*(f"v{n} = ta.sma(close, {n + 1}) + {n}" for n in range(size)))


def uses_of_all(size: int) -> str:
    """Each variable is made of the one before."""
    return _script("v0 = close", *(f"v{n} = v{n - 1} * 2 + v0" for n in range(1, size)))


def sum_chain(size: int) -> str:
    """One long sum."""
    return _script("x = " + " + ".join(["close"] * size))


def logic_chain(size: int) -> str:
    """One long condition."""
    return _script("x = " + " and ".join(["close > open"] * size))


def ternary_chain(size: int) -> str:
    """One long ternary."""
    return _script("x = " + " : ".join(f"close > {n} ? {n}" for n in range(size)) + " : 0")


def method_chain(size: int) -> str:
    """One long chain of method calls."""
    return _script("a = array.from(1, 2)", "b = a" + ".copy()" * size)


def else_if_chain(size: int) -> str:
    """One `if` with many arms whose value is taken."""
    arms = [f"    {n}\nelse if close > {n}" for n in range(size)]
    return _script("x = if close > 0", *arms, "    -1")


def switch_arms(size: int) -> str:
    """One `switch` with many arms."""
    return _script("x = switch bar_index", *(f"    {n} => {n}.5" for n in range(size)), "    => 0.0")


def reassignments(size: int) -> str:
    """One variable that is assigned again and again."""
    return _script("var x = 0", *(f"x := x + {n}" for n in range(size)))


def reassigned_in_rings(size: int) -> str:
    """Variables that are assigned from each other, so that their qualifiers hang together."""
    declarations = [f"v{n} = {n}" for n in range(size)]
    return _script(*declarations, *(f"v{n} := v{(n + 1) % size}" for n in range(size)))


def woven_assignments(size: int) -> str:
    """Variables each of which is assigned from the four behind it: a tree if every mention were followed anew."""
    names = [f"v{n}" for n in range(size + 4)]
    changes = (f"{names[n]} := {' + '.join(names[n + 1 : n + 5])}" for n in range(size))
    return _script(*(f"{name} = 0" for name in names), *changes)


def assigned_in_each_arm(size: int) -> str:
    """One `if` with many arms that assign to one variable."""
    arms = [f"    x := {n}\nelse if x > {n}" for n in range(size)]
    return _script("x = 0", "if x < 0", *arms, "    x := 1")


def gated_assignments(size: int) -> str:
    """Blocks that assign to one variable under a condition on it."""
    return _script("x = 0", *(f"if x > {n}\n    x := {n}" for n in range(size)))


def call_chain(size: int) -> str:
    """Untyped functions, each of which calls the one before."""
    return _script("f0(x) => x + 1", *(f"f{n}(x) => f{n - 1}(x) + 1" for n in range(1, size)), f"y = f{size - 1}(1)")


def call_chain_at_each_level(size: int) -> str:
    """The same with a call of each function from the global code, for an integer and a float."""
    lines = ["f0(x) => x + 1"]
    for n in range(1, size):
        lines += [f"f{n}(x) => f{n - 1}(x) + 1", f"i{n} = f{n}(1)", f"j{n} = f{n}(close)"]
    return _script(*lines)


def call_tree(size: int) -> str:
    """Untyped functions that call the one before twice: a tree if every call were evaluated anew."""
    functions = (f"f{n}(x, y) => f{n - 1}(x, y) + f{n - 1}(y, x)" for n in range(1, size))
    return _script("f0(x, y) => x + y", *functions, f"z = f{size - 1}(1, 2.0)")


def call_tree_of_blocks(size: int) -> str:
    """Untyped functions with bodies that warn, each calling the one before under a condition."""
    lines = ["f0(x) => x[1]"]
    for n in range(1, size):
        lines += [f"f{n}(x) =>", "    r = 0.0", "    if x > 0", f"        r := f{n - 1}(x)", "    r"]
    return _script(*lines, f"y = f{size - 1}(close)")


def typed_callers(size: int) -> str:
    """A chain of untyped functions, each called by a typed one that needs its parameter to be simple."""
    lines = ["f0(x) => x + 1", "g0(int n) => ta.ema(close, f0(n))"]
    for n in range(1, size):
        lines += [f"f{n}(x) => f{n - 1}(x) + 1", f"g{n}(int n) => ta.ema(close, f{n}(n))"]
    return _script(*lines)


def calls_of_one_function(size: int) -> str:
    """Many calls of one untyped function."""
    return _script("f(x) =>", "    y = x * 2", "    y + 1", *(f"v{n} = f({n})" for n in range(size)))


def gated_calls_of_a_long_function(size: int) -> str:
    """Many calls under a condition of a function with many lines."""
    body = (f"    y{n} = x + {n}" for n in range(size))
    return _script("f(x) =>", *body, "    x", *(f"if close > {n}\n    a = f({n})" for n in range(size)))


def arguments(size: int) -> str:
    """One call with many arguments."""
    return _script("x = math.max(" + ", ".join(["close"] * size) + ")")


def overloads(size: int) -> str:
    """Many overloads of one function."""
    lines = []
    for n in range(1, size):
        names = ", ".join(f"int p{k}" for k in range(n))
        lines.append(f"f({names}) => p0")
    return _script(*lines)


def fields(size: int) -> str:
    """A type with many fields, all of them set."""
    lines = ["type T", *(f"    float f{n} = {n}" for n in range(size)), "t = T.new()"]
    return _script(*lines, *(f"t.f{n} := {n}.5" for n in range(size)))


def undeclared(size: int) -> str:
    """Many names that nobody declared."""
    return _script(*(f"v{n} = nobody{n} + unknown{n}(1)" for n in range(size)))


def open_brackets(size: int) -> str:
    """Many statements with an open parenthesis."""
    return _script(*(f"v{n} = ta.sma(close, {n}" for n in range(size)))


def foreign(size: int) -> str:
    """Many lines that are not Pine."""
    return _script(*(f"for (let i{n} = 0; i < {n}; i++) {{ x }}" for n in range(size)))


def one_wrapped_call(size: int) -> str:
    """One statement over many lines, each with a fault."""
    return _script("x = math.max(", *(f"     nobody{n}," for n in range(size)), "     1)")


_TYPES = ("int", "float", "bool", "string", "color", "line", "label", "box", "table")


def _overload(number: int, body: str) -> str:
    types = (_TYPES[number % 9], _TYPES[number // 9 % 9], _TYPES[number // 81 % 9])
    return f"f({', '.join(f'{type_} p{place}' for place, type_ in enumerate(types))}) => {body}"


def overloads_called(size: int) -> str:
    """Many overloads of one function, and as many calls."""
    return _script(*(_overload(n, "1") for n in range(size)), *(f"y{n} = f({n}, {n}.5, 1)" for n in range(size)))


def overloads_called_with_casts(size: int) -> str:
    """Many overloads, and calls that none of them fits exactly."""
    functions = ["f(float a, float b) => a", *(_overload(n, "1") for n in range(size))]
    return _script(*functions, *(f"y{n} = f({n}, {n})" for n in range(size)))


def overloads_misused(size: int) -> str:
    """Many overloads, and calls that are wrong in number or in type."""
    calls = ("f({0})", "f({0}, close)", 'f("a", true, "b")', "f(1, 2, 3, {0})")
    made = (f"y{n} = {calls[n % 4].format(n)}" for n in range(size))
    return _script(*(_overload(n, "1") for n in range(size)), *made)


def overloads_calling_each_other(size: int) -> str:
    """Many overloads that each call what is declared above."""
    return _script(_overload(0, "1"), *(_overload(n, "f(1, 1, 1)") for n in range(1, size)), "y = f(1, 1, 1)")


def overloads_calling_wrongly(size: int) -> str:
    """Many overloads whose bodies hold a wrong call."""
    return _script(*(_overload(n, "f(p0)") for n in range(size)))


def line_of_pictures(size: int) -> str:
    """One line of many statements and texts of characters that take two UTF-16 units, with a finding in each."""
    return _script(", ".join(f'x{n} = "\U0001f389\U0001f389\u6f22" + true' for n in range(size)))


def line_of_undeclared_pictures(size: int) -> str:
    """One line of many undeclared names between such texts."""
    return _script("x = " + " + ".join(f'str.length("\U0001f389\u6f22") + y{n}' for n in range(size)))


SHAPES: tuple[Callable[[int], str], ...] = (
    statements,
    uses_of_all,
    sum_chain,
    logic_chain,
    ternary_chain,
    method_chain,
    else_if_chain,
    switch_arms,
    reassignments,
    reassigned_in_rings,
    woven_assignments,
    assigned_in_each_arm,
    gated_assignments,
    call_chain,
    call_chain_at_each_level,
    call_tree,
    call_tree_of_blocks,
    typed_callers,
    calls_of_one_function,
    gated_calls_of_a_long_function,
    arguments,
    fields,
    undeclared,
    open_brackets,
    foreign,
    one_wrapped_call,
    overloads_called,
    overloads_called_with_casts,
    overloads_misused,
    overloads_calling_each_other,
    overloads_calling_wrongly,
    line_of_pictures,
    line_of_undeclared_pictures,
)
