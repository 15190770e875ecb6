// The field of one input of a script, as the studio describes the input.
import { useEffect, useRef, useState } from 'react';
import type { Chart } from '../model/chart';
import { isNumeric } from '../model/inputs';
import { INTERVALS, intervalText } from '../model/resolution';
import type { ShapePoint } from '../model/shapes';
import type { InputDefinition } from '../server';
import { useWatched } from '../watched';
import type { Choice } from './ChoiceDialog';
import { findSymbols } from './chooseDialogs';
import { ColorField } from './ColorField';
import { useWorkspace } from './context';
import { Icon } from './icons';

/** The content of a field: a text, or whether a box is ticked. */
export type Field = string | boolean;

/** The text of a field for a moment in milliseconds, in UTC. */
export const momentField = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

interface FieldProps {
  chart: Chart;
  definition: InputDefinition;
  field: Field;
  change: (field: Field) => void;
}

export function InputField({ chart, definition, field, change }: FieldProps) {
  const { id, name, field: control, options, tooltip } = definition;
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
      ) : control === 'color' ? (
        <ColorField id={id} name={name} field={field} change={change} />
      ) : control === 'timeframe' ? (
        <select name={id} value={field} onChange={(event) => change(event.target.value)}>
          {(TIMEFRAMES.includes(field) ? TIMEFRAMES : [field, ...TIMEFRAMES]).map((one) => (
            <option key={one} value={one}>
              {one === '' ? 'Chart' : intervalText(one)}
            </option>
          ))}
        </select>
      ) : control === 'session' && CLOCKS.test(field) ? (
        <SessionField id={id} name={name} field={field} change={change} />
      ) : control === 'symbol' ? (
        <SymbolField id={id} field={field} change={change} />
      ) : control === 'time' || control === 'price' ? (
        <PickedField chart={chart} definition={definition} field={field} change={change} />
      ) : control === 'area' ? (
        <textarea name={id} value={field} rows={3} onChange={(event) => change(event.target.value)} />
      ) : (
        <TextField definition={definition} field={field} change={change} />
      )}
    </label>
  );
}

interface TextProps {
  definition: InputDefinition;
  field: string;
  change: (field: string) => void;
}

function TextField({ definition, field, change }: TextProps) {
  const { id, defval } = definition;
  const isMoment = definition.field === 'time';
  return (
    <input
      name={id}
      type={isMoment ? 'datetime-local' : 'text'}
      step={isMoment ? 1 : undefined}
      inputMode={isNumeric(definition) ? 'decimal' : undefined}
      placeholder={defval === null ? 'as the script says' : undefined}
      value={field}
      onChange={(event) => change(event.target.value)}
      spellCheck={false}
      autoComplete="off"
    />
  );
}

/** A symbol: the studio's symbol search, which offers names while they are typed. */
function SymbolField({ id, field, change }: { id: string; field: string; change: (field: string) => void }) {
  const [found, setFound] = useState<readonly Choice[]>([]);
  const asked = useRef('');
  const search = (text: string) => {
    asked.current = text;
    findSymbols(text).then(
      (choices) => {
        if (asked.current === text) setFound(choices);
      },
      () => setFound([]), // without the studio a name can still be typed
    );
  };
  return (
    <>
      <input
        name={id}
        list={`${id}-symbols`}
        value={field}
        placeholder="the chart's symbol"
        onFocus={() => search('')}
        onChange={(event) => {
          change(event.target.value);
          search(event.target.value);
        }}
        spellCheck={false}
        autoComplete="off"
      />
      <datalist id={`${id}-symbols`}>
        {found.map(({ key, detail }) => (
          <option key={key} value={key}>
            {detail}
          </option>
        ))}
      </datalist>
    </>
  );
}

/** A time or a price: typed, or picked by a click on the chart. */
function PickedField({ chart, definition, field, change }: TextProps & { chart: Chart }) {
  const { picking } = useWorkspace();
  const mine = useRef<((point: ShapePoint) => void) | null>(null);
  const isPicking = useWatched(picking) !== null && picking.value()?.take === mine.current;
  const pick = () => {
    mine.current = ({ time, price }) => change(definition.field === 'time' ? momentField(time * 1000) : String(price));
    picking.setValue({ chart, take: mine.current });
  };
  useEffect(
    () => () => {
      if (picking.value()?.take === mine.current) picking.setValue(null);
    },
    [picking],
  );
  const words = definition.field === 'time' ? 'Pick a bar on the chart' : 'Pick a price on the chart';
  return (
    <span className="field__picked">
      <TextField definition={definition} field={field} change={change} />
      <button type="button" className="button button--square" aria-label={`${words}: ${definition.name}`} title={words} aria-pressed={isPicking} onClick={() => (isPicking ? picking.setValue(null) : pick())}>
        <Icon name="cursor" size={15} />
      </button>
    </span>
  );
}

/** The name of an input, with a sign if the script explains it. */
function Name({ name, tooltip }: { name: string; tooltip: string | undefined }) {
  return (
    <span>
      {name}
      {tooltip !== undefined && (
        <i className="field__tip" role="img" aria-label={tooltip}>
          i
        </i>
      )}
    </span>
  );
}

/** The timeframes of TradingView's menu; an empty one is the chart's. */
const TIMEFRAMES = ['', ...INTERVALS.flat()];
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
