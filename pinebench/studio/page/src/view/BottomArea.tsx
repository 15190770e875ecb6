// The area at the foot: its tabs are always there, its content when it is open; the edge between it and the charts can be dragged.
import type { KeyboardEvent, PointerEvent } from 'react';
import { byTabKeys } from '../tabKeys';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { DataWindow } from './DataWindow';
import { Icon } from './icons';
import { PineEditor } from './PineEditor';
import { PineLogs } from './PineLogs';
import { Ranges } from './Ranges';
import { Tester } from './Tester';

const LEAST_HEIGHT = 140;

export function BottomArea() {
  const workspace = useWorkspace();
  const open = useWatched(workspace.bottomOpen);
  const tab = useWatched(workspace.bottomTab);
  const height = useWatched(workspace.bottomHeight);
  return (
    <section className="layout__area--bottom" aria-label="Panel" style={open ? { height } : undefined}>
      {open && <Edge />}
      <div className="bottom-tabs toolbar">
        <div role="tablist" aria-label="Panels" onKeyDown={byTabKeys}>
          <button
            className="bottom-tabs__tab"
            role="tab"
            aria-label="Pine"
            aria-selected={open && tab === 'pine'}
            data-name="pine-dialog-button"
            title="Open the Pine editor"
            onClick={() => workspace.openEditor()}
          >
            <Icon name="code" size={15} /> Pine
          </button>
          <button
            className="bottom-tabs__tab"
            role="tab"
            aria-label="Strategy Tester"
            aria-selected={open && tab === 'tester'}
            data-name="backtesting-dialog-button"
            title="The results of the strategy on the chart"
            onClick={() => workspace.openTester()}
          >
            <Icon name="tester" size={15} /> Strategy Tester
          </button>
          <button
            className="bottom-tabs__tab"
            role="tab"
            aria-label="Pine Logs"
            aria-selected={open && tab === 'logs'}
            data-name="pine-logs-button"
            title="Messages that scripts on the chart logged"
            onClick={() => workspace.openLogs()}
          >
            <Icon name="list" size={15} /> Pine Logs
          </button>
          <button
            className="bottom-tabs__tab"
            role="tab"
            aria-label="Data Window"
            aria-selected={open && tab === 'data'}
            data-name="data-window-button"
            title="The value of every plot on each bar"
            onClick={() => workspace.openData()}
          >
            <Icon name="layout" size={15} /> Data
          </button>
        </div>
        <span className="grow" />
        <Ranges />
        <a className="bottom-tabs__credit" href="https://www.tradingview.com/" target="_blank" rel="noreferrer" title="TradingView Lightweight Charts™, Copyright (c) 2025 TradingView, Inc.">
          <span className="bottom-tabs__by">Charts by </span>TradingView
        </a>
        {open && (
          <button
            className="button button--square button--small"
            aria-label="Close panel"
            title="Close the panel; the text stays"
            onClick={() => workspace.bottomOpen.setValue(false)}
          >
            <Icon name="down" size={15} />
          </button>
        )}
      </div>
      {open && (
        <div className="bottom-widgetbar-content">
          {tab === 'pine' && <PineEditor />}
          {tab === 'tester' && <Tester />}
          {tab === 'logs' && <PineLogs />}
          {tab === 'data' && <DataWindow />}
        </div>
      )}
    </section>
  );
}

function Edge() {
  const { bottomHeight } = useWorkspace();
  const height = useWatched(bottomHeight);
  const change = (wanted: number) => bottomHeight.setValue(Math.min(window.innerHeight - 200, Math.max(LEAST_HEIGHT, wanted)));
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    change(window.innerHeight - event.clientY);
  };
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowUp: 20, ArrowDown: -20 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    change(height + by);
  };
  return (
    <div
      className="edge"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the panel"
      aria-valuenow={height}
      aria-valuemin={LEAST_HEIGHT}
      aria-valuemax={window.innerHeight - 200}
      tabIndex={0}
      onKeyDown={keys}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  );
}
