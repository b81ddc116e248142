import { describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryAuditLog } from '@maw/store/memory/audit-log.ts';
import type { AuditLog } from '@maw/store/ports/audit-log.ts';
import { logger } from '@maw/telemetry/log.ts';
import { auditTrail } from './audit-trail.ts';

const act = { at: 1, who: 'ann', token: 'k1', from: '127.0.0.1', what: 'POST /tables', about: { table: 't' } };
const done = { about: { rules: 'maw' }, outcome: 'done' };
const UNAVAILABLE = { reason: 'unavailable', headers: { 'Retry-After': '5' } };

const INCOMPLETE = 'audit log incomplete: these acts are only in the lines of this log';

type Times = NonNullable<Parameters<typeof auditTrail>[0]['times']>;

function trailOn(audit: Pick<AuditLog, 'write' | 'finish'>, times: Times = {}) {
  const lines: string[] = [];
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const trail = auditTrail({ audit, log, now: () => 5, times });
  const said = () => lines.map((line) => JSON.parse(line) as { message: string; audit?: object; acts?: number });
  return { ...trail, lines, said };
}

/** An audit log of which either half may be away. */
function shaky() {
  const audit = memoryAuditLog();
  const away = { write: false, finish: false };
  const gone = () => Promise.reject(new Error('away'));
  return {
    away,
    acts: async () => (await audit.list({ limit: 1_000 })).toReversed(),
    audit: {
      write: (...given: Parameters<AuditLog['write']>) => (away.write ? gone() : audit.write(...given)),
      finish: (...given: Parameters<AuditLog['finish']>) => (away.finish ? gone() : audit.finish(...given)),
    },
  };
}

describe('auditTrail', () => {
  it('writes the intention before the act, and the outcome after it', async () => {
    const { audit, acts } = shaky();
    const trail = trailOn(audit);
    const id = await trail.begin(act);
    expect(await acts()).toEqual([{ ...act, id, n: 1, outcome: 'begun' }]);
    expect(trail.lines).toEqual([]);
    await trail.finish(id, act, done);
    expect(await acts()).toEqual([{ ...act, ...done, id, n: 1 }]);
    expect(JSON.parse(trail.lines[0]!)).toMatchObject({
      message: 'an administrator acted',
      audit: { who: 'ann', tokenId: 'k1', from: '127.0.0.1', what: 'POST /tables', about: { rules: 'maw' }, outcome: 'done' },
    });
    expect(trail.remark()).toBeUndefined();
    await trail.close();
  });

  it('queues outcomes in order and writes them when it can', async () => {
    const { audit, acts, away } = shaky();
    const trail = trailOn(audit);
    const ids = [await trail.begin(act), await trail.begin(act)];
    away.finish = true;
    for (const id of ids) await trail.finish(id, act, done);
    expect(trail.remark()).toContain('2 audit entries wait to be written');
    expect(trail.lines.filter((line) => line.includes('writing the audit log failed'))).toHaveLength(1);
    expect((await acts()).map(({ outcome }) => outcome)).toEqual(['begun', 'begun']);
    away.finish = false;
    await pollUntil('the end of the wait', () => trail.remark() === undefined);
    expect((await acts()).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    await trail.close();
  });

  it('refuses an act whose intention cannot be written', async () => {
    const { audit, acts, away } = shaky();
    const trail = trailOn(audit);
    away.write = true;
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    expect(await acts()).toEqual([]);
    away.write = false;
    const id = await trail.begin(act);
    await pollUntil('the end of the trouble', () => trail.remark() === undefined);
    expect(await acts()).toEqual([{ ...act, id, n: 1, outcome: 'begun' }]);
    expect(trail.said().at(1)).toMatchObject({ audit: { who: 'ann', tokenId: 'k1', what: 'POST /tables', outcome: 'not-begun' } });
    await trail.close();
  });

  it('marks a refused act not-begun when its write succeeded unseen', async () => {
    const { audit, acts } = shaky();
    let isLost = true;
    const write = async (...given: Parameters<AuditLog['write']>) => {
      await audit.write(...given);
      if (isLost) throw new Error('the connection is lost');
    };
    const trail = trailOn({ ...audit, write });
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    isLost = false;
    await trail.close();
    expect(await acts()).toEqual([{ ...act, id: expect.any(String), n: 1, outcome: 'not-begun' }]);
    expect(trail.lines.join('')).not.toContain(INCOMPLETE);
  });

  it.each([
    ['before the refusal is written', true],
    ['after it', false],
  ])('marks a timed-out act not-begun once when its write lands %s', async (_, isFirst) => {
    const { audit, acts } = shaky();
    const late = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    let begun: Promise<void> | undefined;
    const trail = trailOn(
      {
        write: (one) => (begun ? audit.write(one) : (begun = late.promise.then(() => audit.write(one)))),
        finish: async (what) => {
          await end.promise;
          await audit.finish(what);
        },
      },
      { beginMs: 1, patienceMs: 600_000 },
    );
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    for (const one of isFirst ? [late, end] : [end, late]) one.resolve();
    if (isFirst) await begun;
    await pollUntil('the end of the trouble', () => trail.remark() === undefined);
    await begun;
    await trail.close();
    expect(await acts()).toEqual([{ ...act, id: expect.any(String), n: 1, outcome: 'not-begun' }]);
    expect(trail.lines.join('')).not.toContain(INCOMPLETE);
  });

  it('ignores the late failure of a write that timed out', async () => {
    const { audit } = shaky();
    const late = Promise.withResolvers<void>();
    let asked = 0;
    const trail = trailOn({ ...audit, write: (one) => (++asked === 1 ? late.promise : audit.write(one)) }, { beginMs: 1 });
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    await pollUntil('the end of the trouble', () => trail.remark() === undefined);
    late.reject(new Error('the connection is lost'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(trail.remark()).toBeUndefined();
    await trail.close();
  });

  it('refuses every act while an outcome cannot be written, and logs what close() drops', async () => {
    const { audit, away, acts } = shaky();
    const trail = trailOn(audit, { retryMs: 600_000 });
    away.finish = true;
    const id = await trail.begin(act);
    await trail.finish(id, act, done);
    for (const who of ['ann', 'bo']) await expect(trail.begin({ ...act, who })).rejects.toMatchObject(UNAVAILABLE);
    expect(await acts()).toHaveLength(1);
    expect(trail.said().flatMap(({ message, audit: of }) => (message.includes('was refused') ? [of] : []))).toMatchObject([
      { who: 'ann', outcome: 'not-begun' },
      { who: 'bo', outcome: 'not-begun' },
    ]);
    await trail.close();
    expect(trail.said().at(-1)).toMatchObject({ message: INCOMPLETE, acts: 1 });
  });

  it('writes what waits before it refuses an act, and then begins it', async () => {
    const { audit, away, acts } = shaky();
    const trail = trailOn(audit, { retryMs: 600_000 });
    away.finish = true;
    await trail.finish(await trail.begin(act), act, done);
    away.finish = false;
    await trail.begin(act);
    expect((await acts()).map(({ outcome }) => outcome)).toEqual(['done', 'begun']);
    expect(trail.remark()).toBeUndefined();
    await trail.close();
  });

  it('skips an entry that the database can never take, logs it, and continues', async () => {
    const error = Object.assign(new Error('out of range'), { code: '22003' });
    const { audit, acts } = shaky();
    const finish = (what: Parameters<AuditLog['finish']>[0]) => (what.about['bad'] === true ? Promise.reject(error) : audit.finish(what));
    const trail = trailOn({ ...audit, finish });
    const [bad, good] = [await trail.begin(act), await trail.begin(act)];
    await trail.finish(bad, act, { about: { bad: true }, outcome: 'done' });
    await trail.finish(good, act, done);
    expect((await acts()).map(({ outcome }) => outcome)).toEqual(['begun', 'done']);
    expect(trail.remark()).toBeUndefined();
    expect(trail.said().filter(({ message }) => message.includes('cannot be stored'))).toMatchObject([
      { audit: { id: bad, about: { bad: true }, outcome: 'done' } },
    ]);
    await trail.close();
    expect(trail.lines.join('')).not.toContain(INCOMPLETE);
  });

  it('rejects an unstorable intention and continues with others', async () => {
    const { audit, acts } = shaky();
    const error = Object.assign(new Error('invalid byte sequence'), { code: '22021' });
    const trail = trailOn({ ...audit, write: (one) => (one.who === 'bad' ? Promise.reject(error) : audit.write(one)) });
    await expect(trail.begin({ ...act, who: 'bad' })).rejects.toBe(error);
    expect(trail.remark()).toBeUndefined();
    const id = await trail.begin(act);
    await trail.close();
    expect(await acts()).toEqual([{ ...act, id, n: 1, outcome: 'begun' }]);
  });

  it('writes an outcome whenever it is queued during a flush', async () => {
    for (let moments = 0; moments < 20; moments++) {
      const kept: string[] = [];
      const held = Promise.withResolvers<void>();
      const finish = async ({ id }: { readonly id: string }) => {
        if (id === 'one') await held.promise;
        kept.push(id);
      };
      const trail = trailOn({ write: memoryAuditLog().write, finish });
      const first = trail.finish('one', act, done);
      held.resolve();
      for (let i = 0; i < moments; i++) await Promise.resolve();
      await trail.finish('two', act, done);
      expect([moments, kept]).toEqual([moments, ['one', 'two']]);
      await first;
      await trail.close();
    }
  });

  it('retries nothing after close(), and logs what is lost', async () => {
    const trails = [0, 1].map(() => {
      const fails = Promise.withResolvers<void>();
      let asked = 0;
      const finish = () => (asked++, fails.promise);
      return { fails, asked: () => asked, ...trailOn({ write: memoryAuditLog().write, finish }, { patienceMs: 1, retryMs: 1 }) };
    });
    const [closed, open] = trails as [(typeof trails)[number], (typeof trails)[number]];
    for (const trail of [closed, open]) await trail.finish('one', act, done);
    await closed.close();
    expect(closed.said().at(-1)).toMatchObject({ message: INCOMPLETE, acts: 1 });
    closed.fails.reject(new Error('away'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed.asked()).toBe(1);
    await closed.finish('two', act, done);
    expect(closed.said().at(-1)).toMatchObject({ message: INCOMPLETE, acts: 1 });
    expect(closed.said().filter(({ message }) => message === INCOMPLETE)).toHaveLength(2);
    // Timers of one length go off in the order in which they were set: when the open one's has, the other's would have.
    open.fails.reject(new Error('away'));
    await pollUntil('another try of the one that is open', () => open.asked() > 1);
    expect(closed.asked()).toBe(2);
    await open.close();
  });

  it('tries a pending write once on close()', async () => {
    let tries = 0;
    const trail = trailOn(
      { write: memoryAuditLog().write, finish: () => (tries++, Promise.reject(new Error('away'))) },
      { retryMs: 600_000 },
    );
    await trail.finish('one', act, done);
    expect(tries).toBe(1);
    await trail.close();
    expect(tries).toBe(2);
  });

  it('tries again on close() what fails during it', async () => {
    const first = Promise.withResolvers<void>();
    const tries: Promise<void>[] = [];
    const trail = trailOn({
      write: memoryAuditLog().write,
      finish: () => tries[tries.push(tries.length ? Promise.resolve() : first.promise) - 1]!,
    });
    const finishing = trail.finish('one', act, done);
    const closing = trail.close();
    first.reject(new Error('away'));
    await Promise.all([finishing, closing]);
    expect(tries).toHaveLength(2);
    expect(trail.lines.join('')).not.toContain(INCOMPLETE);
  });

  it('makes texts storable', async () => {
    const { audit, acts } = shaky();
    const trail = trailOn(audit);
    const id = await trail.begin({ ...act, who: 'a\0b\ud800' });
    await trail.finish(id, act, { about: { long: 'x'.repeat(1_000), deep: [{ text: '\0' }] }, outcome: 'done' });
    expect(await acts()).toMatchObject([{ who: 'ab\ufffd', about: { long: 'x'.repeat(300), deep: [{ text: '' }] } }]);
    await trail.close();
  });
});
