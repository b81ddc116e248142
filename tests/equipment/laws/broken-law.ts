import { isDeepStrictEqual } from 'node:util';

/** A violated law, with enough context to locate the cause. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw';
}

/** @throws BrokenLaw */
export function must(isSo: boolean, otherwise: string | (() => string)): asserts isSo {
  if (!isSo) throw new BrokenLaw(typeof otherwise === 'string' ? otherwise : otherwise());
}

/** @throws BrokenLaw showing where two values first differ */
export function mustEqual(is: unknown, should: unknown, what: string): void {
  if (isDeepStrictEqual(is, should)) return;
  const [a, b] = [JSON.stringify(is) ?? 'undefined', JSON.stringify(should) ?? 'undefined'];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 80);
  throw new BrokenLaw(`${what}\n  is     …${a.slice(from, at + 160)}\n  should …${b.slice(from, at + 160)}`);
}
