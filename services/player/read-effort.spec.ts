import { expect, it } from '@jest/globals';
import { contracts, type Message, type ReplyData } from '@maw/contracts/contracts.ts';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { readEffort } from './read-effort.ts';

const { thoughts } = memoryStore();
const record = (seat: number, decision: string, step: number, content: object) =>
  thoughts.record({ table: 't1', seat, decision, step, kind: 'act', name: 'decide', at: 100 * seat + step, content: { ...content } });
const read = async (data: object) => {
  const message = contracts.write('mind.effort', data, { id: 'm', source: 'contest', subject: 't1', at: 1, replyBy: 2 });
  return (await readEffort(thoughts, message as Message<'mind.effort'>)).data as ReplyData<'mind.effort'>;
};
const reply = { model: 'm', tokens: { prompt: 9, completion: 2 }, times: { queued: 1, total: 5 } };
const secret = 'I am the wolf';

it('tells what calls took and how decisions came about, on pages, and nothing of what was thought', async () => {
  const calls = [
    { messages: [{ role: 'user', content: secret }], reply: { ...reply, content: secret }, ms: 5, seed: secret },
    { failed: 'late' },
  ];
  await record(1, 'a', 1, { phase: 'round-2/day-1', calls, plan: secret });
  await record(1, 'a', 2, { phase: 'round-2/day-1', answers: [{ says: [secret] }], outcome: 'fallback', reason: secret });
  await record(1, 'a', 3, { phase: 'round-2/day-1', unread: [secret] });
  await record(2, 'b', 1, { error: 'no model' });
  const page = await read({ limit: 1 });
  expect(page).toEqual({
    steps: [
      { n: 1, seat: 1, round: 2, kind: 'act', content: { calls: [{ reply, ms: 5 }, { failed: 'late' }] } },
      { n: 1, seat: 1, round: 2, kind: 'act', content: { outcome: 'fallback' } },
    ],
    last: 1,
    more: true,
  });
  expect(await read({ after: 1 })).toEqual({
    steps: [{ n: 2, seat: 2, round: 1, kind: 'act', content: { error: 'no model' } }],
    last: 2,
    more: false,
  });
  expect(await read({ after: 2 })).toEqual({ steps: [], last: 2, more: false });
});
