// The picture of a layer with more room than its pane has: while the chart is only moved to the side, as in a drag, the
// picture is moved, and nothing is drawn again.
import { theme } from '../../model/preferences';
import { loaded } from '../fonts';
import type { Pane, Tip } from './pane';

/** The pixels that a picture has at each side of the pane. */
const MARGIN = 192;

interface Picture {
  canvas: HTMLCanvasElement;
  /** The place of the first bar in the pane when the picture was drawn, in pixels of the screen. */
  zero: number;
  /** The room at each side of the pane, in pixels of the screen. */
  margin: number;
  tips: readonly Tip[];
}

export class MovablePicture {
  /** The last picture; its canvas is used again, because a new one costs as much as what is drawn on it. */
  private picture: Picture | null = null;
  private isOfNow = false;
  /** Everything that the picture depends on, besides the place of the bars. */
  private before: readonly unknown[] = [];

  /**
   * Show what `draw` draws, and return the tips. `content` has everything that it depends on and that the pane does not have.
   * If something else than the place of the bars has changed since the last time, nothing is drawn and the result is null:
   * a picture of it might never be moved.
   */
  show(pane: Pane, content: readonly unknown[], draw: (pane: Pane) => void): readonly Tip[] | null {
    const { a: ratio, d } = pane.context.getTransform();
    const now = [...content, pane.bars, pane.step, pane.width, pane.height, ratio, d, ...pane.heights(), loaded.value(), theme.value()];
    const isMoved = now.length === this.before.length && now.every((value, i) => value === this.before[i]);
    this.before = now;
    if (!isMoved) {
      this.isOfNow = false;
      return null;
    }
    const zero = Math.round(pane.x(0) * ratio);
    if (this.picture === null || !this.isOfNow || Math.abs(zero - this.picture.zero) > this.picture.margin) {
      this.picture = drawnAround(pane, zero, draw, this.picture?.canvas ?? document.createElement('canvas'));
      this.isOfNow = true;
    }
    return put(pane, this.picture, zero);
  }
}

/** Draw a pane with more room at both sides. */
function drawnAround(pane: Pane, zero: number, draw: (pane: Pane) => void, canvas: HTMLCanvasElement): Picture {
  const { a, d } = pane.context.getTransform();
  const margin = Math.ceil(MARGIN * a);
  const [wide, tall] = [Math.round(pane.width * a) + 2 * margin, Math.round(pane.height * d)];
  if (canvas.width !== wide) canvas.width = wide;
  if (canvas.height !== tall) canvas.height = tall;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser gives no canvas to draw on');
  context.reset();
  context.scale(a, d);
  const around = pane.widened(context, margin / a);
  draw(around);
  return { canvas, zero, margin, tips: around.tips };
}

/** Draw the part of a picture that its pane shows; return where its tips are there. */
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
