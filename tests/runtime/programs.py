"""Scripts made at random, each of which compiles: variables, history, state in functions, blocks, loops, objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass
class Names:
    """The variables that can be read where code stands, by type, and those that can be assigned."""

    readable: dict[str, list[str]] = field(default_factory=lambda: {"float": [], "bool": [], "array": [], "object": []})
    writable: dict[str, list[str]] = field(default_factory=lambda: {"float": [], "bool": []})

    def inside(self) -> Names:
        return Names(
            {kind: list(names) for kind, names in self.readable.items()},
            {kind: list(names) for kind, names in self.writable.items()},
        )


class Maker:
    """Makes one script."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.indent = 0
        self.number = 0
        self.functions: list[tuple[str, int, int]] = []
        """Name, number of parameters, number of results."""
        self.in_loop = False
        self.lazy = False
        self.outside: list[str] = []
        """The variables of the script that functions may read."""

    def script(self) -> str:
        """A whole script whose plots show every variable."""
        self.lines = ["//@version=6", 'indicator("Made")', "type Thing", "    float a", "    float b"]
        names = Names()
        for _ in range(self.random.randint(0, 2)):
            self.make_declare(names, 0)
        self.outside = list(names.readable["float"])
        for _ in range(self.random.randint(0, 3)):
            self.function()
        for _ in range(self.random.randint(3, 9)):
            self.statement(names, 0)
        for name in names.readable["float"]:
            self.write(f"plot({name})")
        for name in names.readable["bool"]:
            self.write(f"plot({name} ? 1 : 0)")
        for name in names.readable["object"]:
            self.write(f"plot({name}.a)")
        for name in names.readable["array"]:
            self.write(f"plot({name}.size())")
        self.write("plot(close)")
        return "\n".join(self.lines) + "\n"

    def write(self, text: str) -> None:
        self.lines.append("    " * self.indent + text)

    def name(self, kind: str) -> str:
        self.number += 1
        return f"{kind}{self.number}"

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    # functions

    def function(self) -> None:
        name = self.name("f")
        names = Names()
        parameters = [self.name("p") for _ in range(self.random.randint(1, 2))]
        names.readable["float"] += [*parameters, *self.outside]
        self.write(f"{name}({', '.join('float ' + p for p in parameters)}) =>")
        self.indent += 1
        for _ in range(self.random.randint(1, 4)):
            self.statement(names, 1)
        results = self.random.choice((1, 1, 2))
        if results == 2:
            self.write(f"[{self.number_(names, 2)}, {self.number_(names, 1)}]")
        else:
            self.write(self.number_(names, 2))
        self.indent -= 1
        self.functions.append((name, len(parameters), results))

    # statements

    def statement(self, names: Names, depth: int) -> None:
        kinds = ["declare"] * 4 + ["assign"] * 3 + ["truth", "tuple", "array", "object"]
        if depth < 3:
            kinds += ["if", "if", "for", "while", "switch", "value", "once"]
        getattr(self, f"make_{self.random.choice(kinds)}")(names, depth)

    def make_declare(self, names: Names, depth: int) -> None:
        mode = self.random.choice(("", "", "var ", "var ", "varip "))
        name = self.name("v")
        value = self.number_(names, 3)
        self.write(f"{mode}float {name} = {value}")
        names.readable["float"].append(name)
        names.writable["float"].append(name)

    def make_truth(self, names: Names, depth: int) -> None:
        name = self.name("b")
        self.write(f"{self.random.choice(('', 'var '))}bool {name} = {self.truth(names, 2)}")
        names.readable["bool"].append(name)
        names.writable["bool"].append(name)

    def make_assign(self, names: Names, depth: int) -> None:
        if self.chance(0.2) and names.writable["bool"]:
            self.write(f"{self.random.choice(names.writable['bool'])} := {self.truth(names, 2)}")
        elif self.chance(0.2) and names.readable["object"]:
            name = self.random.choice(names.readable["object"])
            self.write(f"{name}.{self.random.choice('ab')} {self.random.choice((':=', '+='))} {self.number_(names, 2)}")
        elif names.writable["float"]:
            operator = self.random.choice((":=", ":=", "+=", "-=", "*=", "/="))
            self.write(f"{self.random.choice(names.writable['float'])} {operator} {self.number_(names, 2)}")
        else:
            self.make_declare(names, depth)

    def make_tuple(self, names: Names, depth: int) -> None:
        pairs = [function for function in self.functions if function[2] == 2]
        if not pairs:
            return self.make_declare(names, depth)
        first, second = self.name("v"), self.name("v")
        self.write(f"[{first}, {second}] = {self.call(self.random.choice(pairs), names, 1)}")
        names.readable["float"] += [first, second]
        return None

    def make_array(self, names: Names, depth: int) -> None:
        if names.readable["array"] and self.chance(0.7):
            name = self.random.choice(names.readable["array"])
            self.write(f"if {name}.size() < 40")
            self.write(f"    {name}.push({self.number_(names, 2)})")
            return
        name = self.name("a")
        self.write(f"{self.random.choice(('', 'var '))}{name} = array.new<float>({self.random.randint(0, 3)}, close)")
        names.readable["array"].append(name)

    def make_object(self, names: Names, depth: int) -> None:
        name = self.name("o")
        made = f"Thing.new({self.number_(names, 1)}, {self.number_(names, 1)})"
        if names.readable["object"] and self.chance(0.4):
            made = f"{self.random.choice(names.readable['object'])}{self.random.choice(('', '.copy()'))}"
        self.write(f"{self.random.choice(('', 'var '))}{name} = {made}")
        names.readable["object"].append(name)

    def block(self, names: Names, depth: int, last: str | None = None) -> None:
        self.indent += 1
        inner = names.inside()
        for _ in range(self.random.randint(1, 3)):
            self.statement(inner, depth + 1)
        if last == "number":
            self.write(self.number_(inner, 2))
        self.indent -= 1

    def make_if(self, names: Names, depth: int) -> None:
        self.write(f"if {self.truth(names, 2)}")
        self.block(names, depth)
        if self.chance(0.3):
            self.write(f"else if {self.truth(names, 1)}")
            self.block(names, depth)
        if self.chance(0.5):
            self.write("else")
            self.block(names, depth)

    def make_value(self, names: Names, depth: int) -> None:
        """The value of a structure."""
        name = self.name("v")
        kind = self.random.choice(("if", "for", "switch"))
        if kind == "if":
            self.write(f"float {name} = if {self.truth(names, 1)}")
            self.block(names, depth, "number")
            if self.chance(0.5):
                self.write("else")
                self.block(names, depth, "number")
        elif kind == "for":
            self.write(f"float {name} = for {self.name('i')} = 0 to {self.random.randint(0, 2)}")
            self.block(names, depth, "number")
        else:
            self.write(f"float {name} = switch")
            self.indent += 1
            for _ in range(self.random.randint(1, 2)):
                self.write(f"{self.truth(names, 1)} => {self.number_(names, 1)}")
            if self.chance(0.5):
                self.write(f"=> {self.number_(names, 1)}")
            self.indent -= 1
        names.readable["float"].append(name)
        names.writable["float"].append(name)

    def make_for(self, names: Names, depth: int) -> None:
        inner = names.inside()
        if names.readable["array"] and self.chance(0.5):
            element = self.name("e")
            self.write(f"for {element} in {self.random.choice(names.readable['array'])}.copy()")
            inner.readable["float"].append(element)
        else:
            counter = self.name("i")
            first, last = self.random.randint(0, 3), self.random.randint(0, 3)
            step = self.random.choice(("", " by 2"))
            self.write(f"for {counter} = {first} to {last}{step}")
            inner.readable["float"].append(counter)
        self.loop_body(inner, depth)

    def loop_body(self, names: Names, depth: int) -> None:
        self.block(names, depth)
        if self.chance(0.3):
            self.write(f"    if {self.truth(names, 1)}")
            self.write(f"        {self.random.choice(('break', 'continue'))}")
            self.indent += 1
            self.make_assign(names, depth)
            self.indent -= 1

    def make_while(self, names: Names, depth: int) -> None:
        counter = self.name("w")
        self.write(f"int {counter} = 0")
        self.write(f"while {counter} < {self.random.randint(0, 3)}")
        self.write(f"    {counter} += 1")
        self.loop_body(names.inside(), depth)

    def make_switch(self, names: Names, depth: int) -> None:
        self.write(f"switch {self.random.choice(('bar_index % 3', 'bar_index'))}")
        self.indent += 1
        for value in range(self.random.randint(1, 3)):
            self.write(f"{value} =>")
            self.block(names, depth)
        if self.chance(0.5):
            self.write("=>")
            self.block(names, depth)
        self.indent -= 1

    def make_once(self, names: Names, depth: int) -> None:
        condition = f" {self.truth(names, 1)}" if self.chance(0.5) else ""
        self.write(f"once{condition}")
        self.block(names, depth)

    # expressions

    def number_(self, names: Names, depth: int) -> str:
        """An expression of type float."""
        leaves = [
            "close",
            "open",
            "(close + 0.00000000005)",
            "bar_index",
            f"{self.random.randint(0, 9)}.5",
            str(self.random.randint(1, 9)),
        ]
        readable = names.readable["float"]
        if depth <= 0 or self.chance(0.25):
            return self.random.choice([*leaves, *readable, *readable])
        kind = self.random.choice(("operator", "operator", "choice", "history", "call", "builtin", "kernel", "member"))
        return getattr(self, f"number_{kind}")(names, depth - 1)

    def number_operator(self, names: Names, depth: int) -> str:
        operator = self.random.choice("+-*/%")
        return f"({self.number_(names, depth)} {operator} {self.number_(names, depth)})"

    def number_choice(self, names: Names, depth: int) -> str:
        condition = self.truth(names, depth)
        lazy, self.lazy = self.lazy, True
        text = f"({condition} ? {self.number_(names, depth)} : {self.number_(names, depth)})"
        self.lazy = lazy
        return text

    def number_history(self, names: Names, depth: int) -> str:
        offset = self.random.choice(("1", "1", "2", "3", "bar_index % 3", "0"))
        readable = [name for name in names.readable["float"] if name[0] in "vp"]
        if self.chance(0.15):
            return f"nz(bar_index[{offset}], -3)"
        if readable and self.chance(0.7):
            return f"nz({self.random.choice(readable)}[{offset}], -1)"
        if self.lazy or self.chance(0.5):
            return f"nz(close[{offset}], -1)"
        return f"nz(({self.number_(names, depth)} + close)[{offset}], -2)"

    def number_call(self, names: Names, depth: int) -> str:
        single = [function for function in self.functions if function[2] == 1]
        return self.call(self.random.choice(single), names, depth) if single else self.number_operator(names, depth)

    def call(self, function: tuple[str, int, int], names: Names, depth: int) -> str:
        return f"{function[0]}({', '.join(self.number_(names, depth) for _ in range(function[1]))})"

    def number_builtin(self, names: Names, depth: int) -> str:
        first, second = self.number_(names, depth), self.number_(names, depth)
        calls = (f"math.max({first}, {second})", f"math.abs({first})", f"nz({first}, {second})")
        return self.random.choice((*calls, f"math.log10(1 + math.abs({first}))"))

    def number_kernel(self, names: Names, depth: int) -> str:
        source = self.number_(names, depth)
        kernels = (("sma", ", 3"), ("ema", ", 2"), ("cum", ""), ("change", ""), ("highest", ", 2"))
        kernels += (("range", ", 3"), ("cog", ", 2"), ("swma", ""), ("percentrank", ", 2"), ("linreg", ", 3, 1"))
        kernels += (("percentile_linear_interpolation", ", 3, 40"), ("percentile_nearest_rank", ", 4, 60"))
        name, length = self.random.choice(kernels)
        return f"nz(ta.{name}({source}{length}), 7)"

    def number_member(self, names: Names, depth: int) -> str:
        if names.readable["object"]:
            return f"{self.random.choice(names.readable['object'])}.{self.random.choice('ab')}"
        if names.readable["array"]:
            name = self.random.choice(names.readable["array"])
            return f"({name}.size() > 1 ? {name}.get(1) : 0)"
        return self.number_(names, 0)

    def truth(self, names: Names, depth: int) -> str:
        """An expression of type bool."""
        if depth <= 0 or self.chance(0.5):
            if names.readable["bool"] and self.chance(0.3):
                name = self.random.choice(names.readable["bool"])
                return self.random.choice((name, f"{name}[1]", f"not {name}"))
            sign = self.random.choice(("<", ">", "<=", ">=", "==", "!="))
            return f"{self.number_(names, depth - 1)} {sign} {self.number_(names, depth - 1)}"
        first = self.truth(names, depth - 1)
        lazy, self.lazy = self.lazy, True
        text = f"({first} {self.random.choice(('and', 'or'))} {self.truth(names, depth - 1)})"
        self.lazy = lazy
        return text


class LabelMaker:
    """Makes one script that draws labels, holds them in variables of every kind, deletes them and asks after them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.names: list[str] = []
        self.arrays: list[str] = []

    def script(self) -> str:
        """A whole script whose plots show which labels there are."""
        random = self.random
        self.lines = ["//@version=6", f'indicator("Made", max_labels_count = {random.randint(1, 4)})']
        self.lines += ["keep(float y) =>", "    var label own = label.new(bar_index, y)", "    own.get_y()"]
        for number in range(random.randint(2, 6)):
            self.declare(f"{random.choice('vph')}{number}")
        for number in range(random.randint(0, 2)):
            self.lines.append(f"var array<label> a{number} = array.new<label>()")
            self.arrays.append(f"a{number}")
        for _ in range(random.randint(3, 9)):
            self.statement()
        self.lines += ["plot(label.all.size())", "plot(keep(close))"]
        for name in self.names:
            self.lines += [f"plot(na({name}) ? 1 : 0)", f"plot({name}.get_y())"]
        for name in self.arrays:
            self.lines.append(f"plot({name}.size() > 1 ? {name}.get(1).get_y() : -1)")
        return "\n".join(self.lines) + "\n"

    def made(self) -> str:
        return f"label.new(bar_index, {self.random.randint(1, 9)} + bar_index)"

    def condition(self) -> str:
        return f"bar_index % {self.random.randint(2, 5)} == {self.random.randint(0, 2)}"

    def declare(self, name: str) -> None:
        """A `var`, a plain variable, or one that carries its label on by its history."""
        self.names.append(name)
        if name[0] == "v":
            self.lines.append(f"var label {name} = {self.random.choice((self.made(), 'na'))}")
        elif name[0] == "p":
            self.lines.append(
                f"label {name} = {self.random.choice((self.made(), f'{self.condition()} ? {self.made()} : na'))}"
            )
        else:
            carried = f"{name} := {self.condition()} ? {self.made()} : {name}[{self.random.randint(1, 3)}]"
            self.lines += [f"label {name} = na", carried]

    def statement(self) -> None:
        random = self.random
        kind = random.choice(("draw", "draw", "burst", "set", "delete", "move", "push"))
        name = random.choice(self.names)
        if kind == "draw":
            self.lines.append(random.choice(("", f"if {self.condition()}\n    ")) + self.made())
        elif kind == "burst":
            self.lines.append(f"if {self.condition()}\n    for i = 0 to {random.randint(0, 7)}\n        {self.made()}")
        elif kind == "push" and self.arrays:
            self.lines.append(f"{random.choice(self.arrays)}.push({random.choice((self.made(), name))})")
        elif kind == "delete":
            self.lines.append(f"if {self.condition()}\n    {name}.delete()")
        elif kind == "move":
            self.lines.append(f"{name}.set_y({random.randint(20, 30)})")
        elif name[0] == "v":
            self.lines.append(f"if {self.condition()}\n    {name} := {random.choice((self.made(), 'na'))}")
