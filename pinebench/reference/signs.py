"""The operators and the annotations of Pine v6 with their syntax and a description in our own words."""

from pinebench.reference.keywords import Keyword

OPERATORS = {
    "+": Keyword("A + B, +A", "Adds two numbers, joins two texts, or leaves a number as it is."),
    "-": Keyword("A - B, -A", "Subtracts the second number from the first, or changes the sign of a number."),
    "*": Keyword("A * B", "Multiplies two numbers."),
    "/": Keyword("A / B", "Divides the first number by the second; the result keeps its fraction, also for two ints."),
    "%": Keyword("A % B", "Gives the remainder of a division."),
    "==": Keyword(
        "A == B", "True if two values are equal; numbers closer than 1e-10 are equal, and na equals nothing."
    ),
    "!=": Keyword("A != B", "True if two values differ; false if one of them is na."),
    "<": Keyword("A < B", "True if the first number is smaller; false if one of them is na."),
    "<=": Keyword("A <= B", "True if the first number is smaller or equal; false if one of them is na."),
    ">": Keyword("A > B", "True if the first number is larger; false if one of them is na."),
    ">=": Keyword("A >= B", "True if the first number is larger or equal; false if one of them is na."),
    "?:": Keyword("CONDITION ? A : B", "Gives the first value if the condition is true, or else the second one."),
    "[]": Keyword("A[OFFSET]", "Reads the value that a series had a number of bars ago; 0 is the current bar."),
    "=": Keyword("[TYPE] NAME = VALUE", "Declares a variable, gives a parameter its default, or names an argument."),
    ":=": Keyword("NAME := VALUE", "Assigns a new value to a variable or field that is already declared."),
    "+=": Keyword("NAME += VALUE", "Adds a value to a variable, or appends a text to it."),
    "-=": Keyword("NAME -= VALUE", "Subtracts a value from a variable."),
    "*=": Keyword("NAME *= VALUE", "Multiplies a variable by a value."),
    "/=": Keyword("NAME /= VALUE", "Divides a variable by a value."),
    "%=": Keyword("NAME %= VALUE", "Assigns the remainder of a variable's division by a value to the variable."),
    "=>": Keyword("NAME(PARAMETERS) => BODY", "Begins the body of a function, or the result of a case of `switch`."),
}
"""Every operator that is not a word, by its signs."""

ANNOTATIONS = {
    "//@version=": Keyword(
        "//@version=6", "Says which version of Pine the script is written in; it belongs to the top."
    ),
    "//@description": Keyword("//@description TEXT", "Describes the script or the library when it is published."),
    "//@function": Keyword("//@function TEXT", "Describes the function that is declared below."),
    "//@param": Keyword("//@param NAME TEXT", "Describes a parameter of the function that is declared below."),
    "//@returns": Keyword("//@returns TEXT", "Describes the result of the function that is declared below."),
    "//@type": Keyword("//@type TEXT", "Describes the type that is declared below."),
    "//@field": Keyword(
        "//@field NAME TEXT", "Describes a field of the type, or a member of the enum, that is declared below."
    ),
    "//@enum": Keyword("//@enum TEXT", "Describes the enum that is declared below."),
    "//@variable": Keyword("//@variable TEXT", "Describes the variable that is declared below."),
    "//@strategy_alert_message": Keyword(
        "//@strategy_alert_message TEXT", "Gives the alert dialog of a strategy a message to begin with."
    ),
}
"""Every annotation of the compiler, with the slashes."""

TYPES = {
    "array": "A list of values of one type, which are read by their index.",
    "bool": "True or false; in version 6 a bool is never na.",
    "box": "A rectangle on the chart.",
    "chart.point": "A place on the chart: a bar index or a time, and a price.",
    "color": "A color with its transparency.",
    "float": "A number with a fraction, such as a price.",
    "footprint": "The volume of a bar, divided into rows of prices.",
    "int": "A whole number, such as a bar index or a time.",
    "label": "A text with a shape at one place of the chart.",
    "line": "A straight line between two points of the chart.",
    "linefill": "The filled space between two lines.",
    "map": "Pairs of a key and a value, which are read by their key.",
    "matrix": "Values of one type in rows and columns.",
    "polyline": "A line or a curve through many points of the chart.",
    "string": "A text.",
    "table": "Cells with texts at a fixed position of the pane.",
    "volume_row": "One row of a footprint: a range of prices with its volumes.",
}
"""A sentence about each type."""

FIELDS = {
    ("chart.point", "index"): "The bar index, which counts with xloc.bar_index.",
    ("chart.point", "time"): "The time in milliseconds UTC, which counts with xloc.bar_time.",
    ("chart.point", "price"): "The price.",
}
"""A sentence about each field of a built-in type."""
