// The time axis in a time zone: where days, months and years begin, and how they are written.
import { defaultHorzScaleBehavior, TickMarkType, type IHorzScaleBehavior, type Time, type UTCTimestamp } from 'lightweight-charts';
import { dateText, onClock } from '../model/zones';

type Points = Parameters<IHorzScaleBehavior<Time>['fillWeightsForPoints']>[0];

const Behaviour = defaultHorzScaleBehavior();

export class ZonedTime extends Behaviour implements IHorzScaleBehavior<Time> {
  zone = 'Etc/UTC';

  /** A day begins at midnight in the time zone. */
  override fillWeightsForPoints(points: Points, start: number): void {
    if (this.zone === 'Etc/UTC') {
      super.fillWeightsForPoints(points, start);
      return;
    }
    // The point before the first that is new is looked at as well.
    const from = Math.max(start - 1, 0);
    const shifted = points.map((point, i) =>
      i < from ? point : { ...point, time: this.convertHorzItemToInternal(this.shifted(point.originalTime as Time)) },
    );
    super.fillWeightsForPoints(shifted, start);
    for (let i = from; i < points.length; i++) {
      const [point, moved] = [points[i], shifted[i]];
      if (point !== undefined && moved !== undefined) point.timeWeight = moved.timeWeight;
    }
  }

  /** The text below a mark of the axis. */
  readonly mark = (time: Time, kind: TickMarkType, locale: string): string => {
    const date = new Date(Number(this.shifted(time)) * 1000);
    const inUtc = (options: Intl.DateTimeFormatOptions) => date.toLocaleString(locale, { ...options, timeZone: 'UTC' });
    if (kind === TickMarkType.Year) return inUtc({ year: 'numeric' });
    if (kind === TickMarkType.Month) return inUtc({ month: 'short' });
    if (kind === TickMarkType.DayOfMonth) return inUtc({ day: 'numeric' });
    return date.toISOString().slice(11, kind === TickMarkType.TimeWithSeconds ? 19 : 16);
  };

  /** The text below the crosshair. */
  readonly text = (time: Time): string => dateText(Number(time), this.zone, this.options().timeScale.timeVisible);

  private shifted(time: Time): Time {
    return onClock(Number(time), this.zone) as UTCTimestamp;
  }
}
