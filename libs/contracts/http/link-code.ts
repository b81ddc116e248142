/** The letters of codes: digits and capitals without I, L, O and U, which are taken for others (Crockford's Base32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 10;

/** The code of 50 bits, 10 letters. @param bytes at least 10; five bits of each count */
export const linkCode = (bytes: Uint8Array): string =>
  Array.from(bytes.subarray(0, LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');

/** The code as it was made, of one that was typed: in any case, with spaces and dashes, O for 0, I or L for 1. Undefined: it is none. */
export function readLinkCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1');
  return code.length === LENGTH && [...code].every((letter) => LETTERS.includes(letter)) ? code : undefined;
}

/** The address that a code opens. What follows the `#` is sent to no server, and so stands in no log. */
export const linkAddress = (at: string, code: string): string => `${at}/j#${code}`;

/** The server and the code in such an address, or in `host:port code`, as it may be typed. Undefined: it is none. */
export function readLinkAddress(text: string): { readonly at: string; readonly code: string } | undefined {
  const [, before = '', typed = ''] = /^(.*?)(?:\/j#|\s+)(.+)$/.exec(text.trim()) ?? [];
  const code = readLinkCode(typed);
  const at = /^https?:\/\//.test(before) ? before : `http://${before}`;
  return code !== undefined && before && URL.canParse(at) ? { at: new URL(at).origin, code } : undefined;
}
