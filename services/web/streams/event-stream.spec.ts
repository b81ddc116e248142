import { afterEach, describe, expect, it } from '@jest/globals';
import { get, type IncomingMessage } from 'node:http';
import { pollUntil } from '@maw/async/poll-until.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { ADMIN, startTestWeb, type TestWeb, openStream } from '../web.suite.ts';
import type { WebOptions } from '../defaults.ts';

let here: TestWeb;
const begin = async (options: Partial<WebOptions> = {}) => {
  here = await startTestWeb({ busRequestMs: 60_000, ...options });
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
  here.addTable('t2', { rules: 'maw', seats: [{ kind: 'person' }] });
};
afterEach(() => here.close());

const EYES = [0, 1, 'audience', 'narrator'] as const;
const seat0 = () => here.mint({ role: 'seat', table: 't1', seat: 0 });
const happen = async (day: number) => {
  here.write('t1', EYES, { type: 'dawned', day }, `Day ${day} begins.`);
  await here.ring('t1');
};
const numbersTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);
const openStreams = async () => (await metrics.streams.get()).values.find(({ labels }) => labels.service === 'web')?.value ?? 0;

describe('sendEvents', () => {
  it('sends past and new events of the eye as server-sent events', async () => {
    await begin();
    here.write('t1', EYES, { type: 'dawned', day: 1 }, 'Day 1 begins.');
    here.write('t1', [1, 'narrator'], { type: 'told', role: 'wolf' });
    const reader = await openStream(here.url, '/tables/t1/events', await seat0());
    expect(reader.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await reader.has('seen', 1);
    await happen(2);
    await reader.has('seen', 2);
    expect(reader.of('seen')).toEqual([
      { event: 'seen', id: '1', data: { n: 1, at: 1_767_225_600_000, event: { type: 'dawned', day: 1 }, text: 'Day 1 begins.' } },
      { event: 'seen', id: '2', data: { n: 2, at: 1_767_225_600_000, event: { type: 'dawned', day: 2 }, text: 'Day 2 begins.' } },
    ]);
    expect(JSON.stringify(reader.sent)).not.toContain('wolf');
    await reader.cut();
  });

  it('sends what the seat may answer whenever that changes', async () => {
    await begin();
    const reader = await openStream(here.url, '/tables/t1/events', await seat0());
    await reader.has('asked', 1);
    expect(reader.of('asked')).toEqual([
      { event: 'asked', id: undefined, data: { asked: [], brief: '', alive: [true, true], life: 'Awake', holder: 'person' } },
    ]);
    await happen(1);
    await reader.has('seen', 1);
    here.tables.get('t1')!.asked.set(0, [{ id: 'q', verb: 'say', options: [], pick: 1, until: 1, final: false, maxChars: 500 }]);
    await happen(2);
    await reader.has('asked', 2);
    expect(reader.of('asked')[1]!.data.asked).toMatchObject([{ id: 'q' }]);
    expect(reader.sent.map(({ event }) => event)).toEqual(['asked', 'seen', 'seen', 'asked']);
    await reader.cut();
  });

  it('sends the clock to every eye at the beginning and when it changes, not when time passes', async () => {
    await begin();
    const table = here.tables.get('t1')!;
    table.clock = { now: 1, phase: 'round-1/day-1', until: 9 };
    const reader = await openStream(here.url, '/tables/t1/events?as=audience', ADMIN);
    await reader.has('clock', 1);
    table.clock = { ...table.clock, now: 2 };
    await happen(1);
    await reader.has('seen', 1);
    table.clock = { now: 3, phase: 'round-1/night-1', until: 20 };
    await here.ring('t1');
    await reader.has('clock', 2);
    expect(reader.of('clock').map(({ data }) => data)).toEqual([
      { now: 1, phase: 'round-1/day-1', until: 9 },
      { now: 3, phase: 'round-1/night-1', until: 20 },
    ]);
    await reader.cut();
  });

  it('sends no questions to the audience', async () => {
    await begin();
    const reader = await openStream(here.url, '/tables/t1/events', await here.mint({ role: 'spectator', table: 't1' }));
    await happen(1);
    await reader.has('seen', 1);
    expect(reader.of('asked')).toEqual([]);
    await reader.cut();
  });

  it('loses and repeats nothing when it is cut again and again', async () => {
    await begin();
    const token = await seat0();
    const last = 600;
    const going = (async () => {
      for (let day = 1; day <= last; day++) await happen(day);
    })();
    const read: number[] = [];
    for (let round = 0; read.length < last; round++) {
      // The address is sent again as it was: the header stands above it.
      const headers: Record<string, string> = read.length ? { 'Last-Event-ID': String(read.at(-1)) } : {};
      const reader = await openStream(here.url, '/tables/t1/events?after=0', token, headers);
      await reader.has('seen', Math.min(1 + ((round * 37) % 90), last - read.length));
      await reader.cut();
      read.push(...reader.numbers());
    }
    await going;
    expect(read).toEqual(numbersTo(last));
  });

  it('resumes after `after` or Last-Event-ID, and with what follows where these are ahead of the table', async () => {
    await begin();
    for (const day of numbersTo(4)) await happen(day);
    const [byQuery, byHeader] = [
      await openStream(here.url, '/tables/t1/events?after=2', ADMIN),
      await openStream(here.url, '/tables/t1/events?after=1', ADMIN, { 'Last-Event-ID': '3' }),
    ];
    await byQuery.has('seen', 2);
    await byHeader.has('seen', 1);
    expect([byQuery.numbers(), byHeader.numbers()]).toEqual([[3, 4], [4]]);
    await happen(5);
    await Promise.all([byQuery.has('seen', 3), byHeader.has('seen', 2)]);
    const byEnd = await openStream(here.url, '/tables/t1/events?after=5', ADMIN);
    await happen(6);
    await byEnd.has('seen', 1);
    expect([byQuery.numbers().slice(0, 3), byHeader.numbers().slice(0, 2), byEnd.numbers()]).toEqual([[3, 4, 5], [4, 5], [6]]);
    await Promise.all([byQuery.cut(), byHeader.cut(), byEnd.cut()]);
    const ahead = [
      await openStream(here.url, '/tables/t1/events?after=7', ADMIN),
      await openStream(here.url, '/tables/t1/events', ADMIN, { 'Last-Event-ID': '9999' }),
    ];
    await happen(7);
    for (const reader of ahead) {
      await reader.has('seen', 1);
      expect(reader.numbers()).toEqual([7]);
      await reader.cut();
    }
    await expect(openStream(here.url, '/tables/t1/events', ADMIN, { 'Last-Event-ID': 'x' })).rejects.toThrow('400');
  });

  it('polls for events without a notification', async () => {
    await begin({ pollMs: 20 });
    const reader = await openStream(here.url, '/tables/t1/events', ADMIN);
    here.write('t1', EYES, { type: 'dawned', day: 1 });
    await reader.has('seen', 1);
    await reader.cut();
  });

  it('reads no changed table without a watcher', async () => {
    await begin();
    const reader = await openStream(here.url, '/tables/t1/events', ADMIN);
    here.write('t2', [0], { type: 'dawned', day: 1 });
    await here.ring('t2');
    await happen(1);
    await reader.has('seen', 1);
    expect(here.heard('table.view').filter(({ subject }) => subject === 't2')).toEqual([]);
    await reader.cut();
  });

  it('survives a gamemaster that does not reply for a while', async () => {
    await begin({ busRequestMs: 100 });
    // A busy machine is also late while it opens.
    const reader = await pollUntil('the stream', () => openStream(here.url, '/tables/t1/events', ADMIN), { retryErrors: true });
    const release = here.hold();
    await happen(1);
    await pollUntil('word that the answer is late', () => reader.comments.includes('late'));
    release();
    await reader.has('seen', 1);
    expect(reader.numbers()).toEqual([1]);
    await reader.cut();
  });

  it('sends comments while nothing happens', async () => {
    await begin({ streamKeepAliveMs: 20 });
    const reader = await openStream(here.url, '/tables/t1/events', ADMIN);
    await pollUntil('three comments', () => reader.comments.length >= 3);
    expect(new Set(reader.comments)).toEqual(new Set(['still here']));
    await reader.cut();
  });

  it('ends with the table, after its last event', async () => {
    await begin();
    for (const day of numbersTo(250)) here.write('t1', EYES, { type: 'dawned', day });
    const reader = await openStream(here.url, '/tables/t1/events', await seat0());
    const table = here.tables.get('t1')!;
    await reader.has('seen', 250);
    Object.assign(table.summary, { stage: 'over', winners: [1] });
    await happen(251);
    await reader.ended();
    expect(reader.numbers()).toEqual(numbersTo(251));
    expect(reader.sent.at(-1)).toEqual({ event: 'over', id: undefined, data: { table: 't1', winners: [1] } });
    const again = await openStream(here.url, '/tables/t1/events', await seat0(), { 'Last-Event-ID': '251' });
    await again.ended();
    expect(again.sent.map(({ event }) => event)).toEqual(['asked', 'over']);
  });

  it('ends when the token expires', async () => {
    await begin();
    // A machine may be too busy to begin while the token lasts: then it is given one that lasts longer.
    const lasting = async (ms: number): ReturnType<typeof openStream> =>
      openStream(here.url, '/tables/t1/events', await here.mint({ role: 'seat', table: 't1', seat: 0 }, ms)).catch((error: unknown) => {
        if (ms > 60_000) throw error;
        return lasting(4 * ms);
      });
    const reader = await lasting(1_000);
    await reader.ended();
    expect(reader.of('over')).toEqual([]);
  });

  it('ends when the service closes', async () => {
    await begin();
    await happen(1);
    const reader = await openStream(here.url, '/tables/t1/events', ADMIN);
    await reader.has('seen', 1);
    await here.site.close();
    await reader.ended();
    expect(reader.of('over')).toEqual([]);
    expect(await openStreams()).toBe(0);
  });
});

describe('a stream of many tables', () => {
  const dawn = async (table: string, day: number) => {
    here.write(table, ['audience', 'narrator'], { type: 'dawned', day });
    await here.ring(table);
  };
  const seenOf = (reader: Awaited<ReturnType<typeof openStream>>, table: string) =>
    reader.of('seen').flatMap(({ data }) => (data.table === table ? [data.n] : []));

  it('sends the events of each in order, with an id from which it resumes', async () => {
    await begin();
    for (const day of [1, 2]) for (const table of ['t1', 't2']) await dawn(table, day);
    const reader = await openStream(here.url, '/events?tables=t1,t2:1', ADMIN);
    await reader.has('seen', 3);
    expect([seenOf(reader, 't1'), seenOf(reader, 't2')]).toEqual([[1, 2], [2]]);
    await dawn('t2', 3);
    await reader.has('seen', 4);
    expect(reader.of('seen')[3]).toEqual({
      event: 'seen',
      id: '2,3',
      data: { table: 't2', n: 3, at: 1_767_225_600_000, event: { type: 'dawned', day: 3 } },
    });
    await reader.cut();
    for (const table of ['t1', 't2']) await dawn(table, 4);
    const again = await openStream(here.url, '/events?tables=t1,t2:1', ADMIN, { 'Last-Event-ID': reader.of('seen')[3]!.id! });
    await again.has('seen', 2);
    expect([seenOf(again, 't1'), seenOf(again, 't2')]).toEqual([[3], [4]]);
    await again.cut();
  });

  it('goes on when a table is over or cannot be watched', async () => {
    await begin();
    const reader = await openStream(here.url, '/events?tables=t1,t9,t2:5', ADMIN);
    await reader.has('problem', 1);
    const problems = reader.of('problem').map(({ data }) => [data.table, [data.status, data.reason, data.detail]]);
    expect(Object.fromEntries(problems)).toEqual({
      t9: [404, 'unknown-game', 'there is no table t9'],
    });
    Object.assign(here.tables.get('t1')!.summary, { stage: 'over', winners: [1] });
    await dawn('t1', 1);
    await reader.has('over', 1);
    expect(reader.of('over')[0]!.data).toEqual({ table: 't1', winners: [1] });
    await reader.cut();
    const other = await openStream(here.url, '/events?tables=t1,t2', ADMIN);
    await other.has('over', 1);
    await dawn('t2', 1);
    await other.has('seen', 2);
    expect(seenOf(other, 't2')).toEqual([1]);
    await other.cut();
  });

  it('lets tables take turns: a long one does not hold up a short one', async () => {
    await begin();
    const long = Array.from({ length: 6 }, (_, i) => `long${i}`);
    for (const table of long) {
      here.addTable(table, { rules: 'maw', seats: [{ kind: 'person' }] });
      for (const day of numbersTo(200)) here.write(table, ['narrator'], { type: 'dawned', day });
    }
    here.write('t2', ['narrator'], { type: 'dawned', day: 1 });
    const reader = await openStream(here.url, `/events?tables=${long.join(',')},t2`, ADMIN);
    await reader.has('seen', 6 * 200 + 1);
    expect(reader.of('seen').findIndex(({ data }) => data.table === 't2')).toBeLessThan(600);
    for (const table of long) expect(seenOf(reader, table)).toEqual(numbersTo(200));
    await reader.cut();
  });

  it('is of the tables that the token permits, each named once, at most 200', async () => {
    await begin();
    const token = await seat0();
    const own = await openStream(here.url, '/events?tables=t2,t1', token);
    await own.has('asked', 1);
    await own.has('problem', 1);
    expect(own.of('problem').map(({ data }) => [data.table, data.status])).toEqual([['t2', 403]]);
    expect(own.of('asked')[0]!.data).toMatchObject({ table: 't1', asked: [] });
    await own.cut();
    const many = Array.from({ length: 201 }, (_, i) => `t${i}`).join(',');
    for (const [query, as, status, detail] of [
      ['tables=t2,t9', token, 403, 'this token does not permit watching t2'],
      ['tables=t1,t1', ADMIN, 400, 'query: tables: a table is named twice'],
      ['tables=t1:', ADMIN, 400, 'query: tables.0: t1 or t1:17, with commas between'],
      [`tables=${many}`, ADMIN, 400, 'query: tables: at most 200'],
    ] as const)
      expect((await here.get(`/events?${query}`, as)).body).toMatchObject({ status, detail });
    expect((await here.get('/events', ADMIN)).body.detail).toBe('query: tables: t1 or t1:17, with commas between');
    await expect(openStream(here.url, '/events?tables=t1,t2', ADMIN, { 'Last-Event-ID': '1' })).rejects.toThrow('a stream of 1 tables');
  });
});

describe('a reader that reads nothing', () => {
  it('is disconnected and can resume where it was', async () => {
    await begin({ slowReaderMs: 1_000 });
    const text = 'x'.repeat(8_000);
    const last = 2_000; // 16 MB: more than the socket buffers hold
    for (const day of numbersTo(last)) here.write('t1', EYES, { type: 'dawned', day }, text);
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${here.url}/tables/t1/events`, { headers: { Authorization: `Bearer ${ADMIN}` } }, resolve).on('error', reject);
    });
    response.pause();
    let isGone = false;
    await pollUntil('the end of the slow stream', () => {
      void openStreams().then((count) => (isGone = count === 0));
      return isGone;
    });
    let raw = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (raw += chunk));
    await new Promise((resolve) =>
      response
        .on('error', () => undefined)
        .on('close', resolve)
        .resume(),
    );
    expect(response.complete).toBe(false); // cut off, not ended
    const whole = raw.slice(0, raw.lastIndexOf('\n\n'));
    const read = [...whole.matchAll(/^id: (\d+)$/gm)].map(([, n]) => Number(n));
    expect(read.length).toBeLessThan(last);
    Object.assign(here.tables.get('t1')!.summary, { stage: 'over', winners: [1] });
    while (read.at(-1) !== last) {
      // A busy machine may read too slowly more than once.
      const rest = await openStream(here.url, '/tables/t1/events', ADMIN, { 'Last-Event-ID': String(read.at(-1) ?? 0) });
      await rest.ended();
      read.push(...rest.numbers());
    }
    expect(read).toEqual(numbersTo(last));
  }, 600_000);
});

describe('stream quota', () => {
  it('limits the streams of one token until one closes', async () => {
    await begin({ maxStreamsPerToken: 2 });
    const token = await seat0();
    const [one, two] = [await openStream(here.url, '/tables/t1/events', token), await openStream(here.url, '/tables/t1/events', token)];
    const full = await here.get('/tables/t1/events', token);
    expect(full).toMatchObject({ status: 429, body: { reason: 'limited' } });
    expect(full.headers.get('retry-after')).toMatch(/^\d+$/);
    const other = await openStream(here.url, '/tables/t1/events', await seat0()); // another token of the same seat
    await one.cut();
    let reader: Awaited<ReturnType<typeof openStream>> | undefined;
    await pollUntil('a free place', () => {
      void openStream(here.url, '/tables/t1/events', token).then(
        (again) => (reader ??= again),
        () => undefined,
      );
      return reader !== undefined;
    });
    await Promise.all([two.cut(), other.cut(), reader!.cut()]);
  });

  it('limits all streams, and refusals take no slot', async () => {
    await begin({ maxStreams: 1 });
    for (let i = 0; i < 3; i++) expect((await here.get('/tables/t9/events', ADMIN)).status).toBe(404);
    expect((await here.raw('HEAD', '/tables/t1/events', undefined, { Authorization: `Bearer ${ADMIN}` })).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await here.get('/tables/t1/tape', ADMIN)).status).toBe(200);
    const reader = await openStream(here.url, '/tables/t1/events', ADMIN);
    expect((await here.get('/tables/t1/events', await seat0())).status).toBe(429);
    expect((await here.get('/tables/t1/tape', await seat0())).status).toBe(429);
    await reader.cut();
  });
});
