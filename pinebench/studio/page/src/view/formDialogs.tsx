// The dialogs with one field to fill in: a name, an interval.
import { useState, type SubmitEvent } from 'react';
import { intervalText, normalResolution } from '../model/resolution';
import { fromClock } from '../model/zones';
import { useWorkspace } from './context';
import { Frame, useClose } from './Frame';

interface NameProps {
  title: string;
  value: string;
  /** The kind of thing that gets a name; a script by default. */
  label?: string | undefined;
  done: (name: string) => Promise<void>;
}

export function NameDialog({ title, value, label, done }: NameProps) {
  const close = useClose();
  const [name, setName] = useState(value);
  const [problem, setProblem] = useState('');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    try {
      await done(name.trim());
      close();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Frame title={title} name={label === undefined ? 'save-script-dialog' : 'name-dialog'} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>{label ?? 'Script name'}</span>
          <input value={name} onChange={(event) => setName(event.target.value)} maxLength={200} spellCheck={false} />
        </label>
        {problem !== '' && (
          <p className="dialog__problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={close}>
            Cancel
          </button>
          <button className="button button--accent" type="submit" disabled={name.trim() === ''}>
            Save
          </button>
        </div>
      </form>
    </Frame>
  );
}

export function IntervalDialog({ typed }: { typed: string }) {
  const workspace = useWorkspace();
  const close = useClose();
  const [text, setText] = useState(typed);
  const resolution = normalResolution(text);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (resolution === null) return;
    close();
    void workspace.active.value().setResolution(resolution);
  };
  return (
    <Frame title="Change interval" name="change-interval-dialog" close={close}>
      <form onSubmit={submit}>
        <label className="field">
          <span>Minutes, or a number with H, D, W or M</span>
          <input value={text} onChange={(event) => setText(event.target.value)} maxLength={8} spellCheck={false} autoComplete="off" />
        </label>
        <p role="status">{resolution === null ? 'Not an interval: try 45, 4H, D or 1W.' : intervalText(resolution)}</p>
      </form>
    </Frame>
  );
}

/** Shows the bar that is open at a time. The time is read as the time axis of the chart has it. */
export function GoToDialog() {
  const workspace = useWorkspace();
  const close = useClose();
  const [text, setText] = useState('');
  const chart = workspace.active.value();
  const moment = fromClock(Date.parse(`${text}Z`) / 1000, chart.zone);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (Number.isNaN(moment)) return;
    close();
    void chart.goTo(moment);
  };
  return (
    <Frame title="Go to" name="go-to-date-dialog" close={close}>
      <form onSubmit={submit}>
        <label className="field">
          <span>Date and time, as on the time axis</span>
          <input type="datetime-local" data-first value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={close}>
            Cancel
          </button>
          <button className="button button--accent" type="submit" disabled={Number.isNaN(moment)}>
            Go to
          </button>
        </div>
      </form>
    </Frame>
  );
}
