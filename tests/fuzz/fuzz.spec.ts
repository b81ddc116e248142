import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import { asData, fromData, fuzz } from './fuzz.ts';
import { type Letter, letterOf, type Names } from './letter.ts';
import { requestOf } from './request.ts';

const minute = 60_000;
const names: Names = {
  tables: ['t1', 't2'],
  questions: ['round-1/day-1/vote'],
  rooms: ['round-1/day-1/Village'],
  options: ['seat:1'],
  server: 'http://127.0.0.1:9',
};

describe('all services together', () => {
  it(
    'take whatever is sent to them: nothing crashes, nothing changes that may not, everything is answered and counted',
    async () => {
      // As a process of its own, which a rejection that nobody handles would end.
      const { code, out, err } = await new Promise<{ code: number; out: string; err: string }>((resolve) => {
        const args = [
          '--no-warnings',
          join(import.meta.dirname, '../../apps/cli/main.ts'),
          'bench',
          'fuzz',
          '--messages',
          '1000',
          '--seed',
          'spec',
          '--json',
        ];
        execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, out: stdout, err: stderr }),
        );
      });
      expect([code, code ? err.slice(0, 20_000) : '']).toEqual([0, '']);
      const done = JSON.parse(out) as Awaited<ReturnType<typeof fuzz>>;
      expect(done).toMatchObject({ letters: 1000, requests: 50, wrong: 0 });
      // They were taken seriously: some were done, some refused, some could not be read, some were forged, some too late.
      for (const outcome of ['done', 'refused', 'dead', 'dropped'])
        expect([outcome, (done.outcomes[outcome] ?? 0) > 10]).toEqual([outcome, true]);
      expect(done.outcomes['late']).toBeGreaterThan(0); // how many depends on the machine
      expect(done.outcomes['retried'] ?? 0).toBe(0);
      for (const status of ['200', '400', '401', '404', '405']) expect([status, (done.statuses[status] ?? 0) > 0]).toEqual([status, true]);
      expect(done.statuses['500']).toBeUndefined();
    },
    2 * minute,
  );
});

describe('what is looked for', () => {
  it(
    'is found when it is there: an event from nowhere, an act that the rules do not make, silence, a failure in the log, a letter buried in secret',
    async () => {
      const { wrong } = await fuzz({
        seed: 'planted',
        letters: 60,
        signal: new AbortController().signal,
        plant(town) {
          const { hub, store, names: there, sealed, lines } = town;
          const sneak = async (table: string) => {
            const tape = await store.tapes.read(table);
            const { summary } = (await store.tapes.list({ limit: 100 })).find((one) => one.table === table)!;
            await store.tapes.append(
              table,
              tape.length,
              [{ type: 'answered', question: 'round-1/day-1/talk', answer: { by: 0, says: ['I never said so.'] }, at: 1 } as never],
              {
                at: Date.now(),
                cause: 'nobody',
                wake: undefined,
                summary,
              },
            );
          };
          void sneak(sealed[0]!);
          void sneak(there.tables[1]!);
          lines.push({ level: 'error', service: 'web', message: 'a request failed' });
          hub.dead.push({ id: 'x', type: 'x', queue: 'x', reason: 'failed', error: '', at: 0, attempts: 1, body: Buffer.alloc(0) });
          // Every fifth letter is lost on the way.
          const { post } = hub;
          let count = 0;
          Object.assign(hub, { post: (...letter: Parameters<typeof post>) => void (count++ % 5 && post(...letter)) });
        },
      });
      for (const what of [
        /^something was written of sealed-maw, which nothing was said of/,
        /^fuzz-aiwolf: event \d+ \(answered\) follows from nothing that was said/,
        /^the log says .*a request failed/,
        /^\d+ letters were buried and \d+ counted as dead/,
        /^nobody answered: /,
        /^it was one of these letters: 0 to 59 of seed planted\n\{"n":0,/,
      ])
        expect([String(what), wrong.some((line) => what.test(line))]).toEqual([String(what), true]);
    },
    minute,
  );
});

describe('letters', () => {
  const all = Array.from({ length: 3_000 }, (_, n) => letterOf('s', n, names, 1_767_225_600_000));

  it('are the same for the same seed, and others for another', () => {
    const plain = (letter: Letter) => asData(letter).replaceAll(/reply\.[\w.-]+/g, '');
    expect(all.slice(0, 300).map(plain)).toEqual(Array.from({ length: 300 }, (_, n) => plain(letterOf('s', n, names, 1_767_225_600_000))));
    expect(plain(all[0]!)).not.toBe(plain(letterOf('other', 0, names, 1_767_225_600_000)));
  });

  it('can be printed and sent again', () => {
    for (const letter of all.slice(0, 300)) expect(asData(fromData(asData(letter)))).toBe(asData(letter));
  });

  it('are of every kind, whole ones too, and nothing is spared', () => {
    for (const { name } of contracts.all) expect(all.some(({ how }) => how === name)).toBe(true);
    for (const what of ['data', 'envelope', 'whole', 'bytes', 'user', 'queue', 'asker', 'headers'])
      expect(all.filter(({ how }) => how.split(' ').includes(what)).length).toBeGreaterThan(50);
    expect(all.some(({ parcel }) => parcel.body.length > 2 ** 20 - 10)).toBe(true);
    expect(all.some(({ parcel }) => parcel.body.includes('"__proto__"'))).toBe(true);
    expect(all.some(({ parcel }) => parcel.body.length === 0)).toBe(true);
  });
});

describe('requests', () => {
  it('are the same for the same seed, of every route, and wrong in every way', () => {
    const town = { names, webPort: 1, doorPort: 2 };
    const all = Array.from({ length: 1_000 }, (_, n) => requestOf('s', n, town));
    expect(requestOf('s', 17, town)).toEqual(all[17]);
    for (const what of [
      'body',
      'bytes',
      'method',
      'path',
      'header',
      'chunked',
      'wrong chunks',
      'a length too long',
      'a length too short',
      'two lengths',
      'slow',
      'half a head',
      'more behind it',
      'noise',
    ])
      expect([what, all.some(({ how }) => how.split(', ').includes(what))]).toEqual([what, true]);
    expect(new Set(all.map(({ how }) => how.split(', ')[0])).size).toBe(33);
  });
});
