// `getStudyById(id)`: what may be read and changed of one study.
import { instrument } from '../faults';
import type { Chart } from '../model/chart';
import type { InputValue, Study } from '../model/study';
import { dataSourceApi } from './dataSource';

export function studyApi(chart: Chart, study: Study) {
  const api = instrument('study', {
    id: () => study.id,
    isVisible: () => study.visible.value(),
    setVisible: (on: boolean) => study.visible.setValue(on),
    getInputValues: () => study.inputs.value().map((input) => ({ ...input })),
    setInputValues: (values: readonly InputValue[]) => study.setInputs(values),
    getInputsInfo: () => study.definitions.map((definition) => ({ ...definition })),
  });
  // What is behind it is not enumerable, so that the object can still be serialised.
  return Object.defineProperty(api, '_study', { get: () => dataSourceApi(chart, study), enumerable: false });
}
