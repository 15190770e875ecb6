// `pineEditorTestApi()`: the page's own handle on the editor; not on every build, so a fault takes it away.
import { faults, instrument } from '../faults';
import type { Workspace } from '../model/workspace';

export function pineEditorTestApi(workspace: Workspace) {
  const { pine } = workspace;
  return instrument('pineEditorTestApi', {
    openEditor: () => {
      if (faults.strayTestApi) return new Promise<void>(() => undefined);
      workspace.openEditor();
      return mounted(workspace);
    },
    openNewScript: () => (faults.strayTestApi ? Promise.resolve() : pine.startNew('indicator')),
    openScript: ({ scriptIdPart, version = 'last' }: { scriptIdPart: string; version?: string }) =>
      faults.strayTestApi ? Promise.resolve() : pine.open(scriptIdPart, version),
    saveScript: () => pine.save(),
    addScriptOnChart: () => pine.compile(true),
    updateScriptOnChart: () => pine.compile(true),
    addOpenedScript: () => pine.compile(true),
    removeOpenedScript: () => {
      const chart = workspace.active.value();
      const study = chart.studyOfScript(pine.key);
      if (study !== undefined) chart.remove(study.id);
      pine.refreshOnChart();
    },
    setEditorText: (text: string) => pine.model.setValue(text),
    focusEditor: () => pine.editor?.focus(),
    destroy: () => workspace.bottomOpen.setValue(false),
  });
}

/** Resolve when the editor is on the page, within ten seconds. */
async function mounted(workspace: Workspace): Promise<void> {
  for (let i = 0; i < 200 && workspace.pine.editor === null; i++) await new Promise((done) => setTimeout(done, 50));
  if (workspace.pine.editor === null) throw new Error('the editor did not open');
}
