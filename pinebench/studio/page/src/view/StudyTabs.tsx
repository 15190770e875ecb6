// The tabs of a study's settings beside its inputs: how it looks, on which intervals it is shown, how a strategy trades.
import { KINDS, type Kind, type Properties } from '../model/study';
import { drawnOf, LINES, PLOT_KINDS, styledOf, WHOLE_STUDY, type Style, type Styled, type Styles } from '../model/styles';
import type { RunResult } from '../server';
import { ColorField } from './ColorField';

interface PropertyField {
  name: string;
  title: string;
  options?: Readonly<Record<string, string>>;
}

/** The arguments of a strategy's declaration that can be changed, with TradingView's words. */
const PROPERTIES: readonly PropertyField[] = [
  { name: 'initial_capital', title: 'Initial capital' },
  { name: 'default_qty_value', title: 'Order size' },
  { name: 'default_qty_type', title: 'Order size in', options: { fixed: 'contracts', cash: 'cash', percent_of_equity: '% of equity' } },
  { name: 'pyramiding', title: 'Pyramiding, orders' },
  { name: 'commission_value', title: 'Commission' },
  { name: 'commission_type', title: 'Commission in', options: { percent: '%', cash_per_contract: 'cash per contract', cash_per_order: 'cash per order' } },
  { name: 'backtest_fill_limits_assumption', title: 'Verify price for limit orders, ticks' },
  { name: 'slippage', title: 'Slippage, ticks' },
  { name: 'margin_long', title: 'Margin for long positions, %' },
  { name: 'margin_short', title: 'Margin for short positions, %' },
  { name: 'process_orders_on_close', title: 'Fill orders on bar close' },
  { name: 'use_bar_magnifier', title: 'Use bar magnifier' },
];

interface PropertiesProps {
  /** The properties with which the strategy was tested. */
  used: Properties;
  changed: Properties;
  change: (changed: Properties) => void;
}

export function PropertiesTab({ used, changed, change }: PropertiesProps) {
  const put = (name: string, value: string | number | boolean) => change({ ...changed, [name]: value });
  return PROPERTIES.map(({ name, title, options }) => {
    const value = changed[name] ?? used[name] ?? '';
    return (
      <label key={name} className="field field--row">
        <span>{title}</span>
        {options !== undefined ? (
          <select name={name} value={String(value)} onChange={(event) => put(name, event.target.value)}>
            {Object.entries(options).map(([key, words]) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </select>
        ) : typeof value === 'boolean' ? (
          <input type="checkbox" name={name} checked={value} onChange={(event) => put(name, event.target.checked)} />
        ) : (
          <input
            name={name}
            type="number"
            min={0}
            step="any"
            defaultValue={String(value)}
            onChange={(event) => {
              if (Number.isFinite(event.target.valueAsNumber)) put(name, event.target.valueAsNumber);
            }}
          />
        )}
      </label>
    );
  });
}

interface StyleProps {
  result: RunResult;
  styles: Styles;
  change: (styles: Styles) => void;
}

export function StyleTab({ result, styles, change }: StyleProps) {
  const put = (key: string, style: Style) => change({ ...styles, [key]: { ...styles[key], ...style } });
  const all = styledOf(result).filter(({ output }) => output.settings['editable'] !== false);
  const drawn = drawnOf(result);
  return (
    <>
      {all.length + drawn.length === 0 && <p className="dialog__style">The script has no plot whose style can be changed.</p>}
      {all.map((styled) => (
        <StyleRow key={styled.key} styled={styled} style={styles[styled.key] ?? {}} put={(style) => put(styled.key, style)} />
      ))}
      {drawn.map(({ key, title }) => (
        <label key={key} className="dialog__style">
          <input type="checkbox" name={key} checked={styles[key]?.visible !== false} onChange={(event) => put(key, { visible: event.target.checked })} /> {title}
        </label>
      ))}
      <WholeStudy result={result} style={styles[WHOLE_STUDY] ?? {}} put={(style) => put(WHOLE_STUDY, style)} />
    </>
  );
}

interface RowProps {
  styled: Styled;
  style: Style;
  put: (style: Style) => void;
}

/** The look of one output: whether it is shown, its colour with its opacity, and what its kind has besides. */
function StyleRow({ styled: { key, title, color, width, kind, line, tracked }, style, put }: RowProps) {
  const own = style.color ?? color ?? 0x2962ffff;
  const shown = own - (own % 256) + (style.alpha ?? own % 256);
  const paint = (hex: string) => {
    const next = parseInt(hex.slice(1), 16);
    // An opacity alone leaves the script its colours.
    put(Math.floor(next / 256) === Math.floor(shown / 256) ? { alpha: next % 256 } : { color: next, alpha: next % 256 });
  };
  return (
    <div className="dialog__style" data-style={key}>
      <label>
        <input type="checkbox" checked={style.visible !== false} onChange={(event) => put({ visible: event.target.checked })} /> {title}
      </label>
      <ColorField name={title} field={`#${shown.toString(16).padStart(8, '0')}`} change={paint} />
      {width !== null && (
        <select aria-label={`Width of ${title}`} value={style.width ?? width} onChange={(event) => put({ width: Number(event.target.value) })}>
          {[...new Set([1, 2, 3, 4, width])].sort((a, b) => a - b).map((one) => (
            <option key={one} value={one}>
              {one} px
            </option>
          ))}
        </select>
      )}
      {kind !== null && (
        <select aria-label={`Kind of ${title}`} name="kind" value={style.kind ?? kind} onChange={(event) => put({ kind: event.target.value })}>
          {Object.entries(PLOT_KINDS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      )}
      {line !== null && (
        <select aria-label={`Line of ${title}`} name="line" value={style.line ?? line} onChange={(event) => put({ line: event.target.value })}>
          {LINES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      {tracked !== null && (
        <label>
          <input type="checkbox" name="tracked" checked={style.tracked ?? tracked} onChange={(event) => put({ tracked: event.target.checked })} /> Price line
        </label>
      )}
    </div>
  );
}

const MOST_DECIMALS = 8;

/** The settings of all values of a study together: their decimals, and the places where they are written. */
function WholeStudy({ result, style, put }: { result: RunResult; style: Style; put: (style: Style) => void }) {
  const places = [
    ['onScale', 'Labels on price scale', style.onScale],
    ['inStatusLine', 'Values in status line', style.inStatusLine],
    ['inputs', 'Inputs in status line', style.inputs],
  ] as const;
  return (
    <div role="group" aria-label="All values">
      <p className="dialog__group">All values</p>
      <label className="field field--row">
        <span>Precision</span>
        <select
          name="precision"
          value={style.precision ?? result.declared.precision ?? ''}
          onChange={(event) => put({ precision: event.target.value === '' ? undefined : Number(event.target.value) })}
        >
          <option value="">Default</option>
          {Array.from({ length: MOST_DECIMALS + 1 }, (_, decimals) => (
            <option key={decimals} value={decimals}>
              {(0).toFixed(decimals)}
            </option>
          ))}
        </select>
      </label>
      {places.map(([name, words, on]) => (
        <label key={name} className="field field--row">
          <input type="checkbox" name={name} checked={on !== false} onChange={(event) => put({ [name]: event.target.checked })} />
          <span>{words}</span>
        </label>
      ))}
    </div>
  );
}

export function VisibilityTab({ kinds, change }: { kinds: readonly Kind[]; change: (kinds: readonly Kind[]) => void }) {
  return KINDS.map((kind) => (
    <label key={kind} className="field field--row">
      <input
        type="checkbox"
        name={kind}
        checked={kinds.includes(kind)}
        onChange={(event) => change(KINDS.filter((one) => (one === kind ? event.target.checked : kinds.includes(one))))}
      />
      <span>{kind}</span>
    </label>
  ));
}
