// The bar of drawing tools at the left of the charts.
import { useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { takeTool } from '../keyboard';
import { DRAWING_TOOLS } from '../model/drawingTools';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon, type IconName } from './icons';

interface BarButton {
  key: string;
  label: string;
  title: string;
  icon: IconName;
  /** Whether the button is on; undefined for buttons without a state. */
  pressed?: boolean;
  apart?: true;
  act: (byKey: boolean) => void;
}

export function DrawingBar() {
  const workspace = useWorkspace();
  const { drawing } = workspace;
  const open = useWatched(drawing.barOpen);
  const tool = useWatched(drawing.tool);
  const magnet = useWatched(drawing.magnet);
  const hidden = useWatched(drawing.hidden);
  const chart = useWatched(workspace.active);
  useWatched(chart.shapes);
  useWatched(chart.changed);
  useWatched(chart.symbol);
  const bar = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  if (!open) return null;
  const shapes = chart.drawings();
  const locked = shapes.length > 0 && shapes.every((shape) => shape.locked.value());
  const take = (name: string | null) => (byKey: boolean) => {
    if (byKey) takeTool(workspace, name);
    else drawing.choose(name);
  };
  const buttons: readonly BarButton[] = [
    { key: 'cursor', label: 'Cursor', title: 'Cursor (Escape)', icon: 'cursor', pressed: tool === null, act: take(null) },
    ...DRAWING_TOOLS.map(
      ({ name, label, keys }): BarButton => ({
        key: name,
        label,
        title: keys === undefined ? label : `${label} (${keys})`,
        icon: name as IconName,
        pressed: tool?.name === name,
        act: take(name),
      }),
    ),
    { key: 'magnet', label: 'Magnet', title: 'Magnet: draw at the open, high, low or close of a bar', icon: 'magnet', pressed: magnet, apart: true, act: () => drawing.magnet.setValue(!magnet) },
    { key: 'hide', label: 'Hide all drawings', title: 'Hide all drawings', icon: hidden ? 'eyeOff' : 'eye', pressed: hidden, act: () => drawing.hidden.setValue(!hidden) },
    { key: 'lock', label: 'Lock all drawings', title: 'Lock all drawings', icon: locked ? 'lock' : 'unlock', pressed: locked, act: () => shapes.forEach((shape) => shape.locked.setValue(!locked)) },
    { key: 'remove', label: 'Remove all drawings', title: 'Remove all drawings of this symbol that are not locked (Ctrl+Z brings them back)', icon: 'trash', act: () => chart.removeDrawings() },
  ];
  const keys = (event: KeyboardEvent) => {
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = (next + buttons.length) % buttons.length;
    setAt(to);
    bar.current?.querySelectorAll('button')[to]?.focus();
  };
  return (
    <section className="drawing-bar" aria-label="Drawings">
      <div className="drawing-bar__tools" role="toolbar" aria-orientation="vertical" aria-label="Drawing tools" data-name="drawing-toolbar" ref={bar} onKeyDown={keys}>
        {buttons.map(({ key, label, title, icon, pressed, apart, act }, i) => (
          <button
            key={key}
            className={`button button--square${apart === true ? ' drawing-bar__apart' : ''}`}
            data-tool={key}
            aria-label={label}
            title={title}
            aria-pressed={pressed}
            tabIndex={i === at ? 0 : -1}
            onFocus={() => setAt(i)}
            onClick={(event: MouseEvent) => act(event.detail === 0)}
          >
            <Icon name={icon} />
          </button>
        ))}
      </div>
    </section>
  );
}
