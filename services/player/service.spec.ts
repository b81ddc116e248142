import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { contracts } from '@maw/contracts/contracts.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import {
  decideMessage,
  agree,
  dayFor,
  newsIn,
  promptOf,
  refuse,
  tableMoved,
  type PlayerFixture,
  playerFixture,
  talkId,
  until,
  voteId,
} from '@maw/tests/equipment/fakes/player-fixture.ts';
import { newMemory, parseMemory } from './state/memory.ts';

let here: PlayerFixture;
beforeEach(async () => {
  here = await playerFixture();
});
afterEach(() => here.close());

const memoryOf = async (seat: number) => parseMemory(await here.store.thoughts.recall('t1', seat));
/** A dialogue that ends by itself is one whose questions are closed by the doorbell. */
const closeDay = () => here.master.publish(tableMoved([voteId, talkId]));
const running = async () => (await metrics.thinking.get()).values.find(({ labels }) => labels.service === 'player')?.value ?? 0;

describe('the memory of a seat', () => {
  const event = (n: number) => ({ n, at: 0, event: { type: 'dawned', day: n }, text: `Event ${n}.` });

  it('has no gap: missed events are requested, once', async () => {
    await here.store.thoughts.remember('t1', 0, 2, { ...newMemory, n: 2 });
    here.script.view = ({ data: { after } }) => [1, 2, 3, 4, 5, 6].filter((n) => n > after).map(event);
    await here.player();
    await here.master.publish(decideMessage(dayFor(0, { after: 5, news: [event(6)] })));
    const [first] = await until('a prompt', () => here.heard['llm.complete'].length > 0 && here.heard['llm.complete']);
    expect(newsIn(first!)).toBe('New, and only you know it:\nEvent 3.\nEvent 4.\nEvent 5.\nEvent 6.');
    expect(here.heard['table.view'].map(({ data }) => [data.eye, data.after])).toEqual([[0, 2]]);
    await closeDay();
  });

  it('takes overlapping news once', async () => {
    await here.store.thoughts.remember('t1', 0, 2, { ...newMemory, n: 2 });
    await here.player();
    await here.master.publish(decideMessage(dayFor(0, { after: 0, news: [1, 2, 3].map(event) })));
    const [first] = await until('a prompt', () => here.heard['llm.complete'].length > 0 && here.heard['llm.complete']);
    expect(newsIn(first!)).toBe('New, and only you know it:\nEvent 3.');
    expect(here.heard['table.view']).toEqual([]);
    await closeDay();
  });

  it('is read in one statement and stored twice in a decision without a model, with its thoughts', async () => {
    const { thoughts } = here.store;
    const spies = (['recall', 'recallAll', 'record', 'remember'] as const).map((name) => jest.spyOn(thoughts, name));
    const choose: Recipe = {
      name: 'choose',
      description: '',
      usesModel: false,
      contextTokens: 8000,
      steps: [
        { kind: 'plan', name: 'plan', run: async () => ({ plan: 'vote' }) },
        { kind: 'act', name: 'vote', run: async () => ({ answers: [{ question: voteId, says: ['seat:1'] }] }) },
      ],
    };
    await here.player({ defaultRecipe: 'choose' }, [choose]);
    const questions = dayFor(0).questions.filter(({ id }) => id === voteId);
    await here.master.publish(decideMessage(dayFor(0, { recipe: 'choose', questions: questions.map((one) => ({ ...one, final: true })) })));
    await until('an act', () => here.heard['table.act'].length > 0);
    await until('the end', async () => (await running()) === 0);
    expect(spies.map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0, 2]);
    expect((await thoughts.list('t1')).map(({ name }) => name)).toEqual(['plan', 'vote']);
  });

  it('is not shared with other seats', async () => {
    await here.player();
    await here.master.publish(decideMessage(dayFor(0, { news: [{ ...event(1), text: 'Only for Ann.' }] })));
    await here.master.publish(decideMessage(dayFor(1, { news: [{ ...event(1), text: 'Only for Bob.' }] })));
    await until('thoughts of both', () =>
      [0, 1].every((seat) => here.heard['llm.complete'].filter(({ data }) => data.agent === `t1:${seat}`).length > 1),
    );
    await closeDay();
    await until('the end', async () => (await running()) === 0);
    for (const asked of here.heard['llm.complete']) {
      const other =
        asked.data.agent === 't1:0' ? ['Only for Bob', 'Villager 1', 'You are Bob'] : ['Only for Ann', 'Villager 0', 'You are Ann'];
      for (const secret of other) expect(promptOf(asked)).not.toContain(secret);
    }
    const seeds = here.heard['llm.complete'].map(({ data }) => data.seed);
    expect(new Set(seeds).size).toBe(seeds.length);
    expect(JSON.stringify(await memoryOf(0))).not.toContain('Only for Bob');
  });

  it('starts afresh when it is unreadable', async () => {
    await here.store.thoughts.remember('t1', 0, 0, { v: 0, something: 'else' });
    await here.player();
    await here.master.publish(decideMessage(dayFor(0, { news: [event(1)] })));
    const [first] = await until('a prompt', () => here.heard['llm.complete'].length > 0 && here.heard['llm.complete']);
    expect(newsIn(first!)).toBe('New, and only you know it:\nEvent 1.');
    await closeDay();
  });
});

describe('an invitation', () => {
  const invite = (given: object = {}) =>
    contracts.write(
      'seat.invited',
      { seat: 2, rules: 'maw', taken: [], until: Date.now() + 60_000, ...given },
      { id: 't1/1/invite-2', source: 'gamemaster', subject: 't1', at: Date.now() },
    );
  const OWN_NAME = { recipe: 'algorithm-1', parameters: { ownName: true } };
  const joins = () => here.heard['table.join'].map(({ data }) => data.name);

  it('is taken under a chosen name, or another when refused', async () => {
    here.script.model = (asked) => (promptOf(asked).includes('"Felix" was refused: name-taken') ? '{"name":"Hannes"}' : '{"name":"Felix"}');
    here.script.join = ({ data: { name, seat } }) => (name === 'Felix' ? refuse('name-taken', 'somebody has it') : agree({ seat, name }));
    await here.player();
    await here.master.publish(invite(OWN_NAME));
    await until('the second name', () => joins().includes('Hannes'));
    expect(here.heard['table.join'].map(({ data }) => [data.seat, data.name])).toEqual([
      [2, 'Felix'],
      [2, 'Hannes'],
    ]);
    expect(here.heard['llm.complete'].map(({ data }) => `${data.kind} ${data.urgency}`)).toEqual(
      Array.from({ length: 2 }, () => 'algorithm-1/name background'),
    );
  });

  it('is redelivered with one request id per name', async () => {
    const names = ['Felix', 'Felix', 'Hannes'];
    here.script.model = () => `{"name":"${names.shift()}"}`;
    await here.player();
    for (let times = 1; times <= 3; times++) {
      await here.master.publish(invite(OWN_NAME));
      await until('the name', () => joins().length === times);
    }
    const ids = here.heard['table.join'].map(({ id }) => id);
    expect(joins()).toEqual(['Felix', 'Felix', 'Hannes']);
    expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
    for (const id of ids) expect(id).toMatch(/^t1\/1\/invite-2:[\da-f]{12}$/);
  });

  it('gives up after ten names', async () => {
    here.script.model = () => '{"name":"Felix"}';
    here.script.join = () => refuse('name-taken');
    await here.player();
    await here.master.publish(invite(OWN_NAME));
    await until('ten names', () => joins().length === 10);
    expect(new Set(joins()).size).toBe(10);
    expect(here.heard['llm.complete'].length).toBeLessThanOrEqual(3);
    expect(here.dead).toEqual([]);
  });

  it('is done when the seat is taken already', async () => {
    here.script.join = () => refuse('already-seated');
    await here.player();
    await here.master.publish(invite({ recipe: 'rules' }));
    await until('an answer', () => joins().length === 1);
    await here.master.publish(invite({ recipe: 'rules', name: 'Given' }));
    await until('the next', () => joins().length === 2);
    expect(joins()[1]).toBe('Given');
    expect(here.heard['llm.complete']).toEqual([]);
  });
});

describe('Player.size', () => {
  it('counts deciding seats and their tables, and returns to zero', async () => {
    const { size } = await here.player();
    expect(size()).toEqual({ seats: 0, tables: 0 });
    for (const seat of [0, 1, 2]) await here.master.publish(decideMessage(dayFor(seat)));
    await until('three decisions', () => size().seats === 3 && size().tables === 1);
    await closeDay();
    await until('nothing', () => size().seats === 0 && size().tables === 0);
  });
});

describe('an unknown recipe', () => {
  it('is dead-lettered with the names of known ones', async () => {
    await here.player();
    await here.master.publish(decideMessage(dayFor(0, { recipe: 'chess' })));
    const [letter] = await until('a dead letter', () => here.dead.length > 0 && here.dead);
    expect(JSON.stringify(letter)).toContain('there is no recipe chess; there are algorithm-1, ');
  });

  it('stops the service from starting as the default', async () => {
    await expect(here.player({ defaultRecipe: 'chess' })).rejects.toThrow('there is no recipe chess');
  });
});
