"""Hypothesis strategies for Pine scripts: sound ones with every construct, and texts that only look like scripts."""

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

NAMES = st.sampled_from(["a", "b", "close", "value1", "_", "to", "type", "series", "method", "label", "x9"])
BINDABLE = st.sampled_from(["a", "b", "value1", "count", "method", "type", "series"])
LITERALS = st.sampled_from(["1", "2.5", ".5", "1e3", "true", "false", "'s'", '"t"', "#ff0000", "na", '"""a\nb"""'])
TYPES = st.sampled_from(["int", "float", "array<float>", "map<string, int>", "float[]", "lib.Type", "chart.point"])
OPERATORS = st.sampled_from(["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "and", "or"])


def _compound(inner: SearchStrategy[str]) -> SearchStrategy[str]:
    return st.one_of(
        st.builds("{} {} {}".format, inner, OPERATORS, inner),
        st.builds("{} ? {} : {}".format, inner, inner, inner),
        st.builds("({})".format, inner),
        st.builds("not {}".format, inner),
        st.builds("-{}".format, inner),
        st.builds("{}[{}]".format, NAMES, inner),
        st.builds("{}.field".format, NAMES),
        st.builds("ta.sma({}, length = {})".format, inner, inner),
        st.builds("f(\n{},\n  {})".format, inner, inner),
        st.builds("array.new<{}>({})".format, TYPES, inner),
        st.builds("{}.get({}).put({})".format, NAMES, inner, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(NAMES, LITERALS), _compound, max_leaves=8)


def _statement(inner: SearchStrategy[list[str]]) -> SearchStrategy[list[str]]:
    block = inner.map(lambda lines: ["    " + line.replace("\n", "\n    ") for line in lines])
    condition = EXPRESSIONS
    return st.one_of(
        st.builds(lambda test, body: [f"if {test}", *body], condition, block),
        st.builds(lambda test, body, other: [f"if {test}", *body, "else", *other], condition, block, block),
        st.builds(
            lambda test, body, second, other: [f"if {test}", *body, f"else if {second}", *other],
            condition,
            block,
            condition,
            block,
        ),
        st.builds(lambda name, last, body: [f"for {name} = 0 to {last}", *body], BINDABLE, condition, block),
        st.builds(lambda name, last, body: [f"for int {name} = 9 to {last} by 2", *body], BINDABLE, condition, block),
        st.builds(lambda name, items, body: [f"for [{name}, v] in {items}", *body], BINDABLE, NAMES, block),
        st.builds(lambda name, items, body: [f"for {name} in {items}", *body], BINDABLE, condition, block),
        st.builds(lambda test, body: [f"while {test}", *body, "    break"], condition, block),
        st.builds(lambda test, body: [f"once {test}", *body], NAMES, block),
        st.builds(
            lambda name, subject, arm, other: [f"{name} = switch {subject}", f"    {arm} => {other}", "    => na"],
            BINDABLE,
            condition,
            NAMES,
            condition,
        ),
    )


LINES = st.one_of(
    st.builds(lambda name, value: [f"{name} = {value}"], BINDABLE, EXPRESSIONS),
    st.builds(lambda kind, name, value: [f"var {kind} {name} = {value}"], TYPES, BINDABLE, EXPRESSIONS),
    st.builds(lambda name, value: [f"{name} := {value}, {name} += 1"], BINDABLE, EXPRESSIONS),
    st.builds(lambda name, value: [f"[{name}, _] = f({value})"], BINDABLE, EXPRESSIONS),
    st.builds(lambda value: [f"plot({value})  // why"], EXPRESSIONS),
)
STATEMENTS = st.recursive(
    LINES,
    lambda inner: _statement(
        st.lists(inner, min_size=1, max_size=3).map(lambda many: [line for lines in many for line in lines])
    ),
    max_leaves=6,
)


def _function(parameters: list[str], body: list[str]) -> list[str]:
    return [f"f({', '.join(parameters)}) =>", *("    " + line.replace("\n", "\n    ") for line in body)]


TOP = st.one_of(
    STATEMENTS,
    st.builds(_function, st.lists(BINDABLE, max_size=3), STATEMENTS),
    st.builds(lambda kind: ["type T", f"    {kind} a", "    varip int b = 1", ""], TYPES),
    st.just(["enum E", '    a = "Alpha"', "    b"]),
    st.just(["import User/Library/1 as lib"]),
    st.just(["export method m(int this, float x = 1.0) => this + x"]),
    st.just(["// a comment", ""]),
)


def scripts() -> SearchStrategy[str]:
    """Scripts that the grammar accepts."""
    return st.lists(TOP, min_size=1, max_size=8).map(
        lambda parts: "\n".join(['//@version=6\nindicator("G")', *(line for part in parts for line in part), ""])
    )


FRAGMENTS = st.sampled_from(
    [
        *"()[]{}=+-*/%<>?:,.#\"'\\;@&|^~\n\r\t \x00\x0c\u00a0\u3000\ufeff\ud800é😀",
        *("\n    ", "\n  ", "\r\n", "=>", ":=", "==", '"""', "'''", "//", "//@version=5", "//@version=6\n", " "),
        *("if ", "else", "for ", "to ", "by", "in ", "while ", "switch ", "var ", "type ", "enum ", "method ", "once "),
        *("and ", "or ", "not ", "import ", "export ", "as ", "const ", "a", "b", "f(", "1", ".5", "true", "#ff0000"),
        *("x = 1\n", "f(x) =>\n", "array<int>", "\nelse\n", "break", "continue", "[a, b] = "),
    ]
)


def texts() -> SearchStrategy[str]:
    """Any text, most of it made of pieces of Pine."""
    return st.one_of(st.text(st.characters(), max_size=200), st.lists(FRAGMENTS, max_size=60).map("".join))
