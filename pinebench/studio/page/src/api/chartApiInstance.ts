// `window.ChartApiInstance`: the connection to the data service; clients only look whether it is there.
import { instrument } from '../faults';
import type { Workspace } from '../model/workspace';

export function chartApiInstance(workspace: Workspace) {
  const session = crypto.randomUUID();
  return instrument('ChartApiInstance', {
    connected: () => !workspace.disconnected.value(),
    sessionid: () => session,
  });
}
