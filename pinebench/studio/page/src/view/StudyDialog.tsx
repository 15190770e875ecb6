// The settings of a study: each input by its type, in groups as the script says. Nothing changes before "Ok".
import { useState, type SubmitEvent } from 'react';
import type { Chart } from '../model/chart';
import { inputText, problemOf, type InputValue, type Study } from '../model/study';
import type { InputDefinition } from '../server';
import { Frame, useClose } from './Frame';

const NUMBERS = ['integer', 'float', 'price', 'time'];

/** What stands in a field: a text, or whether a box is ticked. */
type Field = string | boolean;

function fieldOf({ type }: InputDefinition, value: unknown): Field {
  if (type === 'bool') return value === true;
  return type === 'time' && typeof value === 'number' ? new Date(value).toISOString().slice(0, 19) : inputText(value);
}

/** The value that a field stands for; NaN for a number that is none, so that it is refused. */
function valueOf(definition: InputDefinition, field: Field): unknown {
  if (typeof field === 'boolean') return field;
  const { type, options, defval } = definition;
  if (options !== undefined) return options.find((option) => String(option) === field) ?? field;
  if (field === '' && defval === null) return null;
  if (type === 'time') return field === '' ? Number.NaN : Date.parse(`${field}Z`);
  if (NUMBERS.includes(type)) return field.trim() === '' ? Number.NaN : Number(field);
  return field;
}

export function StudyDialog({ chart, study }: { chart: Chart; study: Study }) {
  const close = useClose();
  const { definitions } = study;
  const fields = (inputs: readonly InputValue[]) => {
    const values = new Map(inputs.map(({ id, value }) => [id, value]));
    return new Map(definitions.map((definition) => [definition.id, fieldOf(definition, values.get(definition.id))]));
  };
  const [shown, setShown] = useState(() => fields(study.inputs.value()));
  const values = definitions.map((definition) => ({ id: definition.id, value: valueOf(definition, shown.get(definition.id) ?? '') }));
  const problem = definitions.map((definition, i) => problemOf(definition, values[i]?.value)).find((found) => found !== null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (problem !== undefined || !chart.studies.value().includes(study)) return;
    study.setInputs(values);
    close();
  };
  const change = (id: string) => (field: Field) => setShown(new Map(shown).set(id, field));
  const groups = [...new Set(definitions.map(({ group }) => group))];
  return (
    <Frame title={`Settings of ${study.name}`} name="indicator-properties-dialog" close={close}>
      <form onSubmit={submit} noValidate>
        <div className="dialog__fields">
          {groups.map((group) => (
            <div key={group ?? ''} role="group" aria-label={group ?? 'Inputs'}>
              {group !== undefined && <p className="dialog__group">{group}</p>}
              {linesOf(definitions.filter((definition) => definition.group === group)).map((line) => (
                <div key={line[0]?.id} className={line.length > 1 ? 'dialog__inline' : undefined}>
                  {line.map((definition) => (
                    <InputField key={definition.id} definition={definition} field={shown.get(definition.id) ?? ''} change={change(definition.id)} />
                  ))}
                </div>
              ))}
            </div>
          ))}
        </div>
        {problem !== undefined && (
          <p className="dialog__problem" role="alert">
            {problem}
          </p>
        )}
        <div className="dialog__buttons">
          <button
            className="button"
            type="button"
            onClick={() => setShown(fields(definitions.map(({ id, defval }) => ({ id, value: defval }))))}
          >
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

/** Inputs of one group by the lines in which they stand: those of the same `inline` share one, where the first of them is. */
function linesOf(definitions: readonly InputDefinition[]): InputDefinition[][] {
  const lines: InputDefinition[][] = [];
  for (const definition of definitions) {
    const line = definition.inline === undefined ? undefined : lines.find(([first]) => first?.inline === definition.inline);
    if (line === undefined) lines.push([definition]);
    else line.push(definition);
  }
  return lines;
}

interface FieldProps {
  definition: InputDefinition;
  field: Field;
  change: (field: Field) => void;
}

function InputField({ definition, field, change }: FieldProps) {
  const { id, name, type, options, tooltip } = definition;
  if (typeof field === 'boolean') {
    return (
      <label className="field field--row" title={tooltip}>
        <input type="checkbox" name={id} checked={field} onChange={(event) => change(event.target.checked)} />
        <span>{name}</span>
      </label>
    );
  }
  return (
    <label className="field field--row" title={tooltip}>
      <span>{name}</span>
      {options !== undefined ? (
        <select name={id} value={field} onChange={(event) => change(event.target.value)}>
          {options.map((option) => (
            <option key={String(option)}>{String(option)}</option>
          ))}
        </select>
      ) : type === 'color' ? (
        <ColorField id={id} name={name} field={field} change={change} />
      ) : type === 'text_area' ? (
        <textarea name={id} value={field} rows={3} onChange={(event) => change(event.target.value)} />
      ) : (
        <input
          name={id}
          type={type === 'time' ? 'datetime-local' : 'text'}
          step={type === 'time' ? 1 : undefined}
          inputMode={NUMBERS.includes(type) ? 'decimal' : undefined}
          placeholder={definition.defval === null ? 'as the script says' : undefined}
          value={field}
          onChange={(event) => change(event.target.value)}
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </label>
  );
}

/** A colour by the browser's own picker, and its opacity in percent. */
function ColorField({ id, name, field, change }: { id: string; name: string; field: string; change: (field: Field) => void }) {
  const [color, alpha] = [field.slice(0, 7) || '#2962FF', parseInt(field.slice(7, 9) || 'FF', 16)];
  const put = (next: string, opacity: number) => change(`${next}${opacity.toString(16).padStart(2, '0')}`.toUpperCase());
  return (
    <span className="field__color">
      <input type="color" name={id} value={color.toLowerCase()} onChange={(event) => put(event.target.value, alpha)} />
      <input
        type="range"
        aria-label={`Opacity of ${name}`}
        min={0}
        max={255}
        value={alpha}
        onChange={(event) => put(color, Number(event.target.value))}
      />
    </span>
  );
}
