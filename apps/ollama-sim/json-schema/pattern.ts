import type { Random } from '../seeded-random.ts';
import { Unmeetable } from './schema.ts';

/**
 * A text that a simple regular expression matches: characters, classes, groups, `|`, `? * + {m,n}`, `^` and `$` at the ends.
 * `eager` from 0 to 1 is how far repetitions go, open ones up to twice `wantedChars`, so that a caller can try for longer texts.
 * Throws `Unmeetable` on anything else.
 */
export const textMatching = (pattern: string, dice: Random, eager = 0.3, wantedChars = 6): string => {
  const symbols = Array.from(pattern);
  let at = 0;
  const refuse = (): never => {
    throw new Unmeetable(`pattern ${JSON.stringify(pattern)} is more than the simulator can write`);
  };
  const peek = (): string | undefined => symbols[at];
  const take = (): string => symbols[at++] ?? refuse();

  /** Alternatives up to the closing bracket or the end; all are read, one is written. */
  const either = (): Writer => {
    const branches = [sequence()];
    while (peek() === '|') {
      at++;
      branches.push(sequence());
    }
    return () => dice.pick(branches)();
  };
  const sequence = (): Writer => {
    const parts: Writer[] = [];
    while (peek() !== undefined && peek() !== '|' && peek() !== ')') parts.push(repeated(atom()));
    return () => parts.map((write) => write()).join('');
  };
  const atom = (): Writer => {
    const symbol = take();
    if (symbol === '^' || symbol === '$') return () => '';
    if (symbol === '(') return group();
    if (symbol === '[') return oneOf(charClass());
    if (symbol === '.') return oneOf(LETTERS);
    if (symbol === '\\') return oneOf(escaped());
    if ('*+?{}'.includes(symbol)) return refuse();
    return () => symbol;
  };
  const group = (): Writer => {
    if (peek() === '?') {
      at++;
      if (take() !== ':') refuse();
    }
    const inner = either();
    if (take() !== ')') refuse();
    return inner;
  };
  const escaped = (): string => {
    const symbol = take();
    const known = { d: DIGITS, w: `${LETTERS}${DIGITS}_`, s: ' ', n: '\n', t: '\t' }[symbol];
    if (known !== undefined) return known;
    if (symbol === 'u' && /^[\da-f]{4}$/i.test(symbols.slice(at, at + 4).join(''))) {
      at += 4;
      return String.fromCharCode(Number.parseInt(symbols.slice(at - 4, at).join(''), 16));
    }
    return /[A-Za-z0-9]/.test(symbol) ? refuse() : symbol;
  };
  const charClass = (): string => {
    const negated = peek() === '^';
    if (negated) at++;
    let members = '';
    while (peek() !== ']') {
      const first = take() === '\\' ? escaped() : symbols[at - 1]!;
      if (peek() === '-' && symbols[at + 1] !== ']' && Array.from(first).length === 1) {
        at++;
        const last = take() === '\\' ? escaped() : symbols[at - 1]!;
        members += range(first, last);
      } else members += first;
    }
    at++;
    if (!negated) return members === '' ? refuse() : members;
    const left = Array.from(`${LETTERS}${DIGITS} .,-_`)
      .filter((symbol) => !members.includes(symbol))
      .join('');
    return left === '' ? refuse() : left;
  };
  const oneOf = (members: string): Writer => {
    const list = Array.from(members);
    return () => dice.pick(list);
  };
  const repeated = (write: Writer): Writer => {
    const [least, most] = bounds();
    if (peek() === '?') at++; // lazy or greedy, the same texts match
    return () => {
      const open = most === Infinity ? least + 2 * wantedChars : most;
      const times = least + Math.round((0.5 + dice.next() / 2) * eager * (open - least));
      return Array.from({ length: times }, write).join('');
    };
  };
  const bounds = (): readonly [number, number] => {
    const symbol = peek();
    if (symbol === '?' || symbol === '*' || symbol === '+') at++;
    if (symbol === '?') return [0, 1];
    if (symbol === '*') return [0, Infinity];
    if (symbol === '+') return [1, Infinity];
    const counted = symbol === '{' ? /^\{(\d+)(,?)(\d*)\}/.exec(symbols.slice(at, at + 20).join('')) : null;
    if (counted === null) return [1, 1];
    at += counted[0].length;
    const least = Number(counted[1]);
    return [least, counted[2] === '' ? least : counted[3] === '' ? Infinity : Number(counted[3])];
  };

  const write = either();
  if (at < symbols.length) refuse();
  return write();
};

type Writer = () => string;

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

const range = (first: string, last: string): string => {
  const from = first.codePointAt(0) ?? 0;
  const to = Math.min(last.codePointAt(0) ?? 0, from + 200);
  let members = '';
  for (let code = from; code <= to; code++) if (code < 0xd800 || code > 0xdfff) members += String.fromCodePoint(code);
  return members;
};
