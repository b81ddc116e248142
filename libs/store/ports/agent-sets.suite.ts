import { describe, expect, it } from '@jest/globals';
import type { Store } from '../store.ts';
import type { AgentFault, AgentSet } from './agent-sets.ts';
import { about } from './tapes.suite.ts';

const set = (id: string, at: number): AgentSet => ({
  id,
  division: 'protocol',
  at,
  terms: { players: 5, options: { hurry: true } },
  agents: [
    { seat: 3, name: 'é🐺' },
    { seat: 0, name: '' },
  ],
  number: 1,
});

const fault = (table: string, question: string, seat: number, more: Partial<AgentFault> = {}): Omit<AgentFault, 'n'> => ({
  set: table,
  at: 5,
  round: 1,
  seat,
  agent: 'Ann',
  request: 'VOTE',
  question,
  fault: 'late',
  detail: '1200 ms',
  ...more,
});

/** The contract of the sets of outside agents. */
export function agentSetsSuite(store: () => Store): void {
  const sets = () => store().agentSets;
  const faults = async (...args: Parameters<Store['agentSets']['faults']>) =>
    (await sets().faults(...args)).map(({ n: _, ...each }) => each);

  describe('sets of outside agents', () => {
    it('run from their beginning to their end, which are noted once', async () => {
      await sets().begin(set('b', 2));
      await sets().begin(set('c', 1));
      await sets().begin({ ...set('b', 9), agents: [] });
      expect(await sets().running()).toEqual([set('c', 1), set('b', 2)]);
      for (const at of [7, 8]) await sets().end('c', at);
      await sets().end('unknown', 7);
      await sets().begin(set('c', 1));
      expect(await sets().running()).toEqual([set('b', 2)]);
      expect(await sets().get('c')).toEqual({ ...set('c', 1), ended: 7 });
      expect(await sets().get('unknown')).toBeUndefined();
    });

    it('are found by their server: the one that began last', async () => {
      const at = (id: string, began: number, port: number, number: number): AgentSet => ({
        ...set(id, began),
        terms: { host: '::1', port, options: { talkMs: 1 } },
        number,
      });
      const all = [at('a', 1, 7, 9), at('b', 2, 7, 1), at('c', 2, 7, 2), at('d', 3, 8, 3)];
      for (const each of all) await sets().begin(each);
      await sets().end('c', 5);
      expect(await sets().latest('protocol', { host: '::1', port: 7 })).toEqual({ ...all[2], ended: 5 });
      expect(await sets().latest('protocol', { host: '::1' })).toEqual(all[3]);
      for (const id of ['c', 'b', 'unknown', 'c']) await sets().discard(id, 9);
      expect(await sets().latest('protocol', { port: 7 })).toEqual(all[0]);
      expect([await sets().get('c'), await sets().get('b')]).toMatchObject([{ ended: 5, number: 0 }, { ended: 9, number: 0 }]); // prettier-ignore
      for (const [division, port] of [['natural', 7], ['protocol', 9]] as const) expect(await sets().latest(division, { port })).toBeUndefined(); // prettier-ignore
    });

    it('list their faults in order, each written once and on pages', async () => {
      const [first, second, third] = [fault('t', 'q1', 0), fault('t', 'q1', 1, { instead: 'seat:4' }), fault('t', 'q2', 0)] as const;
      await sets().addFaults([first, second, { ...second, detail: 'again' }]);
      await sets().addFaults([]);
      await sets().addFaults([{ ...first, fault: 'gone' }, fault('u', 'q1', 0), third]);
      expect(await faults('t')).toEqual([first, second, third]);
      const [page] = await sets().faults('t', 0, 1);
      expect(await faults('t', page!.n)).toEqual([second, third]);
      expect(await faults('t', page!.n, 1)).toEqual([second]);
      expect(await faults('unknown')).toEqual([]);
    });

    it('stay as long as the result of their table, and go with it', async () => {
      await store().tapes.append('t', 0, [{ type: 'opened' }], about({ at: 5, summary: { stage: 'over' }, result: { winners: [] } }));
      for (const id of ['t', 'other']) {
        await sets().begin(set(id, 1));
        await sets().addFaults([fault(id, 'q', 0)]);
      }
      await store().maintenance.removeTables(['t', 'other'], { at: 9, keepResults: true });
      expect([await sets().get('t'), await faults('t')]).toEqual([set('t', 1), [fault('t', 'q', 0)]]);
      await store().maintenance.removeTables(['t', 'other'], { at: 9, keepResults: false });
      expect([await sets().get('t'), await faults('t')]).toEqual([undefined, []]);
      expect([await sets().get('other'), await faults('other')]).toEqual([set('other', 1), [fault('other', 'q', 0)]]);
    });
  });
}
