// The page: header, charts, side area, foot, and what can lie over them.
import type { CSSProperties } from 'react';
import { ARRANGEMENTS, type Workspace } from '../model/workspace';
import { useWatched } from '../watched';
import { BottomArea } from './BottomArea';
import { ChartPane } from './ChartPane';
import { useWorkspace, WorkspaceContext } from './context';
import { Dialogs } from './Dialogs';
import { DrawingBar } from './DrawingBar';
import { Header } from './Header';
import { Interruptions } from './Interruptions';
import { ContextMenu } from './Menu';
import { ReplayControls } from './ReplayControls';
import { SideArea } from './SideArea';
import { Toasts } from './Toasts';

export function App({ workspace }: { workspace: Workspace }) {
  return (
    <WorkspaceContext.Provider value={workspace}>
      <div className="desk">
        <Header />
        <div className="desk__middle">
          <div className="desk__left">
            <ReplayControls />
            <div className="desk__charts">
              <DrawingBar />
              <Charts />
            </div>
            <BottomArea />
          </div>
          <SideArea />
        </div>
      </div>
      <Dialogs />
      <ContextMenu />
      <Toasts />
      <Interruptions />
    </WorkspaceContext.Provider>
  );
}

function Charts() {
  const workspace = useWorkspace();
  const charts = useWatched(workspace.charts);
  const rows = ARRANGEMENTS[useWatched(workspace.arrangement)]?.rows ?? ['a'];
  const style: CSSProperties = {
    gridTemplateAreas: rows.map((row) => `"${Array.from(row).join(' ')}"`).join(' '),
    gridTemplateColumns: `repeat(${rows[0]?.length ?? 1}, minmax(0, 1fr))`,
    gridTemplateRows: `repeat(${rows.length}, minmax(0, 1fr))`,
  };
  return (
    <main className="layout__area--center charts" style={style}>
      {charts.map((chart, i) => (
        <ChartPane key={i} chart={chart} area={String.fromCharCode(97 + i)} />
      ))}
    </main>
  );
}
