import { describe, expect, it } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import { runFuzzWorkers } from '@maw/bench/fuzz/worker-pool.ts';
import { fuzz, sessionsOf } from './fuzz.ts';
import type { FuzzedSystem } from './fuzzed-system.ts';
import { asData, fromData, type RandomMessage, randomMessage, type Names } from './random-message.ts';
import { mutated, wrongBytes } from './mutate.ts';
import { randomRequest } from './random-request.ts';
import { type ClosedSession, findGrowth } from './memory-growth.ts';

const LONG_MS = 600_000;
const names: Names = {
  tables: ['t1', 't2'],
  questions: ['round-1/day-1/vote'],
  rooms: ['round-1/day-1/Village'],
  options: ['seat:1'],
  server: 'http://127.0.0.1:9',
};

describe('fuzzing', () => {
  it(
    'finds no failure in the services',
    async () => {
      // In a child process, which an unhandled rejection would end.
      const sessions = sessionsOf({ seed: 'spec', messages: 1_000, from: 500, sessionSize: 500 });
      const result = await runFuzzWorkers(sessions, { size: 1, signal: new AbortController().signal, report: () => {} });
      expect(result).toMatchObject({ wrong: [], messages: 500, requests: 25, sessions: 1, next: undefined });
      for (const outcome of ['done', 'refused', 'dead', 'dropped'])
        expect([outcome, (result.outcomes[outcome] ?? 0) > 5]).toEqual([outcome, true]);
      // Each dead letter has a reason.
      expect(Object.entries(result.reasons).reduce((sum, [why, n]) => sum + (why.startsWith('dead: ') ? n : 0), 0)).toBe(
        result.outcomes['dead'],
      );
      for (const status of ['200', '400', '401']) expect([status, (result.statuses[status] ?? 0) > 0]).toEqual([status, true]);
      expect(result.statuses['500']).toBeUndefined();
    },
    LONG_MS,
  );

  it(
    'finds planted faults: foreign events, illegal events, silence, log errors, uncounted dead letters',
    async () => {
      const { wrong } = await fuzz({ seed: 'planted', messages: 60, signal: new AbortController().signal, plant: plantFaults });
      for (const what of [
        /^sealed-maw was written to, but no message named it/,
        /^fuzz-aiwolf: event \d+ \(answered\) follows from no command/,
        /^unexpected log line .*a request failed/,
        /^\d+ messages were dead-lettered and \d+ counted as dead/,
        /^not answered: /,
        /^the cause is among messages 0 to 59 of seed planted\n\{"n":0,/,
      ])
        expect([String(what), wrong.some((line) => what.test(line))]).toEqual([String(what), true]);
    },
    LONG_MS,
  );

  it(
    'finds a planted memory leak over three sessions, reproducible from any session',
    async () => {
      const kept: unknown[] = [];
      const [all, last] = [await postedFrom(0, kept), await postedFrom(40)];
      expect(all.result).toMatchObject({ messages: 60, requests: 3, sessions: 3 });
      expect(kept).toHaveLength(60);
      expect(all.result.wrong).toEqual([expect.stringMatching(/^leak: \d+\.\d MiB of heap and buffers after the second session/)]);
      expect(last.result).toMatchObject({ messages: 20, requests: 1, sessions: 1, wrong: [] });
      expect(last.posted).toEqual(all.posted.slice(40));
    },
    LONG_MS,
  );
});

function plantFaults({ hub, store, names: there, sealed, lines }: FuzzedSystem): void {
  const forge = async (table: string) => {
    const tape = await store.tapes.read(table);
    const { summary } = (await store.tapes.list({ limit: 100 })).find((one) => one.table === table)!;
    const event = { type: 'answered', question: 'round-1/day-1/talk', answer: { by: 0, says: ['I never said so.'] }, at: 1 };
    await store.tapes.append(table, tape.length, [event as never], { at: Date.now(), cause: 'nobody', wake: undefined, summary });
  };
  void forge(sealed.find((table) => table === 'sealed-maw')!);
  void forge(there.tables.find((table) => table === 'fuzz-aiwolf')!);
  lines.push({ level: 'error', service: 'web', message: 'a request failed' });
  hub.dead.push({ id: 'x', type: 'x', queue: 'x', reason: 'failed', error: '', at: 0, attempts: 1, body: Buffer.alloc(0) });
  // Every fifth message is lost.
  const { post } = hub;
  let count = 0;
  Object.assign(hub, { post: (...given: Parameters<typeof post>) => void (count++ % 5 && post(...given)) });
}

/** Fuzzes messages `from` to 59 in sessions of 20. `leak`: retains 800 kB per message. */
async function postedFrom(from: number, leak?: unknown[]) {
  const posted: string[] = [];
  const plant = ({ hub }: FuzzedSystem): void => {
    const { post } = hub;
    Object.assign(hub, {
      post(to: RandomMessage['to'], parcel: RandomMessage['parcel']) {
        posted.push(`${parcel.id} ${parcel.type} ${parcel.replyTo}`);
        leak?.push(new Float64Array(100_000));
        post(to, parcel);
      },
    });
  };
  const result = await fuzz({ seed: 'towns', messages: 60, from, sessionSize: 20, signal: new AbortController().signal, plant });
  return { result, posted };
}

describe('findGrowth', () => {
  it('reports growth beyond each tolerance, from the second session to the last', () => {
    const weight = { mib: 100, labels: 1_000, open: 3, listeners: 5 };
    const sessions = (more: Partial<typeof weight>): ClosedSession[] => [
      { messages: 20_000, weight: { mib: 10, labels: 10, open: 1, listeners: 1 } },
      { messages: 40_000, weight },
      { messages: 40_000 + 2 ** 17, weight: { ...weight, ...more } },
    ];
    for (const [most, beyond] of [
      [{ mib: 107 }, { mib: 107.01 }],
      [{ labels: 1_700 }, { labels: 1_701 }],
      [{ open: 23 }, { open: 24 }],
      [{ listeners: 5 }, { listeners: 6 }],
    ] as const)
      expect([most, beyond].map((more) => findGrowth(sessions(more)).length)).toEqual([0, 1]);
    expect(findGrowth(sessions({ mib: 200 }).slice(1))).toEqual([]);
  });
});

describe('random messages', () => {
  const all = Array.from({ length: 1_200 }, (_, n) => randomMessage('s', n, names, 1_767_225_600_000));

  it('are the same for the same seed, and differ between seeds', () => {
    const plain = (message: RandomMessage) => asData(message).replaceAll(/reply\.[\w.-]+/g, '');
    expect(all.slice(0, 100).map(plain)).toEqual(
      Array.from({ length: 100 }, (_, n) => plain(randomMessage('s', n, names, 1_767_225_600_000))),
    );
    expect(plain(all[0]!)).not.toBe(plain(randomMessage('other', 0, names, 1_767_225_600_000)));
  });

  it('survive printing and parsing', () => {
    for (const message of all.slice(0, 100)) expect(asData(fromData(asData(message)))).toBe(asData(message));
  });

  it('cover every contract and every mutation', () => {
    for (const { name } of contracts.all) expect(all.some(({ how }) => how === name)).toBe(true);
    for (const what of ['data', 'envelope', 'whole', 'bytes', 'user', 'queue', 'asker', 'headers'])
      expect(all.filter(({ how }) => how.split(' ').includes(what)).length).toBeGreaterThan(15);
    expect(all.some(({ parcel }) => parcel.body.includes('"__proto__"'))).toBe(true);
    expect(all.some(({ parcel }) => parcel.body.length === 0)).toBe(true);
  });
});

describe('mutation by copying', () => {
  const MEBIBYTE = 2 ** 20;
  /** Dice that return these numbers. */
  const falling = (...faces: readonly number[]): Dice => {
    const left = [...faces];
    return { below: () => left.shift()!, pick: ([first]) => first, shuffle: (items) => [...items] };
  };
  /** A text of this many bytes of JSON. */
  const text = (bytes: number): string => 'x'.repeat(bytes - 2);
  const [ONCE, COPY, SAME_KIND, DOUBLED, EMPTIED] = [1, 1, 4, 0, 1];

  it.each([
    [200, Math.floor(MEBIBYTE / 200)],
    [199, Math.floor(MEBIBYTE / 200) + 1],
    [1, MEBIBYTE],
    [0, MEBIBYTE + 1],
  ])('makes %i copies of %i bytes of JSON, at most a mebibyte', (copies, bytes) => {
    const many = mutated([text(bytes)], falling(ONCE, 1, COPY, 199)) as string[];
    expect(many.length).toBe(1 + copies);
    expect(new Set(many).size).toBe(1);
    const one = mutated({ a: text(bytes) }, falling(ONCE, 1, COPY)) as object;
    expect(Object.keys(one)).toEqual(copies ? ['a', 'a '] : ['a']);
    // a whole list this short is doubled
    const list = mutated([text(bytes - 2)], falling(ONCE, 0, SAME_KIND, DOUBLED)) as string[];
    expect(list.length).toBe(copies ? 2 : 1);
    expect(new Set(list).size).toBe(1);
    expect(mutated([text(bytes - 2)], falling(ONCE, 0, SAME_KIND, EMPTIED))).toEqual([]);
  });

  it('stays in bounds with copies of copies', () => {
    // five times, innermost list first: 200 ** 5 copies otherwise
    const faces = [5, 4, 3, 2, 1].flatMap((place) => [place, COPY, 199]);
    const grown = JSON.stringify(mutated([[[[['x'.repeat(5_000)]]]]], falling(0, 3, ...faces))).length;
    expect(grown).toBeGreaterThan(MEBIBYTE);
    expect(grown).toBeLessThan(6 * MEBIBYTE);
  });

  it('does not pad a text that is already too long', () => {
    const long = JSON.stringify({ a: text(MEBIBYTE) });
    expect(wrongBytes(long, falling(0, 8, 0, 2)).toString()).toBe(`${long.slice(0, -1)},"pad":"xx"}`);
    for (const more of [0, 1, 2]) expect(wrongBytes('{"a":1}', falling(0, 8, 0, more)).length).toBe(MEBIBYTE - 1 + more);
  });
});

describe('random requests', () => {
  it('are the same for the same seed, and cover every route and mutation', () => {
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
