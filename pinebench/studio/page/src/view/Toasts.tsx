// Short words over the page: alerts of scripts, scripts that take long.
import { dropping } from '../model/myData';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon } from './icons';

/** Tells a person who drags files over the page what will happen to them. */
function DropVeil() {
  if (!useWatched(dropping)) return null;
  return (
    <div className="dropveil" data-name="drop-veil">
      <b>Drop CSV or Parquet files to chart them</b>
      <span>Columns: time, open, high, low, close, and perhaps volume</span>
    </div>
  );
}

export function Toasts() {
  const { notices } = useWorkspace();
  const shown = useWatched(notices.shown);
  return (
    <>
    <DropVeil />
    <div className="toasts" role="status" aria-label="News" data-name="toasts">
      {shown.map(({ key, title, text, action }) => (
        <div key={key} className="toast" data-name="toast">
          <div>
            <b>{title}</b>
            <p>{text}</p>
          </div>
          {action !== undefined && (
            <button
              className="button"
              onClick={() => {
                notices.drop(key);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button className="button button--square button--small" aria-label="Dismiss" onClick={() => notices.drop(key)}>
            <Icon name="close" size={13} />
          </button>
        </div>
      ))}
    </div>
    </>
  );
}
