// `TradingView.bottomWidgetBar` in both forms that were seen.
import { faults, instrument } from '../faults';
import type { Workspace } from '../model/workspace';

/** The older form: `pine-editor`, and `hideWidget` closes. */
export function bottomBarApi(workspace: Workspace) {
  const ours = (name: string) => name === 'pine-editor' || name === 'scripteditor';
  return instrument('bottomWidgetBar', {
    activateScriptEditorTab: () => workspace.openEditor(),
    showWidget: (name: string) => ours(name) && workspace.openEditor(),
    hideWidget: (name: string) => ours(name) && workspace.bottomOpen.setValue(false),
    close: () => workspace.bottomOpen.setValue(false),
    hide: () => workspace.bottomOpen.setValue(false),
  });
}

/** The newer form: `scripteditor`, which must be made available first; other names are passed over in silence. */
export function renamedBottomBarApi(workspace: Workspace) {
  let available = false;
  const open = () => available && workspace.openEditor();
  return instrument('bottomWidgetBar', {
    setWidgetAvailability: (name: string, on: boolean) => {
      if (name === 'scripteditor') available = on;
    },
    activateScriptEditorTab: () => void open(),
    showWidget: (name: string) => name === 'scripteditor' && open(),
    close: () => workspace.bottomOpen.setValue(false),
    hide: () => workspace.bottomOpen.setValue(false),
  });
}

export function bottomBarGetter(workspace: Workspace) {
  const older = bottomBarApi(workspace);
  const newer = renamedBottomBarApi(workspace);
  return () => (faults.renamedWidget ? newer : older);
}
