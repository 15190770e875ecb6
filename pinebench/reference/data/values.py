"""Colors, mathematics and strings.

The form of a record is explained in `pinebench.reference.records`.
"""

from __future__ import annotations

FUNCTIONS: dict[str, str] = {
    "color.b": """
says Gives the blue component of a color.
pure
runs colors.blue
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "color.from_gradient": """
says Gives the color that a value has between two colors.
pure
runs colors.from_gradient
used 20
needs value; bottom_value; top_value; bottom_color; top_color
value; series int|float
bottom_value; series int|float
top_value; series int|float
bottom_color; series color
top_color; series color
-> series color
""",
    "color.g": """
says Gives the green component of a color.
pure
runs colors.green
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "color.new": """
says Gives a color another transparency.
pure
runs colors.new
rule transparency
used 639
often color transp
needs color; transp
color; const color
transp; const int|float; ; const float
-> const color
runs colors.new_of_constants
color; input color
transp; input int|float; ; const float
-> input color
color; simple color
transp; simple int|float; ; const float
-> simple color
color; series color
transp; series int|float; ; const float
-> series color
""",
    "color.r": """
says Gives the red component of a color.
pure
runs colors.red
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "color.rgb": """
says Makes a color from red, green, blue and transparency.
pure
runs colors.rgb
used 144
needs red; green; blue
red; const int|float; ; const float
green; const int|float; ; const float
blue; const int|float; ; const float
transp?; const int|float; 0; const float
-> const color
red; input int|float; ; const float
green; input int|float; ; const float
blue; input int|float; ; const float
transp?; input int|float; 0; const float
-> input color
red; simple int|float; ; const float
green; simple int|float; ; const float
blue; simple int|float; ; const float
transp?; simple int|float; 0; const float
-> simple color
red; series int|float; ; const float
green; series int|float; ; const float
blue; series int|float; ; const float
transp?; series int|float; 0; const float
-> series color
""",
    "color.t": """
says Gives the transparency of a color.
pure
runs colors.transparency
used 5
often color
needs color
color; const color
-> const float
color; input color
-> input float
color; simple color
-> simple float
color; series color
-> series float
""",
    "math.abs": """
says Gives the absolute value.
pure
runs numbers.absolute
within 0
used 366
often number
needs number
number; const int; ; simple int
-> const int
number; input int; ; simple int
-> input int
number; const int|float; ; simple int
-> const float
number; simple int; ; simple int
-> simple int
number; input int|float; ; simple int
-> input float
number; series int; ; simple int
-> series int
number; simple int|float; ; simple int
-> simple float
number; series int|float; ; simple int
-> series float
""",
    "math.acos": """
says Gives the arc cosine in radians.
pure
runs numbers.arc_cosine
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.asin": """
says Gives the arc sine in radians.
pure
runs numbers.arc_sine
used 5
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.atan": """
says Gives the arc tangent in radians.
pure
runs numbers.arc_tangent
used 30
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.avg": """
says Gives the mean of its arguments.
pure
runs numbers.average
traits inexact
used 26
needs number0, number1, ...
variadic 2
number0, number1, ...; simple int|float; ; simple float
-> qualified float
number0, number1, ...; series int|float; ; simple float
-> qualified float
""",
    "math.ceil": """
says Rounds up to a whole number.
pure
runs numbers.ceil
traits picks rounds
used 11
often number
needs number
number; const int|float; ; simple int
-> const int
number; input int|float; ; simple int
-> input int
number; simple int|float; ; simple int
-> simple int
number; series int|float; ; simple int
-> series int
""",
    "math.cos": """
says Gives the cosine of an angle in radians.
pure
runs numbers.cosine
traits inexact
within -1 1
used 33
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.exp": """
says Raises Euler's number to a power.
pure
runs numbers.exponential
traits inexact
used 54
often number
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.floor": """
says Rounds down to a whole number.
pure
runs numbers.floor
traits picks rounds
used 46
often number
needs number
number; const int|float; ; simple int
-> const int
number; input int|float; ; simple int
-> input int
number; simple int|float; ; simple int
-> simple int
number; series int|float; ; simple int
-> series int
""",
    "math.log": """
says Gives the natural logarithm.
pure
runs numbers.logarithm
traits inexact
used 85
often number
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.log10": """
says Gives the logarithm to base 10.
pure
runs numbers.logarithm10
traits inexact
used 5
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.max": """
says Gives the greatest of its arguments.
pure
runs numbers.maximum
traits picks
used 441
needs number0, number1, ...
variadic 2
number0, number1, ...; const int; ; const int
-> const int
number0, number1, ...; const int|float; ; const int
-> const float
number0, number1, ...; input int; ; const int
-> input int
number0, number1, ...; simple int; ; const int
-> simple int
number0, number1, ...; input int|float; ; const int
-> input float
number0, number1, ...; series int; ; const int
-> series int
number0, number1, ...; simple int|float; ; const int
-> simple float
number0, number1, ...; series int|float; ; const int
-> series float
""",
    "math.min": """
says Gives the smallest of its arguments.
pure
runs numbers.minimum
traits picks
used 311
needs number0, number1, ...
variadic 2
number0, number1, ...; const int; ; const int
-> const int
number0, number1, ...; const int|float; ; const int
-> const float
number0, number1, ...; input int; ; const int
-> input int
number0, number1, ...; simple int; ; const int
-> simple int
number0, number1, ...; input int|float; ; const int
-> input float
number0, number1, ...; series int; ; const int
-> series int
number0, number1, ...; simple int|float; ; const int
-> simple float
number0, number1, ...; series int|float; ; const int
-> series float
""",
    "math.pow": """
says Raises a base to a power.
pure
runs numbers.power
traits inexact
used 103
often base exponent
needs base; exponent
base; const int|float; ; const float
exponent; const int|float; ; const float
-> const float
base; input int|float; ; const float
exponent; input int|float; ; const float
-> input float
base; simple int|float; ; const float
exponent; simple int|float; ; const float
-> simple float
base; series int|float; ; const float
exponent; series int|float; ; const float
-> series float
""",
    "math.random": """
says Gives a random number of a range, repeatable by a seed.
reads random
keeps
runs randomness.Random
min?; series int|float; 0; series float
max?; series int|float; 1; series float
seed?; series int
-> series float
""",
    "math.round": """
says Rounds to a whole number, or to a number of digits.
pure
traits picks rounds
used 106
often number precision
needs number
number; const int|float; ; simple int
-> const int
runs numbers.round_whole
number; input int|float; ; simple int
-> input int
runs numbers.round_whole
number; simple int|float; ; simple int
-> simple int
runs numbers.round_whole
number; series int|float; ; simple int
-> series int
runs numbers.round_whole
number; const int|float; ; simple int
precision; simple int
-> const float
runs numbers.round_to
number; input int|float; ; simple int
precision; simple int
-> input float
runs numbers.round_to
number; simple int|float; ; simple int
precision; simple int
-> simple float
runs numbers.round_to
number; series int|float; ; simple int
precision; series int
-> series float
runs numbers.round_to
""",
    "math.round_to_mintick": """
says Rounds to the nearest multiple of the symbol's tick.
reads chart
runs numbers.round_to_mintick context
traits picks
used 10
needs number
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.sign": """
says Gives 1 for positive, -1 for negative numbers and 0 for zero.
pure
runs numbers.sign
used 11
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.sin": """
says Gives the sine of an angle in radians.
pure
runs numbers.sine
traits inexact
within -1 1
used 21
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.sqrt": """
says Gives the square root.
pure
runs numbers.square_root
traits inexact
within 0
used 110
needs number
number; const int|float; ; simple float
-> const float
number; input int|float; ; simple float
-> input float
number; simple int|float; ; simple float
-> simple float
number; series int|float; ; simple float
-> series float
""",
    "math.sum": """
says Gives the sum of the last values of a series.
keeps
runs sums.Sum
used 25
needs source; length
history
source; series int|float; ; series float
length; series int
-> series float
""",
    "math.tan": """
says Gives the tangent of an angle in radians.
pure
runs numbers.tangent
used 5
needs angle
angle; const int|float; ; simple float
-> const float
angle; input int|float; ; simple float
-> input float
angle; simple int|float; ; simple float
-> simple float
angle; series int|float; ; simple float
-> series float
""",
    "math.todegrees": """
says Converts radians to degrees.
pure
runs numbers.to_degrees
needs radians
radians; series int|float; ; series float
-> series float
""",
    "math.toradians": """
says Converts degrees to radians.
pure
runs numbers.to_radians
used 4
needs degrees
degrees; series int|float; ; series float
-> series float
""",
    "str.contains": """
says Tells whether a text occurs in another.
pure
runs texts.contains
used 17
needs source; str
source; const string
str; const string
-> const bool
source; simple string
str; simple string
-> simple bool
source; series string
str; series string
-> series bool
""",
    "str.endswith": """
says Tells whether a text ends with another.
pure
runs texts.ends_with
used 2
often source str
needs source; str
source; const string
str; const string
-> const bool
source; simple string
str; simple string
-> simple bool
source; series string
str; series string
-> series bool
""",
    "str.format": """
says Fills the placeholders of a format text with values.
pure
runs texts.format_text
used 33
needs formatString; arg0, arg1, ...
variadic 1
formatString; simple string
arg0, arg1, ...; simple int|float|bool|string
-> simple string
formatString; series string
arg0, arg1, ...; series int|float|bool|string|array<(int|float|bool|string)>
-> series string
""",
    "str.format_time": """
says Writes a timestamp in a given format and time zone.
reads chart
runs texts.format_time
used 33
often format time
needs time
time; series int
format?; series string; "yyyy-MM-dd'T'HH:mm:ssZ"
timezone?; series string; syminfo.timezone
-> series string
""",
    "str.length": """
says Gives the number of characters.
pure
runs texts.length
traits counts never_na
within 0
used 14
often string
needs string
string; const string
-> const int
string; simple string
-> simple int
string; series string
-> series int
""",
    "str.lower": """
says Turns all letters into small ones.
pure
runs texts.lower
used 3
needs source
source; const string
-> const string
source; simple string
-> simple string
source; series string
-> series string
""",
    "str.match": """
says Gives the first part of a text that fits a regular expression.
pure
runs texts.match
used 2
needs source; regex
source; simple string
regex; simple string
-> simple string
source; series string
regex; series string
-> series string
""",
    "str.pos": """
says Gives the position of the first occurrence of a text, na when there is none.
pure
runs texts.position
used 3
needs source; str
source; const string
str; const string
-> const int
source; simple string
str; simple string
-> simple int
source; series string
str; series string
-> series int
""",
    "str.repeat": """
says Repeats a text a number of times.
pure
runs texts.repeat
used 3
often repeat source
needs source; repeat
source; const string
repeat; const int
separator?; const string; ""
-> const string
source; input string
repeat; input int
separator?; input string; ""
-> input string
source; simple string
repeat; simple int
separator?; simple string; ""
-> simple string
source; series string
repeat; series int
separator?; series string; ""
-> series string
""",
    "str.replace": """
says Replaces one occurrence of a text.
pure
runs texts.replace
rule occurrence
used 6
often replacement source target
needs source; target; replacement
source; const string
target; const string
replacement; const string
occurrence?; const int; 0
-> const string
source; simple string
target; simple string
replacement; simple string
occurrence?; simple int; 0
-> simple string
source; series string
target; series string
replacement; series string
occurrence?; series int; 0
-> series string
""",
    "str.replace_all": """
says Replaces all occurrences of a text.
pure
runs texts.replace_all
used 17
needs source; target; replacement
source; simple string
target; simple string
replacement; simple string
-> simple string
source; series string
target; series string
replacement; series string
-> series string
""",
    "str.split": """
says Splits a text at a separator into an array.
pure
runs texts.split
used 15
often separator string
needs string; separator
string; series string
separator; series string
-> array<string>
""",
    "str.startswith": """
says Tells whether a text begins with another.
pure
runs texts.starts_with
used 2
often source str
needs source; str
source; const string
str; const string
-> const bool
source; simple string
str; simple string
-> simple bool
source; series string
str; series string
-> series bool
""",
    "str.substring": """
says Gives a part of a text.
pure
runs texts.substring
used 34
often begin_pos end_pos source
needs source; begin_pos
source; const string
begin_pos; const int
end_pos?; const int; str.length(source)
-> const string
source; simple string
begin_pos; simple int
end_pos?; simple int; str.length(source)
-> simple string
source; series string
begin_pos; series int
end_pos?; series int; str.length(source)
-> series string
""",
    "str.tonumber": """
says Reads a number from a text, na when it is none.
pure
runs texts.to_number
used 6
needs string
string; const string
-> const float
string; input string
-> input float
string; simple string
-> simple float
string; series string
-> series float
""",
    "str.tostring": """
says Writes a value as text.
pure
runs texts.to_string context
used 366
often value format
needs value
value; const enum; ; simple float
-> const string
value; simple int|float; ; simple float
format?; simple string; "#.##########"
-> simple string
value; series int|float|array<(int|float)>|matrix<(int|float)>; ; simple float
format?; series string; "#.##########"
-> series string
value; simple int|float|bool|string|enum; ; series float
-> simple string
value; series int|float|bool|string|enum|array<(int|float|bool|string)>|matrix<(int|float|bool|string)>; ; series float
-> series string
""",
    "str.trim": """
says Removes white space at both ends.
pure
runs texts.trim
used 13
often source
needs source
source; const string
-> const string
source; input string
-> input string
source; simple string
-> simple string
source; series string
-> series string
""",
    "str.upper": """
says Turns all letters into capitals.
pure
runs texts.upper
used 3
often source
needs source
source; const string
-> const string
source; simple string
-> simple string
source; series string
-> series string
""",
}

VARIABLES: dict[str, str] = {}

CONSTANTS: dict[str, str] = {
    "color.aqua": """
says Light blue, #00BCD4.
used 35
const color
""",
    "color.black": """
says Black, #363A45.
used 101
const color
""",
    "color.blue": """
says Blue, #2962FF.
used 151
const color
""",
    "color.fuchsia": """
says Pink, #E040FB.
used 21
const color
""",
    "color.gray": """
says Gray, #787B86.
used 185
const color
""",
    "color.green": """
says Green, #4CAF50.
used 212
const color
""",
    "color.lime": """
says Bright green, #00E676.
used 48
const color
""",
    "color.maroon": """
says Dark red, #880E4F.
used 18
const color
""",
    "color.navy": """
says Dark blue, #311B92.
used 24
const color
""",
    "color.olive": """
says Yellow-green, #808000.
used 2
const color
""",
    "color.orange": """
says Orange, #FF9800.
used 106
const color
""",
    "color.purple": """
says Purple, #9C27B0.
used 49
const color
""",
    "color.red": """
says Red, #F23645.
used 296
const color
""",
    "color.silver": """
says Light gray, #B2B5BE.
used 9
const color
""",
    "color.teal": """
says Blue-green, #089981.
used 47
const color
""",
    "color.white": """
says White, #FFFFFF.
used 259
const color
""",
    "color.yellow": """
says Yellow, #FDD835.
used 336
const color
""",
    "math.e": """
says Euler's number, 2.718281828459045.
const float
""",
    "math.phi": """
says The golden ratio, 1.618033988749895.
const float
""",
    "math.pi": """
says The ratio of a circle's circumference to its diameter, 3.141592653589793.
used 62
const float
""",
    "math.rphi": """
says The reciprocal of the golden ratio, 0.618033988749895.
const float
""",
}
