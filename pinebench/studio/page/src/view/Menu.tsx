// A button with a menu below it that closes on a choice, a click elsewhere or Escape.
import { useEffect, useRef, useState, type ReactNode } from 'react';
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
  above?: boolean;
}

export function Menu({ label, title, name, items, className = 'button', above = false }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('keydown', escape);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('keydown', escape);
    };
  }, [open]);
  return (
    <div className="menu" ref={root}>
      <button
        className={className}
        title={title}
        data-name={name}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {label}
        <Icon name="down" size={12} />
      </button>
      {open && (
        <div className={above ? 'menu__list menu__list--above' : 'menu__list'} role="menu">
          {items.map((item, i) =>
            item === 'line' ? (
              <hr key={i} />
            ) : (
              <button
                key={i}
                role="menuitem"
                className={item.selected === true ? 'menu__item menu__item--selected' : 'menu__item'}
                onClick={() => {
                  setOpen(false);
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
