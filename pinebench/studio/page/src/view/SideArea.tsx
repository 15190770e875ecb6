// The side area: a strip of buttons, and beside it the panel that one of them opened.
import { useEffect, useRef, useState } from 'react';
import type { SidePanel } from '../model/workspace';
import { useWatched } from '../watched';
import { AlertsPanel } from './AlertParts';
import { AssistantPanel } from './AssistantPanel';
import { useWorkspace } from './context';
import { Icon, type IconName } from './icons';
import { InspectorPanel } from './Inspector';
import { ObjectTree } from './ObjectTree';
import { Trading } from './Trading';
import { Watchlist } from './Watchlist';

export function SideArea() {
  const side = useWatched(useWorkspace().side);
  return (
    <aside className="layout__area--right" data-name="widgetbar-wrap">
      {side === 'watchlist' && <Watchlist />}
      {side === 'alerts' && <AlertsPanel />}
      {side === 'objects' && <ObjectTree />}
      {side === 'trading' && <Trading />}
      {side === 'assistant' && <AssistantPanel />}
      {side === 'inspector' && <InspectorPanel />}
      <nav className="strip widgetbar-tabs" aria-label="Side panels">
        <PanelButton panel="watchlist" label="Watchlist" icon="list" name="base-watchlist-widget-button" wrapper="base" />
        <AlertsButton />
        <PanelButton panel="objects" label="Object tree" icon="layers" name="object-tree-button" wrapper="objects" />
        <PanelButton panel="trading" label="Trading Panel" icon="trade" name="trading-button" wrapper="trading" />
        <PanelButton panel="inspector" label="Inspector" icon="search" name="inspector-button" wrapper="inspector-tab" />
        <PanelButton panel="assistant" label="Assistant" icon="chat" name="assistant-button" wrapper="assistant" />
      </nav>
    </aside>
  );
}

interface ButtonProps {
  panel: Exclude<SidePanel, null>;
  label: string;
  icon: IconName;
  /** The name of the button, and the name of its tab: versions of TradingView's page have used either. */
  name: string;
  wrapper: string;
}

/** Opens or closes a side panel. The tab listens, so that a click on the tab works as well as a click on its button. */
function PanelButton({ panel, label, icon, name, wrapper }: ButtonProps) {
  const { side } = useWorkspace();
  const pressed = useWatched(side) === panel;
  return (
    <span data-name={wrapper} onClick={() => side.setValue(pressed ? null : panel)}>
      <button className="button button--square" data-name={name} aria-label={label} title={label} aria-pressed={pressed}>
        <Icon name={icon} />
      </button>
    </span>
  );
}

/** The alerts' button also has a menu: by the right mouse button or the menu key. */
function AlertsButton() {
  const { dialog } = useWorkspace();
  const [menu, setMenu] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!menu) return;
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setMenu(false);
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, [menu]);
  return (
    <div
      className="menu"
      ref={root}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenu(true);
      }}
      onKeyDown={(event) => {
        if (!menu || (event.key !== 'Escape' && event.key !== 'Tab')) return;
        setMenu(false);
        if (event.key === 'Escape') root.current?.querySelector<HTMLElement>('[data-name="alerts-button"]')?.focus();
      }}
    >
      <PanelButton panel="alerts" label="Alerts" icon="bell" name="alerts-button" wrapper="alerts" />
      {menu && (
        <div className="menu__list menu__list--left" role="menu" aria-label="Alerts">
          <button
            role="menuitem"
            tabIndex={-1}
            className="menu__item"
            onClick={() => {
              setMenu(false);
              dialog.setValue({ kind: 'deleteAlerts' });
            }}
          >
            <span>Delete all alerts</span>
          </button>
        </div>
      )}
    </div>
  );
}
