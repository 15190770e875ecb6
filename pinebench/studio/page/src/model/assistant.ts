// The conversation with the studio's assistant: its entries, and the connection that may break and come back.
import { Watched } from '../watched';

export interface Picture {
  data: string;
  mimeType: string;
}

/** A tool call in the timeline, with its result in one line and its pictures. */
export interface Call {
  kind: 'call';
  id: string;
  name: string;
  input: string;
  state: 'running' | 'done' | 'failed';
  told: string;
  images: readonly Picture[];
}

/** A call that a person must allow; `allowed` is null until the answer. */
export interface Question {
  kind: 'question';
  id: string;
  name: string;
  input: string;
  reason: string;
  allowed: boolean | null;
}

export interface Words {
  kind: 'user' | 'text' | 'note' | 'error';
  text: string;
}

export interface Shot {
  kind: 'picture';
  picture: Picture;
}

export type Entry = Words | Call | Question | Shot;

export type Link = 'none' | 'connecting' | 'open' | 'lost';

/** The messages of the server; see docs/assistant.md. */
interface Message {
  type: string;
  seq?: number;
  key?: string;
  complete?: boolean;
  taken?: number;
  content?: string;
  id?: string;
  name?: string;
  input?: Record<string, unknown>;
  result?: Record<string, unknown>;
  images?: Picture[];
  error?: string;
  hint?: string;
  message?: string;
  reason?: string;
  usage?: { dollars: number };
  data?: string;
  mimeType?: string;
}

const PAUSES = [300, 1000, 3000, 10_000];
const LONGEST_INPUT = 160;
/** Where a window keeps the key of its conversation, for the page that is loaded again. Other windows do not see it. */
const KEPT = 'pinebench.assistant';

export class Assistant {
  readonly entries = new Watched<readonly Entry[]>([]);
  readonly link = new Watched<Link>('none');
  readonly writing = new Watched(false);
  readonly dollars = new Watched(0);
  /** The key of the conversation of the page before, while a person may still go on with it; otherwise empty. */
  readonly earlier = new Watched(sessionStorage.getItem(KEPT) ?? '');
  private back = '';
  private socket: WebSocket | null = null;
  private key = '';
  private seen = 0;
  private failures = 0;
  private waiting: object[] = [];
  /** The messages that went out and were not taken yet, each with its number. A connection that breaks may lose them. */
  private sent: { number: number; text: string }[] = [];
  private count = 0;

  /** Connect, if that is not done yet. A connection that breaks is made again, and nothing that was shown is lost. */
  connect(): void {
    if (this.socket !== null) return;
    this.link.setValue('connecting');
    const query = new URLSearchParams({ resume: this.back || this.key, seen: String(this.seen), ...(this.back !== '' && { back: '1' }) });
    const socket = new WebSocket(`ws://${location.host}/api/chat?${query}`);
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => this.take(JSON.parse(String(data)) as Message));
    socket.addEventListener('close', () => {
      if (this.socket !== socket) return; // another connection took its place
      this.socket = null;
      this.link.setValue('lost');
      const pause = PAUSES[this.failures++];
      if (pause !== undefined) setTimeout(() => this.connect(), pause);
    });
  }

  /** Go on with the conversation of the page before. */
  goOn(): void {
    this.back = this.earlier.value();
    this.seen = 0;
    const before = this.socket;
    this.socket = null;
    before?.close();
    this.forget();
    this.connect();
  }

  say(content: string): void {
    this.send({ type: 'chat', content });
  }

  stop(): void {
    this.send({ type: 'stop' });
  }

  clear(): void {
    this.send({ type: 'clear_history' });
  }

  takePicture(): void {
    this.send({ type: 'screenshot', region: 'chart' });
  }

  answer(id: string, allow: boolean): void {
    this.send({ type: 'confirm', id, allow });
    this.change('question', id, (entry) => ({ ...entry, allowed: allow }));
  }

  /** Send a message now, or when the connection has come back. */
  private send(message: object): void {
    this.waiting.push(message);
    this.flush();
  }

  private flush(): void {
    if (this.link.value() !== 'open' || this.socket?.readyState !== WebSocket.OPEN) return;
    for (const message of this.waiting.splice(0)) {
      const text = JSON.stringify({ ...message, number: ++this.count });
      this.sent.push({ number: this.count, text });
      this.socket.send(text);
    }
  }

  /** Keep the messages after number `taken` only. */
  private drop(taken: number): void {
    this.sent = this.sent.filter(({ number }) => number > taken);
  }

  /** Send what this conversation was told after message `taken`; another conversation counts from there. */
  private sendAgain(key: string, taken: number): void {
    if (key === this.key) this.drop(taken);
    else this.sent = [];
    this.count = this.sent.at(-1)?.number ?? taken;
    for (const { text } of this.sent) this.socket?.send(text);
  }

  private take(message: Message): void {
    if (message.seq !== undefined) {
      this.seen = message.seq;
      this.drop(message.taken ?? 0);
    }
    switch (message.type) {
      case 'connected':
        this.failures = 0;
        this.sendAgain(message.key ?? '', message.taken ?? 0);
        this.key = message.key ?? '';
        if (message.complete !== true) this.forget();
        if (this.back !== '' && this.back !== this.key) {
          this.add({ kind: 'note', text: 'The last conversation is gone, or open in another window.' });
          sessionStorage.removeItem(KEPT);
        }
        if (this.back !== '') this.earlier.setValue('');
        this.back = '';
        this.link.setValue('open');
        this.flush();
        return;
      case 'start':
        this.writing.setValue(true);
        this.earlier.setValue('');
        sessionStorage.setItem(KEPT, this.key);
        { this.add({ kind: 'user', text: message.content ?? '' }); return; }
      case 'text':
        { this.addText(message.content ?? ''); return; }
      case 'tool_use':
        { this.add({ kind: 'call', ...callOf(message), state: 'running', told: '', images: [] }); return; }
      case 'tool_result':
        { this.end(message, 'done'); return; }
      case 'tool_error':
        { this.end(message, 'failed'); return; }
      case 'confirm':
        { this.add({ kind: 'question', ...callOf(message), reason: message.reason ?? '', allowed: null }); return; }
      case 'screenshot':
        { this.add({ kind: 'picture', picture: { data: message.data ?? '', mimeType: message.mimeType ?? '' } }); return; }
      case 'done':
        this.writing.setValue(false);
        this.dollars.setValue(this.dollars.value() + (message.usage?.dollars ?? 0));
        if (message.message !== undefined) this.add({ kind: 'note', text: message.message });
        return;
      case 'error':
        this.writing.setValue(false);
        { this.add({ kind: 'error', text: [message.error, message.hint].filter(Boolean).join('. ') }); return; }
      case 'cleared':
        sessionStorage.removeItem(KEPT);
        { this.forget(); return; }
    }
  }

  private forget(): void {
    this.entries.setValue([]);
    this.writing.setValue(false);
    this.dollars.setValue(0);
  }

  /** End a call. A question about it was answered, in this window or in the page before. */
  private end(message: Message, state: 'done' | 'failed'): void {
    const told = message.error ?? '';
    this.change('question', message.id, (entry) => ({ ...entry, allowed: entry.allowed ?? !told.includes('did not allow') }));
    this.change('call', message.id, (entry) => ({ ...entry, state, told, images: message.images ?? [] }));
  }

  private add(entry: Entry): void {
    this.entries.setValue([...this.entries.value(), entry]);
  }

  private addText(text: string): void {
    const entries = this.entries.value();
    const last = entries.at(-1);
    if (last?.kind !== 'text') { this.add({ kind: 'text', text }); return; }
    this.entries.setValue([...entries.slice(0, -1), { kind: 'text', text: last.text + text }]);
  }

  /** Change the last entry of this kind and id; ids of calls come again in later answers. */
  private change<K extends 'call' | 'question'>(
    kind: K,
    id: string | undefined,
    how: (entry: Extract<Entry, { kind: K }>) => Entry,
  ): void {
    const entries = this.entries.value();
    const at = entries.findLastIndex((entry) => entry.kind === kind && entry.id === id);
    const found = entries[at];
    if (found === undefined) return;
    this.entries.setValue(entries.with(at, how(found as Extract<Entry, { kind: K }>)));
  }
}

function callOf(message: Message): { id: string; name: string; input: string } {
  const input = Object.entries(message.input ?? {})
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
  const cut = input.length > LONGEST_INPUT ? `${input.slice(0, LONGEST_INPUT)}…` : input;
  return { id: message.id ?? '', name: message.name ?? '', input: cut };
}
