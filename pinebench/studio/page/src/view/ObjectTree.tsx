// The object tree: the drawings and studies of the active chart, pane by pane.
import { useEffect, useState, type MouseEvent } from 'react';
import type { Chart } from '../model/chart';
import type { Shape } from '../model/shapes';
import type { Study } from '../model/study';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon } from './icons';
import { openMenu, shapeMenu, studyMenu, volumeMenu } from './menus';

export function ObjectTree() {
  const chart = useWatched(useWorkspace().active);
  const symbol = useWatched(chart.symbol);
  const studies = useWatched(chart.studies);
  useWatched(chart.shapes);
  useWatched(chart.changed);
  const { volume } = useWatched(chart.look);
  const [, again] = useState(0);
  // The place of a study is known when it has run.
  useEffect(() => {
    const forget = studies.map((study) => study.result.subscribe(() => again((count) => count + 1)));
    return () => forget.forEach((stop) => stop());
  }, [studies]);
  const all = [...chart.drawings()].reverse();
  const shapes = all.filter((shape) => shape.pane === null);
  const over = studies.filter((study) => !study.ownPane);
  const below = studies.filter((study) => study.ownPane);
  return (
    <div className="watchlist widgetbar-widget" data-name="object-tree">
      <div className="watchlist__head">
        <b>Object tree</b>
      </div>
      <div className="objects">
        <h2 className="objects__pane">{symbol}</h2>
        <ul aria-label={`On the prices of ${symbol}`}>
          {shapes.map((shape) => (
            <ShapeRow key={shape.id} chart={chart} shape={shape} />
          ))}
          {over.map((study) => (
            <StudyRow key={study.id} chart={chart} study={study} />
          ))}
          {volume !== 'removed' && <VolumeRow chart={chart} shown={volume === 'shown'} />}
        </ul>
        {shapes.length + over.length === 0 && <p className="alerts__none">No drawings or indicators yet.</p>}
        {below.map((study, i) => (
          <section key={study.id}>
            <h2 className="objects__pane">Pane {i + 2}</h2>
            <ul aria-label={`In pane ${i + 2}`}>
              {all
                .filter((shape) => shape.pane === study.id)
                .map((shape) => (
                  <ShapeRow key={shape.id} chart={chart} shape={shape} />
                ))}
              <StudyRow chart={chart} study={study} />
            </ul>
          </section>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  title: string;
  visible: boolean;
  current?: boolean;
  icon: 'pencil' | 'indicators';
  /** Whether the object is locked; undefined if it cannot be locked. */
  locked?: boolean;
  take: () => void;
  show: () => void;
  lock?: () => void;
  remove: (() => void) | undefined;
  menu: (event: MouseEvent) => void;
}

function Row({ title, visible, current, icon, locked, take, show, lock, remove, menu }: RowProps) {
  return (
    <li className={visible ? 'objects__row' : 'objects__row objects__row--hidden'} data-name="object-tree-item" onContextMenu={menu}>
      <button className="objects__name" aria-current={current} onClick={take}>
        <Icon name={icon} size={14} /> <span>{title}</span>
      </button>
      {lock !== undefined && (
        <button className="row__tool" aria-label={`${locked === true ? 'Unlock' : 'Lock'} ${title}`} title={locked === true ? 'Unlock' : 'Lock'} aria-pressed={locked} onClick={lock}>
          <Icon name={locked === true ? 'lock' : 'unlock'} size={14} />
        </button>
      )}
      <button className="row__tool" aria-label={`${visible ? 'Hide' : 'Show'} ${title}`} title={visible ? 'Hide' : 'Show'} onClick={show}>
        <Icon name={visible ? 'eye' : 'eyeOff'} size={14} />
      </button>
      <button className="row__tool" aria-label={`Remove ${title}`} title="Remove" disabled={remove === undefined} onClick={remove}>
        <Icon name="trash" size={14} />
      </button>
      <button className="row__tool" aria-label={`More for ${title}`} title="More" aria-haspopup="menu" onClick={menu}>
        <Icon name="more" size={14} />
      </button>
    </li>
  );
}

function ShapeRow({ chart, shape }: { chart: Chart; shape: Shape }) {
  const workspace = useWorkspace();
  const selected = useWatched(workspace.drawing.selected);
  const [visible, locked] = [shape.visible.value(), shape.locked.value()];
  return (
    <Row
      title={shape.title}
      icon="pencil"
      visible={visible}
      locked={locked}
      current={selected?.shape === shape}
      take={() => {
        workspace.drawing.select(chart, shape);
        chart.view?.element.focus({ preventScroll: true });
      }}
      show={() => shape.visible.setValue(!visible)}
      lock={() => shape.locked.setValue(!locked)}
      remove={locked ? undefined : () => void chart.remove(shape.id)}
      menu={(event) => openMenu(workspace, event, shape.title, shapeMenu(workspace, chart, null, shape))}
    />
  );
}

/** The volume below the prices, which belongs to the chart and not to a study. */
function VolumeRow({ chart, shown }: { chart: Chart; shown: boolean }) {
  const workspace = useWorkspace();
  return (
    <Row
      title="Volume"
      icon="indicators"
      visible={shown}
      take={() => workspace.dialog.setValue({ kind: 'chart', chart })}
      show={() => chart.showVolume(!shown)}
      remove={() => chart.removeVolume()}
      menu={(event) => openMenu(workspace, event, 'Volume', volumeMenu(workspace, chart))}
    />
  );
}

function StudyRow({ chart, study }: { chart: Chart; study: Study }) {
  const workspace = useWorkspace();
  const visible = useWatched(study.visible);
  return (
    <Row
      title={study.title}
      icon="indicators"
      visible={visible}
      take={() => workspace.dialog.setValue({ kind: 'study', chart, study })}
      show={() => study.visible.setValue(!visible)}
      remove={() => void chart.remove(study.id)}
      menu={(event) => openMenu(workspace, event, study.title, studyMenu(workspace, chart, study))}
    />
  );
}
