import { contracts } from '@maw/contracts/contracts.ts';

/** Messages about a table that no service can read, and what is said of each. */
export function unreadable(table: string): readonly { readonly what: string; readonly body: string; readonly error: RegExp }[] {
  const about = { id: `open-${table}`, source: 'web', subject: table, at: Date.now() };
  const seats = Array.from({ length: 3 }, () => ({ kind: 'mind' as const }));
  const good = contracts.write('table.open', { rules: 'maw', seats }, about);
  const text = JSON.stringify(good);
  return [
    { what: 'of an unknown type', body: JSON.stringify({ ...good, type: 'table.explode' }), error: /no contract is named table\.explode/ },
    { what: 'in broken JSON', body: text.slice(0, -20), error: /not JSON/ },
    { what: 'of a wrong version', body: JSON.stringify({ ...good, dataversion: 99 }), error: /version 99 is newer than 1/ },
  ];
}
