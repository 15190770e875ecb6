// The picture of a layer with more room than its pane has: while the chart is only moved to the side, as in a drag, the
// picture is moved, and nothing is drawn again.
import { theme } from '../../model/preferences';
import { loaded } from '../fonts';
import type { Pane, Tip } from './pane';

/** The pixels that a picture has at each side of the pane. */
const MARGIN = 192;

interface Picture {
  canvas: HTMLCanvasElement;
  /** The place of the first bar, and the margin at each side, in pixels of the screen. */
  zero: number;
  margin: number;
  tips: readonly Tip[];
}

export class MovablePicture {
  private picture: Picture | null = null;
  private before: readonly unknown[] = [];

  /**
   * Show what `draw` draws. `content` has everything else that it depends on. Return the tips; null, with nothing drawn, if
   * something else than the place of the bars has changed since the last time, because a picture would not be used again then.
   */
  show(pane: Pane, content: readonly unknown[], draw: (pane: Pane) => void): readonly Tip[] | null {
    const { a: ratio, d } = pane.context.getTransform();
    const now = [...content, pane.bars, pane.step, pane.width, pane.height, ratio, d, ...pane.heights(), loaded.value(), theme.value()];
    const isMoved = now.length === this.before.length && now.every((value, i) => value === this.before[i]);
    this.before = now;
    if (!isMoved) {
      this.picture = null;
      return null;
    }
    const zero = Math.round(pane.x(0) * ratio);
    if (this.picture === null || Math.abs(zero - this.picture.zero) > this.picture.margin) this.picture = made(pane, zero, draw);
    return put(pane, this.picture, zero);
  }
}

function made(pane: Pane, zero: number, draw: (pane: Pane) => void): Picture {
  const { a, d } = pane.context.getTransform();
  const margin = Math.ceil(MARGIN * a);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(pane.width * a) + 2 * margin;
  canvas.height = Math.round(pane.height * d);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser gives no canvas to draw on');
  context.scale(a, d);
  const wide = pane.widened(context, margin / a);
  draw(wide);
  return { canvas, zero, margin, tips: wide.tips };
}

/** Put the part of a picture that is seen into its pane; return where its tips are there. */
function put({ context }: Pane, { canvas, zero: then, margin, tips }: Picture, zero: number): Tip[] {
  const { a, d } = context.getTransform();
  const [wide, tall] = [canvas.width - 2 * margin, canvas.height];
  context.save();
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, margin + then - zero, 0, wide, tall, 0, 0, wide / a, tall / d);
  context.restore();
  const by = (zero - then - margin) / a;
  return tips.map(({ area, text }) => ({ area: { ...area, left: area.left + by, right: area.right + by }, text }));
}
