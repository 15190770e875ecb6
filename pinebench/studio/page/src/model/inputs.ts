// The inputs of scripts: the texts of their values, and which values they take, as the studio describes each input.
import type { InputData, InputDefinition, InputForm } from '../server';
import { DISPLAY } from './plots';
import { dateText } from './zones';

/** Whether a value has a form. */
const HAS_FORM: Record<InputForm, (value: unknown) => boolean> = {
  whole: Number.isInteger,
  number: Number.isFinite,
  bool: (value) => typeof value === 'boolean',
  color: (value) => typeof value === 'string' && /^#([0-9a-f]{6}|[0-9a-f]{8})$/i.test(value),
  text: (value) => typeof value === 'string',
};

/** Whether the values of an input are numbers; moments are numbers, too. */
export const isNumeric = ({ form }: InputDefinition): boolean => form === 'whole' || form === 'number';

/** The reason why an input cannot have a value; null if it can. */
export function problemOf({ name, form, takes, options, min, max, defval }: InputDefinition, value: unknown): string | null {
  if (value === defval) return null;
  if (options !== undefined) return options.includes(value as InputData) ? null : `${name}: one of ${options.join(', ')}`;
  if (!HAS_FORM[form](value)) return `${name}: ${takes}`;
  if (min !== undefined && Number(value) < min) return `${name}: ${takes} of at least ${min}`;
  return max !== undefined && Number(value) > max ? `${name}: ${takes} of at most ${max}` : null;
}

/** The value of an input, for people. */
export const inputText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The value of an input in one line: a moment as a date and a time in UTC. */
export function shownInput({ field }: InputDefinition, value: unknown): string {
  if (field === 'time' && typeof value === 'number') return dateText(value / 1000, 'Etc/UTC', true);
  return inputText(value).replace(/\s+/g, ' ').trim();
}

/** A stored definition of an input; one of an older studio with what that one did not say. */
export function completed(definition: InputDefinition | (Partial<InputDefinition> & Pick<InputDefinition, 'id' | 'name' | 'type' | 'defval'>)): InputDefinition {
  if ('form' in definition) return definition as InputDefinition;
  const forms: Record<string, InputForm> = { number: 'number', boolean: 'bool' };
  const form = forms[typeof definition.defval] ?? 'text';
  return { display: DISPLAY.statusLine | DISPLAY.dataWindow, form, field: 'text', takes: 'another value', ...definition };
}
