// The settings of the selected drawing, in a small bar over its chart.
import type { Chart } from '../model/chart';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import type { DrawnChart } from './drawnChart';
import { Icon } from './icons';

const WIDTHS = [1, 2, 3, 4];

export function DrawingProperties({ chart, drawn }: { chart: Chart; drawn: DrawnChart }) {
  const { drawing } = useWorkspace();
  useWatched(drawing.selected);
  useWatched(chart.shapes);
  useWatched(chart.changed);
  useWatched(chart.symbol);
  const selected = drawing.current();
  if (selected === null || selected.chart !== chart) return null;
  const { shape } = selected;
  const locked = shape.locked.value();
  return (
    <div className="drawing-properties" role="toolbar" aria-label={`${shape.title}, selected`} data-name="drawing-properties">
      <span className="drawing-properties__name">{shape.title}</span>
      <input
        type="color"
        aria-label="Colour"
        title="Colour"
        value={/^#[0-9a-f]{6}/i.exec(shape.color)?.[0].toLowerCase() ?? '#5a9cf8'}
        onChange={(event) => shape.set({ linecolor: event.target.value })}
      />
      <select aria-label="Width" title="Width" value={shape.width} onChange={(event) => shape.set({ linewidth: Number(event.target.value) })}>
        {[...new Set([...WIDTHS, shape.width])].sort((a, b) => a - b).map((width) => (
          <option key={width} value={width}>
            {width} px
          </option>
        ))}
      </select>
      <button className="button button--square button--small" aria-label="Text" title="Text" onClick={() => drawing.askText(shape.text, (text) => shape.set({ text }))}>
        <Icon name="text" size={15} />
      </button>
      <button
        className="button button--square button--small"
        aria-label="Clone"
        title="Clone"
        onClick={() => drawing.clone(selected, drawn.pencil.moved(shape, 5, 0))}
      >
        <Icon name="copy" size={15} />
      </button>
      <button
        className="button button--square button--small"
        aria-label={locked ? 'Unlock' : 'Lock'}
        title={locked ? 'Unlock' : 'Lock'}
        aria-pressed={locked}
        onClick={() => shape.locked.setValue(!locked)}
      >
        <Icon name={locked ? 'lock' : 'unlock'} size={15} />
      </button>
      <button className="button button--square button--small" aria-label="Remove" title="Remove (Delete)" disabled={locked} onClick={() => drawing.removeSelected()}>
        <Icon name="trash" size={15} />
      </button>
    </div>
  );
}
