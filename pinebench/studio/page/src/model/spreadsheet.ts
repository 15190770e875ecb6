// Rows as CSV in which texts that look like formulas stay texts, as `pinebench/files/tables.py` writes them.

export type Cell = string | number;

/** Rows as the text of a CSV file. Every text is made harmless to spreadsheets and terminals. */
export const csvText = (rows: readonly (readonly Cell[])[]): string => rows.map((row) => row.map(cell).join(',')).join('\n') + '\n';

/** The start of a formula, also in the wide characters that spreadsheets read like the narrow ones. */
const BEGINS = '[=+\\-@\uff1d\uff0b\uff0d\uff20]';
const FIRST = new RegExp(`^'*(?:[\\t\\r\\n]|${BEGINS})`);
/** A mark that may separate cells, such as a semicolon in many countries, before the start of a formula. */
const SEPARATOR = new RegExp(`[;\\t\\r\\n](?=['"]*${BEGINS})`, 'g');
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?%?$/;
/** Characters that control a terminal or are invisible; the joiners of some scripts and line ends are left alone. */
const STEERS = /(?![\t\r\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function cell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  const safe = harmless(value.replace(STEERS, escaped));
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The cell for a text: with a ' before each place where a spreadsheet would see a formula. Plain numbers stay. */
function harmless(text: string): string {
  if (NUMBER.test(text)) return text;
  const mended = text.replace(SEPARATOR, "$&'");
  return FIRST.test(text) ? `'${mended}` : mended;
}

/** A character as its escape in a string of Python. */
function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  const [letter, digits]: [string, number] = code < 0x100 ? ['x', 2] : code < 0x10000 ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).padStart(digits, '0')}`;
}
