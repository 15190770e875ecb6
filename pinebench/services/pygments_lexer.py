"""A lexer of Pine for Pygments, which finds it through an entry point: `pygmentize -l pine`, Sphinx, MkDocs."""

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Whitespace

from pinebench.services import highlighting as pine


class PineLexer(RegexLexer):
    """Splits Pine Script into tokens for highlighting."""

    name = "Pine Script"
    url = "https://www.tradingview.com/pine-script-docs/"
    aliases = ["pine", "pinescript", "pine-script"]  # noqa: RUF012 - as Pygments wants it
    filenames = ["*.pine", "*.pinescript"]  # noqa: RUF012 - as Pygments wants it
    mimetypes = ["text/x-pine"]  # noqa: RUF012 - as Pygments wants it

    tokens = {  # noqa: RUF012 - as Pygments wants it
        "root": [
            (r"\s+", Whitespace),
            (r"//[ \t]*@[^\r\n]*", Comment.Special),
            (r"//[^\r\n]*", Comment.Single),
            (r'"""(?:[^\\]|\\.)*?"""', String.Double),
            (r"'''(?:[^\\]|\\.)*?'''", String.Single),
            (r'"(?:[^"\\\r\n]|\\.)*"?', String.Double),
            (r"'(?:[^'\\\r\n]|\\.)*'?", String.Single),
            (pine.COLOR, Literal),
            (pine.NUMBER, Number),
            (rf"(import)(\s+)({pine.LIBRARY})", bygroups(Keyword.Namespace, Whitespace, Name.Namespace)),
            (rf"(type|enum)(\s+)({pine.NAME})", bygroups(Keyword.Declaration, Whitespace, Name.Class)),
            (rf"(method)(\s+)({pine.NAME})(?=\s*\()", bygroups(Keyword.Declaration, Whitespace, Name.Function)),
            (pine.any_of(pine.controlling()), Keyword),
            (pine.any_of(pine.WORD_OPERATORS), Operator.Word),
            (pine.any_of(pine.CONSTANTS) + r"(?!\s*\()", Keyword.Constant),
            (pine.any_of(pine.DECLARING) + r"(?!\s*[.(=])", Keyword.Declaration),
            (pine.any_of(pine.functions()) + r"(?=\s*[(<])", Name.Builtin),
            (pine.any_of(pine.values()) + r"(?!\s*\()", Name.Builtin.Pseudo),
            (pine.any_of(pine.types()) + r"(?!\s*[.(])", Keyword.Type),
            (rf"{pine.NAME}(?=\s*\()", Name.Function),
            (pine.NAME, Name),
            (pine.OPERATORS, Operator),
            (r"[\[\]().,]", Punctuation),
            (r".", Punctuation),
        ]
    }
