"""What we merely dislike: each code is a rule's in `lint/rules`, whose docstring explains it, with two scripts.

No opinion is an error. Those that a careful author would agree with are told unasked, the others where they are
selected: by code, by the rule's name, by a group's name or number.
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
        default=False,
    ),
    _opinion(
        "PB1002",
        "self-assignment",
        '"{name}" is assigned to itself',
        "Assigning a variable to itself does nothing.",
        default=False,
    ),
    _opinion(
        "PB1003",
        "constant-condition",
        "This condition is always {value}",
        "A condition that never changes decides nothing.",
        default=False,
    ),
    _opinion(
        "PB1004",
        "index-out-of-bounds",
        'The index {index} is outside "{name}", which has {size} elements',
        "The script stops on the first bar that asks for an element that is not there.",
        default=False,
    ),
    _opinion(
        "PB1005",
        "empty-collection",
        '"{name}" may be empty here, and "{function}()" stops the script then',
        "Reading or taking an element of an empty array stops the script.",
        default=False,
    ),
    _opinion(
        "PB1006",
        "unreachable-code",
        "This never runs: the statement before it leaves the block",
        "Statements behind `break`, `continue` or `runtime.error()` are dead.",
        default=False,
    ),
    _opinion(
        "PB1007",
        "overwritten-value",
        'The value given to "{name}" is replaced before anything reads it',
        "An assignment whose value nothing reads is left over, or stands in the wrong place.",
        default=False,
    ),
    _opinion(
        "PB1008",
        "same-operand",
        'Both sides of "{operator}" are the same',
        "An operation on two equal operands has a result that is known, so one of them is mostly a slip.",
        default=False,
    ),
    _opinion(
        "PB1009",
        "contradictory-comparison",
        "This is always {value}: {reason}",
        "Comparisons that can never hold, or never fail, decide nothing.",
        default=False,
    ),
    _opinion(
        "PB1010",
        "loop-never-runs",
        "The body of this loop never runs: {reason}",
        "A loop whose body never runs is left over, or its start or its condition is wrong.",
        default=False,
    ),
    _opinion(
        "PB1011",
        "endless-loop",
        "Nothing in this loop makes its condition false: {reason}",
        "A loop that does not end by itself stops the script with an error after half a second.",
        default=False,
    ),
    _opinion(
        "PB1012",
        "float-equality",
        '"{operator}" compares computed numbers, which are hardly ever equal to the last digit',
        "Computed floats differ in their last digits; compare with a tolerance or with `<` and `>`.",
        default=False,
    ),
    _opinion(
        "PB1013",
        "division-by-zero",
        '"{divisor}" may be 0, and the result na',
        "A division by 0 gives na, which spreads through everything that is made from it.",
        default=False,
    ),
    _opinion(
        "PB1014",
        "unused-result",
        'The result of "{name}" is not used',
        "A call that only gives a value does nothing where nobody takes it.",
        default=False,
    ),
    _opinion(
        "PB1015",
        "same-branches",
        "Both branches are the same, so the condition decides nothing",
        "A condition whose branches do not differ is left over, or one branch was not adapted after copying.",
        default=False,
    ),
    _opinion(
        "PB1016",
        "repeated-condition",
        "This condition was asked before, so this branch never runs",
        "Of two branches with the same condition the second never runs.",
        default=False,
    ),
    _opinion(
        "PB2001",
        "lookahead-without-offset",
        "lookahead_on without an offset shows values of the future on history",
        ("Requests that look ahead give the end of a bar at its beginning; only an expression with an offset is safe."),
        default=False,
    ),
    _opinion(
        "PB2002",
        "realtime-value-in-signal",
        '"{name}" is another on history than in real time, and {signal}() depends on it',
        "Signals that depend on realtime-only values cannot be tested on history.",
        default=False,
    ),
    _opinion(
        "PB2003",
        "lower-timeframe-request",
        'A chart of more than {minutes} minutes gets only the last "{timeframe}" bar of each of its own',
        (
            "Of a timeframe below the chart's, `request.security` gives one bar of many; "
            "`request.security_lower_tf` gives all."
        ),
        default=False,
    ),
    _opinion(
        "PB2004",
        "calc-on-every-tick",
        "In real time the strategy runs on every tick, on history once a bar: its results do not compare",
        "A strategy that calculates on every tick trades in real time what it never tested on history.",
        default=False,
    ),
    _opinion(
        "PB2005",
        "negative-plot-offset",
        "A negative offset draws this before the bar on which it was known",
        "A plot shifted to the left shows signals where nobody could have seen them.",
        default=False,
    ),
    _opinion(
        "PB2006",
        "unconfirmed-request",
        '{signal}() depends on a "{timeframe}" bar that is not closed yet',
        "The last bar of a higher timeframe changes until it closes, and signals made from it come and go.",
        default=False,
    ),
    _opinion(
        "PB2007",
        "varip-in-signal",
        '"{name}" counts ticks, which history does not have, and {signal}() depends on it',
        "What a `varip` variable gathers within a bar cannot be seen on history.",
        default=False,
    ),
    _opinion(
        "PB2008",
        "last-bar-in-signal",
        '"{name}" tells what comes after the bar, and {signal}() depends on it',
        "Orders that know where the chart ends were decided with knowledge of the future.",
        default=False,
    ),
    _opinion(
        "PB2009",
        "own-timeframe-lookahead",
        "An offset with lookahead_on on the chart's own timeframe gives the bar before, not the last one known",
        (
            "The offset with lookahead is for higher timeframes; on the chart's own it gives values one bar old, "
            "and mixes days."
        ),
        default=False,
    ),
    _opinion(
        "PB3001",
        "entry-without-exit",
        'Nothing ever closes what "{id}" opens',
        "A position that no order closes stays open to the end, and its result is no result.",
        default=False,
    ),
    _opinion(
        "PB3002",
        "no-commission",
        "The strategy trades without commission",
        "Results without costs are better than any that can be had.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB3003",
        "no-slippage",
        "The strategy trades without slippage",
        "Market and stop orders are hardly ever filled at the price that was seen.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB3004",
        "pyramiding-without-effect",
        "{reason}",
        "Entries that pyramiding forbids are never filled, and pyramiding that no entry can use does nothing.",
        default=False,
    ),
    _opinion(
        "PB3005",
        "unknown-order-id",
        'No order has the id "{id}", so this does nothing',
        "An exit or a cancellation with an id that no order has does nothing.",
        default=False,
    ),
    _opinion(
        "PB3006",
        "contradictory-orders",
        '"{first}" and "{second}" are ordered on the same bar and undo each other',
        "Market orders in both directions on one bar cost twice and leave what the last one says.",
        default=False,
    ),
    _opinion(
        "PB3007",
        "exit-without-price",
        "Every price of this exit is na, so it never closes anything",
        "`strategy.exit` places nothing without a target, a stop or a trail.",
        default=False,
    ),
    _opinion(
        "PB3008",
        "oversized-position",
        "{reason}",
        "A position larger than the capital is borrowed, or is not opened at all.",
        default=False,
    ),
    _opinion(
        "PB3009",
        "no-risk-limit",
        "No order of the strategy has a stop, and nothing else limits a loss",
        "A position without a stop can lose everything between two signals.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB3010",
        "late-exit",
        'This exit is there only from the bar after the entry on: it waits for "{condition}"',
        "Between the entry and the next calculation nothing protects a position whose exit waits for it.",
        default=False,
    ),
    _opinion(
        "PB3011",
        "reentry-after-time-stop",
        "After this exit the entry's condition may still hold, and the strategy enters again on the next bar",
        "An exit by time does not change the condition that opened the position.",
        default=False,
    ),
    _opinion(
        "PB3012",
        "process-orders-on-close",
        "Orders are filled at the very close that decides them",
        "A close is known only when it is too late to trade at it.",
        severity=Severity.INFO,
        default=False,
    ),
    _opinion(
        "PB5001",
        "drawing-too-far-ahead",
        "This can lie {bars} bars ahead; TradingView stops the script beyond 500",
        "A drawing more than 500 bars ahead of the last one stops the script.",
        default=False,
    ),
    _opinion(
        "PB5002",
        "field-of-old-object",
        "On the first bars there is no such object, and reading its field stops the script",
        "The object of an earlier bar is na on the first bars, and the field of na cannot be read.",
        default=False,
    ),
    _opinion(
        "PB5003",
        "backward-loop",
        'While "{name}" is empty this loop runs backwards, for 0 and -1, and stops the script',
        "A counting loop to the size less 1 runs backwards for an empty array.",
        default=False,
    ),
    _opinion(
        "PB5004",
        "request-below-chart",
        "Nothing keeps this timeframe from being below the chart's, where the request gives one bar of many",
        "A timeframe that people choose may be below the chart's; say so, or ask for the lower timeframe's bars.",
        default=False,
    ),
    _opinion(
        "PB5005",
        "object-requests",
        "{count} requests return objects, each of which is copied for every bar",
        "Requests that return objects take much memory; tuples of numbers do not.",
        default=False,
    ),
    _opinion(
        "PB5006",
        "field-of-na-object",
        '"{name}" is na until it is assigned, and reading its field stops the script',
        "The field of an object that is na cannot be read.",
        default=False,
    ),
    _opinion(
        "PB5007",
        "unlimited-history",
        'How far back "{offset}" looks is not known, and without max_bars_back the script may stop',
        ("TradingView guesses how many bars to keep from the first ones; a later, farther look back stops the script."),
        default=False,
    ),
    _opinion(
        "PB5008",
        "length-without-minimum",
        'The input "{name}" may be 0, and "{function}()" stops the script then',
        "Lengths must be 1 or more; `minval` keeps people from choosing less.",
        default=False,
    ),
)
