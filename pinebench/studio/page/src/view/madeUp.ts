// The mark of made-up prices: a picture that is passed on must not look like one of a market.

/** The words of the mark, on the page and on pictures. */
export const MADE_UP = 'made-up prices';

const SIZE = 12;
const MARGIN = 8;

/** Write on a picture of a chart that its prices are made up. A legend is a part of the page and not of the picture. */
export function markMadeUp(picture: HTMLCanvasElement, symbol: string): HTMLCanvasElement {
  const context = picture.getContext('2d');
  if (context === null) throw new Error('the picture cannot be marked as made up');
  const ratio = window.devicePixelRatio;
  const text = symbol === '' ? MADE_UP : `${symbol} · ${MADE_UP}`;
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.font = `600 ${SIZE}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  const width = context.measureText(text).width;
  context.fillStyle = '#ffd54f';
  context.fillRect(MARGIN, MARGIN, width + 12, SIZE + 10);
  context.fillStyle = '#1b1b1b';
  context.fillText(text, MARGIN + 6, MARGIN + (SIZE + 10) / 2);
  context.restore();
  return picture;
}
