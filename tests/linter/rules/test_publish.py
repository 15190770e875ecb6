"""Rules on publishing a library: what each reports, and the honest code that looks like it."""

from tests.linter.rules.support import marked

HEAD = '//@version=6\n// @description Tools.\nlibrary("Tools")\n'
TOLD = HEAD + "// @function Twice.\n// @param x The value.\nexport f(float x) => x * 2\n"

REPORTED = [
    ("PB8001", HEAD + "// @param x The value.\nexport f(float x) => x * 2\n", ["f"]),
    ("PB8001", HEAD + "// @function Twice.\nexport f(float x) => x * 2\n", ["f"]),
    ("PB8001", HEAD + "// @function Twice.\n// @param x A.\n\nexport f(float x) => x * 2\n", ["f", "f"]),
    ("PB8001", HEAD + "// @type A box.\n// @field a One.\nexport type Box\n    float a\n    float b\n", ["Box"]),
    ("PB8001", HEAD + "export enum Side\n    up\n", ["Side"]),
    ("PB8001", HEAD + "// @function A.\n// @param this It.\nexport method m(float this, int n) => this\n", ["m"]),
    ("PB8002", TOLD.replace("@param x", "@param y"), ["@param y"]),
    ("PB8002", HEAD + "// @type A.\n// @field c One.\nexport type Box\n    float a\n", ["@field c"]),
    ("PB8002", TOLD.replace("@param x The value.", "@param"), ["@param"]),
    ("PB8003", TOLD.replace("// @description Tools.\n", ""), ['library("Tools")']),
    ("PB8004", TOLD.replace('"Tools"', 'title = "3D"'), ['"3D"']),
    ("PB8004", TOLD.replace('"Tools"', '"Tööls"'), ['"Tööls"']),
]
HONEST = [
    TOLD,
    TOLD + "hidden(float x) => x\ntype Own\n    float a\nenum Kind\n    one\n",
    HEAD + "//@enum Sides.\n//@field up Above.\nexport enum Side\n    up\n    down\n",
    TOLD.replace("// @", "//@"),
    TOLD.replace("// @", "//    @"),
]


def test_each_rule_reports_what_it_is_about() -> None:
    for code, text, expected in REPORTED:
        assert marked(code, text) == expected, (code, text)


def test_a_library_that_is_ready_is_not_reported() -> None:
    for text in HONEST:
        for code in ("PB8001", "PB8002", "PB8003", "PB8004"):
            assert marked(code, text) == [], (code, text)
