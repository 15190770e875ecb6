// The tables of a script in the corners, at the sides and in the middle of a pane.
import type { Drawing } from '../../server';
import { fontOf, inside, paint, word } from './drawings';
import { textHeight, type Area, type Font, type Pane } from './pane';

interface Cell {
  column: number;
  row: number;
  drawing: Drawing;
}

export function drawTable(pane: Pane, table: Drawing): void {
  const cells = (Array.isArray(table['cells']) ? (table['cells'] as Drawing[]) : []).map((drawing) => ({
    column: Number(drawing['column']),
    row: Number(drawing['row']),
    drawing,
  }));
  if (cells.length === 0) return;
  const merged = Array.isArray(table['merged']) ? (table['merged'] as number[][]) : [];
  const [columns, rows] = [spread(cells, 'column'), spread(cells, 'row')];
  const joined = (cell: Cell, from: number, to: number) =>
    merged.some((m) => m[0] === cell.column && m[1] === cell.row && (m[to] ?? 0) > (m[from] ?? 0));
  const widths = columns.map((column) =>
    Math.max(12, ...cells.filter((cell) => cell.column === column && !joined(cell, 0, 2)).map((cell) => width(pane, cell.drawing))),
  );
  const heights = rows.map((row) =>
    Math.max(10, ...cells.filter((cell) => cell.row === row && !joined(cell, 1, 3)).map((cell) => height(pane, cell.drawing))),
  );
  const whole = { wide: sum(widths), tall: sum(heights) };
  const { left, top } = place(pane, word(table['position']), whole.wide, whole.tall);
  const ground = paint(table['bgcolor']);
  if (ground !== null) pane.rectangle(left, top, left + whole.wide, top + whole.tall, ground);
  for (const cell of cells) {
    if (merged.some((m) => hides(m, cell))) continue;
    const end = merged.find((m) => m[0] === cell.column && m[1] === cell.row);
    const [c, r] = [columns.indexOf(cell.column), rows.indexOf(cell.row)];
    const [lastColumn, lastRow] = [lastWithin(columns, end?.[2], c), lastWithin(rows, end?.[3], r)];
    drawCell(pane, table, cell.drawing, {
      left: left + sum(widths.slice(0, c)),
      top: top + sum(heights.slice(0, r)),
      right: left + sum(widths.slice(0, lastColumn + 1)),
      bottom: top + sum(heights.slice(0, lastRow + 1)),
    });
  }
  frame(pane, { left, top, right: left + whole.wide, bottom: top + whole.tall }, paint(table['frame_color']), Number(table['frame_width']));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const spread = (cells: readonly Cell[], axis: 'column' | 'row'): number[] => [...new Set(cells.map((cell) => cell[axis]))].sort((a, b) => a - b);

/** Whether a merged range covers this cell with another one. */
function hides([left = 0, top = 0, right = 0, bottom = 0]: readonly number[], { column, row }: Cell): boolean {
  return (column !== left || row !== top) && column >= left && column <= right && row >= top && row <= bottom;
}

/** The index of the last column or row of a merged range. */
function lastWithin(known: readonly number[], end: number | undefined, own: number): number {
  return end === undefined ? own : Math.max(own, known.filter((value) => value <= end).length - 1);
}

/** A width or height that is given in percent of the pane. */
const share = (percent: unknown, area: number): number => (typeof percent === 'number' && percent > 0 ? (area * percent) / 100 : 0);

const cellFont = (cell: Drawing): Font => fontOf(cell, cell['text_size'] ?? 'normal');

const width = (pane: Pane, cell: Drawing): number =>
  Math.max(pane.textWidth(word(cell['text']), cellFont(cell)) + 12, share(cell['width'], pane.width));

const height = (pane: Pane, cell: Drawing): number =>
  Math.max(textHeight(word(cell['text']) || ' ', cellFont(cell).size) + 6, share(cell['height'], pane.height));

function place(pane: Pane, position: string, wide: number, tall: number): { left: number; top: number } {
  const [down, across] = position.split('_');
  const left = across === 'left' ? 6 : across === 'right' ? pane.width - wide - 6 : (pane.width - wide) / 2;
  const top = down === 'top' ? 6 : down === 'bottom' ? pane.height - tall - 6 : (pane.height - tall) / 2;
  return { left, top };
}

function drawCell(pane: Pane, table: Drawing, cell: Drawing, area: Area): void {
  const ground = paint(cell['bgcolor']);
  if (ground !== null) pane.rectangle(area.left, area.top, area.right, area.bottom, ground);
  frame(pane, area, paint(table['border_color']), Number(table['border_width']));
  pane.tip(area, word(cell['tooltip']));
  const [words, ink] = [word(cell['text']), paint(cell['text_color'])];
  if (words === '' || ink === null) return;
  inside(pane, area, words, ink, cellFont(cell), word(cell['text_halign']), word(cell['text_valign']));
}

function frame(pane: Pane, { left, top, right, bottom }: Area, color: string | null, thickness: number): void {
  if (color === null || !(thickness > 0)) return;
  const corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]] as const;
  pane.stroke(corners.map(([x, y]) => ({ x, y })), color, thickness);
}
