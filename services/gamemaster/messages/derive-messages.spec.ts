import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Data, Message } from '@maw/contracts/contracts.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { memoryTapes } from '@maw/tests/equipment/memory-store/tapes.ts';
import type { Replica } from '../replica.suite.ts';
import { type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
const begin = async (): Promise<void> => {
  here = rig();
  at = await here.replica();
};
const end = (): Promise<void> => here.close();

const OPTIONS = { dayMs: 10_000, nightMs: 10_000, maxDays: 5, whisper: true, seer: true };
const all = [0, 1, 2, 3, 4, 5];

/** A whole table of minds that answer at random, or not at all. */
async function playOut(rounds = 2): Promise<readonly Message<'seat.decide'>[]> {
  await here.seated(at, { minds: all, options: OPTIONS, rounds, pauseMs: 100 });
  const dice = diceOf('decisions', 'play');
  for (let step = 0; step < 5_000; step++) {
    const { game, open } = await here.standing();
    if (game.closed) return at.of('seat.decide');
    const seat = dice.below(6);
    const q = open.filter((each) => each.of.includes(seat))[dice.below(3)];
    const says = q && dice.below(10) < 7 ? randomAnswer(q, seat, dice) : undefined;
    if (q && says && game.stage === 'round') await here.act(at, seat, q.id.split('/').at(-1)!, ...says);
    else if (dice.below(4) === 0) await here.wait(at);
  }
  throw new Error('the table does not end');
}

describe('a decision request', () => {
  let asked: readonly Data<'seat.decide'>[];
  let rolesIn: ReadonlyMap<number, readonly string[]>;
  beforeAll(begin);
  afterAll(end);
  beforeAll(async () => {
    asked = (await playOut()).map(({ data }) => data);
    const dealt = (await here.tapeOf()).filter(({ event }) => event.type === 'dealt');
    rolesIn = new Map(dealt.map(({ event }, i) => [i + 1, event['roles'] as string[]]));
  });

  it('holds nothing the seat may not know', () => {
    expect(asked.length).toBeGreaterThan(20);
    for (const { seat, round, brief, news, questions, players, rules, seed } of asked) {
      const roles = rolesIn.get(round)!;
      const [own, pack] = [roles[seat]!, roles.flatMap((role, of) => (role === 'wolf' ? [of] : []))];
      const mayKnow = own === 'wolf' ? pack : [seat];
      expect(brief).toContain(`Your role: ${{ wolf: 'Werewolf', villager: 'Villager', seer: 'Seer' }[own]}.`);
      expect(all.filter((other) => other !== seat && brief.includes(`P${other}`) && own === 'villager')).toEqual([]);
      const text = JSON.stringify({ questions, players, rules });
      if (own !== 'wolf')
        expect(JSON.stringify(news.filter(({ event }) => /night/.test(JSON.stringify(event))))).not.toContain(`"round-${round}/night-`);
      if (own !== 'seer') expect(text).not.toContain('/inspect');
      for (const { event } of news) {
        // What belongs to an earlier round has been shown to all on its leaderboard.
        if (event.type === 'dealt' && isOf(event, roles))
          expect((event['roles'] as string[]).flatMap((role, of) => (role === 'hidden' ? [] : [of]))).toEqual(mayKnow);
        if (event.type === 'opened') expect(event).toMatchObject({ opening: { seed: '' } });
        if (event.type === 'inspected') expect(event['by']).toBe(seat);
        if (event.type === 'refused') expect(event['seat']).toBe(seat);
        if (event.type === 'answered' && /\/whisper$/.test(event['question'] as string)) {
          const { by, says } = event['answer'] as { by: number; says: string[] };
          expect([by, Number(says[0]!.slice('seat:'.length))]).toContain(seat);
        }
      }
      expect(seed).not.toContain('seed');
    }
  });

  /** Whether a deal, as far as it is shown, is this one. */
  const isOf = (event: { readonly [field: string]: unknown }, roles: readonly string[]): boolean =>
    (event['roles'] as string[]).every((role, of) => role === 'hidden' || role === roles[of]);

  it('is one for each phase, with all its open questions', async () => {
    const phases = asked.map(({ seat, phase }) => `${seat} ${phase}`);
    expect(new Set(phases).size).toBe(phases.length);
    const tape = await here.tapeOf();
    for (const { seat, phase, questions } of asked) {
      const open = tape.flatMap(({ event }) => {
        const q = event['question'] as { id: string; of: number[] };
        return event.type === 'asked' && q.id.startsWith(`${phase}/`) && q.of.includes(seat) ? [q.id] : [];
      });
      expect(questions.map(({ id }) => id)).toEqual(open);
    }
    const living = tape.filter(({ event }) => event.type === 'asked' && /\/(vote|hunt)$/.test((event['question'] as { id: string }).id));
    expect(phases.length).toBe(living.reduce((sum, { event }) => sum + (event['question'] as { of: number[] }).of.length, 0));
  });

  it('names options by player names', () => {
    for (const { questions, seat } of asked)
      for (const { options, verb } of questions) {
        expect(options.map(({ named }) => named)).toEqual(options.map(({ is }) => `P${is.slice('seat:'.length)}`));
        if (verb !== 'say') expect(options.map(({ is }) => is)).not.toContain(`seat:${seat}`);
      }
  });

  it('continues the news of the last one without a gap', () => {
    for (const seat of all) {
      let last = 0;
      for (const { after, news } of asked.filter((one) => one.seat === seat)) {
        expect(after).toBe(last);
        expect(news.map(({ n }) => n)).toEqual(news.map((_, i) => after + i + 1));
        last = after + news.length;
      }
      expect(last).toBeGreaterThan(0);
    }
  });

  it('is identical at a replica that reads the tape', async () => {
    const said = at.of('seat.decide');
    const tape = await here.tapeOf();
    const tapes = { ...memoryTapes(), read: async (_: string, after = 0) => tape.slice(after) };
    const other = await here.replica({ tapes });
    for (const { causeid } of new Map(said.map((message) => [message.causeid, message])).values())
      await other.tell('table.tick', { alarm: 0 }, { id: causeid!, source: 'gamemaster' });
    await other.get('table.view', { eye: 'audience' });
    expect(other.of('seat.decide')).toEqual(said);
  });
});

describe('the news of a move', () => {
  beforeEach(begin);
  afterEach(end);

  it('carries the public lines of its append, which the chatroom then does not announce', async () => {
    await playOut();
    const told = at.of('room.said').map(({ data, causeid }) => ({ ...data, causeid }));
    const carried = at.of('table.moved').flatMap(({ data, causeid }) => (data.lines ?? []).map((line) => ({ ...line, causeid })));
    const announced = told.filter(({ isAnnounced }) => isAnnounced);
    expect(carried).toEqual(announced.map(({ isAnnounced: _, isPublic: __, ...line }) => line));
    expect(announced.every(({ isPublic }) => isPublic)).toBe(true);
    const moves = new Set(at.of('table.moved').map(({ causeid }) => causeid));
    const others = told.filter(({ isPublic, isAnnounced }) => isPublic && !isAnnounced);
    expect(others.filter(({ causeid }) => moves.has(causeid))).toEqual([]);
    expect([announced.length > 0, others.length > 0, told.some(({ isPublic }) => !isPublic)]).toEqual([true, true, true]);
  });
});

describe('the ids of messages', () => {
  const published = async (seed: string): Promise<readonly string[]> => {
    const table = rig();
    const replica = await table.replica();
    await table.seated(replica, { minds: all, options: OPTIONS, seed });
    await table.wait(replica);
    await table.close();
    return replica.said.filter(({ source }) => source === 'gamemaster').map(({ id }) => id);
  };

  it('say nothing but the table, and are repeated only by who knows the seed', async () => {
    const ids = await published('a');
    expect(ids.length).toBeGreaterThan(20);
    expect(ids.filter((id) => !/^t1\/[\w-]{22}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await published('a')).toEqual(ids);
    expect((await published('b')).filter((id) => ids.includes(id))).toEqual([]);
  });
});

describe('no request', () => {
  beforeEach(begin);
  afterEach(end);

  it('is sent in the Lobby or to a person', async () => {
    await here.seated(at, { minds: [1], options: OPTIONS, rounds: 2 });
    await here.wait(at);
    expect(new Set(at.of('seat.decide').map(({ data }) => data.seat))).toEqual(new Set([1]));
    expect(at.of('seat.decide').every(({ data }) => data.phase.startsWith('round-1/'))).toBe(true);
  });
});

describe('a request to talk at any time', () => {
  beforeEach(begin);
  afterEach(end);

  it('names the word with which the talk of a seat ends', async () => {
    await here.seated(at, { players: 5, minds: [1], rules: 'aiwolf', options: { preset: 'nlp-anytime' } });
    const [{ data }] = at.of('seat.decide') as [Message<'seat.decide'>];
    expect(data.questions).toEqual([
      expect.objectContaining({ id: 'round-1/day-0/turn-0/talk', final: false, last: 'Over', maxChars: 125 }),
    ]);
  });
});
