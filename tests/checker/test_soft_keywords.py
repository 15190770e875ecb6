"""Soft keywords in every place where a name or a structure can stand, with and without spaces around them.

The words come from the scanner's own table, so a new soft keyword is tried in all these places without a new test.
TradingView accepts each of them as a name (recorded), except those that are reserved.
"""

from pinebench.checker import open_program
from pinebench.diagnostics import Severity
from pinebench.syntax import nodes
from pinebench.syntax.walk import walk
from pinebench.syntax.words import RESERVED, SOFT_KEYWORDS
from tests.tables import each

_NAMES = sorted(SOFT_KEYWORDS.keys() - RESERVED)
_RESERVED = sorted(SOFT_KEYWORDS.keys() & RESERVED)

_PLACES = {
    "plain": "WORD = 1\nplot(WORD)",
    "typed": "int WORD = 1\nplot(WORD)",
    "typed-float-var": "var float WORD = 1\nplot(WORD)",
    "reassign": "var WORD = 1\nWORD := 2\nplot(WORD)",
    "reassign-nospace": "var WORD=1\nWORD:=2\nplot(WORD)",
    "compound": "var WORD = 1\nWORD += 2\nplot(WORD)",
    "compound-n": "var WORD = 1\nWORD+=2\nplot(WORD)",
    "value-end": "WORD = 1\nx = WORD\nplot(x)",
    "value-end-reassign": "WORD = 1\nx = 0\nx := WORD\nplot(x)",
    "value-comment": "WORD = 1\nx = WORD // c\nplot(x)",
    "history": "WORD = close\nx = WORD[1]\nplot(x)",
    "history-space": "WORD = close\nx = WORD [1]\nplot(x)",
    "minus": "WORD = close\nx = WORD - 1\nplot(x)",
    "minus-n": "WORD = close\nx = WORD-1\nplot(x)",
    "minus-l": "WORD = close\nx = WORD -1\nplot(x)",
    "and": "WORD = close > open\nx = WORD and true\nplot(x ? 1 : 0)",
    "and-paren": "WORD = close > open\nx = WORD and(true)\nplot(x ? 1 : 0)",
    "or": "WORD = close > open\nx = WORD or (true)\nplot(x ? 1 : 0)",
    "ternary": "WORD = close > open\nx = WORD ? 1 : 0\nplot(x)",
    "ternary-n": "WORD = close > open\nx = WORD?1:0\nplot(x)",
    "eq": "WORD = 1\nx = WORD == 1\nplot(x ? 1 : 0)",
    "if": "WORD = close > open\nx = 0\nif WORD\n    x := 1\nplot(x)",
    "if-paren": "WORD = close > open\nx = 0\nif (WORD)\n    x := 1\nplot(x)",
    "while": "WORD = true\nx = 0\nwhile WORD and x < 3\n    x += 1\nplot(x)",
    "once": "WORD = close > open\nvar x = 0\nonce WORD\n    x += 1\nplot(x)",
    "once-paren": "WORD = close > open\nvar x = 0\nonce(WORD)\n    x += 1\nplot(x)",
    "once-paren-s": "WORD = close > open\nvar x = 0\nonce (WORD)\n    x += 1\nplot(x)",
    "in-once-read": "WORD = 1\nvar x = 0\nonce close > open\n    x := WORD\nplot(x)",
    "in-once-add": "WORD = 1\nvar x = 0\nonce close > open\n    x += WORD\nplot(x)",
    "in-once-decl": "WORD = 1\nvar x = 0\nonce close > open\n    y = WORD\n    x := y\nplot(x)",
    "in-once-stmt": "WORD = 1\nvar x = 0\nonce close > open\n    x := 1\n    WORD\nplot(x)",
    "last-in-if": "WORD = 1\nx = if close > open\n    WORD\nelse\n    WORD\nplot(x)",
    "last-in-if-nl": "WORD = 1\nx = if close > open\n    y = 2\n    WORD\nplot(x)",
    "last-in-if-hist": "WORD = close\nx = if close > open\n    y = 2\n    WORD[1]\nplot(x)",
    "last-in-if-calc": "WORD = close\nx = if close > open\n    WORD - 1\nplot(x)",
    "last-in-if-paren": "WORD = close\nx = if close > open\n    (WORD)\nplot(x)",
    "last-in-if-cmp": "WORD = close\nx = if close > open\n    WORD > 2\nelse\n    WORD < 3\nplot(x?1:0)",
    "switch-subject": "WORD = 1\nx = switch WORD\n    1 => 2\n    => 3\nplot(x)",
    "switch-arm-val": "WORD = 1\nx = switch bar_index\n    1 => WORD\n    => WORD\nplot(x)",
    "switch-arm-cond": "WORD = close > open\nx = switch\n    WORD => 1\n    => 2\nplot(x)",
    "switch-arm-eq": "WORD = 3\nx = switch bar_index\n    WORD => 1\n    => 2\nplot(x)",
    "switch-arm-block": "WORD = 3\nx = switch bar_index\n    1 =>\n        WORD\n    => 2\nplot(x)",
    "func-name": "WORD(x) => x + 1\nplot(WORD(1))",
    "func-name-s": "WORD (x) => x + 1\nplot(WORD (1))",
    "func-block": "WORD(x) =>\n    y = x + 1\n    y\nplot(WORD(1))",
    "func-call-stmt": "WORD(float x) =>\n    label.new(bar_index, x)\nWORD(close)\nplot(1)",
    "func-call-stmt-s": "WORD(float x) =>\n    label.new(bar_index, x)\nWORD (close)\nplot(1)",
    "func-call-in-if": "WORD(float x) =>\n    label.new(bar_index, x)\nif close > open\n    WORD(close)\nplot(1)",
    "func-call-in-if-last": "WORD(float x) =>\n    label.new(bar_index, x)\nif close > open\n    WORD(close)",
    "func-call-val": "WORD(float x) => x\ny = WORD(close)\nplot(y)",
    "func-call-val-s": "WORD(float x) => x\ny = WORD (close)\nplot(y)",
    "func-call-reassign": "WORD(float x) => x\ny = 0.0\ny := WORD(close)\nplot(y)",
    "param": "f(WORD) => WORD + 1\nplot(f(1))",
    "param-typed": "f(int WORD) => WORD + 1\nplot(f(1))",
    "param-two": "f(a, WORD) => WORD + a\nplot(f(1, 2))",
    "param-default": "f(int WORD = 2) => WORD + 1\nplot(f())",
    "param-qual": "f(simple int WORD) => WORD + 1\nplot(f(2))",
    "param-body": "f(WORD) =>\n    y = WORD\n    WORD\nplot(f(1))",
    "named-arg": "f(int WORD) => WORD + 1\nplot(f(WORD = 1))",
    "named-arg-n": "f(int WORD) => WORD + 1\nplot(f(WORD=1))",
    "named-arg-2": "f(int a, int WORD) => WORD + a\nplot(f(1, WORD = 1))",
    "arg": "WORD = 1\nplot(WORD)",
    "arg-2": "WORD = 1\nplot(math.max(1, WORD))",
    "field": "type T\n    int WORD = 1\nt = T.new()\nplot(t.WORD)",
    "field-n": "type T\n    int WORD\nt = T.new(WORD = 2)\nplot(t.WORD)",
    "field-set": "type T\n    int WORD = 1\nt = T.new()\nt.WORD := 2\nplot(t.WORD)",
    "field-end": "type T\n    int WORD = 1\nt = T.new()\nx = t.WORD\nplot(x)",
    "field-bool": "type T\n    bool WORD = true\nt = T.new()\nvar x = 0\nonce t.WORD\n    x := 1\nplot(x)",
    "object": "type T\n    int a = 1\nWORD = T.new()\nplot(WORD.a)",
    "object-set": "type T\n    int a = 1\nWORD = T.new()\nWORD.a := 2\nplot(WORD.a)",
    "object-typed": "type T\n    int a = 1\nT WORD = T.new()\nWORD.a += 2\nplot(WORD.a)",
    "method-name": "method WORD(int x) => x + 1\ny = 1\nplot(y.WORD())",
    "method-name-s": "method WORD (int x) => x + 1\ny = 1\nplot(y.WORD ())",
    "method-stmt": "type T\n    int a\nmethod WORD(T t) =>\n    t.a := 1\nx = T.new(1)\nx.WORD()\nplot(x.a)",
    "method-recv": "type T\n    int a\nmethod go(T WORD) =>\n    WORD.a := 1\nx = T.new(1)\nx.go()\nplot(x.a)",
    "call-on": "WORD = array.new<int>()\nWORD.push(1)\nplot(WORD.size())",
    "call-on-if": "WORD = array.new<int>()\nif close > open\n    WORD.push(1)\nplot(WORD.size())",
    "enum-member": "enum E\n    WORD\n    b\ne = E.WORD\nplot(e == E.b ? 1 : 0)",
    "enum-member-t": 'enum E\n    WORD = "x"\n    b\ne = E.WORD\nplot(e == E.b ? 1 : 0)',
    "map-key": 'm = map.new<string, int>()\nm.put("WORD", 1)\nplot(m.get("WORD"))',
    "map-key-var": 'WORD = "a"\nm = map.new<string, int>()\nm.put(WORD, 1)\nplot(m.get(WORD))',
    "map-name": 'WORD = map.new<string, int>()\nWORD.put("a", 1)\nplot(WORD.get("a"))',
    "tuple": "[WORD, b] = ta.supertrend(3, 10)\nplot(WORD)",
    "tuple-2": "[b, WORD] = ta.supertrend(3, 10)\nplot(WORD)",
    "tuple-ret": "f(WORD) =>\n    [WORD, WORD]\n[a, b] = f(1)\nplot(a)",
    "for-var": "x = 0\nfor WORD = 0 to 3\n    x += WORD\nplot(x)",
    "for-end": "WORD = 3\nx = 0\nfor i = 0 to WORD\n    x += i\nplot(x)",
    "for-start": "WORD = 1\nx = 0\nfor i = WORD to 5\n    x += i\nplot(x)",
    "for-by": "WORD = 1\nx = 0\nfor i = 0 to 5 by WORD\n    x += i\nplot(x)",
    "for-in": "x = 0\nfor WORD in array.from(1, 2)\n    x += WORD\nplot(x)",
    "for-in-2": "x = 0\nfor [WORD, v] in array.from(1, 2)\n    x += WORD + v\nplot(x)",
    "for-in-3": "x = 0\nfor [i, WORD] in array.from(1, 2)\n    x += WORD + i\nplot(x)",
    "for-over": "WORD = array.from(1, 2)\nx = 0\nfor v in WORD\n    x += v\nplot(x)",
    "comma": "WORD = 1, y = 2\nplot(WORD + y)",
    "comma-2": "y = 2, WORD = 1\nplot(WORD + y)",
    "comma-call": "WORD(x) => x\ny = 2, WORD(1)\nplot(y)",
    "continued": "WORD = close\nx = close +\n     WORD\nplot(x)",
    "continued-2": "WORD = close\nx = WORD +\n     close\nplot(x)",
    "continued-3": "WORD = close\nx = close\n     + WORD\nplot(x)",
    "index": "WORD = 1\nx = close[WORD]\nplot(x)",
    "arr-from": "WORD = 1\na = array.from(WORD, WORD)\nplot(a.size())",
    "string": 'WORD = "a"\nx = WORD + "b"\nlabel.new(0, 0, x + WORD)',
    "type-name": "type WORD\n    int a\nx = WORD.new(1)\nplot(x.a)",
    "last-expr-fn": "f() =>\n    WORD = 1\n    WORD\nplot(f())",
    "last-expr-fn-1": "f(WORD) => WORD\nplot(f(1))",
    "unary": "WORD = 1\nx = -WORD\nplot(x)",
    "not": "WORD = true\nx = not WORD\nplot(x ? 1 : 0)",
    "paren": "WORD = 1\nx = (WORD)\nplot(x)",
    "eof": "plot(1)\nWORD = 1\nx = WORD",
    "alias": "import TradingView/ta/9 as WORD\nplot(WORD.dema(close, 10))",
}
"""Scripts by what they do with a name; the name is written WORD."""

_TYPES = {
    "declared": "type WORD\n    int a\nWORD x = WORD.new(1)\nplot(x.a)",
    "kept": "type WORD\n    int a\nvar WORD x = WORD.new(1)\nplot(x.a)",
    "empty": "type WORD\n    int a\nWORD x = na\nplot(na(x) ? 1 : 0)",
    "enum": "enum WORD\n    a\n    b\nx = WORD.a\nplot(x == WORD.b ? 1 : 0)",
}
_TYPE_NAMES = [name for name in _NAMES if SOFT_KEYWORDS[name].role != "qualifier"]
"""`const x = 1` is refused as a qualifier without a type (recorded), whatever types the script has."""

_OBJECTS = ("object", "object-set", "object-typed")
"""Objects cannot have the name of a built-in namespace, and `input` is one."""

_ONCE = {
    "condition": "var n = 0\nonce close > open\n    n += 1\nplot(n)",
    "no condition": "var n = 0\nonce\n    n += 1\nplot(n)",
    "comment": "var n = 0\nonce // on the first bar\n    n += 1\nplot(n)",
    "parentheses": "var n = 0\nonce(close > open)\n    n += 1\nplot(n)",
    "parentheses and more": "var n = 0\nonce(close > open) and barstate.isconfirmed\n    n += 1\nplot(n)",
    "spaced parentheses": "var n = 0\nonce  (close > open)\n\n    // why\n    n += 1\nplot(n)",
    "wrapped": "var n = 0\nonce(close > open and\n  close > 5)\n    n += 1\nplot(n)",
    "wrapped by spaces": "var n = 0\nonce close > open\n  and close > 5\n    n += 1\nplot(n)",
    "not": "var n = 0\nonce not(close > open)\n    n += 1\nplot(n)",
    "sign": "var n = 0\nonce -close < open\n    n += 1\nplot(n)",
    "named once": "once = close > open\nvar n = 0\nonce(once)\n    n += 1\nplot(n)",
    "in a block": "var n = 0\nif close > open\n    once(bar_index > 3)\n        n += 1\nplot(n)",
    "in an arm": "var n = 0\nswitch\n    close > open =>\n        once(bar_index > 3)\n            n += 1\nplot(n)",
    "in a function": "f(a) =>\n    var n = 0\n    once(a > 3)\n        n += 1\n    n\nplot(f(close))",
}


def _errors(body: str) -> list[str]:
    program = open_program(f'//@version=6\nindicator("t")\n{body}\n')
    return [f"{found.code}: {found.message}" for found in program.diagnostics if found.severity is Severity.ERROR]


def test_the_places_are_many() -> None:
    assert len(_NAMES) * len(_PLACES) + len(_RESERVED) * len(_BINDINGS) >= 500


@each("place", _PLACES)
@each("word", _NAMES)
def test_a_soft_keyword_is_a_name_wherever_a_name_can_stand(word: str, place: str) -> None:
    if word == "input" and place in _OBJECTS:
        assert _errors(_PLACES[place].replace("WORD", word))[0].startswith("CE10093")
        return
    assert _errors(_PLACES[place].replace("WORD", word)) == _errors(_PLACES[place].replace("WORD", "plain")) == []


@each("place", _TYPES)
@each("word", _TYPE_NAMES)
def test_a_soft_keyword_can_be_the_name_of_a_type(word: str, place: str) -> None:
    assert _errors(_TYPES[place].replace("WORD", word)) == []


_BINDINGS = (
    *("plain", "typed", "typed-float-var", "value-end", "func-name", "func-block", "param", "param-typed", "param-two"),
    *(
        "param-default",
        "field",
        "field-n",
        "tuple",
        "tuple-2",
        "method-name",
        "method-recv",
        "alias",
        "comma",
        "comma-2",
    ),
)


@each("place", _BINDINGS)
@each("word", _RESERVED)
def test_a_reserved_soft_keyword_is_refused_as_a_name_and_nothing_else_is(word: str, place: str) -> None:
    errors = _errors(_PLACES[place].replace("WORD", word))
    assert len(errors) == 1
    assert errors[0].startswith("CE10150")


@each("shape", _ONCE)
def test_once_begins_a_structure_where_a_block_stands_below_it(shape: str) -> None:
    program = open_program(f'//@version=6\nindicator("t")\n{_ONCE[shape]}\n')
    assert [found.code for found in program.diagnostics if found.severity is Severity.ERROR] == []
    bodies = [node for chunk in program.document.chunks for node in chunk.body]
    assert sum(isinstance(node, nodes.Once) for node in walk(bodies)) == 1


def test_once_without_its_block_still_names_what_is_missing() -> None:
    assert _errors("once close > open\nplot(close)")[0].startswith("CE10144")


def test_many_uses_of_once_on_one_line_are_each_read_once() -> None:
    many = ", ".join(f"x{number} = once" for number in range(2_000))
    assert _errors(f"once = 1\n{many}\nplot(x1)") == []
