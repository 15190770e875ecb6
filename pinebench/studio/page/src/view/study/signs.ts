// The signs that shapes and labels have, as outlines around their middle.
import type { Place } from './pane';

const points = (...pairs: [number, number][]): Place[] => pairs.map(([x, y]) => ({ x, y }));
const upsideDown = (outline: readonly Place[]): Place[] => outline.map(({ x, y }) => ({ x, y: -y }));

const ROUND = Array.from({ length: 16 }, (_, step) => ({ x: Math.cos((Math.PI * step) / 8), y: Math.sin((Math.PI * step) / 8) }));
const THIN = 0.3;
const CROSS = points(
  [-THIN, -1], [THIN, -1], [THIN, -THIN], [1, -THIN], [1, THIN], [THIN, THIN],
  [THIN, 1], [-THIN, 1], [-THIN, THIN], [-1, THIN], [-1, -THIN], [-THIN, -THIN],
);
const ARROW = points([0, -1.2], [1, 0], [0.35, 0], [0.35, 1.2], [-0.35, 1.2], [-0.35, 0], [-1, 0]);
const LABEL = points([-1.1, -0.5], [-0.4, -0.5], [0, -1.3], [0.4, -0.5], [1.1, -0.5], [1.1, 1.1], [-1.1, 1.1]);

const SIGNS: Record<string, readonly Place[]> = {
  circle: ROUND,
  cross: CROSS,
  xcross: CROSS.map(({ x, y }) => ({ x: (x - y) * Math.SQRT1_2, y: (x + y) * Math.SQRT1_2 })),
  triangleup: points([0, -1], [1, 0.8], [-1, 0.8]),
  triangledown: points([0, 1], [1, -0.8], [-1, -0.8]),
  square: points([-1, -1], [1, -1], [1, 1], [-1, 1]),
  diamond: points([0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]),
  flag: points([-0.8, -1.2], [1, -0.6], [-0.6, 0], [-0.6, 1.2], [-0.8, 1.2]),
  arrowup: ARROW,
  arrowdown: upsideDown(ARROW),
  labelup: LABEL,
  labeldown: upsideDown(LABEL),
};

/** The outline of a sign around a place; `half` is half its size in pixels. */
export function sign(name: string, x: number, y: number, half: number): Place[] {
  return (SIGNS[name] ?? ROUND).map((point) => ({ x: x + point.x * half, y: y + point.y * half }));
}
