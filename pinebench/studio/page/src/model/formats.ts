// Numbers, money, percentages and volumes as people read them: one form for the page and for charts in files.

/** The sign of negative numbers. */
const MINUS = '−';
/** The text for a value that is missing. */
export const NO_VALUE = '∅';
const LETTERS = [[1e12, 'T'], [1e9, 'B'], [1e6, 'M'], [1e3, 'K']] as const;
const MOST_DECIMALS = 16;

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(least: number, most: number): Intl.NumberFormat {
  const key = `${least} ${most}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.NumberFormat('en-US', { minimumFractionDigits: least, maximumFractionDigits: most });
    formats.set(key, found);
  }
  return found;
}

function written(value: number, least: number, most: number): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  const text = formatOf(least, most).format(value);
  if (!text.startsWith('-')) return text;
  // A number that is rounded to zero has no sign.
  return /[1-9]/.test(text) ? `${MINUS}${text.slice(1)}` : text.slice(1);
}

const clamped = (decimals: number): number => Math.min(Math.max(Math.trunc(decimals), 0), MOST_DECIMALS);

/** A number with exactly as many decimals: "68,420.00", "−0.36". A number that is rounded to zero has no sign. */
export const fixedText = (value: number, decimals: number): string => written(value, clamped(decimals), clamped(decimals));

/** A text of this module as programs read it: no separators, and a hyphen as the minus. */
export const plainText = (text: string): string => text.replaceAll(',', '').replace(MINUS, '-');

/** A number with at most as many decimals. */
export const shortText = (value: number, decimals: number): string => written(value, 0, clamped(decimals));

/** A whole number: "20,000". */
export const countText = (value: number): string => shortText(value, 0);

/** An amount of money, without its currency: "−4,866.05". */
export const moneyText = (value: number): string => fixedText(value, 2);

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
    const rounded = Number((size / least).toFixed(clamped(decimals)));
    return rounded >= greater / least ? `${fixedText(value / greater, decimals)}${next}` : `${fixedText(value / least, decimals)}${letter}`;
  }
  return fixedText(value, decimals);
}

/** A price with the symbol's number of decimals, or more if the price itself has more. */
export function priceText(price: number, decimals: number): string {
  const padded = Number(price.toFixed(clamped(decimals)));
  return padded === price ? fixedText(price, decimals) : shortText(Number(price.toPrecision(12)), MOST_DECIMALS);
}
