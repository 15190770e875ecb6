// The tabs of a study's settings beside its inputs: how it looks, on which intervals it is shown, how a strategy trades.
import { KINDS, type Kind, type Properties } from '../model/study';
import { styledOf, type Style, type Styles } from '../model/styles';
import type { RunResult } from '../server';

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

export function StyleTab({ result, styles, change }: { result: RunResult; styles: Styles; change: (styles: Styles) => void }) {
  const put = (key: string, style: Style) => change({ ...styles, [key]: { ...styles[key], ...style } });
  const all = styledOf(result).filter(({ output }) => output.settings['editable'] !== false);
  if (all.length === 0) return <p className="dialog__style">The script has no plot whose style can be changed.</p>;
  return all.map(({ key, title, color, width }) => {
    const style = styles[key] ?? {};
    const shown = style.color ?? color ?? 0x2962ffff;
    const paint = (hex: string) => put(key, { color: parseInt(hex.slice(1), 16) * 0x100 + (shown & 0xff) });
    return (
      <div key={key} className="dialog__style" data-style={key}>
        <label>
          <input type="checkbox" checked={style.visible !== false} onChange={(event) => put(key, { visible: event.target.checked })} /> {title}
        </label>
        <input
          type="color"
          aria-label={`Colour of ${title}`}
          value={`#${Math.floor(shown / 0x100).toString(16).padStart(6, '0')}`}
          onChange={(event) => paint(event.target.value)}
        />
        {width !== null && (
          <select aria-label={`Width of ${title}`} value={style.width ?? width} onChange={(event) => put(key, { width: Number(event.target.value) })}>
            {[...new Set([1, 2, 3, 4, width])].sort((a, b) => a - b).map((one) => (
              <option key={one} value={one}>
                {one} px
              </option>
            ))}
          </select>
        )}
      </div>
    );
  });
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
