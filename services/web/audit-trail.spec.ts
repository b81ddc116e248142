import { describe, expect, it } from '@jest/globals';
import { memoryAudit } from '@maw/store/permits-memory.ts';
import type { Audit } from '@maw/store/permits.ts';
import { logger } from '@maw/telemetry/log.ts';
import { auditTrail } from './audit-trail.ts';
import { until } from './door.suite.ts';

const done = { at: 1, who: 'ann', token: 'k1', from: '127.0.0.1', what: 'POST /tables', about: { rules: 'maw' }, outcome: 'done' };

function trailOn(audit: Pick<Audit, 'write'>) {
  const lines: string[] = [];
  return { ...auditTrail({ audit, log: logger('web', { destination: { write: (line) => void lines.push(line) } }) }), lines };
}

describe('the audit trail', () => {
  it('is written before the answer is given, and is a line of the log', async () => {
    const audit = memoryAudit();
    const { note, lines, remark, close } = trailOn(audit);
    await note(done);
    expect(await audit.acts({ limit: 9 })).toEqual([{ ...done, id: expect.any(String), n: 1 }]);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      message: 'an administrator acted',
      audit: { who: 'ann', tokenId: 'k1', from: '127.0.0.1', what: 'POST /tables', about: { rules: 'maw' }, outcome: 'done' },
    });
    expect(remark()).toBeUndefined();
    await close();
  });

  it('keeps in order what cannot be written, says so, and writes it when it can', async () => {
    const audit = memoryAudit();
    let isAway = true;
    const trail = trailOn({ write: (act) => (isAway ? Promise.reject(new Error('away')) : audit.write(act)) });
    for (const who of ['ann', 'bo', 'cy']) await trail.note({ ...done, who });
    expect(trail.remark()).toContain('3 acts of administrators wait');
    expect(trail.lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
    isAway = false;
    await until(() => trail.remark() === undefined, 'the end of the wait');
    expect((await audit.acts({ limit: 9 })).map(({ who }) => who)).toEqual(['cy', 'bo', 'ann']);
    await trail.close();
  });

  it('lets administrators do nothing more once too much waits', async () => {
    const trail = trailOn({ write: () => Promise.reject(new Error('away')) });
    for (let i = 0; i < 999; i++) await trail.note(done);
    expect(() => trail.mayAct()).not.toThrow();
    await trail.note(done);
    expect(() => trail.mayAct()).toThrow(expect.objectContaining({ reason: 'unavailable', headers: { 'Retry-After': '5' } }));
    await trail.close();
    expect(trail.lines.at(-1)).toContain('lacks what is in the lines of this log alone');
  });

  it('keeps every text that it is given, as far as it can be kept', async () => {
    const audit = memoryAudit();
    const trail = trailOn(audit);
    await trail.note({ ...done, who: 'a\0b\ud800', about: { long: 'x'.repeat(1_000), deep: [{ text: '\0' }] } });
    const [act] = await audit.acts({ limit: 1 });
    expect(act).toMatchObject({ who: 'ab\ufffd', about: { long: 'x'.repeat(300), deep: [{ text: '' }] } });
    await trail.close();
  });
});
