// What a person changed of how a study looks: of each plot its kind, its colour and its line; of all of them their places.
import type { Cell, Output, RunResult } from '../server';
import { colorAt, DISPLAY, text } from './plots';

export interface Style {
  visible?: boolean;
  /** 0xRRGGBBAA, the same on every bar. */
  color?: number;
  /** The opacity of the script's own colours, from 0 to 255. */
  alpha?: number;
  width?: number;
  /** The style of a plot, by the names of `plot.style_`. */
  kind?: string;
  /** How the line is drawn: solid, dashed or dotted. */
  line?: string;
  /** Whether the last value has a line across the pane. */
  tracked?: boolean;
  /** The decimals of the values; of the study as a whole. */
  precision?: number;
  /** Whether the values are on the price scale, and in the status line; of the study as a whole. */
  onScale?: boolean;
  inStatusLine?: boolean;
  /** Whether the inputs are in the status line; of the study as a whole. */
  inputs?: boolean;
}

export type Styles = Readonly<Record<string, Style>>;

/** The key of the style of the study as a whole. */
export const WHOLE_STUDY = 'study';

/** The styles of plots that a person can choose, in the order of TradingView's list, with its words. */
export const PLOT_KINDS: Readonly<Record<string, string>> = {
  line: 'Line',
  linebr: 'Line with breaks',
  stepline: 'Step line',
  steplinebr: 'Step line with breaks',
  stepline_diamond: 'Step line with diamonds',
  histogram: 'Histogram',
  cross: 'Cross',
  area: 'Area',
  areabr: 'Area with breaks',
  columns: 'Columns',
  circles: 'Circles',
};

export const LINES = ['solid', 'dashed', 'dotted'] as const;

const STYLED = ['plot', 'plotshape', 'plotchar', 'plotarrow', 'plotcandle', 'plotbar', 'hline', 'fill', 'bgcolor', 'barcolor'];
/** The kinds of drawings, by TradingView's words: one box shows or hides all of a kind. */
const DRAWN: Readonly<Record<string, string>> = { line: 'Lines', linefill: 'Linefills', polyline: 'Polylines', box: 'Boxes', label: 'Labels', table: 'Tables' };

/** The key of the style of all drawings of a kind. */
const keyOfDrawn = (kind: string): string => `drawings ${kind}`;

/** The kinds of drawings that a run has, each with the key of its style. */
export const drawnOf = ({ drawings }: RunResult): { key: string; title: string }[] =>
  Object.entries(DRAWN).flatMap(([kind, title]) => ((drawings[kind] ?? []).length === 0 ? [] : [{ key: keyOfDrawn(kind), title }]));

/** The names of the settings and columns of outputs that are colours. */
const COLORS = ['color', 'colorup', 'colordown', 'wickcolor', 'bordercolor', 'top_color', 'bottom_color'];
const ALL_PLACES = Object.values(DISPLAY).reduce((sum, bit) => sum + bit, 0);

/** An output that has a style, and the name under which its style is stored. */
export interface Styled {
  key: string;
  title: string;
  output: Output;
  color: number | null;
  width: number | null;
  /** The style of a plot, and the form of a line; null for outputs without one. */
  kind: string | null;
  line: string | null;
  /** Whether there is a line at the last value; null for outputs that cannot have one. */
  tracked: boolean | null;
}

/** The outputs of a run whose look can be changed, in the order of the script. */
export function styledOf(result: RunResult): Styled[] {
  const counted = new Map<string, number>();
  return result.outputs.flatMap((output) => {
    const { function: name, settings } = output;
    if (!STYLED.includes(name)) return [];
    const number = (counted.get(name) ?? 0) + 1;
    counted.set(name, number);
    const width = settings['linewidth'];
    const last = Object.values(output.columns)[0]?.length ?? 0;
    const line = text(settings['linestyle']);
    return [
      {
        key: `${name} ${number}`,
        title: text(settings['title']) || `${name} ${number}`,
        output,
        color: colorAt(output, last - 1),
        width: typeof width === 'number' ? width : null,
        kind: name === 'plot' ? text(settings['style']) || 'line' : null,
        line: name === 'plot' ? line || 'solid' : name === 'hline' ? line || 'dashed' : null,
        tracked: name === 'plot' ? settings['trackprice'] === true : null,
      },
    ];
  });
}

/** The run with the look of `styles`; its numbers are the same. */
export function withStyles(result: RunResult, styles: Styles): RunResult {
  if (Object.keys(styles).length === 0) return result;
  const changed = new Map<Output, Output>();
  for (const { key, output } of styledOf(result)) {
    const style = styles[key];
    if (style !== undefined) changed.set(output, restyled(output, style));
  }
  const whole = styles[WHOLE_STUDY] ?? {};
  const outputs = result.outputs.map((output) => placed(changed.get(output) ?? output, whole));
  const declared = whole.precision === undefined ? result.declared : { ...result.declared, precision: whole.precision };
  const drawings = Object.fromEntries(Object.entries(result.drawings).filter(([kind]) => styles[keyOfDrawn(kind)]?.visible !== false));
  return { ...result, declared, outputs, drawings };
}

function restyled(output: Output, { visible, color, alpha, width, kind, line, tracked }: Style): Output {
  const settings = { ...output.settings };
  const columns = { ...output.columns };
  if (color !== undefined) {
    settings['color'] = color;
    delete columns['color'];
  }
  if (alpha !== undefined) {
    for (const name of COLORS) {
      if (name in columns) columns[name] = (columns[name] ?? []).map((one) => withAlpha(one, alpha));
      else if (name in settings) settings[name] = withAlpha(settings[name] ?? null, alpha);
    }
  }
  if (width !== undefined) settings['linewidth'] = width;
  if (kind !== undefined) settings['style'] = kind;
  if (line !== undefined) settings['linestyle'] = line;
  if (tracked !== undefined) settings['trackprice'] = tracked;
  if (visible === false) settings['display'] = 0;
  return { ...output, settings, columns };
}

/** A colour with another opacity; invisible colours, and values of other kinds, stay. */
const withAlpha = (color: Cell, alpha: number): Cell => (typeof color === 'number' && color % 256 !== 0 ? color - (color % 256) + alpha : color);

/** An output with the decimals and the places that the study as a whole has. */
function placed(output: Output, { precision, onScale, inStatusLine }: Style): Output {
  const gone = (onScale === false ? DISPLAY.priceScale : 0) + (inStatusLine === false ? DISPLAY.statusLine : 0);
  if (gone === 0 && precision === undefined) return output;
  const { display } = output.settings;
  const settings = { ...output.settings, display: (typeof display === 'number' ? display : ALL_PLACES) & ~gone };
  return { ...output, settings: precision === undefined ? settings : { ...settings, precision } };
}
