// The tab "Optimize" of the strategy tester: which inputs vary, the progress, the best with their held-back figures, a heat map.
import { countText, fixedText, volumeText } from '../model/formats';
import { useEffect, useState, type CSSProperties } from 'react';
import { FIGURE_TABLE, figureOf, headOf, valueText } from '../model/figureTable';
import type { Chart } from '../model/chart';
import { cellsOf, countOf, METRICS, MOST, optimizingOf, placeOf, placeText, problemOfChoices, type Choice, type Optimizing } from '../model/optimizing';
import { inputText } from '../model/inputs';
import type { Study } from '../model/study';
import type { Optimized } from '../server';
import { useWatched } from '../watched';

const HOLDOUTS = [0.3, 0.2, 0.5, 0];
const FIGURES = ['net_profit', 'trades', 'profit_factor', 'max_drawdown', 'sharpe_ratio'] as const;
/** The largest number of values of an axis that the heat map shows. */
const WIDEST = 60;

export function Optimizer({ chart, study }: { chart: Chart; study: Study }) {
  const optimizing = optimizingOf(study);
  useWatched(study.state);
  useEffect(() => optimizing.follow());
  const state = useWatched(optimizing.state);
  const problem = useWatched(optimizing.problem);
  const said = useWatched(optimizing.said);
  const [asked, setAsked] = useState(false);
  const going = state?.going === true;
  // The results get the room of the choices, so that verdict, table and heat map are seen at once.
  const folded = !going && !asked && (state?.results?.best.length ?? 0) > 0;
  useEffect(() => {
    if (going) setAsked(false);
  }, [going]);
  return (
    <div className={folded ? 'optimizer optimizer--folded' : 'optimizer'} data-name="optimizer">
      {folded ? (
        <button type="button" className="button optimizer__unfold" data-name="optimize-again" aria-expanded={false} onClick={() => setAsked(true)}>
          Choose inputs and optimize again …
        </button>
      ) : (
        <Choices chart={chart} optimizing={optimizing} />
      )}
      <div className="optimizer__results">
        {going && (
          <p className="optimizer__progress">
            <progress value={state?.progress?.share ?? 0} aria-label="Progress" /> <span>{state?.progress?.words ?? 'It begins …'}</span>
          </p>
        )}
        {problem !== null && <p role="alert" className="optimizer__problem">{problem}</p>}
        <p role="status" className="optimizer__said" data-name="optimizer-said">{said}</p>
        {state !== null && state.results !== null && <Results optimizing={optimizing} results={state.results} />}
        {state === null && problem === null && (
          <p className="optimizer__words">
            Try many inputs on the bars of the chart. The best of many is often luck, so a part of the bars is held back and not used to choose inputs.
          </p>
        )}
      </div>
    </div>
  );
}

function Choices({ chart, optimizing }: { chart: Chart; optimizing: Optimizing }) {
  const choices = useWatched(optimizing.choices);
  const metric = useWatched(optimizing.metric);
  const holdout = useWatched(optimizing.holdout);
  const going = useWatched(optimizing.state)?.going === true;
  const problem = problemOfChoices(choices);
  const count = choices.filter((one) => one.chosen).reduce((product, one) => product * countOf(one), 1);
  return (
    <form
      className="optimizer__choices"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!going && problem === null) void optimizing.begin(chart);
      }}
    >
      {choices.length === 0 ? (
        <p className="optimizer__words">The script has no inputs that can vary.</p>
      ) : (
        <table>
          <thead>
            <tr>
              {['Input', 'From', 'To', 'Step'].map((name) => (
                <th key={name} scope="col">{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {choices.map((one) => (
              <ChoiceRow key={one.definition.id} choice={one} change={(by) => optimizing.change(one.definition.id, by)} />
            ))}
          </tbody>
        </table>
      )}
      <label className="optimizer__field">
        <span>Maximize</span>
        <select name="metric" value={metric} onChange={(event) => optimizing.metric.setValue(event.target.value)}>
          {METRICS.map(({ value, title }) => (
            <option key={value} value={value}>{title}</option>
          ))}
        </select>
      </label>
      <label className="optimizer__field">
        <span>Held back</span>
        <select name="holdout" value={holdout} onChange={(event) => optimizing.holdout.setValue(Number(event.target.value))}>
          {HOLDOUTS.map((share) => (
            <option key={share} value={share}>{share === 0 ? 'nothing' : `the last ${Math.round(share * 100)} % of the bars`}</option>
          ))}
        </select>
      </label>
      <p className="optimizer__words" data-name="combinations">
        {problem ?? `${countText(count)} combinations${count > MOST ? `; ${MOST} of them are tried, drawn at random` : ''}`}
      </p>
      {going ? (
        <button type="button" className="button" data-name="optimize-stop" onClick={() => optimizing.stop()}>Stop</button>
      ) : (
        <button type="submit" className="button button--accent" data-name="optimize" disabled={problem !== null}>Optimize</button>
      )}
    </form>
  );
}

function ChoiceRow({ choice, change }: { choice: Choice; change: (by: Partial<Choice>) => void }) {
  const { definition, chosen, range, options } = choice;
  return (
    <tr>
      <th scope="row">
        <label>
          <input type="checkbox" name={`vary-${definition.id}`} checked={chosen} onChange={(event) => change({ chosen: event.target.checked })} /> {definition.name}
        </label>
      </th>
      {range === null ? (
        <td colSpan={3}>{options.map(inputText).join(' · ')}</td>
      ) : (
        (['from', 'to', 'step'] as const).map((field) => (
          <td key={field}>
            <input
              inputMode="decimal"
              name={`${field}-${definition.id}`}
              aria-label={`${definition.name}: ${field}`}
              value={range[field]}
              onChange={(event) => change({ range: { ...range, [field]: event.target.value }, chosen: true })}
            />
          </td>
        ))
      )}
    </tr>
  );
}

function Results({ optimizing, results }: { optimizing: Optimizing; results: Optimized }) {
  const { judgement, runs, best } = results;
  if (best.length === 0) return <p className="optimizer__words">No combination has a result.</p>;
  return (
    <>
      <p className="optimizer__words" data-name="optimizer-about">
        {optimizing.asked?.words}: {results.about}{results.complete ? '' : '. It was stopped: these are the runs that were done'}
      </p>
      <div className="optimizer__outcome">
        {judgement !== null && (
          <div className="optimizer__verdict" data-name="optimizer-verdict" role="group" aria-label="Verdict" tabIndex={0}>
            <b>Verdict: {judgement.verdict}</b>
            <ul>
              {[...judgement.reasons, ...judgement.warnings, ...honest(judgement)].map((words) => (
                <li key={words}>{words}</li>
              ))}
            </ul>
          </div>
        )}
        <div className="optimizer__tables">
          <div className="optimizer__list">
            <Best optimizing={optimizing} results={results} />
          </div>
          {runs.length > 1 && <HeatMap optimizing={optimizing} results={results} />}
        </div>
      </div>
    </>
  );
}

function honest({ deflated_sharpe: sharpe, probability_of_overfitting: overfit, neighbours_median: near }: NonNullable<Optimized['judgement']>): string[] {
  return [
    ...(sharpe === null ? [] : [`Deflated Sharpe ratio: ${fixedText(sharpe, 2)}`]),
    ...(overfit === null ? [] : [`Probability of backtest overfitting: ${fixedText(overfit, 2)}`]),
    ...(near === null ? [] : [`Median of the neighbours of the best: ${number(near)}`]),
  ];
}

function Best({ optimizing, results }: { optimizing: Optimizing; results: Optimized }) {
  const held = results.best.some((one) => one.held !== null);
  const id = new Map(results.axes.map(({ name }, i) => [name, results.ids[i] ?? '']));
  return (
    <table className="strategyReport__table optimizer__best" aria-label="The best">
      <thead>
        <tr>
          <th scope="col">Inputs</th>
          {FIGURES.map((name) => (
            <th key={name} scope="col">{headOf(name)}</th>
          ))}
          {held && (
            <>
              <th scope="col">Held back: net profit</th>
              <th scope="col">Held back: trades</th>
            </>
          )}
        </tr>
      </thead>
      <tbody>
        {results.best.map((one) => {
          const place = Object.entries(one.inputs).map(([name, value]) => ({ id: id.get(name) ?? '', name, value }));
          return (
            <tr key={placeText(place)} data-name="best-row">
              <th scope="row">
                <button type="button" className="optimizer__use" title="Put these inputs onto the chart" onClick={() => optimizing.use(place)}>
                  {placeText(place)}
                </button>
              </th>
              {FIGURES.map((name) => (
                <td key={name}>{figure(name, one.seen[name])}</td>
              ))}
              {held && (
                <>
                  <td>{(one.held?.error ?? null) !== null ? 'error' : figure('net_profit', one.held?.seen['net_profit'])}</td>
                  <td>{figure('trades', one.held?.seen['trades'])}</td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function HeatMap({ optimizing, results }: { optimizing: Optimizing; results: Optimized }) {
  const { axes } = results;
  const [across, setAcross] = useState(0);
  const [down, setDown] = useState(Math.min(1, axes.length - 1));
  const [columns, rows] = [axes[across], axes[down]];
  if (columns === undefined || rows === undefined) return null;
  const cells = cellsOf(results, across, down);
  const values = [...cells.values()].map(({ value }) => value);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const one = across === down;
  const written = metricText(results.metric, values);
  const choose = (label: string, value: number, set: (value: number) => void) => (
    <label className="optimizer__field">
      <span>{label}</span>
      <select value={value} onChange={(event) => set(Number(event.target.value))}>
        {axes.map(({ name }, i) => (
          <option key={name} value={i}>{name}</option>
        ))}
      </select>
    </label>
  );
  return (
    <section className="optimizer__map" aria-label="Heat map" data-name="heat-map">
      {axes.length > 1 && (
        <div className="optimizer__axes">
          {choose('Across', across, setAcross)}
          {choose('Down', down, setDown)}
          <span title="Each cell is the best run with its two values. A click puts its inputs onto the chart.">Each cell is the best run with its two values. A click puts its inputs onto the chart.</span>
        </div>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{one ? columns.name : `${rows.name} \\ ${columns.name}`}</th>
            {columns.values.slice(0, WIDEST).map((value) => (
              <th key={String(value)} scope="col">{inputText(value)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(one ? [''] : rows.values.slice(0, WIDEST)).map((value, row) => (
            <tr key={String(value)}>
              <th scope="row">{one ? results.metric : inputText(value)}</th>
              {columns.values.slice(0, WIDEST).map((_, column) => {
                const cell = cells.get(`${row}:${column}`);
                if (cell === undefined) return <td key={column}>–</td>;
                const place = placeOf(results, cell.at);
                return (
                  <td key={column}>
                    <button type="button" data-name="heat-cell" style={heat(cell.value, least, most, results.metric)} title={placeText(place)} onClick={() => optimizing.use(place)}>
                      {written(cell.value)}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {Math.max(columns.values.length, rows.values.length) > WIDEST && <p className="optimizer__words">The first {WIDEST} values are shown.</p>}
    </section>
  );
}

/** The value at which a metric neither wins nor loses; null for one that cannot be a loss. */
function evenAt(metric: string): number | null {
  if (metric === 'profit_factor') return 1;
  return /trades|drawdown|bars/.test(metric) ? null : 0;
}

/**
 * The background of a cell, so faint that the text stays readable: green for profits and red for losses, the stronger the
 * larger; blue if the metric knows neither.
 */
function heat(value: number, least: number, most: number, metric: string): CSSProperties {
  const even = evenAt(metric);
  const share = (part: number, whole: number) => (whole > 0 ? (0.06 + (0.3 * part) / whole).toFixed(2) : '0.06');
  if (even === null) return { background: `rgb(41 98 255 / ${share(value - least, most - least)})` };
  if (value === even) return {};
  return value > even ? { background: `rgb(38 166 110 / ${share(value - even, most - even)})` } : { background: `rgb(210 63 75 / ${share(even - value, even - least)})` };
}

const figure = (name: string, value: number | null | undefined): string => valueText(figureOf(name), value);
const number = (value: number | null): string => (value === null ? '–' : Number.isInteger(value) ? countText(value) : fixedText(value, 2));

/**
 * How the cells of a heat map write the metric: as the table beside it does, and with a letter if a cell has no room for
 * one of the values. All cells have the same decimals.
 */
function metricText(metric: string, values: readonly number[]): (value: number) => string {
  if (values.some((value) => Math.abs(value) >= 10_000)) return (value) => volumeText(value, 1);
  const known = FIGURE_TABLE.find(({ name }) => name === metric);
  return (value) => (known === undefined || known.unit === 'number' ? fixedText(value, 2) : valueText(known, value));
}
