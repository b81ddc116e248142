import { createHash, timingSafeEqual } from 'node:crypto';

/** The token of an `Authorization: Bearer` header (RFC 6750, 2.1); undefined when the header is missing or has another form. */
export const bearerToken = (authorization: string | undefined): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];

/** Compares with a secret in constant time: digests have one length and say nothing about their texts. */
export function secretMatcher(secret: string): (given: string) => boolean {
  const expected = digest(secret);
  return (given) => timingSafeEqual(digest(given), expected);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
