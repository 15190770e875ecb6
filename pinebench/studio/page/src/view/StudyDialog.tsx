// The settings of a study: each input by its type, in groups as the script says. Nothing changes before "Ok".
import { useState, type SubmitEvent } from 'react';
import type { Chart } from '../model/chart';
import { intervalText } from '../model/resolution';
import { inputText, KINDS, problemOf, type InputValue, type Study } from '../model/study';
import { ranText } from '../model/testerText';
import type { InputDefinition } from '../server';
import { Frame, useClose } from './Frame';
import { PropertiesTab, StyleTab, VisibilityTab } from './StudyTabs';

const NUMBERS = ['integer', 'float', 'price', 'time'];

/** The content of a field: a text, or whether a box is ticked. */
type Field = string | boolean;

function fieldOf({ type }: InputDefinition, value: unknown): Field {
  if (type === 'bool') return value === true;
  return type === 'time' && typeof value === 'number' ? new Date(value).toISOString().slice(0, 19) : inputText(value);
}

/** The value of a field; NaN for a text that is not a number, so that it is refused. */
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
  const result = study.undressed();
  const used = result?.tested?.properties ?? null;
  const tabs: readonly Tab[] = [
    ...(definitions.length > 0 ? (['Inputs'] as const) : []),
    ...(used !== null ? (['Properties'] as const) : []),
    ...(result !== null ? (['Style'] as const) : []),
    'Visibility',
  ];
  const [tab, setTab] = useState<Tab>(tabs[0] ?? 'Visibility');
  const [properties, setProperties] = useState(study.properties.value());
  const [styles, setStyles] = useState(study.styles.value());
  const [kinds, setKinds] = useState(study.kinds.value());
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (problem !== undefined || !chart.studies.value().includes(study)) return;
    study.setInputs(values);
    // Only what is another: each of them has the script run or the chart drawn again.
    if (!isSame(properties, study.properties.value())) study.properties.setValue(properties);
    if (!isSame(styles, study.styles.value())) study.styles.setValue(styles);
    if (!isSame(kinds, study.kinds.value())) study.kinds.setValue(kinds);
    close();
  };
  const reset = () => {
    if (tab === 'Inputs') setShown(fields(definitions.map(({ id, defval }) => ({ id, value: defval }))));
    else if (tab === 'Properties') setProperties({});
    else if (tab === 'Style') setStyles({});
    else setKinds(KINDS);
  };
  const change = (id: string) => (field: Field) => setShown(new Map(shown).set(id, field));
  const groups = [...new Set(definitions.map(({ group }) => group))];
  return (
    <Frame title={`Settings of ${study.name}`} name="indicator-properties-dialog" close={close}>
      <form onSubmit={submit} noValidate>
        <div className="dialog__tabs" role="tablist" aria-label="Settings">
          {tabs.map((name) => (
            <button key={name} type="button" role="tab" className="strategyReport__tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
            </button>
          ))}
        </div>
        <div className="dialog__fields" role="tabpanel" aria-label={tab}>
          {result?.ran && <p className="dialog__ran">Ran on {ranText(result)}.</p>}
          {tab === 'Properties' && used !== null && (
            <PropertiesTab key={JSON.stringify(properties) === '{}' ? 'own' : 'changed'} used={used} changed={properties} change={setProperties} />
          )}
          {tab === 'Style' && result !== null && <StyleTab result={result} styles={styles} change={setStyles} />}
          {tab === 'Visibility' && <VisibilityTab kinds={kinds} change={setKinds} />}
          {tab === 'Inputs' && groups.map((group) => (
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
            onClick={reset}
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

type Tab = 'Inputs' | 'Properties' | 'Style' | 'Visibility';

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * The inputs of one group by line: inputs with the same `inline` are on one line, at the place of the first of them.
 */
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
        <Name name={name} tooltip={tooltip} />
      </label>
    );
  }
  return (
    <label className="field field--row" title={tooltip}>
      <Name name={name} tooltip={tooltip} />
      {options !== undefined ? (
        <select name={id} value={field} onChange={(event) => change(event.target.value)}>
          {options.map((option) => (
            <option key={String(option)}>{String(option)}</option>
          ))}
        </select>
      ) : type === 'color' ? (
        <ColorField id={id} name={name} field={field} change={change} />
      ) : type === 'resolution' ? (
        <select name={id} value={field} onChange={(event) => change(event.target.value)}>
          {(TIMEFRAMES.includes(field) ? TIMEFRAMES : [field, ...TIMEFRAMES]).map((one) => (
            <option key={one} value={one}>
              {one === '' ? 'Chart' : intervalText(one)}
            </option>
          ))}
        </select>
      ) : type === 'session' && CLOCKS.test(field) ? (
        <SessionField id={id} name={name} field={field} change={change} />
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

/** The name of an input, with a sign if the script explains it. */
function Name({ name, tooltip }: { name: string; tooltip: string | undefined }) {
  return (
    <span>
      {name}
      {tooltip !== undefined && (
        <i className="field__tip" role="img" aria-label={tooltip}>
          ⓘ
        </i>
      )}
    </span>
  );
}

/** The timeframes of TradingView's menu; an empty one is the chart's. */
const TIMEFRAMES = ['', '1', '3', '5', '15', '30', '45', '60', '120', '180', '240', '1D', '1W', '1M', '3M', '6M', '12M'];
/** A session of one span, and what follows it (days). */
const CLOCKS = /^(\d{2})(\d{2})-(\d{2})(\d{2})(.*)$/;

/** A session as two clocks; the days after it stay as they are. */
function SessionField({ id, name, field, change }: { id: string; name: string; field: string; change: (field: Field) => void }) {
  const [, h1 = '', m1 = '', h2 = '', m2 = '', days = ''] = CLOCKS.exec(field) ?? [];
  const [from, to] = [`${h1}:${m1}`, `${h2}:${m2}`];
  const put = (first: string, last: string) => {
    if (first !== '' && last !== '') change(`${first.replace(':', '')}-${last.replace(':', '')}${days}`);
  };
  return (
    <span className="field__session">
      <input type="time" name={id} aria-label={`${name}: from`} value={from === '24:00' ? '00:00' : from} onChange={(event) => put(event.target.value, to)} />
      <input type="time" aria-label={`${name}: to`} value={to === '24:00' ? '00:00' : to} onChange={(event) => put(from, event.target.value)} />
      {days !== '' && <span>{days.replace(':', 'days ')}</span>}
    </span>
  );
}

/** A colour from the browser's own picker, and its opacity in percent. */
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
