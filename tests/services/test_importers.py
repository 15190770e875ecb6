"""The scripts that import a library are found by a search of their text."""

from pinebench.checker import open_program
from pinebench.services.importers import imported
from tests.services.support import HEAD


def test_an_import_with_blanks_around_its_slashes_is_found() -> None:
    text = f"{HEAD}import me / Tools /\t2 as t\nimport you/Other/1\nplot(close)\n"
    read = [each.path for each in open_program(text).imports.values()]
    assert list(imported(text)) == read == ["me/Tools/2", "you/Other/1"]


def test_every_import_of_a_line_is_found() -> None:
    text = '//@version=6\nindicator("t")\nimport me/Tools/2 as a, import you/Other/1 as b\nplot(close)\n'
    read = [each.path for each in open_program(text).imports.values()]
    assert list(imported(text)) == read == ["me/Tools/2", "you/Other/1"]
