// Menus, below a button or at the pointer: arrows move in them; a choice, a click elsewhere, Tab or Escape closes it.
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { MenuItem, OpenMenu } from '../model/workspace';
import { useWatched } from '../watched';
import { useWorkspace } from './context';
import { Icon } from './icons';

interface Props {
  label: ReactNode;
  title: string;
  name: string;
  items: readonly (MenuItem | 'line')[];
  className?: string;
}

export function Menu({ label, title, name, items, className = 'button' }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    return () => document.removeEventListener('pointerdown', away);
  }, [open]);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  useEffect(() => {
    if (open) (entries().find((entry) => entry.classList.contains('menu__item--selected')) ?? entries()[0])?.focus();
  }, [open]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const keys = (event: KeyboardEvent) => {
    if (!open) {
      if (event.key !== 'ArrowDown') return;
      setOpen(true);
    } else if (event.key === 'Escape') close();
    else if (event.key === 'Tab') {
      setOpen(false);
      return;
    } else if (!moveIn(entries(), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="menu" ref={root} onKeyDown={keys}>
      <button
        className={className}
        title={title}
        data-name={name}
        aria-haspopup="menu"
        aria-expanded={open}
        ref={button}
        onClick={() => setOpen(!open)}
      >
        {label}
        <Icon name="down" size={12} />
      </button>
      {open && (
        <div className="menu__list" role="menu" aria-label={title}>
          <Entries items={items} close={close} />
        </div>
      )}
    </div>
  );
}

/** Move the focus among the entries of a menu; return false for other keys. */
function moveIn(all: readonly HTMLElement[], key: string): boolean {
  const at = all.findIndex((entry) => entry === document.activeElement);
  const next = { ArrowDown: (at + 1) % all.length, ArrowUp: (at <= 0 ? all.length : at) - 1, Home: 0, End: all.length - 1 }[key];
  if (next === undefined) return false;
  all[next]?.focus();
  return true;
}

function Entries({ items, close }: { items: Props['items']; close: () => void }) {
  return items.map((item, i) =>
    item === 'line' ? (
      <hr key={i} />
    ) : (
      <button
        key={i}
        role="menuitem"
        tabIndex={-1}
        className={item.selected === true ? 'menu__item menu__item--selected' : 'menu__item'}
        onClick={() => {
          close();
          item.choose();
        }}
      >
        <span>{item.label}</span>
        {item.detail !== undefined && <small>{item.detail}</small>}
      </button>
    ),
  );
}

/** The open context menu. */
export function ContextMenu() {
  const { menu } = useWorkspace();
  const shown = useWatched(menu);
  const close = useCallback(() => menu.setValue(null), [menu]);
  return shown === null ? null : <ShownMenu key={`${shown.x} ${shown.y} ${shown.title}`} shown={shown} close={close} />;
}

function ShownMenu({ shown, close }: { shown: OpenMenu; close: () => void }) {
  const root = useRef<HTMLDivElement>(null);
  const before = useRef(document.activeElement);
  const [at, setAt] = useState({ left: shown.x, top: shown.y });
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  useLayoutEffect(() => {
    const { offsetWidth: width = 0, offsetHeight: height = 0 } = root.current ?? {};
    setAt({ left: Math.max(4, Math.min(shown.x, window.innerWidth - width - 4)), top: Math.max(4, Math.min(shown.y, window.innerHeight - height - 4)) });
    root.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) close();
    };
    document.addEventListener('pointerdown', away, true);
    return () => document.removeEventListener('pointerdown', away, true);
  }, [shown, close]);
  const done = () => {
    close();
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') done();
    else if (event.key === 'Tab') {
      done();
      return;
    } else if (!moveIn(entries(), event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section aria-label="Menu">
      <div className="menu__list context-menu" role="menu" aria-label={shown.title} data-name="context-menu" ref={root} style={at} onKeyDown={keys}>
        <Entries items={shown.items} close={done} />
      </div>
    </section>
  );
}
