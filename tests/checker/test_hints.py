"""Advice beside the message: what was probably meant."""

from __future__ import annotations

from pinebench.checker import open_program
from tests.checker.support import findings
from tests.tables import each


def hint(script: str) -> str | None:
    return findings(script)[0].hint


@each(
    ("script", "expected"),
    [
        ("x = clsoe", "Did you mean `close`?"),
        ("total = 1\nx = totl", "Did you mean `total`?"),
        ("x = color.redd", "Did you mean `color.red`?"),
        ("x = ta.smma(close, 3)", "Pine v6 has `ta.rma` instead."),
        ("x = ema(close, 3)", "Did you mean `ta.ema`?"),
        ("x = stdev(close, 3)", "Did you mean `ta.stdev`?"),
        ("x = floor(close)", "Did you mean `math.floor`?"),
        ('study("x")', "Pine v6 has `indicator` instead."),
        (
            "x = later()\nlater() => 1",
            "`later` is declared further down: a function can be called only after its declaration.",
        ),
        ("x = close.abs()", "A float has no built-in methods; call `math.abs(...)`."),
        ("array.from(1).pussh(2)", "Did you mean `push`?"),
        ("plot(close, colour = color.red)", "Did you mean `color`?"),
        ("f(alpha, beta) => 1\nx = f(1, gamma = 2)", "It has: alpha, beta."),
        ("x = ta.SMA(close, 3)", "Did you mean `ta.sma`?"),
        ("x = math.PI", "Did you mean `math.pi`?"),
        ("x = mat.max(1, 2)", "Did you mean `math.max`?"),
        (
            "plot(close, style = plot.style_dashed)",
            "A plot's line is dashed by another argument: `linestyle = plot.linestyle_dashed`.",
        ),
        ("x = string.format(close)", "Did you mean `str.format`?"),
        ("x = ta.sma(close, len = 3)", "Did you mean `length`?"),
        ("x = ta.sma(src = close, length = 3)", "Did you mean `source`?"),
        ("x = length", "`length` is not declared: declare a variable with `length = ...` above its first use."),
        ("x = True", "Pine writes `true`."),
        ("x = null", "Pine writes `na`."),
        ("itn x = 1", "Did you mean `int`?"),
        ('str x = "a"', "Did you mean `string`?"),
        ("vra x = 1", "Did you mean `var`?"),
        ("x = label.nwe(1, 1)", "Did you mean `label.new`?"),
        (
            "Late x = na\ntype Late\n    int a",
            "`Late` is declared further down: a type can be named only after its declaration.",
        ),
        ("type Foo\n    int count\nx = Foo.nwe(1)", "Did you mean `Foo.new`?"),
        ("type Foo\n    int count\nx = foo.new(1)", "Did you mean `Foo.new`?"),
        ("type Foo\n    int count\nf = Foo.new(1)\nx = f.cout", "Did you mean `count`?"),
        ("type Foo\n    int count\nf = Foo.new(1)\nx = f.total", "It has: count."),
        ("p = chart.point.now(1)\nx = p.prize", "Did you mean `price`?"),
        ("enum Mode\n    fast\n    slow\nx = Mode.Fast", "Did you mean `Mode.fast`?"),
        ("x = len(1)", "Pine v6 has `array.size()` and `str.length()` instead."),
        ("x = input.source", "`input.source` is a function: write `input.source(...)`."),
        (
            "plot(close, transp = 40)",
            "Pine v6 has no `transp`: make it part of the colour, as in `color.new(color.red, 40)`.",
        ),
        (
            "x = input(1, minval = 1)",
            "Pine v6 has a function for each kind of input: `input.int()`, `input.float()`, `input.string()`, ...",
        ),
        ("bool x = na", "A bool is never `na` in v6: write `false`, or keep a third state in an int."),
        (
            "if volume\n    x = 1",
            "Pine v6 does not accept a number as a bool: compare it, or write `bool(...)`, false for 0 and `na`.",
        ),
        (
            "x = na(close > open)",
            "A bool is never `na` in v6, so `na()` refuses it: drop the call, or keep a third state in an int.",
        ),
        (
            "n = close > open ? 3 : 4\nx = ta.ema(close, n)",
            "It must be the same on every bar: a literal, an input, or a value computed from these; "
            "`ta.sma` takes a length that changes.",
        ),
        ('strategy.close("L")', "Declare the script with `strategy(...)`."),
        (
            "[a, b] = ta.bb(close, 3, 2)",
            "Name as many variables as there are values; `_` stands for one that is not needed.",
        ),
        *(
            (change, "A built-in value cannot be changed. Assign the new value to a variable of the script.")
            for change in ("close := 3", "ta.tr += 1", "color.red := color.blue", "syminfo.mintick := 2")
        ),
        (
            "enum E\n    a\nE.a += 1",
            "The fields of an enum never change. Declare a variable that holds one of them, and change the variable.",
        ),
        (
            "for i = 0 to 9\n    i := i + 1",
            "Only the loop itself sets its counter or element. Use `by` for another step, `continue` to skip an "
            "iteration, or a `while` loop.",
        ),
        ("x = na", "Say which type it will hold, for example `float x = na`."),
    ],
)
def test_hint(script: str, expected: str | None) -> None:
    assert hint(script) == expected


def test_where_nothing_is_near_a_hint_says_what_would_be() -> None:
    assert hint("x = qqqqqqqq") == (
        "`qqqqqqqq` is not declared: declare a variable with `qqqqqqqq = ...` above its first use."
    )
    assert hint("x = qqqqqqqq(1)") == (
        "Pine has no `qqqqqqqq()`, and the script declares none: a function begins as `qqqqqqqq(x) =>`."
    )


def test_a_name_is_looked_for_once_and_a_bounded_number_of_names() -> None:
    found = findings("\n".join(f"x{n} = clsoe{n % 60}" for n in range(120)))
    assert len({finding.message for finding in found if finding.hint is not None}) <= 50
    assert all(finding.code == "CE10272" for finding in found)


@each(
    ("body", "words"),
    [
        ("a = array.from(1)\na.extend(a)", "concat"),
        ("a = array.from(1)\nplot(a.is_empty() ? 1 : 0)", "size() == 0"),
        ("a = array.from(1)\na.frobnicate()", "methods of "),
        ("m = map.new<string, int>()\nm.items()", "for [key, value] in map"),
        ("m = map.new<string, int>()\nfor k in m\n    log.info(k)", "for [key, value] in map"),
        ('l = label.new(0, 0, "a")\nl.text := "b"', "set_text()"),
        ('x = str.concat("a", "b")\nlog.info(x)', "joined by `+`"),
        ("x = time.hour\nplot(x)", "An int has no fields"),
    ],
)
def test_the_hint_names_what_the_type_has(body: str, words: str) -> None:
    program = open_program(f'//@version=6\nindicator("t")\n{body}\n')
    assert any(words in (found.hint or "") for found in program.diagnostics)


def test_an_argument_before_a_named_one_is_not_taken_for_a_list_of_names() -> None:
    hints = [
        hint(f"{script}\n")
        for script in (
            "plot(clsoe, color = color.red)",
            "plot(\n     clsoe, color = color.red)",
            "plot(open +\n     clsoe, color = color.red)",
            "x = math.max(open, clsoe, length = 2)",
        )
    ]
    assert hints == ["Did you mean `close`?"] * 4
    assert hint("a, b = ta.supertrend(3, 10)") == "Unpack a tuple in brackets: `[a, b] = ...`."
