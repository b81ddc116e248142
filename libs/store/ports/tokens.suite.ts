import { describe, expect, it } from '@jest/globals';
import { type AuditEntry, OUTCOME_PENDING } from './audit-log.ts';
import type { IssuedToken } from './tokens.ts';
import type { Store } from '../store.ts';

const permit = (id: string, more: Partial<IssuedToken> = {}): IssuedToken => ({
  id,
  role: 'seat',
  table: 't1',
  seat: 0,
  name: 'Ann',
  by: 'boss',
  issued: 10,
  until: 100,
  ...more,
});
const act = (id: string, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id,
  at: 5,
  who: 'boss',
  token: 'k1',
  from: '127.0.0.1',
  what: 'POST /tables',
  about: { table: 't1', b: 1, aa: [null, 'ä🐺'] },
  outcome: 'done',
  ...more,
});

/** The contract of tokens, revocations and the audit log. */
export function tokensSuite(store: () => Store): void {
  const permits = () => store().tokens;
  const isRevoked = async (id: string) => (await permits().find(id))?.isRevoked;

  describe('tokens', () => {
    it('are stored once as issued, and numbered', async () => {
      const [seat, admin] = [permit('a'), { id: 'b', role: 'admin', name: 'Zoë', by: 'boss', issued: 1, until: 2 }];
      const first = await permits().issue(seat);
      expect(first).toEqual({ ...seat, n: expect.any(Number), isRevoked: false });
      const second = await permits().issue(admin);
      expect(second).toEqual({ ...admin, n: first.n + 1, isRevoked: false });
      expect(await permits().issue(permit('a', { name: 'Bo', until: 999 }))).toEqual(first);
      expect(await permits().find('a')).toEqual(first);
      expect(await permits().find('c')).toBeUndefined();
      expect((await permits().issue(permit('c'))).n).toBe(first.n + 2);
    });

    it('are listed latest first without expired ones, by table and page', async () => {
      for (const [id, more] of [
        ['a', {}],
        ['b', { table: 't2' }],
        ['c', { until: 50 }],
        ['d', { role: 'spectator', view: 'audience', by: 'me' }],
      ] as const)
        await permits().issue(permit(id, more));
      const ids = async (about: { at?: number; limit?: number; before?: number; table?: string; by?: string }) =>
        (await permits().list({ at: 49, limit: 10, ...about })).map(({ id }) => id);
      expect(await ids({})).toEqual(['d', 'c', 'b', 'a']);
      expect(await ids({ at: 50 })).toEqual(['d', 'b', 'a']);
      expect(await ids({ table: 't1' })).toEqual(['d', 'c', 'a']);
      expect([await ids({ by: 'me' }), await ids({ by: 'me', table: 't2' })]).toEqual([['d'], []]);
      expect(await ids({ limit: 2 })).toEqual(['d', 'c']);
      const { n } = (await permits().find('c'))!;
      expect(await ids({ before: n })).toEqual(['b', 'a']);
      expect(await ids({ limit: 0 })).toEqual([]);
    });

    it('are found by the digest of a code, whichever of several it was stored with, and only those that have one', async () => {
      const link = await permits().issue(permit('link', { digest: 'd1' }));
      await permits().issue(permit('other', { digest: 'd2' }));
      await permits().issue(permit('none'));
      expect(link).toMatchObject({ id: 'link', digest: 'd1' });
      const found = async (...digests: string[]) => (await permits().findByDigest(digests))?.id;
      expect([await found('d1'), await found('x', 'd2'), await found('x'), await found(), await found('')]).toEqual([
        'link',
        'other',
        ...Array(3).fill(undefined),
      ]);
      await permits().revoke({ id: 'link' }, 1_000);
      expect((await permits().findByDigest(['d1']))?.isRevoked).toBe(true);
      expect(await permits().issue(permit('link', { digest: 'd3' }))).toMatchObject({ digest: 'd1' });
    });

    it('are extended by renewal, unless expired, revoked or unknown', async () => {
      for (const id of ['a', 'b', 'c']) await permits().issue(permit(id));
      expect((await permits().renew('a', 300, 99))?.until).toBe(300);
      expect((await permits().renew('a', 200, 99))?.until).toBe(300);
      expect(await permits().renew('b', 300, 100)).toBeUndefined();
      await permits().revoke({ id: 'c' }, 1_000);
      expect(await permits().renew('c', 300, 50)).toBeUndefined();
      expect(await permits().renew('x', 300, 50)).toBeUndefined();
      expect([(await permits().find('b'))?.until, (await permits().find('c'))?.until]).toEqual([100, 100]);
    });

    it('are revoked by id, table or seat, if issued before', async () => {
      await permits().issue(permit('a'));
      await permits().issue(permit('b', { seat: 1 }));
      await permits().issue({ id: 'j', role: 'join', table: 't1', name: 'x', by: 'boss', issued: 1, until: 100 });
      await permits().issue(permit('o', { table: 't2' }));
      await permits().revoke({ table: 't1', seat: 1 }, 1_000);
      expect(await Promise.all(['a', 'b', 'j', 'o'].map(isRevoked))).toEqual([false, true, false, false]);
      await permits().revoke({ table: 't1' }, 1_000);
      await permits().issue(permit('later'));
      expect(await Promise.all(['a', 'b', 'j', 'o', 'later'].map(isRevoked))).toEqual([true, true, true, false, false]);
      await permits().revoke({ id: 'o' }, 1_000);
      expect(await Promise.all(['o', 'later'].map(isRevoked))).toEqual([true, false]);
    });

    it('list revocations after a number; a polling reader misses none', async () => {
      const first = await permits().revoke({ id: 'a' }, 1_000);
      await permits().issue(permit('b'));
      const second = await permits().revoke({ table: 't1', seat: 0 }, 1_000);
      const third = await permits().revoke({ table: 't1' }, 1_000);
      expect([first, second, third]).toEqual([
        { n: expect.any(Number), id: 'a' },
        { n: first.n + 2, table: 't1', seat: 0 },
        { n: first.n + 3, table: 't1' },
      ]);
      expect(await permits().revocations(0)).toEqual([first, second, third]);
      expect(await permits().revocations(first.n)).toEqual([second, third]);
      expect(await permits().revocations(third.n)).toEqual([]);

      const [seen, reader] = [[] as string[], { isOn: true, after: third.n }];
      const read = async () => {
        for (const one of await permits().revocations(reader.after)) {
          reader.after = one.n;
          if ('id' in one) seen.push(one.id);
        }
      };
      const reading = (async () => {
        while (reader.isOn) await read();
      })();
      const names = Array.from({ length: 60 }, (_, i) => `r${i}`);
      await Promise.all(names.map((id) => permits().revoke({ id }, 1_000)));
      reader.isOn = false;
      await reading;
      await read();
      expect(seen.toSorted()).toEqual(names.toSorted());
    });

    it('are pruned with their revocations once expired', async () => {
      await permits().issue(permit('a', { until: 10 }));
      await permits().issue(permit('b', { until: 11 }));
      await permits().revoke({ id: 'a' }, 10);
      const kept = await permits().revoke({ id: 'b' }, 11);
      expect(await permits().prune(10)).toBe(2);
      expect(await permits().prune(10)).toBe(0);
      expect([await permits().find('a'), (await permits().find('b'))?.id]).toEqual([undefined, 'b']);
      expect(await permits().revocations(0)).toEqual([kept]);
    });
  });

  describe('the audit log', () => {
    it('lists entries latest first, page by page', async () => {
      const done = [act('a'), act('b', { outcome: 'unknown-game', about: {} }), act('c')];
      for (const one of done) await store().auditLog.write(one);
      const [last, , first] = await store().auditLog.list({ limit: 10 });
      expect(await store().auditLog.list({ limit: 10 })).toEqual(done.toReversed().map((one, i) => ({ ...one, n: first!.n + 2 - i })));
      expect((await store().auditLog.list({ limit: 1, before: last!.n })).map(({ id }) => id)).toEqual(['b']);
      expect(await store().auditLog.list({ limit: 10, before: first!.n })).toEqual([]);
    });

    it('keeps the first entry of an id', async () => {
      await store().auditLog.write(act('a'));
      await store().auditLog.write(act('a', { who: 'somebody else', outcome: 'nothing' }));
      await store().auditLog.write(act('b'));
      const acts = await store().auditLog.list({ limit: 10 });
      expect(acts.map(({ id, who, outcome }) => [id, who, outcome])).toEqual([
        ['b', 'boss', 'done'],
        ['a', 'boss', 'done'],
      ]);
      expect(acts[0]!.n).toBe(acts[1]!.n + 1);
    });

    it('shows the first outcome of a pending entry only', async () => {
      await store().auditLog.write(act('a', { at: 7, about: { table: 't' }, outcome: OUTCOME_PENDING }));
      await store().auditLog.write(act('b', { outcome: OUTCOME_PENDING }));
      await store().auditLog.write(act('c'));
      const finish = (id: string, outcome: string) => store().auditLog.finish({ id, at: 9, about: { of: id }, outcome });
      for (const id of ['a', 'c', 'nowhere']) await finish(id, 'forbidden');
      await finish('a', 'done');
      const acts = await store().auditLog.list({ limit: 10 });
      expect(acts.map(({ id, about, outcome }) => [id, about, outcome])).toEqual([
        ['c', act('c').about, 'done'],
        ['b', act('b').about, 'begun'],
        ['a', { of: 'a' }, 'forbidden'],
      ]);
      expect(acts.at(-1)!.at).toBe(7);
      await expect(store().auditLog.finish({ id: 'b', at: 1, about: { x: '\0' }, outcome: 'done' })).rejects.toThrow(
        /unsupported Unicode|jsonb cannot hold/,
      );
    });

    it('shows an outcome that was written before its entry', async () => {
      await store().auditLog.finish({ id: 'late', at: 9, about: {}, outcome: 'unavailable' });
      expect(await store().auditLog.list({ limit: 10 })).toEqual([]);
      await store().auditLog.write(act('late', { outcome: OUTCOME_PENDING }));
      expect(await store().auditLog.list({ limit: 10 })).toMatchObject([{ id: 'late', outcome: 'unavailable' }]);
    });

    it('knows when an act was last done and last failed', async () => {
      const last = () => store().auditLog.lastOutcomes('maw restore-test');
      const write = (id: string, at: number, outcome: string, what = 'maw restore-test') =>
        store().auditLog.write(act(id, { at, outcome, what }));
      await write('other', 9, 'done', 'POST /tables');
      expect(await last()).toEqual({ done: undefined, failed: undefined });
      await write('a', 5, 'done');
      await write('b', 3, 'done');
      await write('c', 8, OUTCOME_PENDING);
      expect(await last()).toEqual({ done: 5, failed: undefined });
      await write('d', 6, 'a tape is not whole');
      await write('e', 7, 'the dump cannot be read');
      expect(await last()).toEqual({ done: 5, failed: 7 });
    });

    it('rejects unstorable values', async () => {
      await expect(store().auditLog.write(act('a', { about: { x: 'a\0' } }))).rejects.toThrow(/unsupported Unicode|jsonb cannot hold/);
      expect(await store().auditLog.list({ limit: 10 })).toEqual([]);
    });
  });
}
