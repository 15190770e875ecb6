// How components reach the workspace.
import { createContext, useContext } from 'react';
import type { Workspace } from '../model/workspace';

export const WorkspaceContext = createContext<Workspace | null>(null);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === null) throw new Error('this component stands outside the workspace');
  return workspace;
}
