// The inspector: the value of every name on one bar, the breakpoints, and the answer to the last question "why".
import { useEffect, useState } from 'react';
import type { Chart } from '../model/chart';
import { DIFFERS, rowAt, shownText, type Breakpoint, type NameRow, type Told } from '../model/inspector';
import { inlineValues, timeZone } from '../model/preferences';
import type { Workspace } from '../model/workspace';
import type { OrderAnswer, RecordedName, WhyAnswer, WhyPart } from '../server';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon } from './icons';
import { showSource } from './menus';

/** The number of rows that the table shows before the user asks for all. */
const MOST_ROWS = 200;

export function InspectorPanel() {
  const { inspector } = useWorkspace();
  const [filter, setFilter] = useState('');
  const values = useValues();
  const isText = useWatched(inspector.isText);
  const study = useWatched(inspector.study);
  return (
    <div className="watchlist inspector widgetbar-widget" data-name="inspector">
      <div className="watchlist__head">
        <b>Inspector</b>
        <InlineSwitch />
      </div>
      <div className="inspector__body">
        <Scripts />
        <BarRow />
        <Answer />
        <Breakpoints />
        {study !== null && !isText && <p className="inspector__note">{DIFFERS}</p>}
        {values.kind === 'failed' && (
          <p className="inspector__note" role="status">
            {values.problem}
          </p>
        )}
        {(values.kind === 'loading' || values.kind === 'none') && (
          <p className="inspector__note" role="status">
            The script runs …
          </p>
        )}
        {values.kind === 'known' && (
          <>
            {[...values.run.dropped, ...(values.run.error === null ? [] : [`${values.run.error}: the values are from before the error`])].map((text) => (
              <p key={text} className="inspector__note">
                {text}
              </p>
            ))}
            <input className="inspector__filter" type="search" aria-label="Filter names" placeholder="Filter names" value={filter} onChange={(event) => setFilter(event.target.value)} />
            <Names filter={filter} />
          </>
        )}
      </div>
    </div>
  );
}

/** The recorded values, which are asked for as long as the component is shown. */
export function useValues() {
  const { inspector } = useWorkspace();
  useEffect(() => inspector.watch(), [inspector]);
  return useWatched(inspector.values);
}

function InlineSwitch() {
  const on = useWatched(inlineValues);
  return (
    <label className="inspector__switch" title="Show the values of the bar at the ends of the lines in the editor">
      <input type="checkbox" checked={on} onChange={() => inlineValues.setValue(!on)} /> in the editor
    </label>
  );
}

function Scripts() {
  const workspace = useWorkspace();
  const { inspector } = workspace;
  const studies = useWatched(useWatched(workspace.active).studies);
  const study = useWatched(inspector.study);
  if (studies.length < 2) return study === null ? null : <p className="inspector__script">{study.title}</p>;
  return (
    <select className="inspector__script" aria-label="Script" value={study?.id ?? ''} onChange={(event) => inspector.choose(studies.find(({ id }) => id === event.target.value) ?? null)}>
      {studies.map((one) => (
        <option key={one.id} value={one.id}>
          {one.title}
        </option>
      ))}
    </select>
  );
}

function BarRow() {
  const workspace = useWorkspace();
  const { inspector } = workspace;
  const chart = useWatched(workspace.active);
  const bar = useWatched(inspector.bar);
  const values = useWatched(inspector.values);
  const bars = useWatched(chart.bars);
  useWatched(timeZone);
  const time = bars[bar]?.[0];
  return (
    <div className="inspector__bar">
      <button className="button button--square button--small" aria-label="Previous bar" title="Previous bar" disabled={bar <= 0} onClick={() => void inspector.look(bar - 1)}>
        ‹
      </button>
      <span data-name="inspector-bar">
        {time === undefined ? 'no bar' : chart.barText(time * 1000)}
        {values.kind === 'known' && <small> bar_index {bar + values.run.offset}</small>}
      </span>
      <button className="button button--square button--small" aria-label="Next bar" title="Next bar" disabled={bar >= bars.length - 1} onClick={() => void inspector.look(bar + 1)}>
        ›
      </button>
    </div>
  );
}

function Names({ filter }: { filter: string }) {
  const workspace = useWorkspace();
  const { inspector } = workspace;
  const chart = useWatched(workspace.active);
  const bar = useWatched(inspector.bar);
  const values = useWatched(inspector.values);
  const [all, setAll] = useState(false);
  if (values.kind !== 'known') return null;
  const { run } = values;
  const wanted = filter.trim().toLowerCase();
  const found = run.names.filter((one) => `${one.name} ${one.function} ${one.kind}`.toLowerCase().includes(wanted));
  const shown = all ? found : found.slice(0, MOST_ROWS);
  if (found.length === 0) return <p className="inspector__note">{run.names.length === 0 ? 'The script has no names.' : 'No name matches the filter.'}</p>;
  return (
    <>
      <table className="inspector__names">
        <thead>
          <tr>
            {['Name', 'Value', 'Previous', 'Changed'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one, i) => (
            <Row key={i} chart={chart} bar={bar} row={rowAt(run, one, bar)} go={() => goToLine(workspace, one)} />
          ))}
        </tbody>
      </table>
      {shown.length < found.length && (
        <button className="button" onClick={() => setAll(true)}>
          Show all {found.length} names
        </button>
      )}
    </>
  );
}

const agoText = (bars: number): string => (bars === 0 ? 'this bar' : bars === 1 ? '1 bar ago' : `${bars} bars ago`);

interface RowProps {
  chart: Chart;
  bar: number;
  row: NameRow;
  go: () => void;
}

function Row({ chart, bar, row: { name, value, previous, since }, go }: RowProps) {
  const time = since === null || since === undefined ? undefined : chart.bars.value()[since]?.[0];
  const changed = since === undefined ? '—' : time === undefined ? 'earlier' : agoText(bar - (since ?? bar));
  const where = [name.kind, name.function === '' ? '' : `in ${name.function}, by ${name.site}`, name.line === 0 ? 'in a library' : `line ${name.line}`];
  return (
    <tr data-name="inspector-name">
      <th scope="row">
        {name.line === 0 ? <span>{name.name}</span> : (
          <button className="inspector__name" title={`${where.filter(Boolean).join(', ')}: go there`} onClick={go}>
            {name.name}
          </button>
        )}
        <small>{name.function === '' ? name.kind : `${name.kind}, ${name.site}`}</small>
      </th>
      <td title={shownText(value)}>{shownText(value)}</td>
      <td title={shownText(previous)}>{shownText(previous)}</td>
      <td title={time === undefined ? changed : chart.barText(time * 1000)}>{changed}</td>
    </tr>
  );
}

/** Show the line of a name in the editor, which opens the script first if it shows another one. */
function goToLine(workspace: Workspace, { line }: Pick<RecordedName, 'line'>): void {
  const { inspector, pine } = workspace;
  const study = inspector.study.value();
  if (study === null) return;
  if (!inspector.isText.value()) {
    showSource(workspace, study);
    return;
  }
  workspace.openEditor();
  if (pine.mounted.value()) {
    pine.reveal(line, 1);
    return;
  }
  const forget = pine.mounted.subscribe(() => {
    forget();
    pine.reveal(line, 1);
  });
}

function Breakpoints() {
  const { inspector } = useWorkspace();
  const all = useWatched(inspector.breakpoints);
  const note = useWatched(inspector.note);
  if (all.length === 0) return note === '' ? null : <p className="inspector__note" role="status">{note}</p>;
  return (
    <section className="inspector__part" aria-label="Breakpoints">
      <div className="inspector__head">
        <b>Breakpoints</b>
        <button className="button button--small" title="Previous hit (Alt+,)" onClick={() => void inspector.goToHit(-1)}>
          ‹ Hit
        </button>
        <button className="button button--small" title="Next hit (Alt+.)" onClick={() => void inspector.goToHit(1)}>
          Hit ›
        </button>
      </div>
      <ul>
        {all.map((one) => (
          <BreakpointRow key={one.id} one={one} />
        ))}
      </ul>
      {note !== '' && (
        <p className="inspector__note" role="status">
          {note}
        </p>
      )}
    </section>
  );
}

function BreakpointRow({ one: { id, line, condition, times, problem } }: { one: Breakpoint }) {
  const workspace = useWorkspace();
  const { inspector } = workspace;
  return (
    <li data-name="breakpoint">
      <button className="inspector__name" title="Go to the line" onClick={() => goToLine(workspace, { line })}>
        Line {line}
      </button>
      <button className="inspector__condition" title="Change the condition (Shift+F9)" onClick={() => inspector.askCondition(line)}>
        {condition === '' ? 'always' : condition}
      </button>
      <span>{problem ?? (times === null ? '…' : times.length === 1 ? '1 hit' : `${times.length} hits`)}</span>
      <button className="button button--square button--small" aria-label={`Remove the breakpoint on line ${line}`} title="Remove" onClick={() => inspector.removeBreakpoint(id)}>
        <Icon name="close" size={13} />
      </button>
    </li>
  );
}

function Answer() {
  const { inspector } = useWorkspace();
  const told = useWatched(inspector.told);
  if (told === null) return null;
  return (
    <section className="inspector__part inspector__answer" aria-label="Why" data-name="inspector-answer">
      <div className="inspector__head">
        <b>{titleOf(told)}</b>
        <button className="button button--square button--small" aria-label="Close the answer" title="Close" onClick={() => inspector.told.setValue(null)}>
          <Icon name="close" size={13} />
        </button>
      </div>
      {told.kind === 'asking' && <p role="status">The script runs …</p>}
      {told.kind === 'refused' && <p role="status">{told.problem}</p>}
      {told.kind === 'why' && <WhyTold answer={told.answer} />}
      {told.kind === 'order' && <OrderTold answer={told.answer} />}
    </section>
  );
}

function titleOf(told: Told): string {
  if (told.kind === 'why') return `${told.answer.expression} = ${told.answer.value}`;
  return told.kind === 'order' ? `Order ${told.answer.order}: ${told.answer.cause}` : told.title;
}

function WhyTold({ answer: { time, reasons, parts, note, error } }: { answer: WhyAnswer }) {
  const chart = useWatched(useWorkspace().active);
  return (
    <>
      <p>
        On {chart.barText(time * 1000)}
        {error === null ? '' : `. The script stopped: ${error}`}
      </p>
      {note !== '' && <p>{note}</p>}
      <Reasons reasons={reasons} />
      <Parts parts={parts} />
    </>
  );
}

/** The number of first and last bars of a waiting order that are shown. */
const WAITS = 3;

function OrderTold({ answer: { reasons, steps, parts, error } }: { answer: OrderAnswer }) {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  const waits = steps.filter(({ what }) => what === 'waited');
  const hidden = new Set(waits.slice(WAITS, -WAITS));
  const shown = steps.filter((step) => !hidden.has(step) || step === waits[WAITS]);
  return (
    <>
      {error !== null && <p>The script stopped: {error}</p>}
      <Reasons reasons={reasons} />
      <ol className="inspector__life">
        {shown.map((step, i) =>
          hidden.has(step) ? (
            <li key={i}>… {hidden.size} more bars that did not fill it</li>
          ) : (
            <li key={i} data-name="order-step">
              <small>
                {chart.barText(step.time * 1000)}
                {step.until === null || step.until === step.time ? '' : ` – ${chart.barText(step.until * 1000)}`}
              </small>
              <b>{step.what}</b> {step.text}
              {step.line > 0 && <LineButton line={step.line} />}
            </li>
          ),
        )}
      </ol>
      <Parts parts={parts} />
    </>
  );
}

function LineButton({ line }: { line: number }) {
  const workspace = useWorkspace();
  return (
    <button className="inspector__line" title={`Go to line ${line}`} onClick={() => goToLine(workspace, { line })}>
      line {line}
    </button>
  );
}

const Reasons = ({ reasons }: { reasons: readonly string[] }) =>
  reasons.length === 0 ? null : (
    <ul className="inspector__reasons">
      {reasons.map((reason, i) => (
        <li key={i}>{reason}</li>
      ))}
    </ul>
  );

/** The tree of an expression: each part with its value. */
function Parts({ parts, above = 0 }: { parts: readonly WhyPart[]; above?: number }) {
  if (parts.length === 0) return null;
  return (
    <ul className="inspector__tree">
      {parts.map((part, i) => (
        <li key={i} data-name="why-part">
          <code>{part.text}</code> <b>{part.value ?? 'not evaluated'}</b>
          {part.often > 1 && <small> {part.often} times</small>}
          {part.line !== above && <LineButton line={part.line} />}
          <Parts parts={part.parts} above={part.line} />
        </li>
      ))}
    </ul>
  );
}
