// What a person changed of how a study looks: of each plot whether it is shown, its colour and its width.
import type { Output, RunResult } from '../server';
import { colorAt, text } from './plots';

export interface Style {
  visible?: boolean;
  /** 0xRRGGBBAA, the same on every bar. */
  color?: number;
  width?: number;
}

export type Styles = Readonly<Record<string, Style>>;

const STYLED = ['plot', 'plotshape', 'plotchar', 'plotarrow', 'plotcandle', 'plotbar', 'hline', 'fill', 'bgcolor', 'barcolor'];

/** An output that has a style, and the name under which its style is stored. */
export interface Styled {
  key: string;
  title: string;
  output: Output;
  color: number | null;
  width: number | null;
}

/** The outputs of a run whose look can be changed, in the order of the script. */
export function styledOf(result: RunResult): Styled[] {
  const counted = new Map<string, number>();
  return result.outputs.flatMap((output) => {
    if (!STYLED.includes(output.function)) return [];
    const number = (counted.get(output.function) ?? 0) + 1;
    counted.set(output.function, number);
    const title = text(output.settings['title']) || `${output.function} ${number}`;
    const width = output.settings['linewidth'];
    const last = Object.values(output.columns)[0]?.length ?? 0;
    return [{ key: `${output.function} ${number}`, title, output, color: colorAt(output, last - 1), width: typeof width === 'number' ? width : null }];
  });
}

/** The run with the colours and widths of `styles`; its numbers are the same. */
export function withStyles(result: RunResult, styles: Styles): RunResult {
  if (Object.keys(styles).length === 0) return result;
  const changed = new Map<Output, Output>();
  for (const { key, output } of styledOf(result)) {
    const style = styles[key];
    if (style !== undefined) changed.set(output, restyled(output, style));
  }
  return { ...result, outputs: result.outputs.map((output) => changed.get(output) ?? output) };
}

function restyled(output: Output, { visible, color, width }: Style): Output {
  const settings = { ...output.settings };
  const columns = { ...output.columns };
  if (color !== undefined) {
    settings['color'] = color;
    delete columns['color'];
  }
  if (width !== undefined) settings['linewidth'] = width;
  if (visible === false) settings['display'] = 0;
  return { ...output, settings, columns };
}
