// Lines where the days of a chart begin, on intervals below a day.
import type { IPrimitivePaneView, ISeriesPrimitive, SeriesAttachedParameter } from 'lightweight-charts';
import type { Chart } from '../model/chart';
import { isIntraday } from '../model/resolution';
import { onClock } from '../model/zones';
import type { Bar } from '../server';
import { view } from './study/layer';
import { Pane } from './study/pane';

const DAY = 86_400;

export class SessionBreaks implements ISeriesPrimitive {
  private attachment: SeriesAttachedParameter | null = null;
  private known: { bars: readonly Bar[]; zone: string; firsts: readonly number[] } = { bars: [], zone: '', firsts: [] };
  private readonly views: readonly IPrimitivePaneView[];

  constructor(
    private readonly chart: Chart,
    color: () => string,
  ) {
    this.views = [
      view((target) => {
        const { attachment } = this;
        if (attachment === null || !chart.look.value().sessionBreaks || !isIntraday(chart.resolution.value())) return;
        target.useMediaCoordinateSpace(({ context, mediaSize: { width, height } }) => {
          const pane = new Pane(context, width, height, chart.bars.value(), attachment.chart, attachment.series);
          for (const index of this.firsts()) {
            const x = Math.round(pane.x(index - 0.5)) + 0.5; // a whole column of pixels
            if (x >= 0 && x <= width) pane.stroke([{ x, y: 0 }, { x, y: height }], color(), 1, 'dashed');
          }
        });
      }),
    ];
  }

  attached(attachment: SeriesAttachedParameter): void {
    this.attachment = attachment;
  }

  detached(): void {
    this.attachment = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.views;
  }

  /** The indices of the first bars of days at the exchange. A session that opens in the evening belongs to the next day. */
  private firsts(): readonly number[] {
    const { chart, known } = this;
    const [bars, info] = [chart.bars.value(), chart.info.value()];
    const zone = info?.timezone ?? '';
    if (known.bars === bars && known.zone === zone) return known.firsts;
    const ahead = opensBefore(info?.session ?? '');
    const days = bars.map(([time]) => Math.floor((onClock(time, zone === '' ? 'Etc/UTC' : zone) + ahead) / DAY));
    const firsts = days.flatMap((day, i) => (i > 0 && day !== days[i - 1] ? [i] : []));
    this.known = { bars, zone, firsts };
    return firsts;
  }
}

/** The seconds before midnight at which a session opens that ends on the next day; 0 for others. */
function opensBefore(session: string): number {
  const [, hour, minute, toHour, toMinute] = /(\d{2})(\d{2})-(\d{2})(\d{2})/.exec(session) ?? [];
  if (hour === undefined) return 0;
  const [from, to] = [Number(hour) * 60 + Number(minute), Number(toHour) * 60 + Number(toMinute)];
  return from > 0 && to <= from ? DAY - from * 60 : 0;
}
