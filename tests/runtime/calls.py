"""Calls of built-in functions made from the overloads of the reference, with extreme and missing arguments."""

from collections.abc import Iterator
from functools import cache
from random import Random

from pinebench.reference import constant, constants, function
from pinebench.reference.model import Function, Overload, Parameter

PRELUDE = """\
//@version=6
{declaration}
type Thing
    float v
enum Kind
    a
    b
float na_float = close > 1e9 ? close : na
int na_int = close > 1e9 ? bar_index : na
string na_text = close > 1e9 ? "x" : na
color na_color = close > 1e9 ? color.red : na
float infinite = close / 0.0
int infinite_int = math.floor(close / 0.0)
int far = time * 1000
line na_line = na
label na_label = na
box na_box = na
table na_table = na
linefill na_linefill = na
polyline na_polyline = na
chart.point na_point = na
footprint na_footprint = na
volume_row na_row = na
Thing na_thing = na
array<float> na_floats = na
array<int> na_ints = na
matrix<float> na_matrix = na
map<string, float> na_map = na
a_line = line.new(bar_index, close, bar_index, close)
a_label = label.new(bar_index, close)
a_box = box.new(bar_index, close, bar_index, close)
a_table = table.new(position.top_left, 2, 2)
many_digits = str.repeat("9", 5000)
"""

_CONST = {
    "int": ["0", "-1", "1", "2", "3", "14", "500", "5001", "99999", "2147483647", "9007199254740993", "-2147483648"],
    "float": ["0.0", "-0.5", "1.5", "1e-300", "1e300", "100.1", "float(na)"],
    "bool": ["true", "false"],
    "string": [
        *('""', '"a"', '"60"', '"D"', '"1S"', '"100000M"', '"1T"', '"{0"', '"{0,number,#.#}"', '"{99999999999}"'),
        *('"#.' + "#" * 400 + '"', '"0.' + "0" * 400 + '"', '"(a+)+$"', '"(?<=a)b"', '"["', '"UTC+99"', '"GMT-25:99"'),
        *('"0930-1600:12345"', '"2500-9999"', '"USD"', '"BINANCE:BTCUSDT"', '"1 Jan 99999 00:00"', '"2020-13-45"'),
        *("\"yyyy-MM-dd'T'HH:mm:ssZ\"", '"\\\\uD83D\\\\uDE00"', '"{0,date,' + "y" * 400 + '}"', '"Traditional"'),
    ],
    "color": ["color.red", "#00000000", "color(na)"],
}
_SERIES = {
    "int": [
        *(
            "bar_index",
            "-bar_index",
            "na_int",
            "infinite_int",
            "-infinite_int",
            "far",
            "far * 1000000",
            "far * far * far",
        ),
        *("bar_index * 1000000", "time", "-time", "99999 + bar_index", "-500 - bar_index"),
    ],
    "float": [
        "close",
        "na_float",
        "infinite",
        "-infinite",
        "close * 1e307 * 10",
        "close * 1e-320",
        "close * 0",
        "-close",
    ],
    "bool": ["close > 2", "na(close)"],
    "string": [
        *("na_text", 'close > 2 ? "x" : "D"', "many_digits", '"{" + many_digits + "}"', '"#." + str.repeat("0", 4000)'),
        *('str.repeat("(a)", 3000)', '"{0,number,0." + str.repeat("0", 4000) + "}"', 'str.repeat("(", 3000)'),
    ],
    "color": ["na_color", "color.new(color.red, close)"],
    "line": ["na_line", "a_line", "a_line[1]"],
    "label": ["na_label", "a_label", "a_label[1]"],
    "box": ["na_box", "a_box", "a_box[1]"],
    "table": ["na_table", "a_table"],
    "linefill": ["na_linefill", "linefill.new(a_line, a_line, color.red)"],
    "polyline": ["na_polyline", "polyline.new(array.from(chart.point.now(close), na_point))"],
    "chart.point": ["na_point", "chart.point.now(close)", "chart.point.from_index(na_int, na_float)"],
    "footprint": ["na_footprint"],
    "volume_row": ["na_row"],
    "udt": ["na_thing", "Thing.new(close)"],
    "enum": ["Kind.a", "close > 2 ? Kind.a : Kind.b"],
    "source": ["close", "hl2"],
    "plot": ["p1"],
    "hline": ["h1"],
    "na": ["na"],
}
_ITEMS = {
    "int": ["array.new<int>(0)", "array.from(1, 2, na_int)", "array.from(far, -far)", "na_ints"],
    "float": [
        *("array.new<float>(0)", "array.new<float>(3)", "array.from(1.5, na_float, infinite)", "na_floats"),
        *("array.from(1e308, -1e308, 1e308)", "array.from(close, 2.0, 0.0)", "array.from(close, 2.0, 0.0).slice(1, 2)"),
    ],
    "string": ["array.new<string>(0)", 'array.from("", "b", na_text)'],
    "bool": ["array.new<bool>(0)", "array.from(true, false)"],
    "chart.point": ["array.new<chart.point>(0)", "array.from(chart.point.now(close), na_point)"],
    "any": ["array.from(a_line, na_line)", "array.from(Thing.new(1), na_thing)", "array.from(close)"],
}
_MATRICES = {
    "int": ["matrix.new<int>(0, 0)", "matrix.new<int>(2, 2, 3)", "matrix.new<int>(1, 3, na_int)"],
    "float": [
        *("matrix.new<float>(0, 0)", "matrix.new<float>(2, 2)", "matrix.new<float>(2, 2, close)", "na_matrix"),
        *("matrix.new<float>(3, 2, 1e308)", "matrix.new<float>(3, 3, infinite)", "matrix.new<float>(0, 3)"),
        *("matrix.new<float>(3, 0)", "matrix.new<float>(2, 2, 1e-320)", "matrix.new<float>(1, 1, -close)"),
    ],
    "string": ['matrix.new<string>(1, 1, "a")', "matrix.new<string>(0, 0)"],
}


@cache
def _constants(base: str) -> list[str]:
    known = ((name, constant(name)) for name in constants())
    return [name for name, found in known if found is not None and found.type.rpartition(" ")[2] == base]


def known_function(name: str) -> Function:
    """The built-in function of a name."""
    found = function(name)
    assert found is not None
    return found


def _bases(text: str) -> list[str]:
    """The alternatives of a union, brackets kept together."""
    found, depth, start = [], 0, 0
    for position, letter in enumerate(text + "|"):
        depth += (letter in "<(") - (letter in ">)")
        if letter == "|" and not depth:
            found.append(text[start:position].strip("()"))
            start = position + 1
    return found


def argument(random: Random, parameter: Parameter, element: str) -> str:
    """One argument that the parameter may take; `element` is the type of a collection's elements."""
    qualifier, _, rest = parameter.type.rpartition(" ") if "<" not in parameter.type else ("", "", parameter.type)
    if parameter.allowed and random.random() < 0.5:
        value = random.choice(parameter.allowed)
        return value if value in constants() or '"' in value else f'"{value}"' if "string" in rest else value
    base = random.choice(_bases(rest))
    return _value(random, base, qualifier, element)


def _value(random: Random, base: str, qualifier: str, element: str) -> str:
    outer, _, inner = base.partition("<")
    inner = inner.removesuffix(">").strip("()")
    if outer in ("array", "matrix", "map", "tuple"):
        kind = random.choice(_bases(inner.split(",")[0])) if inner else "float"
        kind = element if kind == "T" else kind
        if outer == "map":
            return random.choice(["map.new<string, float>()", "na_map"])
        if outer == "tuple":
            items = [_value(random, kind.removeprefix("const "), "const", element) for _ in range(random.randint(0, 2))]
            return f"[{', '.join(items)}]"
        return random.choice((_MATRICES if outer == "matrix" else _ITEMS).get(kind, ["na_floats"]))
    base = {"T": element, "K": "string", "V": "float", "any": random.choice(["float", "string", "label"])}.get(
        base, base
    )
    known = [*_CONST.get(base, []), *_constants(base)]
    if qualifier in ("series", "") and base in _SERIES:
        known += _SERIES[base] * 2
    return random.choice(known or _SERIES.get(base, ["na"]))


_TYPED = {"array.new": "<float>", "matrix.new": "<float>", "map.new": "<string, float>"}
"""The functions that name the types of their elements."""


def call(random: Random, name: str, overload: Overload) -> str:
    """A call with all arguments that are required and some of the others, by name from the first one left out."""
    element = random.choice(["float", "float", "int", "string"])
    parameters = list(overload.parameters)
    variadic = known_function(name).variadic
    if variadic:
        parameters += [parameters[-1]] * random.randint(0, 3)
    texts: list[str] = []
    named = False
    for number, parameter in enumerate(parameters):
        if not parameter.required and random.random() < 0.4:
            named = True
            continue
        text = argument(random, parameter, element)
        texts.append(f"{parameter.name} = {text}" if named and number < len(overload.parameters) else text)
    return f"{name}{_TYPED.get(name, '')}({', '.join(texts)})"


_PLAIN = {
    "int": "2",
    "float": "close",
    "bool": "true",
    "string": '"a"',
    "color": "color.red",
    "source": "close",
    "line": "a_line",
    "label": "a_label",
    "box": "a_box",
    "table": "a_table",
    "plot": "p1",
    "hline": "h1",
    "chart.point": "chart.point.now(close)",
    "udt": "Thing.new(close)",
    "enum": "Kind.a",
    "linefill": "linefill.new(a_line, a_line, color.red)",
    "polyline": "polyline.new(array.from(chart.point.now()))",
    "array": "array.from(close, 2.0, 1.0)",
    "matrix": "matrix.new<float>(2, 2, close)",
    "map": "map.new<string, float>()",
    "T": "close",
    "K": '"a"',
    "V": "close",
    "any": "close",
}
"""An argument that does no harm, by its type."""


def _plain(parameter: Parameter) -> str:
    if parameter.allowed:
        value = parameter.allowed[0]
        return value if value in constants() or '"' in value else f'"{value}"' if "string" in parameter.type else value
    base = _bases(parameter.type.rpartition(" ")[2] if "<" not in parameter.type else parameter.type)[0]
    return _PLAIN.get(base.partition("<")[0], "na")


def positions(random: Random, name: str, extremes: int) -> Iterator[str]:
    """Scripts that call a function with na, and with some extreme values, in one position after the other. The other
    arguments do no harm."""
    for overload in known_function(name).overloads:
        for place, parameter in enumerate(overload.parameters):
            before = [_plain(each) for each in overload.parameters[:place]]
            after = [f"{each.name} = {_plain(each)}" for each in overload.parameters[place + 1 :] if each.required]
            for value in ("na", *(argument(random, parameter, "float") for _ in range(extremes))):
                text = f"{name}{_TYPED.get(name, '')}({', '.join([*before, f'{parameter.name} = {value}', *after])})"
                yield _script(random, name, overload, text)


def script(random: Random, name: str) -> str:
    """A script that makes one call of the function `name`."""
    overload = random.choice(known_function(name).overloads)
    return _script(random, name, overload, call(random, name, overload))


def _script(random: Random, name: str, overload: Overload, text: str) -> str:
    declaration = 'strategy("x")' if name.startswith("strategy.") else 'indicator("x")'
    if name in ("indicator", "strategy", "library"):
        return PRELUDE.format(declaration=text) + "plot(close)\n"
    lines = ["p1 = plot(close)", "h1 = hline(1)"] if "p1" in text or "h1" in text else ["plot(close)"]
    if overload.returns == "void" or overload.returns.startswith("["):
        lines.append(text)
    else:
        lines.append(f"result = {text}")
        lines.append("log.info(str.tostring(result))" if random.random() < 0.7 else "log.info('{0}', result)")
    return PRELUDE.format(declaration=declaration) + "\n".join(lines) + "\n"
