// `TradingView.bottomWidgetBar` in both forms that were seen.
import { faults, instrument } from '../faults';
import type { Workspace } from '../model/workspace';

/** TradingView's name of the strategy tester. */
const TESTER = 'backtesting';

/** The older form: `pine-editor`, and `hideWidget` closes. */
export function bottomBarApi(workspace: Workspace) {
  const ours = (name: string) => name === 'pine-editor' || name === 'scripteditor';
  const show = (name: string) => {
    if (ours(name)) workspace.openEditor();
    if (name === TESTER) workspace.openTester();
  };
  return instrument('bottomWidgetBar', {
    activateScriptEditorTab: () => workspace.openEditor(),
    activateStrategyTesterTab: () => workspace.openTester(),
    showWidget: show,
    hideWidget: (name: string) => {
      const tab = workspace.bottomTab.value();
      const shown = tab === 'pine' ? ours(name) : tab === 'tester' && name === TESTER;
      if (shown) workspace.bottomOpen.setValue(false);
    },
    close: () => workspace.bottomOpen.setValue(false),
    hide: () => workspace.bottomOpen.setValue(false),
  });
}

/** The newer form: `scripteditor`, which must be made available first; an unknown name is ignored. */
export function renamedBottomBarApi(workspace: Workspace) {
  let available = false;
  const open = () => available && workspace.openEditor();
  return instrument('bottomWidgetBar', {
    setWidgetAvailability: (name: string, on: boolean) => {
      if (name === 'scripteditor') available = on;
    },
    activateScriptEditorTab: () => void open(),
    showWidget: (name: string) => {
      if (name === 'scripteditor') open();
      if (name === TESTER) workspace.openTester();
    },
    close: () => workspace.bottomOpen.setValue(false),
    hide: () => workspace.bottomOpen.setValue(false),
  });
}

export function bottomBarGetter(workspace: Workspace) {
  const older = bottomBarApi(workspace);
  const newer = renamedBottomBarApi(workspace);
  return () => (faults.renamedWidget ? newer : older);
}
