import type { AuditEntry, AuditLog } from '../ports/audit-log.ts';
import { storableCount, storableInstant, storableJson, storableText } from './storable.ts';

/** @param isOpen throws when the store is closed */
export const validatedAuditLog = (audit: AuditLog, isOpen: () => void): AuditLog => ({
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
  async list(about) {
    isOpen();
    storableCount(about.limit, 'The limit');
    if (about.before !== undefined) storableInstant(about.before, 'The number to list before');
    return audit.list(about);
  },
});

function checkAct({ id, at, who, token, from, what, about, outcome }: AuditEntry): void {
  for (const text of [id, who, token, from, what, outcome]) storableText(text, 'A field of an act');
  storableInstant(at, 'When something was done');
  storableJson(about, 'What an act was about');
}
