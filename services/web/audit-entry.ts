import type { Act, Finish } from '@maw/store/permits.ts';

/** As it stands in the log of this process, which shows nothing that is called a token. */
export const lineOf = (entry: Act | Finish): object => {
  if (!('token' in entry)) return entry;
  const { token, ...rest } = entry;
  return { ...rest, tokenId: token };
};

/** The same with texts that can be kept, none of them long. */
export const plain = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.slice(0, 300).toWellFormed().replaceAll('\0', '') : each)),
  ) as T;
