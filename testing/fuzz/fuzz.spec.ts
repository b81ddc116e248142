import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import { goingOn, readFuzz } from '../bench/fuzz/fuzz.ts';
import { fuzz } from './fuzz.ts';
import { asData, fromData, type RandomMessage, randomMessage, type Names } from './random-message.ts';
import { mutated, wrongBytes } from './mutate.ts';
import { randomRequest } from './random-request.ts';
import { type Closed, leaks } from './memory-growth.ts';

const LONG_MS = 600_000;
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
          join(import.meta.dirname, '../main.ts'),
          'bench',
          'fuzz',
          '--messages',
          '1500',
          '--from',
          '700',
          '--town',
          '500',
          '--jobs',
          '2',
          '--seed',
          'spec',
          '--json',
        ];
        execFile(process.execPath, args, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, out: stdout, err: stderr }),
        );
      });
      expect([code, code ? err.slice(0, 20_000) : '']).toEqual([0, '']);
      expect(err).toContain('begins with message 500, the first of the town of 700');
      const done = JSON.parse(out) as Awaited<ReturnType<typeof fuzz>>;
      expect(done).toMatchObject({ from: 500, letters: 1000, requests: 50, towns: 2, wrong: 0 });
      expect(done.weights.map((mine) => mine.length)).toEqual([1, 1]);
      // They were taken seriously: some were done, some refused, some could not be read, some were forged, some too late.
      for (const outcome of ['done', 'refused', 'dead', 'dropped'])
        expect([outcome, (done.outcomes[outcome] ?? 0) > 10]).toEqual([outcome, true]);
      expect(done.outcomes['late']).toBeGreaterThan(0); // how many depends on the machine
      // Each that was buried has its reason.
      expect(Object.entries(done.reasons).reduce((sum, [why, n]) => sum + (why.startsWith('dead: ') ? n : 0), 0)).toBe(
        done.outcomes['dead'],
      );
      for (const status of ['200', '400', '401', '404', '405']) expect([status, (done.statuses[status] ?? 0) > 0]).toEqual([status, true]);
      expect(done.statuses['500']).toBeUndefined();
    },
    LONG_MS,
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
    LONG_MS,
  );

  it(
    'is kept of no letter beyond its town; and the letters of a town are the same when it is the first',
    async () => {
      const run = async (from: number, kept?: unknown[]) => {
        const posted: string[] = [];
        const done = await fuzz({
          seed: 'towns',
          letters: 60,
          from,
          town: 20,
          signal: new AbortController().signal,
          plant({ hub }) {
            const { post } = hub;
            Object.assign(hub, {
              post(to: RandomMessage['to'], parcel: RandomMessage['parcel']) {
                posted.push(`${parcel.id} ${parcel.type} ${parcel.replyTo}`);
                kept?.push(Array.from({ length: 100_000 }, (_, i) => i + 0.5)); // 800 kB of each letter, for as long as the process lives
                post(to, parcel);
              },
            });
          },
        });
        return { done, posted };
      };
      const kept: unknown[] = [];
      const [all, last] = [await run(0, kept), await run(40)];
      expect(all.done).toMatchObject({ letters: 60, requests: 3, towns: 3 });
      expect(kept).toHaveLength(60);
      expect(all.done.wrong).toEqual([
        expect.stringMatching(/^something is kept beyond its town: \d+\.\d MiB of heap and buffers after the second/),
      ]);
      expect(last.done).toMatchObject({ letters: 20, requests: 1, towns: 1, wrong: [] });
      expect(last.posted).toEqual(all.posted.slice(40));
    },
    LONG_MS,
  );

  it('is a leak from a bound on, in whatever is weighed, from the second town to the last', () => {
    const weight = { mib: 100, labels: 1_000, open: 3, listeners: 5 };
    const towns = (more: Partial<typeof weight>): Closed[] => [
      { letters: 20_000, weight: { mib: 10, labels: 10, open: 1, listeners: 1 } },
      { letters: 40_000, weight },
      { letters: 40_000 + 2 ** 17, weight: { ...weight, ...more } },
    ];
    for (const [most, over] of [
      [{ mib: 107 }, { mib: 107.01 }],
      [{ labels: 1_700 }, { labels: 1_701 }],
      [{ open: 23 }, { open: 24 }],
      [{ listeners: 5 }, { listeners: 6 }],
    ] as const)
      expect([leaks(towns(most)).length, leaks(towns(over)).length, leaks(towns(over).slice(1)).length]).toEqual([0, 1, 0]);
  });
});

describe('maw bench fuzz', () => {
  it('goes on with the first message of a town', () => {
    const args = ['--messages', '90', '--from', '20', '--town', '20', '--seed', 's'];
    expect(goingOn(args, 60)).toBe('--messages 90 --town 20 --seed s --from 60');
    expect(goingOn(['--from=20'], 60)).toBe('--from 60');
    expect(readFuzz(args)).toMatchObject({ messages: 90, from: 20, askedFrom: 20, town: 20 });
    expect(readFuzz([...args, '--from', '59'])).toMatchObject({ from: 40, askedFrom: 59 });
    expect(readFuzz([...args, '--from', '89'])).toMatchObject({ from: 80 });
    expect(readFuzz([...args, '--from', '90'])).toBe('--from: 90 messages end before 90; --messages counts from the very first.');
    expect(readFuzz(['--town', '0'])).toBe('--town: a whole number from 1 is wanted.');
  });
});

describe('letters', () => {
  const all = Array.from({ length: 3_000 }, (_, n) => randomMessage('s', n, names, 1_767_225_600_000));

  it('are the same for the same seed, and others for another', () => {
    const plain = (letter: RandomMessage) => asData(letter).replaceAll(/reply\.[\w.-]+/g, '');
    expect(all.slice(0, 300).map(plain)).toEqual(
      Array.from({ length: 300 }, (_, n) => plain(randomMessage('s', n, names, 1_767_225_600_000))),
    );
    expect(plain(all[0]!)).not.toBe(plain(randomMessage('other', 0, names, 1_767_225_600_000)));
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

describe('copies', () => {
  const MEBIBYTE = 2 ** 20;
  /** Dice that fall as they are told to. */
  const falling = (...faces: readonly number[]): Dice => {
    const left = [...faces];
    return { below: () => left.shift()!, pick: ([first]) => first, shuffle: (items) => [...items] };
  };
  /** A text that is so many bytes of JSON. */
  const text = (bytes: number): string => 'x'.repeat(bytes - 2);
  const [ONCE, COPY, SAME_KIND, DOUBLED, EMPTIED] = [1, 1, 4, 0, 1];

  it.each([
    [200, Math.floor(MEBIBYTE / 200)],
    [199, Math.floor(MEBIBYTE / 200) + 1],
    [1, MEBIBYTE],
    [0, MEBIBYTE + 1],
  ])('are %i of what has %i bytes of JSON: a mebibyte at most', (copies, bytes) => {
    const many = mutated([text(bytes)], falling(ONCE, 1, COPY, 199)) as string[];
    expect(many.length).toBe(1 + copies);
    expect(new Set(many).size).toBe(1);
    const one = mutated({ a: text(bytes) }, falling(ONCE, 1, COPY)) as object;
    expect(Object.keys(one)).toEqual(copies ? ['a', 'a '] : ['a']);
    // a list is doubled when all of it is so short
    const list = mutated([text(bytes - 2)], falling(ONCE, 0, SAME_KIND, DOUBLED)) as string[];
    expect(list.length).toBe(copies ? 2 : 1);
    expect(new Set(list).size).toBe(1);
    expect(mutated([text(bytes - 2)], falling(ONCE, 0, SAME_KIND, EMPTIED))).toEqual([]);
  });

  it('of copies of copies stay in bounds too', () => {
    // five times, the innermost list first: 200 ** 5 copies otherwise
    const faces = [5, 4, 3, 2, 1].flatMap((place) => [place, COPY, 199]);
    const grown = JSON.stringify(mutated([[[[['x'.repeat(5_000)]]]]], falling(0, 3, ...faces))).length;
    expect(grown).toBeGreaterThan(MEBIBYTE);
    expect(grown).toBeLessThan(6 * MEBIBYTE);
  });

  it('of a text that is too long already are not made as long as is taken in', () => {
    const long = JSON.stringify({ a: text(MEBIBYTE) });
    expect(wrongBytes(long, falling(0, 8, 0, 2)).toString()).toBe(`${long.slice(0, -1)},"pad":"xx"}`);
    for (const more of [0, 1, 2]) expect(wrongBytes('{"a":1}', falling(0, 8, 0, more)).length).toBe(MEBIBYTE - 1 + more);
  });
});

describe('requests', () => {
  it('are the same for the same seed, of every route, and wrong in every way', () => {
    const town = { names, webPort: 1, doorPort: 2 };
    const all = Array.from({ length: 1_000 }, (_, n) => randomRequest('s', n, town));
    expect(randomRequest('s', 17, town)).toEqual(all[17]);
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
