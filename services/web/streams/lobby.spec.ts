import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Ask } from '../bus-client.ts';
import { createLobby } from './lobby.ts';

it('remembers of the newest thousand tables what a reader was sent, and no more', async () => {
  let move = (_: string): void => undefined;
  const lobby = createLobby({
    ask: (async (name: string, table: string) => (name === 'table.list' ? { tables: [] } : { summary: { table } })) as unknown as Ask,
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
  const leaving = new AbortController();
  const sent: string[] = [];
  const out = new PassThrough().on('data', (text) =>
    sent.push(...Array.from(String(text).matchAll(/"table":"(\w+)"/g), ([, table]) => table!)),
  );
  const sending = lobby.send(out, { signal: leaving.signal, until: undefined });
  for (let n = 0; n <= 1_000; n++) move(`t${n}`);
  await pollUntil('every table', () => sent.length === 1_001);
  move('t1000');
  move('t1');
  move('t0'); // the only one that is forgotten
  await pollUntil('the first table again', () => sent.length > 1_001);
  expect(sent.slice(1_001)).toEqual(['t0']);
  leaving.abort();
  await sending;
  lobby.close();
});
