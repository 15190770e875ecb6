// One study on a chart: an indicator the studio computes, or a script that was added from the editor.
import type { Bar, MetaInfo } from '../server';
import { Watched } from '../watched';
import { findIndicator, type Indicator, type Plot } from './indicators';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** An id as TradingView gives them: six letters and digits. */
export function newEntityId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

export interface InputValue {
  id: string;
  value: unknown;
}

/** A study as it is kept over a reload. */
export interface KeptStudy {
  id: string;
  indicator: string | null;
  meta: MetaInfo;
  scriptKey: string | null;
  inputs: readonly InputValue[];
  visible: boolean;
}

export class Study {
  readonly visible = new Watched(true);
  readonly plots = new Watched<readonly Plot[]>([]);
  readonly inputs: Watched<readonly InputValue[]>;

  private constructor(
    readonly indicator: Indicator | null,
    public meta: MetaInfo,
    public scriptKey: string | null,
    inputs: readonly InputValue[],
    readonly id = newEntityId(),
  ) {
    this.inputs = new Watched(inputs);
  }

  static ofIndicator(indicator: Indicator, values: Record<string, unknown>): Study {
    const meta: MetaInfo = {
      description: indicator.name,
      shortDescription: indicator.shortName,
      is_price_study: !indicator.ownPane,
      isTVScript: false,
      isTVScriptStrategy: false,
      kind: 'indicator',
    };
    const inputs = indicator.inputs.map(({ id, value }) => ({ id, value: values[id] ?? value }));
    return new Study(indicator, meta, null, inputs);
  }

  /** A study made from the script that `scriptKey` stands for in the editor. */
  static ofScript(meta: MetaInfo, scriptKey: string): Study {
    return new Study(null, meta, scriptKey, []);
  }

  /** The study that was kept; null where the studio has no such indicator any more. */
  static ofKept({ id, indicator, meta, scriptKey, inputs, visible }: KeptStudy): Study | null {
    const known = indicator === null ? null : findIndicator(indicator);
    if (known === undefined) return null;
    const study = new Study(known, meta, scriptKey, inputs, id);
    study.visible.setValue(visible);
    return study;
  }

  kept(): KeptStudy {
    const { id, meta, scriptKey } = this;
    return { id, indicator: this.indicator?.name ?? null, meta, scriptKey, inputs: this.inputs.value(), visible: this.visible.value() };
  }

  get name(): string {
    return this.meta.description === '' ? 'Untitled script' : this.meta.description;
  }

  get shortName(): string {
    return this.meta.shortDescription === '' ? this.name : this.meta.shortDescription;
  }

  get ownPane(): boolean {
    return this.indicator?.ownPane ?? false;
  }

  /** The numbers behind the name in the legend: "14", "12 26 9". */
  get argumentText(): string {
    return this.indicator === null ? '' : this.inputs.value().map((input) => String(input.value)).join(' ');
  }

  compute(bars: readonly Bar[]): void {
    if (this.indicator === null) return;
    const values = Object.fromEntries(this.inputs.value().map(({ id, value }) => [id, Number(value)]));
    this.plots.setValue(this.indicator.compute(bars, values));
  }

  setInputs(changes: readonly InputValue[]): void {
    const changed = new Map(changes.map(({ id, value }) => [id, value]));
    this.inputs.setValue(this.inputs.value().map((input) => ({ id: input.id, value: changed.get(input.id) ?? input.value })));
  }
}
