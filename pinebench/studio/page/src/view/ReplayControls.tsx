// The controls of bar replay, while they are wanted.
import { timeZone } from '../model/preferences';
import { DELAYS } from '../model/replay';
import { fromClock } from '../model/zones';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon } from './icons';

export function ReplayControls() {
  const { replay, active } = useWorkspace();
  const chart = useWatched(active);
  useWatched(timeZone);
  const shown = useWatched(replay.toolbar);
  const started = useWatched(replay.started);
  const autoplay = useWatched(replay.autoplay);
  const delay = useWatched(replay.delay);
  const date = useWatched(replay.date);
  const position = useWatched(replay.position);
  const realized = useWatched(replay.realized);
  if (!shown) return null;
  return (
    <div className="replay toolbar" role="toolbar" aria-label="Replay" data-name="replay-toolbar">
      <button className="button" onClick={() => replay.selectFirst()}>
        First bar
      </button>
      <label className="replay__field">
        From
        <input type="date" aria-label="Replay from" onChange={(event) => void replay.select(1000 * fromClock(event.target.valueAsNumber / 1000, chart.zone))} />
      </label>
      <button className="button" disabled={!started} aria-pressed={autoplay} onClick={() => replay.toggleAutoplay()}>
        <Icon name="play" size={15} /> {autoplay ? 'Pause' : 'Play'}
      </button>
      <button className="button" disabled={!started} onClick={() => replay.step()}>
        Next bar
      </button>
      <label className="replay__field">
        Pause
        <select aria-label="Pause between bars" value={delay} onChange={(event) => replay.changeDelay(Number(event.target.value))}>
          {DELAYS.map((ms) => (
            <option key={ms} value={ms}>
              {ms / 1000} s
            </option>
          ))}
        </select>
      </label>
      <span>{date === null ? 'choose where to begin' : chart.barText(date)}</span>
      <span className="grow" />
      <button className="button" disabled={!started} onClick={() => replay.trade(1)}>
        Buy
      </button>
      <button className="button" disabled={!started} onClick={() => replay.trade(-1)}>
        Sell
      </button>
      <button className="button" disabled={position === 0} onClick={() => replay.closePosition()}>
        Flatten
      </button>
      <span>
        {position} · {realized.toFixed(2)}
      </span>
      <button className="button" aria-label="Stop replay" onClick={() => replay.stop()}>
        Stop
      </button>
    </div>
  );
}
