// `_alertService`: the alerts of whoever is logged in.
import { instrument } from '../faults';
import type { Workspace } from '../model/workspace';

export function alertService(workspace: Workspace) {
  return instrument('alertService', {
    getAlerts: async () => {
      await workspace.alerts.refresh();
      return workspace.alerts.all.value().map((alert) => ({ ...alert }));
    },
    openCreateAlertDialog: () => workspace.dialog.setValue({ kind: 'alert' }),
  });
}
