"""Lists of trades that TradingView exported: all spellings, trades that are still open, CSV and XLSX."""

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from pinebench.backtesting import trade_list
from pinebench.errors import UsageError
from pinebench.files import workbook

OLD = """\
Trade #,Type,Signal,Date/Time,Price USD,Contracts,Profit USD,Profit %
1,Exit Long,X,2024-11-13 08:51,148.28,200,22.00,0.07
1,Entry Long,L,2024-11-13 08:48,148.17,200,22.00,0.07
2,Exit Short,Open,,,,,
2,Entry Short,S,2024-11-14,12.19,,,
"""
NEW = """\
Trade #,Type,Date and time,Signal,Price USD,Size (qty),Net P&L USD
1,Exit long,2024-11-13 08:51,X,148.28,200,22
1,Entry long,2024-11-13 08:48,L,148.17,200,22
2,Exit short,2024-11-14 00:00,Open,12.2,1,0
2,Entry short,2024-11-14 00:00,S,12.19,1,0
"""


def rows_of(text: str) -> list[list[str]]:
    return [line.split(",") for line in text.splitlines()]


def book(path: Path, rows: list[list[str]], *, shared: bool = True, date_column: int | None = None) -> str:
    """Write rows as the second sheet of a workbook, as a spreadsheet does."""
    texts: list[str] = []
    lines: list[str] = []
    for number, row in enumerate(rows, 1):
        cells: list[str] = []
        for column, value in enumerate(row):
            place = f"{chr(65 + column)}{number}"
            if column == date_column and number > 1 and value:
                cells.append(f'<c r="{place}" s="1"><v>{serial(value)}</v></c>')
            elif value.replace(".", "").isdigit():
                cells.append(f'<c r="{place}"><v>{value}</v></c>')
            elif value and shared:
                texts.append(value)
                cells.append(f'<c r="{place}" t="s"><v>{len(texts) - 1}</v></c>')
            elif value:
                cells.append(f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>')
        lines.append(f'<row r="{number}">{"".join(cells)}</row>')
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    sheet = f"<worksheet {space}><sheetData>{{}}</sheetData></worksheet>"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", sheet.format('<row r="1"><c r="A1"><v>7</v></c></row>'))
        archive.writestr("xl/worksheets/sheet2.xml", sheet.format("".join(lines)))
        if texts:
            items = "".join(f"<si><t>{escape(each)}</t></si>" for each in texts)
            archive.writestr("xl/sharedStrings.xml", f"<sst {space}>{items}</sst>")
    return str(path)


def serial(text: str) -> str:
    """A date and time as the number of a spreadsheet."""
    days, minutes = {"2024-11-13 08:51": (45609, 531), "2024-11-13 08:48": (45609, 528)}.get(text, (45610, 0))
    return str(days + minutes / 1440)


@pytest.mark.parametrize("text", [OLD, NEW])
def test_lists_of_all_years_have_the_same_trades(text: str) -> None:
    found = trade_list.read(text, "list.csv")
    assert found.still_open == 1
    (one,) = found.trades
    assert (one.number, one.side, one.quantity, one.entry_price, one.exit_price) == (1, "long", 200, 148.17, 148.28)
    assert (one.entry_signal, one.exit_signal) == ("L", "X")
    assert one.exit_time - one.entry_time == 3 * 60_000


@pytest.mark.parametrize("text", [OLD, NEW])
def test_a_spreadsheet_has_the_trades_of_the_csv(tmp_path: Path, text: str) -> None:
    wanted = trade_list.read(text, "list.csv")
    column = rows_of(text)[0].index("Date/Time" if text == OLD else "Date and time")
    for number, more in enumerate(({}, {"shared": False}, {"date_column": column})):
        path = book(tmp_path / f"{number}.xlsx", rows_of(text), **more)  # pyright: ignore[reportArgumentType]
        assert trade_list.read_file(path) == wanted


def test_a_row_that_is_no_half_of_a_trade_is_named_by_its_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"list\.csv, line 2: 'Exit Up' is neither an entry nor an exit"):
        trade_list.read(OLD.replace("Exit Long", "Exit Up"), "list.csv")
    with pytest.raises(UsageError, match="line 3: this is not a row of a trade"):
        trade_list.read(OLD.replace("148.17,200", "148.17,"), "list.csv")
    path = book(tmp_path / "a.xlsx", rows_of(OLD.replace("148.17", "x")))
    with pytest.raises(UsageError, match="row 3: this is not a row of a trade"):
        trade_list.read_file(path)


def test_semicolons_and_decimal_commas_are_read() -> None:
    """A spreadsheet of many countries saves a list so."""
    assert trade_list.read(OLD.replace(",", ";"), "list.csv") == trade_list.read(OLD, "list.csv")
    assert trade_list.read(OLD.replace(",", ";").replace(".", ","), "list.csv") == trade_list.read(OLD, "list.csv")
    assert trade_list.read(OLD.replace(",200,", ',"1,200",'), "list.csv").trades[0].quantity == 1200
    doubtful = OLD.replace(",", ";").replace("148.28", "148,280").replace("148.17", "148,170")
    with pytest.raises(UsageError, match=r"list.csv: the comma in 148,280 may be a decimal comma"):
        trade_list.read(doubtful, "list.csv")


@pytest.mark.parametrize("quantity", ["10.000", "-10.000", "1.234.567"])
def test_a_point_that_may_be_between_thousands_does_not_make_commas_thousands(quantity: str) -> None:
    """148,123 of a German spreadsheet was read as 148123, and 10.000 as 10."""
    text = OLD.replace(",", ";").replace("148.28", "148,123").replace("148.17", "148,500").replace(";200;", ";{};")
    with pytest.raises(UsageError, match=r"list.csv: the comma in 148,123 may be a decimal comma"):
        trade_list.read(text.replace("{}", quantity), "list.csv")
    assert trade_list.read(text.replace("{}", "0.5"), "list.csv").trades[0].exit_price == 148123


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_point_without_any_comma_is_decimal_only_between_commas(separator: str) -> None:
    """A spreadsheet of a country with decimal commas writes 98250 as 98.250: it was read as 98.25."""
    text = OLD.replace("148.28", "98.280").replace("148.17", "98.250")
    assert trade_list.read(text, "list.csv").trades[0].entry_price == 98.25
    with pytest.raises(UsageError, match=r"list.csv: the point in 98.2[58]0 may be a decimal point"):
        trade_list.read(text.replace(",", separator), "list.csv")
    known = text.replace(",", separator).replace("98.280", "98.28")
    assert trade_list.read(known, "list.csv").trades[0].entry_price == 98.25


@pytest.mark.parametrize("above", ["\n", "\r\n \r\n", ";;;\n", "sep=;\n", "sep=;\r\n\r\n", "\nsep=;\n"])
def test_a_list_below_blank_lines_or_a_named_separator_is_read(above: str) -> None:
    text = OLD.replace(",", ";")
    assert trade_list.read(above + text, "list.csv") == trade_list.read(OLD, "list.csv")
    line = above.count("\n") + 2
    with pytest.raises(UsageError, match=f"line {line}: 'Exit Up' is neither"):
        trade_list.read(above + text.replace("Exit Long", "Exit Up"), "list.csv")


def test_a_list_of_nothing_but_a_separator_is_empty() -> None:
    for text in ("sep=;\n", "\n\n", ";;\n"):
        with pytest.raises(UsageError, match=r"list\.csv is empty"):
            trade_list.read(text, "list.csv")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("148.17,200", "148.17,1.5 K", "its quantity is '1.5 K'"),
        ("148.17,", "nan,", "its price is 'nan'"),
        ("148.17,200", "148.17,2_00", "its quantity is '2_00'"),
        ("08:48", "25:00", "its time is '2024-11-13 25:00'"),
        ("1,Entry", "1.5,Entry", r"its number is '1\.5'"),
    ],
)
def test_a_cell_that_cannot_be_read_is_shown(old: str, new: str, told: str) -> None:
    with pytest.raises(UsageError, match=f"line 3: this is not a row of a trade: {told}"):
        trade_list.read(OLD.replace(old, new), "list.csv")


def test_a_report_has_the_properties_of_its_test(tmp_path: Path) -> None:
    path = Path(book(tmp_path / "a.xlsx", rows_of(NEW)))
    assert trade_list.read_file(str(path)).properties == {}
    sheet = (
        ("name", "value"),
        ("Slippage", "9 of an input"),
        ("Initial capital", "1,250,000 USD"),
        ("Order size", "10% of equity"),
        ("Commission", "0.1"),
        ("Slippage", "3 ticks"),
        ("Margin for long positions", "0%"),
        ("Margin for short positions", "0,5%"),
        ("Verify price for limit orders", "1 000.5 K"),
    )
    rows = "".join(
        f'<row r="{k}"><c r="A{k}" t="inlineStr"><is><t>{name}</t></is></c>'
        f'<c r="B{k}" t="inlineStr"><is><t>{value}</t></is></c></row>'
        for k, (name, value) in enumerate(sheet, 1)
    )
    with zipfile.ZipFile(path, "a") as archive:
        space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        archive.writestr("xl/worksheets/sheet3.xml", f"<worksheet {space}><sheetData>{rows}</sheetData></worksheet>")
    found = trade_list.read_file(str(path))
    assert found.properties == {"initial_capital": 1_250_000, "commission_value": 0.1, "slippage": 3, "margin_long": 0}
    assert found.trades == trade_list.read(NEW, "list.csv").trades
    assert trade_list._properties([["Initial capital", "1.0E6 USD"]]) == {"initial_capital": 1e6}


def test_a_list_in_another_language_is_refused_by_its_titles(tmp_path: Path) -> None:
    text = (
        "№ Сделки;Тип;Дата и время;Сигнал;Цена USDT;Размер позиции (кол-во)\n"
        "1;Выход из короткой позиции;2025-01-08 20:00;TP;3257.92;0.2998\n"
        "1;Вход в короткую позицию;2025-01-01 16:30;SE;3334.62;0.2998\n"
    )
    with pytest.raises(UsageError, match="line 1: the titles of this list of trades are not in English: № Сделки, Тип"):
        trade_list.read(text, "list.csv")
    with pytest.raises(UsageError, match="row 1: the titles of this list of trades are not in English"):
        trade_list.read_file(book(tmp_path / "a.xlsx", rows_of(text.replace(";", ","))))


@pytest.mark.parametrize(
    "heads",
    ["Trade #,Typ,Datum und Uhrzeit,Signal,Preis USD,Größe (Menge)", "№,Type,Date et heure,Signal,Prix USD,Taille"],
)
def test_a_title_that_is_the_same_in_english_does_not_hide_the_language(tmp_path: Path, heads: str) -> None:
    text = f"{heads}\n1,Ausstieg Long,2025-01-08 20:00,x,3257.92,0.5\n1,Einstieg Long,2025-01-07 20:00,x,3250.5,0.5\n"
    with pytest.raises(UsageError, match="line 1: the titles of this list of trades are not in English"):
        trade_list.read(text, "list.csv")
    with pytest.raises(UsageError, match="row 1: the titles of this list of trades are not in English"):
        trade_list.read_file(book(tmp_path / "a.xlsx", rows_of(text)))
    with pytest.raises(UsageError, match="line 1: there is no column 'Type'"):
        trade_list.read(NEW.replace("Type", "Kind"), "list.csv")


def test_each_trade_has_one_entry_and_one_exit() -> None:
    lines = NEW.splitlines(keepends=True)
    with pytest.raises(UsageError, match=r"list.csv, line 6: trade 1 has a second entry or exit"):
        trade_list.read(NEW + lines[1], "list.csv")
    with pytest.raises(UsageError, match="line 3: trade 1 has a second entry or exit"):
        trade_list.read(NEW.replace("Entry long", "Entry short"), "list.csv")
    with pytest.raises(UsageError, match=r"list.csv: trade 1 has an exit, but no entry"):
        trade_list.read("".join(lines[:2]), "list.csv")
    assert trade_list.read(lines[0] + lines[2], "list.csv") == ([], 1, {})


def test_a_spreadsheet_without_a_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no sheet has the column 'Trade #'"):
        trade_list.read_file(book(tmp_path / "a.xlsx", [["a", "b"]]))
    with zipfile.ZipFile(tmp_path / "b.xlsx", "w") as archive:
        archive.writestr("notes.txt", "nothing")
    with pytest.raises(UsageError, match="the archive contains no spreadsheet"):
        trade_list.read_file(str(tmp_path / "b.xlsx"))


@pytest.mark.parametrize("kept", [30, 200, -30])
def test_a_damaged_spreadsheet_is_refused(tmp_path: Path, kept: int) -> None:
    path = Path(book(tmp_path / "a.xlsx", rows_of(OLD)))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(UsageError, match="damaged"):
        trade_list.read_file(str(path))


def test_a_small_archive_with_a_huge_part_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook, "LIMIT", 1_000_000)
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 5_000_000)
    with pytest.raises(UsageError, match="when unpacked"):
        trade_list.read_file(str(tmp_path / "bomb.xlsx"))


def test_entities_in_a_spreadsheet_are_refused(tmp_path: Path) -> None:
    text = '<!DOCTYPE a [<!ENTITY b "cc">]><worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>'
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as archive:
        archive.writestr("xl/worksheets/sheet1.xml", text)
    with pytest.raises(UsageError, match="declares entities"):
        trade_list.read_file(str(tmp_path / "a.xlsx"))


def test_another_encoding_does_not_hide_entities(tmp_path: Path) -> None:
    body = '<!DOCTYPE a [<!ENTITY b "cc">]><worksheet><sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>'
    declared = '<?xml version="1.0"{} encoding="cp037"?>'
    parts = {
        "utf-16": f'<?xml version="1.0" encoding="utf-16"?>{body}'.encode("utf-16"),
        "cp037": declared.format("").encode() + body.encode("cp037"),
        "far away": declared.format(" " * 5_000).encode() + body.encode("cp037"),
    }
    for name, part in parts.items():
        with zipfile.ZipFile(tmp_path / f"{name}.xlsx", "w") as archive:
            archive.writestr("xl/worksheets/sheet1.xml", part)
        with pytest.raises(UsageError, match="is not UTF-8"):
            trade_list.read_file(str(tmp_path / f"{name}.xlsx"))
