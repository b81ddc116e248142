import { expect, it } from '@jest/globals';
import { followTables } from './hosted-tables.ts';
import type { HostReport } from './host-report.ts';

it('fails with the reason when a table is refused: its agents would be sent away each time', async () => {
  const tables = followTables({
    web: {} as never,
    report: { take: () => undefined } as unknown as HostReport,
    logs: undefined,
    fill: '(rules)',
    invite: undefined,
    finished: new Promise(() => undefined),
    signal: new AbortController().signal,
  });
  const played = tables.played();
  tables.take({ type: 'refused', set: 's', reason: 'bad-option', detail: 'no recipe is called fox' });
  await expect(played).rejects.toThrow('the table of the game cannot be opened: no recipe is called fox');
});
