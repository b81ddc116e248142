import type { AuditEntry, AuditOutcome } from '@maw/store/ports/audit-log.ts';

/** The fields of a log line; fields called `token` are redacted there, so the id of the token gets another name. */
export const logFieldsOf = (entry: AuditEntry | AuditOutcome): object => {
  if (!('token' in entry)) return entry;
  const { token, ...rest } = entry;
  return { ...rest, tokenId: token };
};
