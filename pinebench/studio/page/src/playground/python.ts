// The worker with Python as the page sees it: requests one after the other, and a new worker when one is stopped.

interface Answer {
  ready?: boolean;
  id?: number;
  answer?: string;
  failed?: string;
}

interface Waiting {
  done: (answer: unknown) => void;
  failed: (error: Error) => void;
}

/** A request was stopped before it had an answer. */
export class Stopped extends Error {}

export class Python {
  private worker: Worker;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  constructor(
    private readonly address: string,
    private readonly tell: (state: 'loading' | 'ready' | 'failed', why: string) => void,
    begun?: Worker,
  ) {
    this.worker = this.begin(begun);
  }

  /** Ask Python, which answers one request after the other. Rejects with Stopped if it is stopped before. */
  ask<Kind>(request: object): Promise<Kind> {
    const id = ++this.last;
    this.worker.postMessage({ id, request: JSON.stringify(request) });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { done: (answer) => resolve(answer as Kind), failed: reject });
    });
  }

  /** End the worker with all its requests, and start another one. */
  stop(): void {
    this.worker.terminate();
    const given = [...this.waiting.values()];
    this.waiting.clear();
    this.worker = this.begin();
    given.forEach(({ failed }) => failed(new Stopped()));
  }

  private begin(made = new Worker(this.address, { type: 'module' })): Worker {
    this.tell('loading', '');
    made.onmessage = ({ data }: MessageEvent<Answer>) => this.receive(data);
    made.onerror = (event) => this.tell('failed', event.message);
    return made;
  }

  private receive({ ready, id, answer, failed }: Answer): void {
    // A worker that began before this page may have told that it is ready when nobody listened.
    if (ready === true || answer !== undefined) this.tell('ready', '');
    if (id === undefined) {
      if (failed !== undefined) this.tell('failed', failed);
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (answer !== undefined) waiting?.done(JSON.parse(answer));
    else waiting?.failed(new Error(failed));
  }
}
