import { hash } from 'node:crypto';
import type { RecordedEvent } from '../ports/tapes.ts';

/**
 * The JSON Canonicalization Scheme (RFC 8785): no spaces, keys in the order of their UTF-16 code units, numbers and strings as ECMAScript writes
 * them. What JSON cannot express is left out or null, as in JSON.stringify. So a value and what a store returns for it have the same text,
 * though keys may have moved and 1.0 or 1e0 has become 1.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return canonicalJson(value.toJSON());
  let text = '';
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) text += i ? `,${canonicalJson(value[i])}` : canonicalJson(value[i]);
    return `[${text}]`;
  }
  const of = value as { readonly [key: string]: unknown };
  for (const key of sorted(Object.keys(of))) {
    const each = of[key];
    if (each === undefined || typeof each === 'function' || typeof each === 'symbol') continue;
    const name = /^[\w-]*$/.test(key) ? `"${key}"` : JSON.stringify(key);
    text += text ? `,${name}:${canonicalJson(each)}` : `${name}:${canonicalJson(each)}`;
  }
  return `{${text}}`;
}

/** Sorts in place. Insertion sort is faster for few keys, and every append runs through here. */
function sorted(keys: string[]): readonly string[] {
  if (keys.length > 16) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let j = i;
    for (; j > 0 && keys[j - 1]! > key; j--) keys[j] = keys[j - 1]!;
    keys[j] = key;
  }
  return keys;
}

/** The digest of one event by itself: SHA-256 of table, sequence, time, cause and event, in hexadecimal. */
export const eventDigest = ({ table, sequence, at, cause, event }: RecordedEvent): string =>
  eventDigestOfText(table, sequence, at, cause, canonicalJson(event));

/** The same from the canonical text of the event. */
export const eventDigestOfText = (table: string, sequence: number, at: number, cause: string, event: string): string =>
  hash('sha256', `[${JSON.stringify(table)},${sequence},${at},${JSON.stringify(cause)},${event}]`, 'hex');

/** The hash of an event in the chain, in hexadecimal: SHA-256 of the previous hash (none for the first event) and its own digest. */
export const chainLink = (before: string | undefined, digest: string): string =>
  hash('sha256', Buffer.from(`${before ?? ''}${digest}`, 'hex'), 'hex');
