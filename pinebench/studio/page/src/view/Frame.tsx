// What every dialog is made of: a frame that keeps the focus inside and gives it back, and the question with two answers.
import { useLayoutEffect, useRef, useState, type PointerEvent, type ReactNode, type RefObject } from 'react';
import { useWorkspace } from './context';
import { Icon } from './icons';

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex]:not([tabindex="-1"])';

/**
 * Keep the focus inside `root` while it is shown, and give it back afterwards. The element with `data-first` gets the
 * focus first, otherwise a field, otherwise the button that goes on. Programs can still move the focus.
 */
export function useModal(root: RefObject<HTMLElement | null>, close?: () => void): void {
  const closing = useRef(close);
  closing.current = close;
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const before = document.activeElement;
    const first = ['[data-first]', 'input', '.button--accent'].map((css) => element.querySelector<HTMLElement>(css)).find((node) => node !== null);
    first?.focus();
    const keys = (event: KeyboardEvent) => {
      if (event.key === 'Escape') closing.current?.();
      if (event.key !== 'Tab') return;
      const stops = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter((node) => node.offsetParent !== null);
      const at = stops.findIndex((node) => node === document.activeElement);
      const next = event.shiftKey ? (at <= 0 ? stops.length - 1 : at - 1) : (at + 1) % stops.length;
      event.preventDefault();
      stops[next]?.focus();
    };
    document.addEventListener('keydown', keys);
    return () => {
      document.removeEventListener('keydown', keys);
      const lost = document.activeElement === document.body || document.activeElement === null || element.contains(document.activeElement);
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [root]);
}

interface FrameProps {
  title: string;
  name: string;
  close: () => void;
  wide?: boolean;
  /** Whether the page below stays in sight and can be used; the title then moves the dialog. */
  floating?: boolean;
  children: ReactNode;
}

export function Frame({ title, name, close, wide = false, floating = false, children }: FrameProps) {
  const root = useRef<HTMLDivElement>(null);
  useModal(root, close);
  const [moved, drag] = useDrag(root);
  return (
    <div className={floating ? 'veil veil--clear' : 'veil'} onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div
        className={wide ? 'dialog dialog__wide' : 'dialog'}
        role="dialog"
        aria-modal={!floating}
        aria-label={title}
        data-name={name}
        ref={root}
        style={floating ? { transform: `translate(${moved.x}px, ${moved.y}px)` } : undefined}
      >
        <div className="dialog__title" {...(floating ? drag : {})}>
          <b>{title}</b>
          <button className="button button--square button--small" aria-label="Close" onClick={close}>
            <Icon name="close" size={15} />
          </button>
        </div>
        {children}
      </div>
    </div>
  );
}

interface Way {
  x: number;
  y: number;
}

/** How far a dialog was moved by its title, and the listeners for that. All of its title stays in the window. */
function useDrag(root: RefObject<HTMLElement | null>) {
  const [moved, setMoved] = useState<Way>({ x: 0, y: 0 });
  const from = useRef<Way | null>(null);
  const listeners = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.target instanceof Element && event.target.closest('button') !== null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      from.current = { x: event.clientX - moved.x, y: event.clientY - moved.y };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const box = root.current?.getBoundingClientRect();
      if (from.current === null || box === undefined) return;
      const [left, top] = [box.left - moved.x, box.top - moved.y];
      const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));
      setMoved({
        x: within(event.clientX - from.current.x, -left, window.innerWidth - box.width - left),
        y: within(event.clientY - from.current.y, -top, window.innerHeight - event.currentTarget.offsetHeight - top),
      });
    },
    onPointerUp: () => {
      from.current = null;
    },
  };
  return [moved, listeners] as const;
}

export function useClose(): () => void {
  const { dialog } = useWorkspace();
  const close = useRef(() => dialog.setValue(null));
  return close.current;
}

interface QuestionProps {
  title: string;
  text: string;
  yes: string;
  answer: (yes: boolean) => void;
}

/** Ask before an action that cannot be undone. Enter alone never agrees. */
export function Question({ title, text, yes, answer }: QuestionProps) {
  const close = useClose();
  const choose = (chosen: boolean) => {
    answer(chosen);
    close();
  };
  return (
    <Frame title={title} name="confirm-dialog" close={() => choose(false)}>
      <p>{text}</p>
      <div className="dialog__buttons">
        <button className="button" name="cancel" data-first onClick={() => choose(false)}>
          Cancel
        </button>
        <button className="button button--accent" name="yes" onClick={() => choose(true)}>
          {yes}
        </button>
      </div>
    </Frame>
  );
}
