// The settings of a study: each input by its type, in groups as the script says. Changes are seen at once; Cancel takes them
// back.
import { useEffect, useState, type SubmitEvent } from 'react';
import type { Chart } from '../model/chart';
import { inputText, isNumeric, problemOf } from '../model/inputs';
import { KINDS, type InputValue, type Kind, type Properties, type Study } from '../model/study';
import type { Styles } from '../model/styles';
import { ranText, tierText } from '../model/testerText';
import type { InputDefinition } from '../server';
import { byTabKeys } from '../tabKeys';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Frame, useClose } from './Frame';
import { InputField, momentField, type Field } from './InputField';
import { PropertiesTab, StyleTab, VisibilityTab } from './StudyTabs';

function fieldOf({ form, field }: InputDefinition, value: unknown): Field {
  if (form === 'bool') return value === true;
  return field === 'time' && typeof value === 'number' ? momentField(value) : inputText(value);
}

/** The value of a field; NaN for a text that is not a number, so that it is refused. */
function valueOf(definition: InputDefinition, field: Field): unknown {
  if (typeof field === 'boolean') return field;
  const { options, defval } = definition;
  if (options !== undefined) return options.find((option) => String(option) === field) ?? field;
  if (field === '' && defval === null) return null;
  if (definition.field === 'time') return field === '' ? Number.NaN : Date.parse(`${field}Z`);
  if (isNumeric(definition)) return field.trim() === '' ? Number.NaN : Number(field);
  return field;
}

/** The settings of a study that the dialog changes. */
interface Settings {
  inputs: readonly InputValue[];
  properties: Properties;
  styles: Styles;
  kinds: readonly Kind[];
}

const settingsOf = (study: Study): Settings => ({
  inputs: study.inputs.value(),
  properties: study.properties.value(),
  styles: study.styles.value(),
  kinds: study.kinds.value(),
});

/** Give a study settings. Only what is another is set: each of them has the script run or the chart drawn again. */
function give(chart: Chart, study: Study, { inputs, properties, styles, kinds }: Settings): void {
  if (!chart.studies.value().includes(study)) return;
  study.setInputs(inputs);
  if (!isSame(properties, study.properties.value())) study.properties.setValue(properties);
  if (!isSame(styles, study.styles.value())) study.styles.setValue(styles);
  if (!isSame(kinds, study.kinds.value())) study.kinds.setValue(kinds);
}

/** The time in milliseconds until a change is seen, so that a number is not tried digit by digit. */
const PREVIEW_MS = 120;

/** Show changes on the chart while they are made. The results take them over, or take them back. */
function usePreview(chart: Chart, study: Study, shown: Settings): { keep: () => void; cancel: () => void } {
  const { history, charts } = useWorkspace();
  const close = useClose();
  const [before] = useState(() => settingsOf(study));
  const [studies, shownCharts] = [useWatched(chart.studies), useWatched(charts)];
  const isThere = studies.includes(study) && shownCharts.includes(chart);
  // All changes are one step of undo.
  useEffect(() => history.hold(), [history]);
  useEffect(() => {
    if (!isThere) close();
  }, [isThere, close]);
  const text = JSON.stringify(shown);
  useEffect(() => {
    const timer = setTimeout(() => give(chart, study, JSON.parse(text) as Settings), PREVIEW_MS);
    return () => clearTimeout(timer);
  }, [chart, study, text]);
  const end = (settings: Settings) => () => {
    give(chart, study, settings);
    close();
  };
  return { keep: end(shown), cancel: end(before) };
}

export function StudyDialog({ chart, study }: { chart: Chart; study: Study }) {
  const { definitions } = study;
  const fields = (inputs: readonly InputValue[]) => {
    const values = new Map(inputs.map(({ id, value }) => [id, value]));
    return new Map(definitions.map((definition) => [definition.id, fieldOf(definition, values.get(definition.id))]));
  };
  const [shown, setShown] = useState(() => fields(study.inputs.value()));
  const [given] = useState(() => new Map(study.inputs.value().map(({ id, value }) => [id, value])));
  const values = definitions.map((definition) => {
    const [field, before] = [shown.get(definition.id) ?? '', given.get(definition.id)];
    // A field that nobody changed keeps the value that it may show in a shorter form.
    return { id: definition.id, value: field === fieldOf(definition, before) ? before : valueOf(definition, field) };
  });
  const problem = definitions.map((definition, i) => problemOf(definition, values[i]?.value)).find((found) => found !== null);
  // While a changed input has the script run, its last result still says what there is to set.
  const [seen, setSeen] = useState(study.undressed());
  useWatched(study.state);
  const result = study.undressed() ?? seen;
  if (result !== seen) setSeen(result);
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
  const { keep, cancel } = usePreview(chart, study, { inputs: values, properties, styles, kinds });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (problem === undefined) keep();
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
    <Frame title={`Settings of ${study.name}`} name="indicator-properties-dialog" close={cancel} floating>
      <form onSubmit={submit} noValidate>
        <div className="dialog__tabs" role="tablist" aria-label="Settings" onKeyDown={byTabKeys}>
          {tabs.map((name) => (
            <button key={name} type="button" role="tab" className="strategyReport__tab" aria-selected={name === tab} onClick={() => setTab(name)}>
              {name}
            </button>
          ))}
        </div>
        <div className="dialog__fields" role="tabpanel" aria-label={tab}>
          {result?.ran && <p className="dialog__ran" title={tierText(result)}>Ran on {ranText(result)}.</p>}
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
                    <InputField key={definition.id} chart={chart} definition={definition} field={shown.get(definition.id) ?? ''} change={change(definition.id)} />
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
          <button className="button" type="button" onClick={cancel}>
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
