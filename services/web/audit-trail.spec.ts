import { describe, expect, it } from '@jest/globals';
import { memoryAudit } from '@maw/store/permits-memory.ts';
import type { Audit } from '@maw/store/permits.ts';
import { logger } from '@maw/telemetry/log.ts';
import { auditTrail } from './audit-trail.ts';
import { until } from './door.suite.ts';

const act = { at: 1, who: 'ann', token: 'k1', from: '127.0.0.1', what: 'POST /tables', about: { table: 't' } };
const done = { about: { rules: 'maw' }, outcome: 'done' };
const UNAVAILABLE = { reason: 'unavailable', headers: { 'Retry-After': '5' } };

function trailOn(audit: Pick<Audit, 'write' | 'finish'>, sumEveryMs?: number) {
  const lines: string[] = [];
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const trail = auditTrail({ audit, log, now: () => 5, ...(sumEveryMs === undefined ? {} : { sumEveryMs }) });
  return { ...trail, lines };
}

/** An audit log of which either half may be away. */
function shaky() {
  const audit = memoryAudit();
  const away = { write: false, finish: false };
  const gone = () => Promise.reject(new Error('away'));
  return {
    away,
    acts: async () => (await audit.acts({ limit: 1_000 })).toReversed(),
    audit: {
      write: (...given: Parameters<Audit['write']>) => (away.write ? gone() : audit.write(...given)),
      finish: (...given: Parameters<Audit['finish']>) => (away.finish ? gone() : audit.finish(...given)),
    },
  };
}

describe('the audit trail', () => {
  it('says what is about to be done before it is, and afterwards what came of it, once; that is a line of the log', async () => {
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

  it('keeps in order what came of acts and cannot be written, says so, and writes it when it can', async () => {
    const { audit, acts, away } = shaky();
    const trail = trailOn(audit);
    const ids = [await trail.begin(act), await trail.begin(act)];
    away.finish = true;
    for (const id of ids) await trail.finish(id, act, done);
    expect(trail.remark()).toContain('2 entries wait to be written');
    expect(trail.lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
    expect((await acts()).map(({ outcome }) => outcome)).toEqual(['begun', 'begun']);
    away.finish = false;
    await until(() => trail.remark() === undefined, 'the end of the wait');
    expect((await acts()).map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    await trail.close();
  });

  it('lets nothing be done of which it cannot write that it will be', async () => {
    const { audit, acts, away } = shaky();
    const trail = trailOn(audit);
    away.write = true;
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    expect(await acts()).toEqual([]);
    away.write = false;
    await trail.begin(act);
    expect(trail.remark()).toBeUndefined();
    await trail.close();
  });

  it('says of an act that was refused because nobody answered, and was written all the same, that it was not done', async () => {
    const { audit, acts } = shaky();
    const write = async (...given: Parameters<Audit['write']>) => {
      await audit.write(...given);
      throw new Error('the connection is lost');
    };
    const trail = trailOn({ ...audit, write });
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    await trail.close();
    expect((await acts())[0]).toMatchObject({ ...act, n: 1, outcome: 'unavailable' });
  });

  it('lets administrators do nothing more once too much waits, and says what is lost when it is closed', async () => {
    const { audit, away } = shaky();
    const trail = trailOn(audit);
    away.finish = true;
    const id = await trail.begin(act);
    for (let i = 0; i < 999; i++) await trail.finish(id, act, done);
    await trail.begin(act);
    await trail.finish(id, act, done);
    await expect(trail.begin(act)).rejects.toMatchObject(UNAVAILABLE);
    await trail.close();
    expect(trail.lines.at(-1)).toContain('lacks what is in the lines of this log alone');
  });

  it('keeps every text that it is given, as far as it can be kept', async () => {
    const { audit, acts } = shaky();
    const trail = trailOn(audit);
    const id = await trail.begin({ ...act, who: 'a\0b\ud800' });
    await trail.finish(id, act, { about: { long: 'x'.repeat(1_000), deep: [{ text: '\0' }] }, outcome: 'done' });
    expect(await acts()).toMatchObject([{ who: 'ab\ufffd', about: { long: 'x'.repeat(300), deep: [{ text: '' }] } }]);
    await trail.close();
  });
});

describe('acts that were refused because they could not be written down', () => {
  it('are summed up when a while is over and it can be: one entry for each administrator, with how many there were', async () => {
    const { audit, acts, away } = shaky();
    const trail = trailOn(audit, 5);
    away.write = true;
    away.finish = true;
    for (const who of ['ann', 'bo', 'ann', 'ann'])
      await expect(trail.begin({ ...act, who, token: `of ${who}` })).rejects.toMatchObject(UNAVAILABLE);
    away.write = false;
    away.finish = false;
    await until(() => trail.remark() === undefined, 'the end of the trouble');
    await trail.close();
    const summed = (await acts()).map(({ who, token, what, about, outcome }) => ({ who, token, what, about, outcome }));
    expect(summed).toEqual([
      { who: 'ann', token: 'of ann', what: 'POST /tables and 2 more', about: { refused: 3, until: 5 }, outcome: 'unavailable' },
      { who: 'bo', token: 'of bo', what: 'POST /tables', about: { refused: 1, until: 5 }, outcome: 'unavailable' },
    ]);
  });

  it('are summed up when it is closed at the latest, in no more than twenty-one entries', async () => {
    const { audit, acts, away } = shaky();
    const trail = trailOn(audit, 600_000);
    away.write = true;
    for (let i = 0; i < 30; i++) await expect(trail.begin({ ...act, who: `w${i}`, token: `k${i}` })).rejects.toMatchObject(UNAVAILABLE);
    away.write = false;
    await trail.close();
    const summed = await acts();
    expect(summed).toHaveLength(21);
    expect(summed.map(({ about }) => about['refused'])).toEqual([...Array.from({ length: 20 }, () => 1), 10]);
    expect(summed.at(-1)).toMatchObject({ who: 'others', token: 'others', from: 'several', what: 'POST /tables and 9 more' });
  });
});
