"""The codes of the linter's rules. Each code belongs to a rule in `linter/rules`, whose docstring explains it; here
are two scripts for it.

An opinion is never an error. Opinions that every careful author would share are reported by default. The others are
reported if they are selected: by code, by the rule's name, or by a group's name or number.
"""

from __future__ import annotations

from pinebench.codes.model import OURS, Code
from pinebench.diagnostics import Severity

GROUPS = {
    "correctness": "PB1",
    "repainting": "PB2",
    "strategy": "PB3",
    "limits": "PB4",
    "traps": "PB5",
    "alerts": "PB6",
    "style": "PB7",
    "publish": "PB8",
}
"""The groups of rules by name, each with the beginning of its codes."""


def _opinion(
    name: str, alias: str, template: str, why: str, *, default: bool = True, severity: Severity = Severity.WARNING
) -> Code:
    return Code(name, severity, template, why, bad="", good="", text=OURS, alias=alias, default=default)


CODES = (
    _opinion(
        "PB1001",
        "unused-variable",
        'The variable "{name}" is never read',
        "A variable that nothing reads can be removed.",
    ),
    _opinion(
        "PB1002",
        "self-assignment",
        '"{name}" is assigned to itself',
        "Assigning a variable to itself does nothing.",
    ),
    _opinion(
        "PB1003",
        "constant-condition",
        "This condition is always {value}",
        "A condition that never changes decides nothing.",
    ),
    _opinion(
        "PB1004",
        "index-out-of-bounds",
        'The index {index} is outside "{name}", which has {size} elements',
        "The script stops on the first bar that reads an element that does not exist.",
    ),
    _opinion(
        "PB1005",
        "empty-collection",
        '"{name}" may be empty here, and "{function}()" stops the script then',
        "Reading or removing an element of an empty array stops the script.",
    ),
    _opinion(
        "PB1006",
        "unreachable-code",
        "This never runs: the statement before it leaves the block",
        "Statements after `break`, `continue` or `runtime.error()` never run.",
    ),
    _opinion(
        "PB1007",
        "overwritten-value",
        'The value given to "{name}" is replaced before anything reads it',
        "An assignment whose value is never read is a leftover, or is in the wrong place.",
    ),
    _opinion(
        "PB1008",
        "same-operand",
        '"{operator}" has the same operand twice',
        "An operation on two equal operands has a known result, so one of them is probably a mistake.",
    ),
    _opinion(
        "PB1009",
        "contradictory-comparison",
        "This is always {value}: {reason}",
        "A comparison that is never true, or always true, decides nothing.",
    ),
    _opinion(
        "PB1010",
        "loop-never-runs",
        "The body of this loop never runs: {reason}",
        "A loop whose body never runs is a leftover, or its start or its condition is wrong.",
    ),
    _opinion(
        "PB1011",
        "endless-loop",
        "Nothing in this loop makes its condition false: {reason}",
        "A loop that does not end by itself stops the script with an error after half a second.",
    ),
    _opinion(
        "PB1012",
        "float-equality",
        '"{operator}" compares computed numbers, which are rarely equal to the last digit',
        "Computed floats differ in their last digits; compare with a tolerance or with `<` and `>`.",
        default=False,
    ),
    _opinion(
        "PB1013",
        "division-by-zero",
        '"{divisor}" may be 0, and the result na',
        "A division by 0 gives na, which spreads to everything that is computed from it.",
        default=False,
    ),
    _opinion(
        "PB1014",
        "unused-result",
        'The result of "{name}" is not used',
        "A call that only returns a value does nothing if the value is not used.",
    ),
    _opinion(
        "PB1015",
        "same-branches",
        "The branches are the same, so the condition decides nothing",
        "A condition whose branches do not differ is a leftover, or one branch was not adapted after copying.",
    ),
    _opinion(
        "PB1016",
        "repeated-condition",
        "This condition was tested before, so this branch never runs",
        "If two branches have the same condition, the second never runs.",
    ),
    _opinion(
        "PB1017",
        "stopping-literal",
        "This value stops the run: {stop}",
        (
            "TradingView compiles the script, and stops it with this error on the first bar that reads the value, which"
            " has no valid form."
        ),
    ),
    _opinion(
        "PB1018",
        "zero-divisor",
        "The divisor is always 0, so the result is na or infinite on each bar",
        "A division by 0 has no value: everything that is computed from it has none either.",
    ),
    _opinion(
        "PB2001",
        "lookahead-without-offset",
        "lookahead_on without an offset shows future values on history",
        (
            "Requests with lookahead return the end of a bar at its beginning; only an expression with an offset is"
            " safe."
        ),
    ),
    _opinion(
        "PB2002",
        "realtime-value-in-signal",
        '"{name}" has other values on history than in real time, and {signal}() depends on it',
        "Signals that depend on realtime-only values cannot be tested on history.",
    ),
    _opinion(
        "PB2003",
        "lower-timeframe-request",
        'A chart of more than {length} gets only the last "{timeframe}" bar of each of its own',
        (
            "`request.security` returns only one bar of a timeframe below the chart's for each bar of the chart;"
            " `request.security_lower_tf` returns all."
        ),
    ),
    _opinion(
        "PB2004",
        "calc-on-every-tick",
        ("In real time the strategy runs on every tick, on history once for each bar: the results are not comparable"),
        "A strategy that calculates on every tick does things in real time that were never tested on history.",
    ),
    _opinion(
        "PB2005",
        "negative-plot-offset",
        "A negative offset draws this before the bar on which it was known",
        "A plot shifted to the left shows signals at times when they were not known yet.",
    ),
    _opinion(
        "PB2006",
        "unconfirmed-request",
        '{signal}() depends on a "{timeframe}" bar that is not closed yet',
        "The last bar of a higher timeframe changes until it closes, and signals made from it come and go.",
    ),
    _opinion(
        "PB2007",
        "varip-in-signal",
        '"{name}" depends on single ticks, which history does not have, and {signal}() depends on it',
        "History does not show the values that a `varip` variable collects within a bar.",
    ),
    _opinion(
        "PB2008",
        "last-bar-in-signal",
        '"{name}" knows about later bars, and {signal}() depends on it',
        "Orders that know where the chart ends were decided with knowledge of the future.",
    ),
    _opinion(
        "PB2009",
        "own-timeframe-lookahead",
        ("An offset with lookahead_on on the chart's own timeframe returns the previous bar, not the last known one"),
        (
            "The offset with lookahead is meant for higher timeframes; on the chart's own it returns values that are"
            " one bar old, and mixes days."
        ),
    ),
    _opinion(
        "PB2010",
        "history-of-request",
        'This is the value of the previous bar of the chart, not of the previous "{timeframe}" bar',
        "An offset behind a request counts bars of the chart, so that the value still changes until its bar closes.",
    ),
    _opinion(
        "PB3001",
        "entry-without-exit",
        "Nothing ever closes the position that {id} opens",
        "A position that no order closes stays open until the end, and its profit is not realised.",
    ),
    _opinion(
        "PB3002",
        "no-commission",
        "The strategy trades without commission",
        "Results without costs are better than real ones.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB3003",
        "no-slippage",
        "The strategy trades without slippage",
        "Market and stop orders are rarely filled at the price that was seen.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB3004",
        "pyramiding-without-effect",
        "{reason}",
        "Entries that pyramiding forbids are never filled, and pyramiding that no entry can use does nothing.",
    ),
    _opinion(
        "PB3005",
        "unknown-order-id",
        'No order has the id "{id}", so this does nothing',
        "An exit or a cancellation with an id that no order has does nothing.",
    ),
    _opinion(
        "PB3006",
        "contradictory-orders",
        "{first} and {second} are ordered on the same bar and contradict each other",
        "Market orders in both directions on one bar cost twice, and only the last one has an effect.",
    ),
    _opinion(
        "PB3007",
        "exit-without-price",
        "Every price of this exit is na, so it never closes anything",
        "`strategy.exit` places nothing without a target, a stop or a trail.",
    ),
    _opinion(
        "PB3008",
        "oversized-position",
        "{reason}",
        "A position larger than the capital needs borrowed money, or is not opened at all.",
    ),
    _opinion(
        "PB3009",
        "no-risk-limit",
        "No exit of the strategy has a stop, and no close depends on the loss",
        "A position without a stop can lose everything between two signals.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB3010",
        "late-exit",
        'This exit exists only from the bar after the entry on: it waits for "{condition}"',
        ("Between the entry and the next calculation, nothing protects a position whose exit waits for the position."),
        default=False,
    ),
    _opinion(
        "PB3011",
        "reentry-after-time-stop",
        "After this exit the entry's condition may still hold, and the strategy enters again on the next bar",
        "An exit by time does not change the condition that opened the position.",
    ),
    _opinion(
        "PB3012",
        "process-orders-on-close",
        "Orders are filled at the same close that decides them",
        "A close is only known when it is too late to trade at it.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB4001",
        "many-plots",
        "The plots count as {count} of the 64 that a script may have",
        "A script that uses nearly all plots fails when one more is added.",
        severity=Severity.INFO,
    ),
    _opinion(
        "PB4002",
        "too-many-requests",
        "The script makes {count} different requests; TradingView allows 40",
        "With more than 40 different requests the script stops.",
    ),
    _opinion(
        "PB4003",
        "request-tuple-size",
        "The requests return {count} elements in tuples; TradingView allows 127",
        "With more than 127 elements in the tuples of all requests the script does not run.",
    ),
    _opinion(
        "PB4004",
        "drawings-never-deleted",
        "Every bar makes a new {kind}, and nothing deletes one: only the last {most} remain",
        "TradingView removes the oldest drawings beyond the limit, so drawings on history disappear.",
    ),
    _opinion(
        "PB4005",
        "default-drawing-limit",
        "Only the last 50 of these remain: the declaration sets no {parameter}",
        "Beyond 50 the oldest drawings are removed unless the declaration allows more.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB4006",
        "growing-loop",
        "This loop gets longer with every bar and will exceed the time limit of a script",
        "With a loop over all bars, the work grows with the square of the number of bars.",
    ),
    _opinion(
        "PB4007",
        "string-in-loop",
        "This text is built again in every iteration of the loop, on every bar",
        "Each addition copies the whole text; join an array at the end, and only on the last bar.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB4008",
        "repeated-call",
        '"{call}" is computed again here; line {line} has it already',
        "The same call twice takes twice the time; keep the result in a variable.",
    ),
    _opinion(
        "PB4009",
        "request-in-loop",
        "Each iteration of this loop makes its own request",
        "Requests in a loop soon exceed the 40 that a script may make.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB4010",
        "table-on-every-bar",
        "Every bar makes a new table; only one is ever visible",
        "Make a table once, with `var`, and fill it on the last bar.",
    ),
    _opinion(
        "PB4011",
        "repeated-calculation",
        '"{call}" is computed again here; line {line} has it already',
        "Each call of such a function keeps a history of its own; keep the result in a variable.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB4012",
        "second-footprint",
        "A script may contain one request.footprint() call, and this is another one",
        "TradingView warns about a second `request.footprint()` call, and the script stops on the chart.",
    ),
    _opinion(
        "PB5001",
        "drawing-too-far-ahead",
        "This can be {bars} bars ahead; TradingView stops the script beyond 500",
        "A drawing more than 500 bars ahead of the last one stops the script.",
    ),
    _opinion(
        "PB5002",
        "field-of-old-object",
        "On the first bars there is no such object, and reading its field stops the script",
        "The object of an earlier bar is na on the first bars, and a field of na cannot be read.",
    ),
    _opinion(
        "PB5003",
        "backward-loop",
        'While "{name}" is empty this loop still runs, for {rounds}, and stops the script',
        "A counting loop from 0 to the size minus 1 runs in the other direction for an empty array.",
    ),
    _opinion(
        "PB5004",
        "request-below-chart",
        "This timeframe may be below the chart's, and then the request returns one bar of many",
        (
            "A timeframe that users choose may be below the chart's; test for it, or request the bars of the lower"
            " timeframe."
        ),
        default=False,
    ),
    _opinion(
        "PB5005",
        "object-requests",
        "{count} requests return objects, and every bar copies each object",
        "Requests that return objects take much memory; tuples of numbers do not.",
    ),
    _opinion(
        "PB5006",
        "field-of-na-object",
        '"{name}" is na until it is assigned, and reading its field stops the script',
        "A field of an object that is na cannot be read.",
    ),
    _opinion(
        "PB5007",
        "unlimited-history",
        'It is unknown how far back "{offset}" reads, and without max_bars_back the script may stop',
        (
            "TradingView guesses from the first bars how many bars it must keep; a later offset beyond that stops the"
            " script."
        ),
    ),
    _opinion(
        "PB5008",
        "length-without-minimum",
        'The input "{name}" may be 0, and "{function}()" stops the script then',
        "Lengths must be at least 1; `minval` prevents users from choosing less.",
        default=False,
    ),
    _opinion(
        "PB6001",
        "invalid-json",
        "This message begins like JSON, but is not valid: {reason}",
        "The receiver of the alert cannot read a message that is almost JSON.",
    ),
    _opinion(
        "PB6002",
        "unknown-placeholder",
        'TradingView has no placeholder "{{{{{name}}}}}" here',
        "A placeholder that TradingView does not know is sent as written.",
    ),
    _opinion(
        "PB6003",
        "alertcondition-without-effect",
        "alertcondition() does nothing in a {kind}",
        "TradingView only offers alert conditions of indicators.",
    ),
    _opinion(
        "PB6004",
        "alert-on-every-tick",
        "This alert is sent on every tick while its condition holds",
        "Hundreds of equal alerts hide the important one, and TradingView stops alerts that fire too often.",
        default=False,
    ),
    _opinion(
        "PB7001",
        "naming",
        '"{name}" does not follow the style of {kind}: {wanted}',
        "A consistent style of names shows readers the kind of each name.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7002",
        "unused-parameter",
        'The parameter "{name}" is never read',
        "A parameter that the function does not use misleads its callers.",
    ),
    _opinion(
        "PB7003",
        "unused-function",
        'The function "{name}" is never called',
        "A function that nothing calls can be removed.",
    ),
    _opinion(
        "PB7004",
        "unused-type",
        'The type "{name}" is never used',
        "A type that is not used can be removed.",
    ),
    _opinion(
        "PB7005",
        "unused-import",
        'Nothing of the library "{name}" is used',
        "An import that is not used is loaded without need.",
    ),
    _opinion(
        "PB7006",
        "unused-input",
        'The input "{name}" is never read',
        "An input that is not read offers a setting without an effect.",
    ),
    _opinion(
        "PB7007",
        "magic-number",
        "Give the number {number} a name, or make it an input",
        "A number in a condition has no name and no input: readers do not see its meaning, users cannot change it.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7008",
        "input-without-title",
        'This input has no title; people see "{name}"',
        "Settings without a title are shown by the variable's name.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7009",
        "input-without-group",
        "This input has no group, although there are {count} inputs",
        "Many settings without groups are a long list.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7010",
        "input-without-tooltip",
        'There is no tooltip for the input "{name}"',
        "A tooltip explains a setting if its title cannot.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7011",
        "shadowing",
        'The parameter "{name}" hides {what} of that name',
        "Within the function the name means the parameter, which is easily overlooked.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7012",
        "needless-var",
        '"var" has no effect on "{name}", whose value never changes',
        "`var` keeps a value from bar to bar; a constant does not need it.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7013",
        "needless-varip",
        '"varip" has the same effect on "{name}" as "var"',
        "`varip` collects values from tick to tick, and makes results hard to reproduce.",
    ),
    _opinion(
        "PB7014",
        "reinvented-builtin",
        '"{builtin}" is the same',
        "A built-in shows its meaning, and is tested.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB7015",
        "needless-bool",
        '"{shown}" means the same as "{plain}"',
        "A condition is already a bool.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB8001",
        "undocumented-export",
        'There is no line "{annotation}" above the export "{name}"',
        "TradingView makes the description of a published library from the annotations of its exports.",
        default=False,
    ),
    _opinion(
        "PB8002",
        "unknown-annotation",
        '"{annotation}" describes nothing: "{name}" does not have it',
        "The published description tells a name that the export does not have.",
        default=False,
    ),
    _opinion(
        "PB8003",
        "library-without-description",
        "The library has no @description comment",
        "TradingView begins the description of a published library with it.",
        default=False,
    ),
    _opinion(
        "PB8004",
        "library-title",
        'A library cannot be imported by the title "{title}": use letters, digits and _, and no digit first',
        "The title is the library's name in imports.",
        default=False,
    ),
)
