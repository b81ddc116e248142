import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import type { Bus } from '@maw/bus/bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import {
  dayFor,
  decideMessage,
  playerFixture,
  type PlayerFixture,
  promptOf,
  until,
  voteId,
} from '@maw/tests/equipment/fakes/player-fixture.ts';

let here: PlayerFixture;
let people: Bus;
beforeEach(async () => {
  here = await playerFixture();
  people = memoryBus({ service: 'web', hub: here.hub });
});
afterEach(async () => {
  await people.close();
  await here.close();
});

type Asked = 'mind.context' | 'mind.load' | 'mind.truncate';
interface Reply {
  // oxlint-disable-next-line typescript/no-explicit-any -- any JSON
  readonly context: any;
  readonly detail: string;
}
const START = Date.now();
async function ask(name: Asked, data: object, at = START, id = `${name}/${at}/${Math.random()}`): Promise<Reply> {
  const about = { id, source: 'web', subject: 't1', at, replyBy: Date.now() + 60_000 };
  return (await people.request(contracts.write(name, data as never, about) as Message<'mind.context'>)).data as never;
}
const [vote] = dayFor(0).questions.filter(({ id }) => id === voteId);
const seen = (n: number, text: string) => ({ n, at: n, event: { type: 'told' }, text });
/** Asks seat 0 for a vote, with one more event than before. */
async function decide(n: number): Promise<string> {
  const data = dayFor(0, { questions: [{ ...vote!, final: true }], news: [seen(n, `Event ${n}.`)], after: n - 1 });
  const before = here.heard['llm.complete'].length;
  await here.master.publish(decideMessage({ ...data, phase: `round-1/day-${n}` }, n));
  await until('the decision', async () => here.heard['table.act'].length === n);
  await until('its memory', async () => (await ask('mind.context', { seat: 0 })).context.phase === `round-1/day-${n}`);
  return promptOf(here.heard['llm.complete'][before]!);
}

describe('the context of a seat', () => {
  beforeEach(async () => {
    here.script.model = () => '{"do":"vote","target":"Bob"}';
    here.script.view = ({ data }) => [2, 3].filter((n) => n > data.after!).map((n) => seen(n, `Event ${n}.`));
    await here.player();
  });

  it('is what the mind remembers, and begins the next decision when it is loaded again, with what happened since', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    expect(context).toMatchObject({ context: 1, table: 't1', seat: 0, n: 1, phase: 'round-1/day-1' });
    expect(context.mind.unread).toEqual(['Event 1.']);
    await decide(2);
    const edited = { ...context, mind: { ...context.mind, unread: [], context: { lines: ['I was in the garden.'], dropped: 0 } } };
    await ask('mind.load', { seat: 0, context: edited }, START + 1, 'the load');
    expect((await ask('mind.context', { seat: 0 })).context.mind.context.lines).toEqual(['I was in the garden.']);
    const prompt = await decide(3);
    expect(prompt).toMatch(/I was in the garden\.[^]*Event 2\.[^]*Event 3\./);
    expect(prompt).not.toContain('Event 1.');
    await ask('mind.load', { seat: 0, context: edited }, START + 9, 'the load'); // again, with the same key
    expect((await ask('mind.context', { seat: 0 })).context.mind.unread.join()).toContain('Event 3.');
  });

  it('leaves a running decision alone', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    const reply = Promise.withResolvers<string>();
    here.script.model = () => reply.promise;
    const running = decide(2);
    await until('a running thought', () => here.heard['llm.complete'].length === 2);
    await ask(
      'mind.load',
      { seat: 0, context: { ...context, mind: { ...context.mind, context: { lines: ['New.'], dropped: 0 } } } },
      START + 1,
    );
    reply.resolve('{"do":"vote","target":"Bob"}');
    expect(await running).not.toContain('New.');
    here.script.model = () => '{"do":"vote","target":"Bob"}';
    expect(await decide(3)).toContain('New.');
  });

  it('is cut at the next decision, the oldest lines first', async () => {
    await decide(1);
    await decide(2);
    await ask('mind.truncate', { seat: 0, tokens: 0 }, START + 1);
    const prompt = await decide(3);
    expect(['Event 1.', 'Event 2.', 'Event 3.'].map((line) => prompt.includes(line))).toEqual([false, true, true]);
  });

  it('holds nothing of another seat whose mind thinks too', async () => {
    for (const [seat, secret] of ['Only for Ann.', 'Only for Bob.'].entries()) {
      const questions = [{ ...vote!, final: true }];
      await here.master.publish(decideMessage(dayFor(seat, { questions, news: [seen(1, secret)], after: 0 }), 1));
    }
    const textOf = async (seat: number) => JSON.stringify((await ask('mind.context', { seat })).context ?? '');
    const [ann, bob] = await until('both minds', async () => {
      const texts = [await textOf(0), await textOf(1)];
      return texts.every((text) => text.includes('Only for ')) && texts;
    });
    expect([ann, bob].map((text) => ['Only for Ann', 'Only for Bob'].filter((secret) => text!.includes(secret)))).toEqual([
      ['Only for Ann'],
      ['Only for Bob'],
    ]);
  });

  it('of another table is remembered as of another game, beside what the seat has in mind', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    const mind = {
      ...context.mind,
      context: { lines: ['[Village] Cid: «I am the\nSeer.»'], dropped: 0 },
      unread: [],
      plan: 'Trust nobody.',
      notes: { observations: ['Day 1: Cid died.'], lan: 7 },
    };
    const other = { ...context, table: 't2', seat: 3, phase: 'round-1/day-4', n: 99, rooms: { elsewhere: 7 }, mind };
    await ask('mind.load', { seat: 0, context: other }, START + 1);
    await ask('mind.truncate', { seat: 0, tokens: 4_000 }, START + 2);
    const prompt = await decide(2);
    expect(prompt).toMatch(/Event 1\.[^]*In another game: \[Village\] Cid: «I am the Seer\.»\n/);
    expect(prompt).toMatch(/In another game: Day 1: Cid died\.\n[^]*In another game you thought: Trust nobody\.\n[^]*Event 2\./);
    expect((await ask('mind.context', { seat: 0 })).context).toMatchObject({ table: 't1', seat: 0, n: 2 });
    const thoughts = await here.store.thoughts.list('t1', { seat: 0 });
    expect(thoughts.find(({ name }) => name === 'context')?.content).toMatchObject({
      loaded: 'a context of another game saved after round-1/day-4',
    });
    expect(await decide(3)).not.toMatch(/In another game: .*Cid died[^]*In another game: .*Cid died/);
  });

  it('is never loaded into another seat of its table, and only when it is one', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    const why = async (seat: number, given: object) => (await ask('mind.load', { seat, context: given })).detail;
    expect(await why(1, context)).toBe(
      'it is of seat 0 of this table; within a table a context is loaded only into the seat it was saved of',
    );
    expect(await why(0, { ...context, mind: { ...context.mind, plan: 7 } })).toContain('it is not a saved context: mind.plan: ');
    expect(await why(0, { ...context, pending: [{ at: 1, text: 7 }] })).toContain('it is not a saved context: pending.0.text: ');
    expect((await ask('mind.context', { seat: 3 })).detail).toContain('seat 3 of t1 has nothing in mind');
    expect((await here.store.thoughts.recall('t1', 300)) ?? (await here.store.thoughts.recall('t1', 301))).toBeUndefined();
  });

  it('has no pause from the file, and no note whose form would break every thought', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    const broken = { ...context, mind: { ...context.mind, notes: { own: 7, lan: 'x' } } };
    expect((await ask('mind.load', { seat: 0, context: broken })).detail).toBe(
      'it is not a saved context: mind.notes.own must be a list of texts; mind.notes.lan must be a map',
    );
    await ask('mind.load', { seat: 0, context: { ...context, mind: { ...context.mind, pause: 0 } } }, START + 1);
    expect((await ask('mind.context', { seat: 0 })).context.mind).toEqual(context.mind);
  });

  it('is loaded once, also when the memory is lost, and leaves a thought', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    await ask('mind.load', { seat: 0, context: { ...context, mind: { ...context.mind, plan: 'Old.' } } }, START + 1);
    await decide(2);
    const thoughts = await here.store.thoughts.list('t1', { seat: 0 });
    expect(thoughts.filter(({ name }) => name === 'context').map(({ kind, step, content }) => [kind, step, content])).toEqual([
      [
        'observe',
        1,
        { phase: 'round-1/day-2', loaded: 'a context saved after round-1/day-1', digest: expect.stringMatching(/^[\da-f]{12}$/) },
      ],
    ]);
    await here.store.thoughts.remember('t1', 0, 9, { v: 0 });
    expect((await ask('mind.context', { seat: 0 })).context.mind.plan).toBe('');
  });

  it('is neither loaded nor cut where that has no effect', async () => {
    await decide(1);
    const { context } = await ask('mind.context', { seat: 0 });
    expect((await ask('mind.load', { seat: 3, context: { ...context, seat: 3 } })).detail).toContain('seat 3 of t1 has nothing in mind');
    expect((await ask('mind.truncate', { seat: 3, tokens: 5 })).detail).toContain('seat 3 of t1 has nothing in mind');
    await ask('mind.load', { seat: 0, context: { ...context, mind: { ...context.mind, unread: [], notes: { debate: ['Ann: Hi.'] } } } });
    expect((await ask('mind.truncate', { seat: 0, tokens: 5 }, START + 1)).detail).toBe(
      'the log of seat 0 is empty: its recipe keeps what it knows in notes, which are not cut',
    );
    expect((await ask('mind.load', { seat: 0, context }, START - 1)).detail).toContain('another context was loaded into seat 0 meanwhile');
  });
});
