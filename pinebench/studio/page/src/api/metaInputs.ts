// The settings that TradingView's page lists among the inputs of a study, and the studies that a write of them has destroyed.
import type { InputValue, Study } from '../model/study';

export const META_INPUTS: readonly InputValue[] = [
  { id: 'pineId', value: 'USER;0' },
  { id: 'pineVersion', value: '1.0' },
  { id: 'pineFeatures', value: '{}' },
  { id: '__fast_calc', value: false },
  { id: '__profile', value: false },
  { id: 'text', value: 'bmI9Ks46' },
];

const destroyed = new WeakSet<Study>();

/** Leave the study without inputs and values, as the page does until the layout is loaded again. */
export const destroy = (study: Study): unknown => destroyed.add(study);

export const isDestroyed = (study: Study): boolean => destroyed.has(study);
