// Numbers, money, percentages and volumes as people read them: one form for the page and for charts in files.

/** The sign of negative numbers. */
const MINUS = '−';
/** The text for a value that is missing. */
export const NO_VALUE = '∅';
const LETTERS = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']] as const;
const MOST_DECIMALS = 16;
/** The significant digits that every number keeps. */
const SURE_DIGITS = 15;

/** From this size on, `toFixed` writes exponents. */
const GREAT = 1e21;
/** Decimals beyond those that are shown, by which a number halfway between two others is told from one near it. */
const FURTHER = 40;

/** The digits of a number without its sign. Of two that are equally near, the even one, as Python rounds. */
function digitsOf(size: number, decimals: number): string {
  if (size >= GREAT) return BigInt(size).toString() + (decimals > 0 ? `.${'0'.repeat(decimals)}` : '');
  const text = size.toFixed(decimals);
  const exact = size.toFixed(decimals + FURTHER);
  const rest = exact.slice(exact.length - FURTHER);
  if (!/^50*$/.test(rest)) return text;
  const lower = exact.slice(0, exact.length - FURTHER).replace(/\.$/, '');
  return Number(lower.at(-1)) % 2 === 0 ? lower : text;
}

function written(value: number, least: number, most: number): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  const [whole = '', fraction = ''] = digitsOf(Math.abs(value), most).split('.');
  const shown = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, '');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',') + (shown === '' ? '' : `.${shown}`);
  // A number that is rounded to zero has no sign.
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}

const clamped = (decimals: number): number => Math.min(Math.max(Math.trunc(decimals), 0), MOST_DECIMALS);

/** A number with exactly as many decimals: "68,420.00", "−0.36". A number that is rounded to zero has no sign. */
export const fixedText = (value: number, decimals: number): string => written(value, clamped(decimals), clamped(decimals));

/** A text of this module as programs read it: no separators, and a hyphen as the minus. */
export const plainText = (text: string): string => text.replaceAll(',', '').replace(MINUS, '-');

/** The decimals that a number can have with as many significant digits. */
const decimalsOf = (value: number, digits: number): number => digits - 1 - Number(value.toExponential(17).split('e')[1]);

/** A number with at most as many decimals, and with no digits that are only errors of rounding. */
export const shortText = (value: number, decimals: number): string =>
  written(value, 0, Math.min(clamped(decimals), clamped(decimalsOf(value, SURE_DIGITS))));

/** A whole number: "20,000". */
export const countText = (value: number): string => shortText(value, 0);

/** An amount of money, without its currency: "−4,866.05". */
export const moneyText = (value: number): string => fixedText(value, 2);

/** A text of money with its currency; without one if the currency is not known. */
export const inCurrency = (text: string, currency: string): string => (currency === '' ? text : `${text} ${currency}`);

/** A share of one in percent: 0.5 is "50.00%". */
export const percentText = (share: number): string => {
  const text = fixedText(share * 100, 2);
  return text === NO_VALUE ? text : `${text}%`;
};

/** A number with its sign, also if it is positive: "+1.22". Zero has none. */
export function signedText(value: number, decimals: number): string {
  const text = fixedText(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A difference with its percentage: "+2.80 (+1.22%)"; without the percentage if it cannot be known. */
export function changeText(now: number, before: number, decimals: number): string {
  const share = ((now - before) / Math.abs(before)) * 100;
  const difference = signedText(now - before, decimals);
  return Number.isFinite(share) ? `${difference} (${signedText(share, 2)}%)` : difference;
}

/** A number with a letter for its size: "2.50M". */
export function volumeText(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  const size = Math.abs(value);
  for (const [i, [least, letter]] of LETTERS.entries()) {
    if (size < least) continue;
    // 999,999.99 is 1.00M, not 1,000.00K.
    const [greater, next] = LETTERS[i - 1] ?? [Infinity, letter];
    const rounded = Number(digitsOf(size / least, clamped(decimals)));
    return rounded >= greater / least ? `${fixedText(value / greater, decimals)}${next}` : `${fixedText(value / least, decimals)}${letter}`;
  }
  return fixedText(value, decimals);
}

/** A price with the symbol's number of decimals, or more if the price itself has more. */
export function priceText(price: number, decimals: number): string {
  const padded = Number(price.toFixed(clamped(decimals)));
  return padded === price ? fixedText(price, decimals) : shortText(price, decimalsOf(price, 12));
}
