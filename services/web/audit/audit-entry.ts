import type { AuditEntry, AuditOutcome } from '@maw/store/ports/audit-log.ts';

/** As it stands in the log of this process, which shows nothing that is called a token. */
export const logFieldsOf = (entry: AuditEntry | AuditOutcome): object => {
  if (!('token' in entry)) return entry;
  const { token, ...rest } = entry;
  return { ...rest, tokenId: token };
};

/** The same with texts that can be kept, none of them long. */
export const storable = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? each.slice(0, 300).toWellFormed().replaceAll('\0', '') : each)),
  ) as T;
