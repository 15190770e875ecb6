// A button with a menu below it: arrows move in it; a choice, a click elsewhere, Tab or Escape closes it.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon } from './icons';

export interface MenuItem {
  label: string;
  detail?: string;
  selected?: boolean;
  choose: () => void;
}

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
    } else {
      const all = entries();
      const at = all.findIndex((entry) => entry === document.activeElement);
      const next = { ArrowDown: (at + 1) % all.length, ArrowUp: (at <= 0 ? all.length : at) - 1, Home: 0, End: all.length - 1 }[event.key];
      if (next === undefined) return;
      all[next]?.focus();
    }
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
          {items.map((item, i) =>
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
          )}
        </div>
      )}
    </div>
  );
}
