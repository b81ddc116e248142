import { describe, expect, it } from '@jest/globals';
import { contracts, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { MAX_MESSAGE_BYTES } from '@maw/bus/core/message-limits.ts';
import { readThoughts } from './read-thoughts.ts';

const { thoughts } = memoryStore();
const record = (seat: number, decision: string, step: number, content: object = {}) =>
  thoughts.record({ table: 't1', seat, decision, step, kind: 'act', name: 'decide', at: 100 * seat + step, content: { ...content } });
const read = async (data: object) => {
  const about = { id: 'm1', source: 'web', subject: 't1', at: 1, replyBy: 2 };
  const { data: found } = await readThoughts(thoughts, contracts.write('mind.thoughts', data, about) as Message<'mind.thoughts'>);
  return found as ReplyData<'mind.thoughts'>;
};

describe('readThoughts', () => {
  it('lists decisions in pages, and the steps of one by its number or its id', async () => {
    await record(1, 'a', 1, { phase: 'day-1' });
    await record(1, 'a', 2, { ms: 5 });
    await record(2, 'b', 1);
    await record(1, 'c', 1);
    expect(await read({ limit: 2 })).toMatchObject({ decisions: [{ n: 1, phase: 'day-1', steps: 2 }, { n: 2 }], thoughts: [], more: true });
    expect(await read({ after: 2 })).toMatchObject({ decisions: [{ n: 3 }], more: false });
    expect((await read({ seat: 2 })).decisions.map(({ decision }) => decision)).toEqual(['b']);
    for (const decision of [1, 'a'])
      expect(await read({ decision, limit: 1 })).toMatchObject({ decisions: [{ n: 1 }], thoughts: [{ step: 1 }], more: true });
    expect(await read({ decision: 1, after: 1 })).toMatchObject({ thoughts: [{ step: 2, content: { ms: 5 } }], more: false });
  });

  it('refuses a decision that does not exist, or is of another seat', async () => {
    for (const data of [{ decision: 99 }, { decision: 'z' }, { decision: 'a', seat: 2 }, { decision: 1, seat: 2 }])
      await expect(read(data)).rejects.toThrow(/not-an-option: there is no decision/);
  });

  it('sums up how all decisions came about, by model, where that is asked for', async () => {
    const calls = [{ reply: { model: 'm1', content: 'I wait.' } }];
    await record(7, 'prose', 1, { calls, outcome: 'defaulted' });
    await record(7, 'valid', 1, { calls: [{ reply: { model: 'm1', content: '{}' } }], outcome: 'valid' });
    expect((await read({ limit: 1, sums: true })).sums).toEqual(['2 decisions by m1: 1 by default: it answers without JSON.']);
    expect(await read({ limit: 1 })).not.toHaveProperty('sums');
  });

  it('keeps replies below the size of a message, however long thoughts are', async () => {
    const long = { saw: ['狼'.repeat(9_000)] };
    for (let step = 1; step <= 60; step++) await record(5, 'long', step, long);
    await record(6, 'huge', 1, { saw: '狼'.repeat(500_000) });
    await record(6, 'many', 1, { saw: Array.from({ length: 100_000 }, () => 'a wolf') });
    let [after, count] = [0, 0];
    for (let more = true; more;) {
      const page = await read({ decision: 'long', after, limit: 1000 });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MAX_MESSAGE_BYTES);
      count += page.thoughts.length;
      ({ more } = page);
      after = page.thoughts.at(-1)!.step;
    }
    expect(count).toBe(60);
    const [huge] = (await read({ decision: 'huge' })).thoughts;
    expect(huge!.content['saw']).toMatch(/^狼{10000}… \(490000 more characters\)$/);
    const [many] = (await read({ decision: 'many' })).thoughts;
    expect(many!.content).toEqual({ omitted: expect.stringMatching(/^\d+ characters$/) });
  });
});
