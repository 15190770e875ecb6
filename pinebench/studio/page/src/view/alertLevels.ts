// The price levels of alerts: each has a handle over its line, which is dragged by mouse and finger and moved by keys.
import type { ISeriesPrimitive } from 'lightweight-charts';

/** A level on the chart. */
export interface Level {
  price: number;
  /** Move the level to another price; called once for a drag, and once for keys in a row. Ends when it is moved or not. */
  move: (to: number) => Promise<void>;
}

/** The prices of the chart, as the handles need them. */
interface Prices {
  y: (price: number) => number | null;
  price: (y: number) => number | null;
  tick: () => number;
  text: (price: number) => string;
  /** The rectangle of the prices, in pixels from the corner of the chart. */
  box: () => { left: number; top: number; width: number; height: number } | null;
  /** Whether the place of a press belongs to a drawing tool or to a drawing. */
  isTaken: (clientX: number, clientY: number) => boolean;
}

/** A press that moves by fewer pixels moves nothing. */
const DRAG = 3;
/** Keys in a row are one move, which is made after this time. */
const REST_MS = 400;

class Handle {
  readonly node = document.createElement('div');
  private shown: number;
  private pressed: { y: number; moved: boolean } | null = null;
  /** The timer of keys in a row; 0 if no key waits. */
  private timer = 0;
  /** The price to which the alert is being moved; null if it is where it was read. */
  private sent: number | null = null;

  constructor(
    private level: Level,
    private readonly prices: Prices,
    private show: (price: number) => void,
  ) {
    this.shown = level.price;
    const { node } = this;
    node.className = 'alert-level';
    node.tabIndex = 0;
    const told = { 'data-name': 'alert-level', role: 'slider', 'aria-label': 'Price of the alert', 'aria-orientation': 'vertical', title: 'Drag to move the alert' };
    for (const [name, value] of Object.entries(told)) node.setAttribute(name, value);
    node.addEventListener('pointerdown', this.down);
    node.addEventListener('pointermove', this.drag);
    node.addEventListener('pointerup', this.up);
    node.addEventListener('pointercancel', () => this.put(null));
    node.addEventListener('keydown', this.key);
    node.addEventListener('blur', () => this.settle());
    this.place();
  }

  /** Put the handle at the height of its price. */
  place(): void {
    const [box, y] = [this.prices.box(), this.prices.y(this.shown)];
    const { style } = this.node;
    const isInside = box !== null && y !== null && y >= 0 && y <= box.height;
    style.display = isInside ? '' : 'none';
    if (!isInside) return;
    style.left = `${box.left}px`;
    style.width = `${box.width}px`;
    style.top = `${box.top + y}px`;
    this.node.setAttribute('aria-valuenow', String(this.shown));
    this.node.setAttribute('aria-valuetext', this.prices.text(this.shown));
  }

  /** Whether the alert is being moved to a price. */
  isSentTo(price: number): boolean {
    return price === this.sent;
  }

  /** Whether the handle is at a price, or was there when the present move began. */
  isAt(price: number): boolean {
    return price === this.shown || price === this.level.price;
  }

  /** Belong to a level, which may have been read again. A move that is in progress goes on. */
  become(level: Level, show: (price: number) => void): void {
    this.level = level;
    this.show = show;
    if (this.sent === level.price) this.sent = null;
    if (this.pressed === null && this.timer === 0 && this.sent === null) this.shown = level.price;
    if (this.shown !== level.price) this.show(this.shown);
    this.place();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.node.remove();
  }

  private readonly down = (event: PointerEvent): void => {
    if (event.button !== 0 || this.sent !== null || this.prices.isTaken(event.clientX, event.clientY)) return;
    event.stopPropagation();
    this.pressed = { y: event.clientY, moved: false };
    this.node.setPointerCapture(event.pointerId);
  };

  private readonly drag = (event: PointerEvent): void => {
    const { pressed } = this;
    const y = this.prices.y(this.level.price);
    if (pressed === null || y === null) return;
    pressed.moved ||= Math.abs(event.clientY - pressed.y) > DRAG;
    if (pressed.moved) this.to(this.prices.price(y + event.clientY - pressed.y));
  };

  private readonly up = (): void => this.put(this.pressed?.moved === true ? this.shown : null);

  private readonly key = (event: KeyboardEvent): void => {
    const up = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (event.key === 'Escape') {
      clearTimeout(this.timer);
      this.timer = 0;
      this.put(null);
    } else if (up === undefined) return;
    else {
      this.to(this.shown + up * (event.shiftKey ? 10 : 1) * this.prices.tick());
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.settle(), REST_MS);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  /** Make the move of the last keys, after the move before it was made. */
  private settle(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.sent !== null && this.sent !== this.shown) this.timer = window.setTimeout(() => this.settle(), REST_MS);
    else if (this.pressed === null && this.sent === null) this.put(this.shown);
  }

  private to(price: number | null): void {
    if (price === null || !Number.isFinite(price)) return;
    const tick = this.prices.tick();
    this.shown = Number((Math.round(price / tick) * tick).toFixed(10));
    this.show(this.shown);
    this.place();
  }

  /** Go back to where the alert is, if it was not moved to a price. */
  private rest(price: number): void {
    if (this.sent !== price || !this.node.isConnected) return;
    this.sent = null;
    if (this.pressed === null && this.timer === 0) this.to(this.level.price);
  }

  /** End a move: at a price, or where it began. */
  private put(price: number | null): void {
    this.pressed = null;
    if (price !== null && price !== this.level.price) {
      this.sent = price;
      void this.level.move(price).then(() => this.rest(price));
    } else if (this.shown !== this.level.price) this.to(this.level.price);
  }
}

/** The handles of all levels; as a primitive of the prices it hears of each new picture. */
export class AlertLevels implements ISeriesPrimitive {
  private handles: readonly Handle[] = [];

  constructor(
    private readonly element: HTMLElement,
    private readonly prices: Prices,
  ) {}

  updateAllViews(): void {
    for (const handle of this.handles) handle.place();
  }

  /** Show handles for levels; `show` moves the line of a level while it is dragged. */
  set(levels: readonly Level[], show: (at: number, price: number) => void): void {
    const left = new Set(this.handles);
    const found = new Map<Level, Handle>();
    const take = (isOf: (handle: Handle, price: number) => boolean): void => {
      for (const level of levels.filter((one) => !found.has(one))) {
        const handle = [...left].find((one) => isOf(one, level.price));
        if (handle === undefined) continue;
        found.set(level, handle);
        left.delete(handle);
      }
    };
    // An alert that moves is listed at both prices for a moment: its handle, which may have the focus, is at the new one.
    take((handle, price) => handle.isSentTo(price));
    take((handle, price) => handle.isAt(price));
    this.handles = levels.map((level, at) => {
      const shown = (price: number) => show(at, price);
      const known = found.get(level);
      known?.become(level, shown);
      return known ?? new Handle(level, this.prices, shown);
    });
    for (const handle of left) handle.dispose();
    for (const { node } of this.handles) if (node.parentElement !== this.element) this.element.append(node);
  }
}
