import type { IssuedToken, Tokens, RevocationTarget } from '../ports/tokens.ts';
import { storableCount, storableInstant, storableText } from './storable.ts';

/** @param isOpen throws when the store is closed */
export const validatedTokens = (permits: Tokens, isOpen: () => void): Tokens => ({
  async issue(permit) {
    isOpen();
    checkPermit(permit);
    return permits.issue(permit);
  },
  async renew(id, until, at) {
    isOpen();
    storableText(id, 'The id of a permit');
    storableInstant(until, 'Until when a permit holds');
    storableInstant(at, 'When a permit is renewed');
    return permits.renew(id, until, at);
  },
  async find(id) {
    isOpen();
    storableText(id, 'The id of a permit');
    return permits.find(id);
  },
  async list(about) {
    isOpen();
    storableInstant(about.at, 'The time of a list');
    storableCount(about.limit, 'The limit');
    if (about.before !== undefined) storableInstant(about.before, 'The number to list before');
    if (about.table !== undefined) storableText(about.table, 'The id of a table');
    return permits.list(about);
  },
  async revoke(what, until) {
    isOpen();
    checkRevoked(what);
    storableInstant(until, 'Until when a revocation is kept');
    return permits.revoke(what, until);
  },
  async revocations(after) {
    isOpen();
    storableInstant(after, 'The number to read after');
    return permits.revocations(after);
  },
  async prune(at) {
    isOpen();
    storableInstant(at, 'The time of forgetting');
    return permits.prune(at);
  },
});

function checkPermit({ id, role, table, seat, view, name, by, issued, until }: IssuedToken): void {
  for (const [text, what] of [
    [id, 'The id of a permit'],
    [role, 'The role of a permit'],
    [table, 'The table of a permit'],
    [view, 'The view of a permit'],
    [name, 'Who a permit is for'],
    [by, 'Who gave a permit out'],
  ] as const)
    if (text !== undefined) storableText(text, what);
  if (seat !== undefined) storableCount(seat, 'The seat of a permit');
  storableInstant(issued, 'When a permit was given out');
  storableInstant(until, 'Until when a permit holds');
}

function checkRevoked(what: RevocationTarget): void {
  if ('id' in what) return storableText(what.id, 'The id of a permit');
  storableText(what.table, 'The id of a table');
  if (what.seat !== undefined) storableCount(what.seat, `A seat of table ${what.table}`);
}
