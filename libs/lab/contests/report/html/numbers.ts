/** A share as a percentage. */
export const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`;

/** The bounds of a share. */
export const percents = (low: number, high: number): string => `${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %`;

/** A number with the digits that it deserves: three that matter, thousands apart. */
export function number(value: number): string {
  if (Number.isInteger(value)) return grouped(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : 3;
  return value.toFixed(digits).replace('-', '−');
}

const grouped = (value: number): string =>
  String(value)
    .replaceAll(/\B(?=(?:\d{3})+$)/g, '\u202f')
    .replace('-', '−');

/** A number that may be either more or less. */
export const signed = (value: number, digits = 2): string => `${value > 0 ? '+' : ''}${value.toFixed(digits)}`.replace('-', '−');

/** The bounds of an interval. */
export const bounds = (low: number | null, high: number | null, digits = 2): string =>
  low === null || high === null ? 'not known' : `${signed(low, digits)} to ${signed(high, digits)}`;

/** A p-value. */
export const chance = (p: number): string => (p < 0.001 ? '< 0.001' : p.toFixed(3));
