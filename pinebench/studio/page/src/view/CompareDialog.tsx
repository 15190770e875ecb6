// The dialog that adds other symbols to the chart and removes them.
import { useState } from 'react';
import { useWatched } from '../watched';
import { findSymbols } from './chooseDialogs';
import { ChoiceDialog } from './ChoiceDialog';
import { useWorkspace } from './context';
import { Icon } from './icons';

const PLACES = [
  ['percent', 'Same scale, in percent'],
  ['left', 'New scale, on the left'],
  ['pane', 'New pane'],
] as const;

export function CompareDialog() {
  const workspace = useWorkspace();
  const chart = useWatched(workspace.active);
  useWatched(chart.studies);
  const [place, setPlace] = useState<(typeof PLACES)[number][0]>('percent');
  const there = chart.compared();
  return (
    <ChoiceDialog
      title={`Compare ${chart.symbol.value()} with`}
      name="compare-dialog"
      hint="Symbol or name"
      nothing={<p>No symbol matches.</p>}
      find={findSymbols}
      choose={(symbol) => void chart.compare(symbol, place).catch(workspace.pine.complain)}
      foot={
        <div className="compare">
          <fieldset className="compare__places">
            <legend>Drawn with</legend>
            {PLACES.map(([name, label]) => (
              <label key={name}>
                <input type="radio" name="compare-place" value={name} checked={name === place} onChange={() => setPlace(name)} /> {label}
              </label>
            ))}
          </fieldset>
          {there.map((study) => (
            <div key={study.id} className="compare__there" data-name="compared">
              <span>{study.title}</span>
              <button className="row__tool" aria-label={`Remove ${study.title}`} title="Remove" onClick={() => chart.remove(study.id)}>
                <Icon name="trash" size={14} />
              </button>
            </div>
          ))}
        </div>
      }
    />
  );
}
