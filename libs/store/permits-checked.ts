import type { Act, Audit, Permit, Permits, Revoked } from './permits.ts';
import { storableCount, storableInstant, storableJson, storableText } from './storable.ts';

/** @param isOpen throws when the store is closed */
export const checkedPermits = (permits: Permits, isOpen: () => void): Permits => ({
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
  async permit(id) {
    isOpen();
    storableText(id, 'The id of a permit');
    return permits.permit(id);
  },
  async permits(about) {
    isOpen();
    storableInstant(about.at, 'The time of a list');
    storableCount(about.limit, 'The limit');
    if (about.before !== undefined) storableInstant(about.before, 'The number to list before');
    if (about.table !== undefined) storableText(about.table, 'The id of a table');
    return permits.permits(about);
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
  async forget(at) {
    isOpen();
    storableInstant(at, 'The time of forgetting');
    return permits.forget(at);
  },
});

export const checkedAudit = (audit: Audit, isOpen: () => void): Audit => ({
  async write(act) {
    isOpen();
    checkAct(act);
    return audit.write(act);
  },
  async finish(what) {
    isOpen();
    for (const text of [what.id, what.outcome]) storableText(text, 'A field of what came of an act');
    storableInstant(what.at, 'When an act was over');
    storableJson(what.about, 'What an act was about');
    return audit.finish(what);
  },
  async acts(about) {
    isOpen();
    storableCount(about.limit, 'The limit');
    if (about.before !== undefined) storableInstant(about.before, 'The number to list before');
    return audit.acts(about);
  },
});

function checkPermit({ id, role, table, seat, view, name, by, issued, until }: Permit): void {
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

function checkRevoked(what: Revoked): void {
  if ('id' in what) return storableText(what.id, 'The id of a permit');
  storableText(what.table, 'The id of a table');
  if (what.seat !== undefined) storableCount(what.seat, `A seat of table ${what.table}`);
}

function checkAct({ id, at, who, token, from, what, about, outcome }: Act): void {
  for (const text of [id, who, token, from, what, outcome]) storableText(text, 'A field of an act');
  storableInstant(at, 'When something was done');
  storableJson(about, 'What an act was about');
}
