import type { AuditEntry, AuditOutcome } from '@maw/store/ports/audit-log.ts';

/** The fields of a log line; fields called `token` are redacted there, so the id of the token gets another name. */
export const logFieldsOf = (entry: AuditEntry | AuditOutcome): object => {
  if (!('token' in entry)) return entry;
  const { token, ...rest } = entry;
  return { ...rest, tokenId: token };
};

/** A copy whose texts the database can store, each at most 300 characters. */
export const storable = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.slice(0, 300).toWellFormed().replaceAll('\0', '') : each)),
  ) as T;
