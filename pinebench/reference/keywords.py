"""The keywords of Pine v6 with their syntax and a description in our own words."""

from __future__ import annotations

from pinebench.records import NamedTuple


class Keyword(NamedTuple):
    """The syntax of a keyword, with variable parts in capitals, and a description of one or two sentences."""

    form: str
    description: str


KEYWORDS = {
    "and": Keyword("A and B", "True if both are true. B is evaluated only if A is true."),
    "as": Keyword(
        "import USER/LIBRARY/VERSION as NAME", "Gives an imported library the alias by which the script uses it."
    ),
    "break": Keyword("break", "Leaves the innermost loop at once."),
    "by": Keyword("for COUNTER = FIRST to LAST by STEP", "Sets the step of a loop's counter; the default is 1."),
    "const": Keyword("const TYPE NAME = VALUE", "The value is known when the script is compiled and never changes."),
    "continue": Keyword("continue", "Goes to the next iteration of the innermost loop."),
    "else": Keyword(
        "else",
        "Begins the block that runs when the condition of its `if` is not true; `else if` tests another condition.",
    ),
    "enum": Keyword(
        "enum NAME, then a FIELD or FIELD = TITLE on each indented line", "Declares a type with a fixed set of values."
    ),
    "export": Keyword("export DECLARATION", "Lets other scripts use a library's function, type, enum or constant."),
    "false": Keyword("false", "The bool value that is not true."),
    "for": Keyword(
        "for COUNTER = FIRST to LAST [by STEP], for VALUE in COLLECTION, for [INDEX, VALUE] in COLLECTION",
        "Runs its block for each number of a range, or for each element of an array, row of a matrix or pair of a map.",
    ),
    "if": Keyword(
        "if CONDITION", "Runs its block when the condition is true. Its value is the value of the last line run."
    ),
    "import": Keyword("import USER/LIBRARY/VERSION [as NAME]", "Makes the exports of a published library available."),
    "in": Keyword("for VALUE in COLLECTION", "Precedes the collection that a loop goes through."),
    "method": Keyword(
        "method NAME(TYPE PARAMETER, …) =>",
        "Declares a function that can be called with a dot on values of its first parameter's type.",
    ),
    "not": Keyword("not A", "True if A is false."),
    "once": Keyword("once [CONDITION]", "Runs its block a single time: on the first bar whose condition is true."),
    "or": Keyword("A or B", "True if at least one is true. B is evaluated only if A is false."),
    "series": Keyword("series TYPE NAME", "The value may change from bar to bar."),
    "simple": Keyword("simple TYPE NAME", "The value is known on the first bar and does not change after it."),
    "switch": Keyword(
        "switch [VALUE], then CASE => … on each indented line",
        "Runs the first case that equals the value, or that is true if there is no value; `=>` alone is the default.",
    ),
    "to": Keyword("for COUNTER = FIRST to LAST", "Precedes the last number of a loop's range, which is included."),
    "true": Keyword("true", "The bool value that is true."),
    "type": Keyword(
        "type NAME, then TYPE FIELD [= VALUE] on each indented line", "Declares a type of objects with fields."
    ),
    "var": Keyword("var [TYPE] NAME = VALUE", "Sets the variable once, on the first bar, and keeps it between bars."),
    "varip": Keyword(
        "varip [TYPE] NAME = VALUE", "Like var, but also keeps values that are assigned between updates of an open bar."
    ),
    "while": Keyword("while CONDITION", "Runs its block again and again as long as the condition is true."),
}
"""Every keyword by its name."""
