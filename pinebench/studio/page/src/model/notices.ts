// Short words that appear over the page and go by themselves: toasts.
import { Watched } from '../watched';

export interface Notice {
  key: number;
  title: string;
  text: string;
  /** A button beside the words. */
  action?: { label: string; run: () => void };
}

const MOST = 5;
const LASTS_MS = 10_000;

export class Notices {
  readonly shown = new Watched<readonly Notice[]>([]);
  private key = 0;

  /** Show words for a while. Return a function that removes them. */
  show(notice: Omit<Notice, 'key'>, lasts = LASTS_MS): () => void {
    const key = ++this.key;
    const drop = () => this.shown.setValue(this.shown.value().filter((one) => one.key !== key));
    this.shown.setValue([...this.shown.value(), { ...notice, key }].slice(-MOST));
    if (Number.isFinite(lasts)) setTimeout(drop, lasts);
    return drop;
  }

  drop(key: number): void {
    this.shown.setValue(this.shown.value().filter((one) => one.key !== key));
  }
}
