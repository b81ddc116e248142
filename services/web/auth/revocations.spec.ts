import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { memoryTokens } from '@maw/store/memory/tokens.ts';
import type { Tokens } from '@maw/store/ports/tokens.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { watchRevocations, type Revocations } from './revocations.ts';
import type { Pass } from './roles.ts';
import { MAX_TOKEN_MS } from '@maw/contracts/http/tokens.ts';

const seat = (table: string, n: number, of = 0): { id: string; n: number; pass: Pass } => ({
  id: `${table}-${of}-${n}`,
  n,
  pass: { role: 'seat', table, seat: of },
});
const opened: Revocations[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

async function follower(tokens: Pick<Tokens, 'revocations' | 'prune'>, { everyMs = 5, now = Date.now } = {}) {
  const lines: string[] = [];
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const one = await watchRevocations({ tokens, log, now, everyMs });
  opened.push(one);
  return { ...one, lines };
}

describe('watchRevocations', () => {
  it('revokes one token, or earlier tokens of a seat or a table', async () => {
    const tokens = memoryTokens();
    const here = await follower(tokens, { everyMs: 3_600_000 });
    const before = seat('t1', 0);
    const other = seat('t1', 0, 1);
    const join = { id: 'j', n: 0, pass: { role: 'join', table: 't1' } } as const;
    const admin = { id: 'admin', n: 0, pass: { role: 'admin' } } as const;
    const all = [before, other, join, seat('t2', 0), admin];
    const revoked = () => all.map(here.isRevoked);
    expect(revoked()).toEqual([false, false, false, false, false]);
    const ofSeat = await tokens.revoke({ table: 't1', seat: 0 }, 1);
    here.add(ofSeat);
    expect(revoked()).toEqual([true, false, false, false, false]);
    expect([here.isRevoked(seat('t1', ofSeat.n - 1)), here.isRevoked(seat('t1', ofSeat.n + 1))]).toEqual([true, false]);
    here.add(await tokens.revoke({ table: 't1' }, 1));
    expect(revoked()).toEqual([true, true, true, false, false]);
    here.add(await tokens.revoke({ id: 'admin' }, 1));
    expect(revoked()).toEqual([true, true, true, false, true]);
  });

  it('reads earlier revocations and those of others, and notifies listeners', async () => {
    const tokens = memoryTokens();
    await tokens.revoke({ id: seat('t1', 1).id }, 1);
    const here = await follower(tokens);
    expect([here.isRevoked(seat('t1', 1)), here.isRevoked(seat('t1', 2))]).toEqual([true, false]);
    let told = 0;
    const stop = here.onAdded(() => (told += 1));
    await tokens.revoke({ id: seat('t1', 2).id }, 1);
    await pollUntil('word of it', () => told === 1);
    expect(here.isRevoked(seat('t1', 2))).toBe(true);
    stop();
    await tokens.revoke({ id: 'x' }, 1);
    await pollUntil('the third', () => here.isRevoked({ ...seat('t1', 3), id: 'x' }));
    expect(told).toBe(1);
  });

  it('keeps known revocations while the database fails, and catches up', async () => {
    const tokens = memoryTokens();
    await tokens.revoke({ id: 'a' }, 1);
    let isAway = false;
    let looks = 0;
    let clock = 1_000;
    const here = await follower(
      {
        ...tokens,
        revocations: (after) => {
          looks += 1;
          return isAway ? Promise.reject(new Error('connect postgres://u:opensesame@db failed')) : tokens.revocations(after);
        },
      },
      { now: () => clock },
    );
    const is = (id: string) => here.isRevoked({ ...seat('t', 0), id });
    const age = async () => (await metrics.revocationsAge.get()).values.find(({ labels }) => labels.service === 'web')!.value;
    expect([here.remark(), await age()]).toEqual([undefined, 0]);
    isAway = true;
    clock += 40_000;
    await tokens.revoke({ id: 'b' }, 1);
    const from = looks;
    await pollUntil('several looks', () => looks > from + 3);
    expect([is('a'), is('b')]).toEqual([true, false]);
    expect(here.remark()).toContain('40 s old');
    expect(await age()).toBe(40);
    expect(here.lines.filter((line) => line.includes('reading revocations failed'))).toHaveLength(1);
    expect(here.lines.join('')).not.toContain('opensesame');
    isAway = false;
    await pollUntil('what was revoked meanwhile', () => is('b'));
    await pollUntil('the end of the remark', () => here.remark() === undefined);
  });

  it('reports the age of revocations while the database hangs', async () => {
    const tokens = memoryTokens();
    let clock = 1_000;
    let looks = 0;
    const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>();
    await follower(
      { ...tokens, revocations: async (after) => (looks++ ? hanging.then(() => tokens.revocations(after)) : tokens.revocations(after)) },
      { now: () => clock },
    );
    const age = async () => (await metrics.revocationsAge.get()).values.find(({ labels }) => labels.service === 'web')!.value;
    await pollUntil('a look that is not answered', () => looks === 2);
    clock += 40_000;
    expect(await age()).toBe(40);
    clock += 1;
    expect(await age()).toBe(40.001);
    goOn();
  });

  it('prunes revocations only after every retry would give a new token', async () => {
    const tokens = memoryTokens();
    const forgotten: number[] = [];
    let clock = 1_000;
    const forget = async (at: number) => {
      forgotten.push(at);
      return tokens.prune(at);
    };
    const given = { role: 'seat', table: 't', seat: 0, name: 'Ann', by: 't/join', issued: clock } as const;
    const first = await tokens.issue({ ...given, id: 'join-1', until: 5_000_000 });
    const revoked = await tokens.revoke({ table: 't', seat: 0 }, 5_000_000);
    const again = async (end: number) => (await tokens.issue({ ...given, id: 'join-1', until: end })).n;
    await follower({ ...tokens, prune: forget }, { now: () => clock });
    const forgets = async (at: number): Promise<void> => {
      clock = at;
      const before = forgotten.length;
      await pollUntil('what is over to be forgotten', () => forgotten.length > before);
    };
    await forgets(5_000_000 + MAX_TOKEN_MS - 1);
    expect(await again(clock + 1_000)).toBe(first.n);
    await forgets(clock + 3_600_000);
    expect(await again(clock + 1_000)).toBeGreaterThan(revoked.n);
  });

  it('drops pruned revocations from memory and keeps all others', async () => {
    const tokens = memoryTokens();
    let clock = 0;
    const mayRead = Promise.withResolvers<void>();
    const isReadAnew = Promise.withResolvers<void>();
    let isAnew = false;
    const revocations = async (after: number) => {
      const all = await tokens.revocations(after);
      if (after > 0 || !isAnew) return all;
      isReadAnew.resolve();
      await mayRead.promise;
      return all;
    };
    for (let i = 0; i < 100; i++) await tokens.revoke(i % 2 ? { id: `over-${i}` } : { table: `over-${i}` }, 1_000);
    await tokens.revoke({ id: 'holds' }, 10 * MAX_TOKEN_MS);
    await tokens.revoke({ table: 'holds' }, 10 * MAX_TOKEN_MS);
    const here = await follower({ ...tokens, revocations }, { now: () => clock });
    expect(here.size()).toBe(102);
    isAnew = true;
    clock = MAX_TOKEN_MS + 1_000;
    await isReadAnew.promise;
    here.add(await tokens.revoke({ id: 'meanwhile' }, 10 * MAX_TOKEN_MS));
    mayRead.resolve();
    await pollUntil('three to be left', () => here.size() === 3);
    const is = (id: string, table = 't') => here.isRevoked({ ...seat(table, 0), id });
    expect([is('holds'), is('meanwhile'), is('x', 'holds'), is('over-1'), is('x', 'over-0')]).toEqual([true, true, true, false, false]);
  });

  it('rejects when revocations cannot be read at the start', async () => {
    const away = { ...memoryTokens(), revocations: () => Promise.reject(new Error('away')) };
    await expect(follower(away)).rejects.toThrow('away');
  });
});
