// Turns at asking the server: a browser has a few connections to it, and a save must not wait behind twenty studies.

export class Turns {
  private taken = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly most: number) {}

  /** Do `work` when fewer than `most` others are running; the one that waits longest comes first. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken >= this.most) await new Promise<void>((go) => this.waiting.push(go));
    else this.taken += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.taken -= 1;
      else next();
    }
  }
}
