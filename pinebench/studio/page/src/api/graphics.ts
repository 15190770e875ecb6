// `_graphics` of a study: what its script drew, in the nested maps in which TradingView's page keeps it.
import type { Study } from '../model/study';
import type { Bar, Drawing } from '../server';

type Raw = Record<string, unknown>;

/** The place where each kind of drawing is kept, and the form of one drawing there. */
export function graphicsOf(study: Study, bars: readonly Bar[]) {
  const drawings = study.visible.value() ? (study.fresh()?.drawings ?? {}) : {};
  const place = (value: unknown, xloc: unknown) => (xloc === 'bar_time' ? indexOfTime(Number(value), bars) : value);
  const each = (kind: string, raw: (drawing: Drawing) => Raw) => (drawings[kind] ?? []).map(raw);
  const lines = each('line', (d) => ({
    x1: place(d['x1'], d['xloc']),
    y1: d['y1'],
    x2: place(d['x2'], d['xloc']),
    y2: d['y2'],
    st: d['style'],
    w: d['width'],
    ci: d['color'],
    ex: d['extend'],
  }));
  const labels = each('label', (d) => ({
    t: d['text'],
    x: place(d['x'], d['xloc']),
    y: d['y'],
    yl: d['yloc'],
    st: d['style'],
    sz: d['size'],
    tci: d['textcolor'],
    ci: d['color'],
    ta: d['textalign'],
    tt: d['tooltip'],
  }));
  const boxes = each('box', (d) => ({
    x1: place(d['left'], d['xloc']),
    y1: d['top'],
    x2: place(d['right'], d['xloc']),
    y2: d['bottom'],
    c: d['border_color'],
    bc: d['bgcolor'],
    w: d['border_width'],
    st: d['border_style'],
    ex: d['extend'],
    t: d['text'],
  }));
  const cells = (drawings['table'] ?? []).flatMap((table, tid) =>
    (table['cells'] as Drawing[]).map((d) => ({ tid, row: d['row'], col: d['column'], t: d['text'], tci: d['text_color'], bgc: d['bgcolor'] })),
  );
  return {
    _primitivesCollection: {
      dwglines: new Map([['lines', wrapped(lines)]]),
      dwglabels: new Map([['labels', wrapped(labels)]]),
      dwgboxes: new Map([['boxes', wrapped(boxes)]]),
      dwgtablecells: new Map([['tableCells', kept(cells)]]),
    },
  };
}

const kept = (all: readonly Raw[]) => ({ _primitivesDataById: new Map(all.map((raw, i) => [i + 1, { id: i + 1, ...raw }])) });
const wrapped = (all: readonly Raw[]) => new Map([[false, kept(all)]]);

/** The index of the bar that contains a time in milliseconds. */
function indexOfTime(milliseconds: number, bars: readonly Bar[]): number {
  const after = bars.findIndex((bar) => bar[0] * 1000 > milliseconds);
  return (after < 0 ? bars.length : after) - 1;
}
