// How a chart looks beside its scale: colours of its bars, volume, lines, what the legend says, the room at the right.

export interface ChartLook {
  /** The colours of rising and falling bars as #RRGGBB; null for the theme's. */
  up: string | null;
  down: string | null;
  /** Removed volume is not in the object tree. */
  volume: 'shown' | 'hidden' | 'removed';
  grid: boolean;
  /** Whether lines mark where the days of an interval below a day begin. */
  sessionBreaks: boolean;
  /** Whether the legend has the prices of the bar, and how far the last one is from the one before. */
  prices: boolean;
  change: boolean;
  /** The free bars at the right of the newest one. */
  margin: number;
}

export const PLAIN_LOOK: ChartLook = {
  up: null,
  down: null,
  volume: 'shown',
  grid: true,
  sessionBreaks: false,
  prices: true,
  change: true,
  margin: 10,
};

export const MOST_MARGIN = 200;

/** A stored look; what an older studio did not know is as in a new chart. */
export const lookOf = (kept: Partial<ChartLook> | undefined): ChartLook => ({ ...PLAIN_LOOK, ...kept });
