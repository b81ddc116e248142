import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Ask } from '../bus-client.ts';
import { createLobby } from './lobby.ts';

it('sends no reader a table that moved and shows no change, however many others were sent since', async () => {
  let move = (_: string): void => undefined;
  let free = 1;
  const lobby = createLobby({
    ask: (async (name: string, table: string) => (name === 'table.list' ? { tables: [] } : { summary: { table, free } })) as unknown as Ask,
    changes: {
      onMoved(listener) {
        move = listener;
        return () => undefined;
      },
      version: () => 1,
      watch() {
        throw new Error('the lobby watches no table');
      },
      close: async () => undefined,
    },
    now: Date.now,
    lobbyEveryMs: 0,
    pollMs: 3_600_000,
    streamKeepAliveMs: 3_600_000,
    slowReaderMs: 3_600_000,
  });
  const [leaving, returning] = [new AbortController(), new AbortController()];
  const readers = [leaving, leaving, returning].map(({ signal }) => {
    const sent: string[] = [];
    const out = new PassThrough().on('data', (text) =>
      sent.push(...Array.from(String(text).matchAll(/"table":"(\w+)"/g), ([, table]) => table!)),
    );
    return { sent, open: () => lobby.send(out, { signal, until: undefined }) };
  });
  const [early, late, again] = readers as [(typeof readers)[0], (typeof readers)[0], (typeof readers)[0]];
  const sending = [early.open()];
  for (let n = 0; n <= 1_000; n++) move(`t${n}`);
  await pollUntil('every table', () => early.sent.length === 1_001);
  sending.push(late.open());
  for (const table of ['t0', 't1', 't1000']) move(table);
  move('new');
  await pollUntil('the new table', () => early.sent.length > 1_001 && late.sent.length > 0);
  free = 0;
  move('t0');
  await pollUntil('the first table again', () => late.sent.length > 1);
  expect([early.sent.slice(1_001), late.sent]).toEqual([
    ['new', 't0'],
    ['new', 't0'],
  ]);
  leaving.abort();
  await Promise.all(sending);
  const reading = again.open();
  move('t0'); // it changed and changed back while there was no reader
  await pollUntil('the table to the new reader', () => again.sent.length > 0);
  returning.abort();
  await reading;
  lobby.close();
});
