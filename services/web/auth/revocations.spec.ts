import { afterEach, describe, expect, it } from '@jest/globals';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import type { Tokens } from '@maw/store/ports/tokens.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { until } from '../web.suite.ts';
import { watchRevocations, type Revocations } from './revocations.ts';
import { MAX_TOKEN_MS, type Pass } from './token.ts';

const seat = (table: string, n: number, of = 0): { id: string; n: number; pass: Pass } => ({
  id: `${table}-${of}-${n}`,
  n,
  pass: { role: 'seat', table, seat: of },
});
const opened: Revocations[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function follower(permits: Pick<Tokens, 'revocations' | 'prune'>, { everyMs = 5, now = Date.now } = {}) {
  const lines: string[] = [];
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const one = await watchRevocations({ permits, log, now, everyMs });
  opened.push(one);
  return { ...one, lines };
}

describe('what was revoked', () => {
  it('is one token, or all of a seat or a table that were given out before', async () => {
    const permits = memoryTokens();
    const here = await follower(permits, { everyMs: 3_600_000 });
    const before = seat('t1', 0);
    const other = seat('t1', 0, 1);
    const join = { id: 'j', n: 0, pass: { role: 'join', table: 't1' } } as const;
    const admin = { id: 'admin', n: 0, pass: { role: 'admin' } } as const;
    const all = [before, other, join, seat('t2', 0), admin];
    const revoked = () => all.map(here.isRevoked);
    expect(revoked()).toEqual([false, false, false, false, false]);
    const ofSeat = await permits.revoke({ table: 't1', seat: 0 }, 1);
    here.learn(ofSeat);
    expect(revoked()).toEqual([true, false, false, false, false]);
    expect([here.isRevoked(seat('t1', ofSeat.n - 1)), here.isRevoked(seat('t1', ofSeat.n + 1))]).toEqual([true, false]);
    here.learn(await permits.revoke({ table: 't1' }, 1));
    expect(revoked()).toEqual([true, true, true, false, false]);
    here.learn(await permits.revoke({ id: 'admin' }, 1));
    expect(revoked()).toEqual([true, true, true, false, true]);
  });

  it('was known before it began, and is learnt from others while it goes on; it is told when', async () => {
    const permits = memoryTokens();
    await permits.revoke({ id: seat('t1', 1).id }, 1);
    const here = await follower(permits);
    expect([here.isRevoked(seat('t1', 1)), here.isRevoked(seat('t1', 2))]).toEqual([true, false]);
    let told = 0;
    const stop = here.heed(() => (told += 1));
    await permits.revoke({ id: seat('t1', 2).id }, 1);
    await until(() => told === 1, 'word of it');
    expect(here.isRevoked(seat('t1', 2))).toBe(true);
    stop();
    await permits.revoke({ id: 'x' }, 1);
    await until(() => here.isRevoked({ ...seat('t1', 3), id: 'x' }), 'the third');
    expect(told).toBe(1);
  });

  it('holds while the database is away, which is said; what was revoked meanwhile is learnt afterwards', async () => {
    const permits = memoryTokens();
    await permits.revoke({ id: 'a' }, 1);
    let isAway = false;
    let looks = 0;
    let clock = 1_000;
    const here = await follower(
      {
        ...permits,
        revocations: (after) => {
          looks += 1;
          return isAway ? Promise.reject(new Error('connect postgres://u:opensesame@db failed')) : permits.revocations(after);
        },
      },
      { now: () => clock },
    );
    const is = (id: string) => here.isRevoked({ ...seat('t', 0), id });
    const age = async () => (await metrics.revocationsAge.get()).values.find(({ labels }) => labels.service === 'web')!.value;
    expect([here.remark(), await age()]).toEqual([undefined, 0]);
    isAway = true;
    clock += 40_000;
    await permits.revoke({ id: 'b' }, 1);
    const from = looks;
    await until(() => looks > from + 3, 'several looks');
    expect([is('a'), is('b')]).toEqual([true, false]);
    expect(here.remark()).toContain('known up to 40 s ago');
    expect(await age()).toBe(40);
    expect(here.lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
    expect(here.lines.join('')).not.toContain('opensesame');
    isAway = false;
    await until(() => is('b'), 'what was revoked meanwhile');
    await until(() => here.remark() === undefined, 'the end of the remark');
  });

  it('is known to grow old while the database hangs', async () => {
    const permits = memoryTokens();
    let clock = 1_000;
    let looks = 0;
    const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>();
    await follower(
      { ...permits, revocations: async (after) => (looks++ ? hanging.then(() => permits.revocations(after)) : permits.revocations(after)) },
      { now: () => clock },
    );
    const age = async () => (await metrics.revocationsAge.get()).values.find(({ labels }) => labels.service === 'web')!.value;
    await until(() => looks === 2, 'a look that is not answered');
    clock += 40_000;
    expect(await age()).toBe(40);
    clock += 1;
    expect(await age()).toBe(40.001);
    goOn();
  });

  it('is remembered until no request that gave a token out could be tried again, and then forgotten', async () => {
    const permits = memoryTokens();
    const forgotten: number[] = [];
    let clock = 1_000;
    const forget = async (at: number) => {
      forgotten.push(at);
      return permits.prune(at);
    };
    const given = { role: 'seat', table: 't', seat: 0, name: 'Ann', by: 't/join', issued: clock } as const;
    const first = await permits.issue({ ...given, id: 'join-1', until: 5_000_000 });
    const revoked = await permits.revoke({ table: 't', seat: 0 }, 5_000_000);
    const again = async (end: number) => (await permits.issue({ ...given, id: 'join-1', until: end })).n;
    await follower({ ...permits, prune: forget }, { now: () => clock });
    const forgets = async (at: number): Promise<void> => {
      clock = at;
      const before = forgotten.length;
      await until(() => forgotten.length > before, 'what is over to be forgotten');
    };
    await forgets(5_000_000 + MAX_TOKEN_MS - 1);
    expect(await again(clock + 1_000)).toBe(first.n);
    await forgets(clock + 3_600_000);
    expect(await again(clock + 1_000)).toBeGreaterThan(revoked.n);
  });

  it('leaves memory when it is forgotten, and what is not over, or was revoked meanwhile, holds on', async () => {
    const permits = memoryTokens();
    let clock = 0;
    const mayRead = Promise.withResolvers<void>();
    const isReadAnew = Promise.withResolvers<void>();
    let isAnew = false;
    const revocations = async (after: number) => {
      const all = await permits.revocations(after);
      if (after > 0 || !isAnew) return all;
      isReadAnew.resolve();
      await mayRead.promise;
      return all;
    };
    for (let i = 0; i < 100; i++) await permits.revoke(i % 2 ? { id: `over-${i}` } : { table: `over-${i}` }, 1_000);
    await permits.revoke({ id: 'holds' }, 10 * MAX_TOKEN_MS);
    await permits.revoke({ table: 'holds' }, 10 * MAX_TOKEN_MS);
    const here = await follower({ ...permits, revocations }, { now: () => clock });
    expect(here.inside()).toBe(102);
    isAnew = true;
    clock = MAX_TOKEN_MS + 1_000;
    await isReadAnew.promise;
    here.learn(await permits.revoke({ id: 'meanwhile' }, 10 * MAX_TOKEN_MS));
    mayRead.resolve();
    await until(() => here.inside() === 3, 'three to be left');
    const is = (id: string, table = 't') => here.isRevoked({ ...seat(table, 0), id });
    expect([is('holds'), is('meanwhile'), is('x', 'holds'), is('over-1'), is('x', 'over-0')]).toEqual([true, true, true, false, false]);
  });

  it('is not guessed: who cannot read it at the start does not begin', async () => {
    const away = { ...memoryTokens(), revocations: () => Promise.reject(new Error('away')) };
    await expect(follower(away)).rejects.toThrow('away');
  });
});
