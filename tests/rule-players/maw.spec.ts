import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { dayTwo, inspect, talk, vote } from '@maw/minds/fixtures.suite.ts';
import type { Asking, Moment } from '@maw/minds/mind.ts';
import { type News, newsFromLine } from '@maw/minds/news.ts';
import { type Event, floorAt, knownAfter } from './known-after.suite.ts';
import { mawStrategy } from '@maw/rule-players/maw/maw.ts';
import type { Known } from '@maw/rule-players/maw/record.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay'];
const options = (...seats: number[]) => seats.map((seat) => ({ is: `seat:${seat}`, named: names[seat]! }));
const room = 'round-1/day-1/Village';

/** Seat 0 at a table of six, after some events of its view. */
function after(events: readonly Event[], dead: readonly number[] = []) {
  const moment: Moment = { ...dayTwo, players: names.map((name, seat) => ({ seat, name, alive: !dead.includes(seat) })) };
  return { moment, known: knownAfter(mawStrategy, events, moment) };
}
const dealt = (...roles: string[]) => [
  { type: 'opened', opening: { options: { seer: true } } },
  { type: 'began', round: 1 },
  { type: 'dealt', roles: [...roles, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'].slice(0, 6) },
  { type: 'dawned', day: 1 },
  { type: 'asked', question: { id: 'round-1/day-1/vote', verb: 'choose' } },
  { type: 'asked', question: { id: 'round-1/day-1/talk', verb: 'say' } },
];
const votes = (...cast: readonly (readonly [number, number])[]) =>
  cast.map(([by, on]) => ({ type: 'answered', question: 'round-1/day-1/vote', answer: { by, says: [`seat:${on}`] } }));
const says = (by: number, text: string) => ({ type: 'answered', question: 'round-1/day-1/talk', answer: { by, says: [text] } });
const night = [{ type: 'dusked', day: 1 }];
const second = [...night, { type: 'dawned', day: 2 }];

function act(known: Known, moment: Moment, questions: readonly Asking[] = [{ ...vote, options: options(1, 2, 3, 4, 5) }]) {
  const asked = { ...moment, questions };
  return mawStrategy.act(
    known,
    mawStrategy.believe(known, asked),
    asked,
    diceOf(moment.seed, `${moment.iteration}`),
    floorAt(mawStrategy, asked),
  ).answers;
}
const votedFor = (answers: ReturnType<typeof act>) => answers.find(({ question }) => /vote|hunt/.test(question))?.says[0];

describe('the record', () => {
  it('contains a vote once, from room and event, in any order', () => {
    const { known, moment } = after(dealt('villager'));
    const line = (number: number, on: number) => newsFromLine(room, { line: number, at: 0, by: 1, text: '', says: [`seat:${on}`] }, names);
    const event = (number: number, on: number): News => ({ ...line(number, on), n: 50 + number, event: votes([1, on])[0]! });
    const all = [line(3, 2), line(7, 4), event(3, 2), event(7, 4)];
    const record = all.reduce((state, one) => mawStrategy.fold(state, one, moment), known) as Known;
    expect(record.days[1]!.votes).toEqual({ 1: { target: 4, at: 7, before: [2] } });
    const backwards = [line(7, 4), line(3, 2)].reduce((state, one) => mawStrategy.fold(state, one, moment), known) as Known;
    expect(backwards.days[1]!.votes[1]!.target).toBe(4);
  });

  it('restarts each round, and remembers the seer option', () => {
    const { known } = after([...dealt('villager'), says(2, 'I am the Seer. Bob is a Werewolf.'), { type: 'began', round: 2 }]);
    expect(known).toMatchObject({ round: 2, hasSeer: true, claims: [], days: {} });
  });
});

describe('a villager', () => {
  it('votes for the one who voted apart from the others', () => {
    const { known, moment } = after(
      [...dealt('villager'), ...votes([1, 5], [2, 5], [3, 5], [0, 5], [4, 2]), { type: 'executed', seat: 5 }, ...second],
      [5],
    );
    expect(votedFor(act(known, moment))).toBe('seat:4');
  });

  it('votes neither for the dead or cleared nor for itself', () => {
    const { known, moment } = after(
      [
        ...dealt('seer'),
        { type: 'inspected', by: 0, seat: 1, role: 'villager' },
        ...night,
        { type: 'murdered', seat: 2 },
        { type: 'dawned', day: 2 },
      ],
      [2],
    );
    const { wolf } = mawStrategy.believe(known, moment);
    expect([wolf[0], wolf[1], wolf[2]]).toEqual([0, 0, 0]);
    expect(['seat:3', 'seat:4', 'seat:5']).toContain(votedFor(act(known, moment)));
  });

  it('follows an unrivalled seer', () => {
    const { known, moment } = after([...dealt('villager'), says(2, 'I am the Seer. Fay is a Werewolf.')]);
    expect(votedFor(act(known, moment))).toBe('seat:5');
  });

  it('joins a less suspected choice of the others late, not early', () => {
    const today = ['1', '2', '3'].map((by) => ({
      type: 'answered',
      question: 'round-1/day-2/vote',
      answer: { by: Number(by), says: [by === '1' ? 'seat:2' : 'seat:1'] },
    }));
    const asked = { type: 'asked', question: { id: 'round-1/day-2/vote', verb: 'choose' } };
    const past = [...votes([1, 5], [0, 5], [2, 5], [3, 4], [4, 2]), { type: 'executed', seat: 5 }, ...second];
    const { known, moment } = after([...dealt('villager'), ...past, asked, ...today], [5]);
    expect(votedFor(act(known, { ...moment, iteration: 0 }))).toBe('seat:3');
    expect(votedFor(act(known, { ...moment, iteration: 8 }))).toBe('seat:1');
    expect(votedFor(act(known, { ...moment, isTimeShort: true }))).toBe('seat:1');
  });

  it('never joins votes against the known good', () => {
    const { known, moment } = after([
      ...dealt('seer'),
      { type: 'inspected', by: 0, seat: 5, role: 'villager' },
      ...votes([1, 5], [2, 5], [3, 5]),
    ]);
    expect(votedFor(act(known, { ...moment, isTimeShort: true }))).not.toBe('seat:5');
  });

  it('does not repeat a standing vote', () => {
    const { known, moment } = after([...dealt('villager'), says(2, 'I am the Seer. Fay is a Werewolf.')]);
    expect(votedFor(act(known, { ...moment, standing: { [vote.id]: ['seat:5'] } }))).toBeUndefined();
  });
});

describe('a seer', () => {
  it('inspects one it has not inspected', () => {
    const { known, moment } = after([
      ...dealt('seer'),
      ...[1, 2, 3, 4].map((seat) => ({ type: 'inspected', by: 0, seat, role: 'villager' })),
    ]);
    const answers = act(known, moment, [{ ...inspect, options: options(1, 2, 3, 4, 5) }]);
    expect(answers).toEqual([{ question: inspect.id, says: ['seat:5'] }]);
  });

  it('reveals a found wolf once and votes for it', () => {
    const { known, moment } = after([...dealt('seer'), { type: 'inspected', by: 0, seat: 3, role: 'wolf' }]);
    const questions = [
      { ...talk, maxChars: 500 },
      { ...vote, options: options(1, 2, 3, 4, 5) },
    ];
    const asked = { ...moment, questions };
    const first = mawStrategy.act(known, mawStrategy.believe(known, asked), asked, diceOf('s', '1'), floorAt(mawStrategy, asked));
    expect(first.answers).toEqual([
      { question: talk.id, says: ['I am the Seer. Dot is a Werewolf.'] },
      { question: vote.id, says: ['seat:3'] },
    ]);
    const again = mawStrategy.act(
      first.known,
      mawStrategy.believe(first.known, asked),
      asked,
      diceOf('s', '2'),
      floorAt(mawStrategy, asked),
    );
    expect(again.answers.flatMap(({ says: said }) => said)).not.toContain('I am the Seer. Dot is a Werewolf.');
  });

  it('never exceeds the length limit', () => {
    const { known, moment } = after([...dealt('seer'), { type: 'inspected', by: 0, seat: 3, role: 'wolf' }]);
    expect(act(known, moment, [{ ...talk, maxChars: 10 }])).toEqual([]);
  });
});

describe('a wolf', () => {
  const pack = (...more: readonly { readonly type: string; readonly [field: string]: unknown }[]) =>
    after([...dealt('wolf', 'wolf'), ...more]);
  const hunt: Asking = { ...vote, id: 'round-1/night-1/hunt', options: options(2, 3, 4, 5) };
  const huntFor = (seat: number, roles: string[], ...more: readonly { readonly type: string; readonly [field: string]: unknown }[]) => {
    const { known, moment } = after([...dealt(...roles), ...more, ...night]);
    return votedFor(act(known, { ...moment, seat, phase: 'round-1/night-1' }, [hunt]));
  };

  it('votes with the crowd against a villager, not against its own', () => {
    const { known, moment } = pack(...votes([2, 1], [3, 1], [4, 5]));
    expect(votedFor(act(known, moment))).toBe('seat:5');
  });

  it('speaks once a day where only minds play, also when the crowd turns', () => {
    const cast = [votes([2, 5]), votes([2, 5], [3, 4], [5, 4])];
    let { known, moment } = pack();
    const said: string[] = [];
    for (const [i, so] of cast.entries())
      for (let iteration = 10 * i; iteration < 10 * (i + 1); iteration++) {
        const { mine } = known;
        known = { ...pack(...so).known, mine };
        const now = { ...moment, iteration, questions: [{ ...talk, maxChars: 500 }] };
        const acted = mawStrategy.act(known, mawStrategy.believe(known, now), now, diceOf('s', `${iteration}`), floorAt(mawStrategy, now));
        said.push(...acted.answers.flatMap(({ says: lines }) => lines));
        ({ known } = acted);
      }
    expect(said).toEqual([expect.stringContaining('Fay')]);
  });

  it('agrees with its pack on a victim without talking', () => {
    const record = [...votes([2, 5], [3, 5], [4, 3], [0, 5], [1, 3]), { type: 'spared', because: 'tie' }];
    const one = huntFor(0, ['wolf', 'wolf'], ...record);
    expect(['seat:2', 'seat:3', 'seat:4', 'seat:5']).toContain(one);
    expect(huntFor(1, ['wolf', 'wolf'], ...record)).toBe(one);
  });

  it('murders the certain seer', () => {
    expect(huntFor(0, ['wolf', 'wolf'], says(4, 'I am the Seer. Bob is a Werewolf.'))).toBe('seat:4');
  });

  it('gives in to its partner unless it is the first of the pack', () => {
    const { known, moment } = after([
      ...dealt('wolf', 'wolf'),
      ...night,
      { type: 'asked', question: { id: hunt.id, verb: 'choose' } },
      { type: 'answered', question: hunt.id, answer: { by: 0, says: ['seat:3'] } },
    ]);
    const late = { ...moment, seat: 1, phase: 'round-1/night-1', iteration: 5 };
    expect(votedFor(act(known, late, [hunt]))).toBe('seat:3');
  });
});

it('is silent in the Lobby', () => {
  const { known, moment } = after([]);
  expect(act(known, moment, [talk])).toEqual([]);
});
