import { expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { followTables } from './hosted-tables.ts';
import type { HostReport } from './host-report.ts';

it('plays on where a table cannot be followed, and says so', async () => {
  const notes: string[] = [];
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const tables = followTables({
    web: {
      async *follow() {
        yield* [];
        throw new Error('the machine is busy');
      },
    },
    report: { take: () => undefined, note: (text: string) => notes.push(text) } as unknown as HostReport,
    logs: undefined,
    fill: '(rules)',
    invite: async () => {
      throw new Error('no invitation');
    },
    finished,
    signal: new AbortController().signal,
  });
  const played = tables.played();
  tables.take({ type: 'began', set: 's', server: 0, agents: [] });
  await pollUntil('both notes', () => notes.length === 2);
  resolve();
  await played;
  expect(notes.toSorted()).toEqual([
    'Table s plays on, but is not followed: no invitation',
    'Table s plays on, but is not followed: the machine is busy',
  ]);
});

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
