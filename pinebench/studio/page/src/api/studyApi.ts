// `getStudyById(id)`: what may be read and changed of one study.
import { instrument } from '../faults';
import type { InputValue, Study } from '../model/study';

export function studyApi(study: Study) {
  return instrument('study', {
    id: () => study.id,
    isVisible: () => study.visible.value(),
    setVisible: (on: boolean) => study.visible.setValue(on),
    getInputValues: () => study.inputs.value().map((input) => ({ ...input })),
    setInputValues: (values: readonly InputValue[]) => study.setInputs(values),
    getInputsInfo: () => study.definitions.map((definition) => ({ ...definition })),
  });
}
