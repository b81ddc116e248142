import { HttpError } from '../errors.ts';

const UNIT_MS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Parses `keep_alive` (seconds, or a Go duration) to milliseconds. Negative: Infinity; absent: undefined. @throws HttpError 400 */
export const keepAliveMs = (value: unknown): number | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number') return value < 0 ? Infinity : value * 1000;
  if (typeof value !== 'string')
    throw new HttpError(400, `Unsupported type: '${typeof value === 'boolean' ? 'bool' : 'map[string]interface {}'}'`);
  const ms = goDuration(value);
  return ms < 0 ? Infinity : ms;
};

const goDuration = (text: string): number => {
  const invalid = (): HttpError => new HttpError(400, `time: invalid duration ${JSON.stringify(text)}`);
  const [, sign, rest = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (rest === '0') return 0;
  if (rest === '') throw invalid();
  let ms = 0;
  let at = 0;
  for (const [whole, number, unit = ''] of rest.matchAll(/(\d+\.?\d*|\.\d+)([^\d.]*)/gy)) {
    if (unit === '') throw new HttpError(400, `time: missing unit in duration ${JSON.stringify(text)}`);
    const factor = UNIT_MS[unit];
    if (factor === undefined) throw new HttpError(400, `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`);
    ms += Number(number) * factor;
    at += whole.length;
  }
  if (at < rest.length) throw invalid();
  return sign === '-' ? -ms : ms;
};
