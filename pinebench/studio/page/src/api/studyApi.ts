// `getStudyById(id)`: what may be read and changed of one study.
import { faults, instrument } from '../faults';
import type { Chart } from '../model/chart';
import type { InputValue, Study } from '../model/study';
import { dataSourceApi } from './dataSource';
import { destroy, isDestroyed, META_INPUTS } from './metaInputs';

/** A subscription as in the charting library: its functions are called each time the study has computed. */
function dataLoaded(study: Study) {
  const stops = new Map<() => void, () => void>();
  const unsubscribe = (_object: unknown, listener: () => void) => {
    stops.get(listener)?.();
    stops.delete(listener);
  };
  return {
    subscribe: (object: unknown, listener: () => void, once = false) => {
      const stop = study.state.subscribe(({ kind }) => {
        if (kind === 'running') return;
        if (once) unsubscribe(object, listener);
        listener();
      });
      stops.set(listener, stop);
    },
    unsubscribe,
  };
}

export function studyApi(chart: Chart, study: Study) {
  const api = instrument('study', {
    id: () => study.id,
    isVisible: () => study.visible.value(),
    setVisible: (on: boolean) => study.visible.setValue(on),
    getInputValues: () => {
      if (isDestroyed(study)) return [];
      return [...(faults.fragileInputs ? META_INPUTS : []), ...study.inputs.value()].map((input) => ({ ...input }));
    },
    setInputValues: (values: readonly InputValue[]) => {
      if (faults.fragileInputs && values.some(({ id }) => META_INPUTS.some((meta) => meta.id === id))) destroy(study);
      if (!isDestroyed(study)) study.setInputs(values);
    },
    dataLength: () => (study.fresh() === null ? 0 : chart.bars.value().length),
    onDataLoaded: () => dataLoaded(study),
    getInputsInfo: () => study.definitions.map((definition) => ({ ...definition })),
  });
  // What is behind it is not enumerable, so that the object can still be serialised.
  return Object.defineProperty(api, '_study', { get: () => dataSourceApi(chart, study), enumerable: false });
}
