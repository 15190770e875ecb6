// The dialogs with fields to fill in: a name, an interval, the inputs of an indicator.
import { useState, type SubmitEvent } from 'react';
import type { Chart } from '../model/chart';
import type { InputDefinition } from '../model/indicators';
import { intervalText, normalResolution } from '../model/resolution';
import type { Study } from '../model/study';
import { useWorkspace } from './context';
import { Frame, useClose } from './Frame';

export function NameDialog({ title, value, done }: { title: string; value: string; done: (name: string) => Promise<void> }) {
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
    <Frame title={title} name="save-script-dialog" close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <label className="field">
          <span>Script name</span>
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
        <p role="status">{resolution === null ? 'No interval; try 45, 4H, D or 1W.' : intervalText(resolution)}</p>
      </form>
    </Frame>
  );
}

const MOST_BARS = 5000;

function problemOf(input: InputDefinition, text: string): string | null {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) return `${input.name}: a number above 0`;
  if (input.fraction !== true && (!Number.isInteger(value) || value > MOST_BARS)) return `${input.name}: a whole number of at most ${MOST_BARS}`;
  return null;
}

/** Inputs of an indicator; nothing changes before "Ok". */
export function StudyDialog({ chart, study }: { chart: Chart; study: Study }) {
  const close = useClose();
  const inputs = study.indicator?.inputs ?? [];
  const [texts, setTexts] = useState(() => new Map(study.inputs.value().map(({ id, value }) => [id, String(value)])));
  const problem = inputs.map((input) => problemOf(input, texts.get(input.id) ?? '')).find((found) => found !== null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (problem !== undefined || !chart.studies.value().includes(study)) return;
    study.setInputs(inputs.map(({ id }) => ({ id, value: Number(texts.get(id)) })));
    close();
  };
  return (
    <Frame title={`Settings of ${study.name}`} name="indicator-properties-dialog" close={close}>
      <form onSubmit={submit} noValidate>
        {inputs.map(({ id, name, value }) => (
          <label className="field" key={id}>
            <span>
              {name} <small>(default {value})</small>
            </span>
            <input
              name={id}
              inputMode="decimal"
              value={texts.get(id) ?? ''}
              onChange={(event) => setTexts(new Map(texts).set(id, event.target.value))}
              spellCheck={false}
              autoComplete="off"
            />
          </label>
        ))}
        {problem !== undefined && (
          <p className="dialog__problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog__buttons">
          <button className="button" type="button" onClick={() => setTexts(new Map(inputs.map(({ id, value }) => [id, String(value)])))}>
            Defaults
          </button>
          <span className="grow" />
          <button className="button" type="button" onClick={close}>
            Cancel
          </button>
          <button className="button button--accent" type="submit" disabled={problem !== undefined}>
            Ok
          </button>
        </div>
      </form>
    </Frame>
  );
}
