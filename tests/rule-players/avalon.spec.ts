import { describe, expect, it } from '@jest/globals';
import { avalon } from '@maw/games/avalon/avalon.ts';
import type { Sight } from '@maw/games/avalon/state.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { playOutcome } from '@maw/minds/arena/arena.ts';
import { dayTwo } from '@maw/minds/fixtures.suite.ts';
import type { Asking, Moment } from '@maw/minds/mind.ts';
import { type News, newsFromLine } from '@maw/minds/news.ts';
import { type Event, floorAt, knownAfter } from './known-after.suite.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { avalonStrategy } from '@maw/rule-players/avalon/avalon.ts';
import type { Known } from '@maw/rule-players/avalon/record.ts';

const rules = findRecipe('rules');
const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus'];
const seats = (of: readonly number[]) => of.map((seat) => `seat:${seat}`);
const everybody = (players: number) => Array.from({ length: players }, (_, seat) => seat);
const asking = (step: string, rest: Partial<Asking>): Asking => ({
  id: `round-1/quest-1/proposal-1/${step}`,
  verb: 'choose',
  options: [],
  pick: 1,
  until: 60_000,
  final: true,
  maxChars: 500,
  ...rest,
});
const named = (of: readonly number[]) => of.map((seat) => ({ is: `seat:${seat}`, named: names[seat]! }));
const words = (...of: string[]) => of.map((is) => ({ is, named: is }));
const team = (pick: number, players = 6) => asking('team', { pick, options: named(everybody(players)) });
const approve = asking('approve', { options: words('approve', 'reject') });
const card = asking('quest', { options: words('success', 'fail') });
const talk = asking('talk', { verb: 'say' });

interface Setting {
  readonly role: string;
  readonly seat?: number;
  readonly sees?: readonly number[];
  readonly as?: Sight['as'];
  readonly players?: number;
  readonly options?: object;
}
const dealt = ({ role, seat = 0, sees, as = 'evil', players = 6, options = {} }: Setting): Event[] => [
  { type: 'opened', opening: { options } },
  { type: 'began', round: 1 },
  { type: 'dealt', roles: everybody(players).map((one) => (one === seat ? role : 'hidden')) },
  ...(sees ? [{ type: 'saw', seat, of: sees, as }] : []),
];
const led = (quest: number, proposal: number, leader: number): Event => ({ type: 'led', quest, proposal, leader, size: 2 });
const proposed = (quest: number, proposal: number, leader: number, who: readonly number[]): Event => ({
  type: 'proposed',
  isForced: false,
  quest,
  proposal,
  leader,
  team: who,
});
/** A team that all approved, and how its quest came out. */
const gone = (quest: number, leader: number, who: readonly number[], fails: number, players = 6): Event[] => [
  led(quest, 1, leader),
  proposed(quest, 1, leader, who),
  { type: 'voted', quest, proposal: 1, leader, team: who, approve: everybody(players), reject: [], isApproved: true },
  { type: 'quested', quest, team: who, fails, isSuccess: fails === 0 },
];

function after(setting: Setting, events: readonly Event[]) {
  const { seat = 0, players = 6 } = setting;
  const moment: Moment = { ...dayTwo, seat, players: everybody(players).map((one) => ({ seat: one, name: names[one]!, alive: true })) };
  return { moment, known: knownAfter(avalonStrategy, [...dealt(setting), ...events], moment) };
}
/** What a seat answers after some events of its view, with dice of the given number. */
function answers(setting: Setting, events: readonly Event[], question: Asking, dice = 0): readonly string[] | undefined {
  const { known, moment } = after(setting, events);
  const asked = { ...moment, questions: [question], iteration: dice, table: `table-${dice}` };
  return avalonStrategy.act(known, avalonStrategy.believe(known, asked), asked, diceOf('s', 's'), floorAt(avalonStrategy, asked)).answers[0]
    ?.says;
}
const many = (setting: Setting, events: readonly Event[], question: Asking) =>
  Array.from({ length: 60 }, (_, dice) => answers(setting, events, question, dice)!);
const share = (all: readonly (readonly string[])[], says: string) => all.filter((one) => one[0] === says).length / all.length;

const servant: Setting = { role: 'servant' };
const merlin: Setting = { role: 'merlin', sees: [4, 5] };
const assassin: Setting = { role: 'assassin', sees: [5] };
const last = (events: readonly Event[], question: Asking) => ({ events: [...events, led(1, 5, 1), proposed(1, 5, 1, [4, 5])], question });

describe('the record', () => {
  it("is the seat's view with the table's options", () => {
    const { known } = after({ ...servant, options: { twoFails: 'false', seventh: 'oberon' }, players: 7 }, gone(1, 1, [1, 2], 1, 7));
    expect(known.options.twoFails).toBe(false);
    expect(known.cast).toContain('oberon');
    expect(known.game).toMatchObject({ quest: 1, leader: 1, quests: [{ fails: 1 }], votes: [{ team: [1, 2] }] });
  });

  it('contains a speech once, from room and event', () => {
    const { known, moment } = after(servant, [
      led(1, 1, 1),
      { type: 'asked', question: { id: 'round-1/quest-1/proposal-1/talk', verb: 'say' } },
    ]);
    const line = newsFromLine('round-1/quest-1/proposal-1/Table', { line: 3, at: 0, by: 1, text: 'I suspect Cid. I trust Ann.' }, names);
    const event: News = { ...line, n: 9, event: { type: 'answered', question: 'round-1/quest-1/proposal-1/talk' } };
    const heard = [line, event].reduce((state, one) => avalonStrategy.fold(state, one, moment), known) as Known;
    expect(heard.opinions).toEqual([
      { by: 1, about: 2, isAgainst: true, quest: 1 },
      { by: 1, about: 0, isAgainst: false, quest: 1 },
    ]);
    const old = newsFromLine('round-7/quest-1/proposal-1/Table', { line: 1, at: 0, by: 1, text: 'I suspect Dot.' }, names);
    expect(avalonStrategy.fold(heard, old, moment)).toBe(heard);
  });

  it('restarts each round', () => {
    const { known } = after(servant, [...gone(1, 1, [1, 2], 1), { type: 'began', round: 2 }]);
    expect(known).toMatchObject({ round: 2, opinions: [], forced: [], game: { quests: [], votes: [] } });
  });

  it('contains teams without a vote', () => {
    const { known } = after({ ...servant, options: { fifth: 'forced' } }, [led(1, 5, 1), { ...proposed(1, 5, 1, [1, 2]), isForced: true }]);
    expect(known.forced).toEqual([{ quest: 1, proposal: 5, leader: 1, team: [1, 2] }]);
  });

  it('is silent in the Lobby and after the end', () => {
    const { moment } = after(servant, []);
    const asked = { ...moment, questions: [talk] };
    expect(avalonStrategy.act(avalonStrategy.begin(), {}, asked, diceOf('s', 's'), floorAt(avalonStrategy, asked)).answers).toEqual([]);
    expect(avalonStrategy.believe(avalonStrategy.begin(), asked)).toEqual({});
    expect(answers(servant, [{ type: 'ended', winner: 'good', because: 'quests-succeeded', roles: [] }], talk)).toBeUndefined();
  });
});

describe('the good', () => {
  it('name themselves and those they trust most', () => {
    const says = answers(servant, [...gone(1, 1, [1, 2], 1), led(2, 1, 0)], team(3))!;
    expect(says).toHaveLength(3);
    expect(says).toContain('seat:0');
    expect(says).not.toContain('seat:1');
    expect(says).not.toContain('seat:2');
  });

  it('name a team of the size, each once, at any number of players', () => {
    for (const size of [2, 3, 4]) {
      const says = answers({ ...servant, players: 7 }, [led(1, 1, 0)], team(size, 7))!;
      expect(new Set(says).size).toBe(says.length);
    }
  });

  it('reject a failed team and approve their own', () => {
    const failed = [...gone(1, 1, [1, 2], 1), led(2, 1, 3)];
    expect(answers(servant, [...failed, proposed(2, 1, 3, [0, 1, 2])], approve)).toEqual(['reject']);
    expect(answers(servant, [...gone(1, 0, [0, 3], 0), led(2, 1, 3), proposed(2, 1, 3, [0, 3, 4])], approve)).toEqual(['approve']);
  });

  it('demand less with every proposal', () => {
    const given = (proposal: number) => answers(servant, [led(1, proposal, 1), proposed(1, proposal, 1, [1, 2])], approve);
    expect([1, 2, 3, 4].map((proposal) => given(proposal)![0])).toEqual(['reject', 'reject', 'reject', 'approve']);
  });

  it('accept the fifth team if it is the last', () => {
    const { events } = last([], approve);
    expect(answers(servant, events, approve)).toEqual(['approve']);
    expect(answers(merlin, events, approve)).toEqual(['approve']);
  });

  it('never play fail even when allowed', () => {
    expect(answers(servant, [led(1, 1, 0), proposed(1, 1, 0, [0, 1])], card)).toEqual(['success']);
    expect(answers(servant, [led(1, 1, 0)], asking('quest', { options: words('success') }))).toEqual(['success']);
  });

  it('name their suspects within the length limit', () => {
    const failed = [...gone(1, 1, [0, 2], 1), led(2, 1, 3)];
    expect(answers(servant, failed, talk)![0]).toMatch(/Cid/);
    expect([...answers(servant, failed, { ...talk, maxChars: 20 })![0]!].length).toBeLessThanOrEqual(20);
    expect(answers(servant, failed, { ...talk, maxChars: 5 })).toBeUndefined();
  });

  it('announce their teams as leaders', () => {
    expect(answers(servant, [...gone(1, 1, [0, 3], 0), ...gone(2, 3, [0, 3, 4], 0), led(3, 1, 0)], talk)![0]).toMatch(/Dot/);
  });
});

describe('Merlin', () => {
  it('names a clean team that a Servant would name', () => {
    for (const says of many(merlin, [led(1, 1, 0)], team(3)).slice(0, 20))
      for (const evil of seats([4, 5])) expect(says).not.toContain(evil);
    const trusted = [...gone(1, 1, [1, 2], 0), led(2, 1, 0)];
    for (const says of many(merlin, trusted, team(3)).slice(0, 20)) expect(says).toEqual(seats([0, 1, 2]));
  });

  it('mostly votes like a Servant until the next fail loses', () => {
    const trusted = [...gone(1, 4, [0, 4], 0), ...gone(2, 4, [0, 4, 3], 0)];
    const bad = [led(3, 1, 4), proposed(3, 1, 4, [0, 1, 3, 4])];
    const calm = share(many(merlin, [...trusted, ...bad], approve), 'reject');
    expect(calm).toBeGreaterThan(0.05);
    expect(calm).toBeLessThan(0.5);
    const lost = [
      ...gone(1, 5, [1, 5], 1),
      ...gone(2, 5, [2, 3, 5], 1),
      ...gone(3, 4, [0, 1, 2, 4], 0),
      led(4, 1, 4),
      proposed(4, 1, 4, [0, 1, 4]),
    ];
    expect(share(many(merlin, lost, approve), 'reject')).toBeGreaterThan(0.85);
  });

  it('never speaks against the good or for the evil', () => {
    const trusted = [...gone(1, 4, [0, 4], 0), ...gone(2, 1, [1, 2, 5], 1), led(3, 1, 3)];
    for (const [says] of many(merlin, trusted, talk)) {
      expect(says).not.toMatch(/(?:suspect|out|trust|evil).*(?:Bob|Cid|Dot)|(?:Bob|Cid|Dot).* evil/);
      expect(says).not.toMatch(/(?:I trust|believe that) Eve|Eve looks/);
    }
  });
});

describe('Percival', () => {
  const percival: Setting = { role: 'percival', sees: [1, 4], as: 'merlin-or-morgana' };

  it('learns Merlin from a quest', () => {
    const { known, moment } = after(percival, gone(1, 1, [0, 4], 1));
    const { evil, merlin: found } = avalonStrategy.believe(known, moment) as { evil: number[]; merlin: number[] };
    expect([evil[4], found[1], found[4]]).toEqual([1, 1, 0]);
  });

  it('speaks with certainty', () => {
    const failed = [...gone(1, 1, [0, 4], 1), led(2, 1, 3)];
    for (const [says] of many(percival, failed, talk).slice(0, 20))
      expect(says).toMatch(/sure that Eve|Eve is evil, believe|leave out Eve/);
    for (const [says] of many(servant, failed, talk).slice(0, 20)) expect(says).not.toMatch(/sure that Eve|Eve is evil, believe|Whatever/);
  });
});

describe('the evil', () => {
  it('send only as many of their own as needed', () => {
    for (const says of many(assassin, [led(1, 1, 0)], team(3)).slice(0, 20))
      expect(says.filter((one) => ['seat:0', 'seat:5'].includes(one))).toHaveLength(1);
  });

  it('send two when a quest needs two fails', () => {
    const seven: Setting = { role: 'assassin', sees: [5, 6], players: 7 };
    const says = answers(seven, [...[1, 2, 3].flatMap((n) => gone(n, 1, [1, 2], 0, 7)), led(4, 1, 0)], team(4, 7))!;
    expect(says.filter((one) => ['seat:0', 'seat:5', 'seat:6'].includes(one))).toHaveLength(2);
  });

  it('approve only teams they can fail when it matters', () => {
    const decisive = [...gone(1, 1, [1, 2], 0), ...gone(2, 2, [1, 2, 3], 0), led(3, 1, 3)];
    expect(answers(assassin, [...decisive, proposed(3, 1, 3, [1, 2, 3, 4])], approve)).toEqual(['reject']);
    expect(answers(assassin, [...decisive, proposed(3, 1, 3, [1, 2, 3, 5])], approve)).toEqual(['approve']);
    expect(answers(assassin, [led(1, 5, 1), proposed(1, 5, 1, [1, 2])], approve)).toEqual(['reject']);
    expect(answers(assassin, [led(1, 5, 1), proposed(1, 5, 1, [1, 5])], approve)).toEqual(['approve']);
  });

  it('vote like a Servant when it does not matter', () => {
    for (const who of [
      [0, 1],
      [1, 2],
      [1, 5],
      [0, 5],
    ])
      for (const proposal of [1, 2, 3, 4]) {
        const events = [led(1, proposal, 1), proposed(1, proposal, 1, who)];
        expect(answers(assassin, events, approve)).toEqual(answers(servant, events, approve));
      }
  });

  it('agree which of them plays the needed fails', () => {
    for (const voters of [
      [0, 1, 2, 3],
      [0, 1, 2, 4],
      [1, 2, 3, 4],
      [2, 3, 4, 5],
    ]) {
      const events = [
        led(2, 1, 1),
        proposed(2, 1, 1, [0, 3, 5]),
        { type: 'voted', quest: 2, proposal: 1, leader: 1, team: [0, 3, 5], approve: voters, reject: [], isApproved: true },
      ];
      const cards = [answers(assassin, events, card), answers({ role: 'morgana', seat: 5, sees: [0] }, events, card)].flat();
      expect(new Set(cards)).toEqual(new Set(['fail', 'success']));
    }
  });

  it('play no useless fail', () => {
    const seven: Setting = { role: 'assassin', sees: [5, 6], players: 7 };
    const before = [1, 2, 3].flatMap((n) => gone(n, 1, [1, 2], 0, 7));
    const fourth = (who: readonly number[], options = {}) =>
      answers({ ...seven, options }, [...before, led(4, 1, 1), proposed(4, 1, 1, who)], card);
    expect(fourth([0, 1, 2, 3])).toEqual(['success']);
    expect(fourth([0, 1, 2, 3], { twoFails: false })).toEqual(['fail']);
    expect(fourth([0, 1, 2, 5])).toEqual(['fail']);
  });

  it('often let a first quest of two succeed, but never a decisive one', () => {
    const first = many(assassin, gone(1, 1, [0, 1], 0).slice(0, -1), card);
    expect(share(first, 'fail')).toBeGreaterThan(0.05);
    expect(share(first, 'fail')).toBeLessThan(0.5);
    const decisive = [...gone(1, 1, [1, 2], 0), ...gone(2, 2, [1, 2, 3], 0), led(3, 1, 3), proposed(3, 1, 3, [0, 1])];
    for (const says of many(assassin, decisive, card).slice(0, 10)) expect(says).toEqual(['fail']);
  });

  it('never speak of their own', () => {
    const caught = [...gone(1, 1, [3, 5], 1), led(2, 1, 3)];
    for (const [says] of many(assassin, caught, talk)) expect(says).not.toMatch(/Fay/);
  });

  it('play on as Oberon alone', () => {
    const oberon: Setting = { role: 'oberon', players: 7, options: { seventh: 'oberon' } };
    expect(answers(oberon, [led(2, 1, 1), proposed(2, 1, 1, [0, 1, 2])], card)).toEqual(['fail']);
    expect(answers(oberon, [led(1, 1, 0)], team(2, 7))).toContain('seat:0');
  });
});

describe('the Assassin', () => {
  const knowing = [
    led(1, 1, 5),
    { type: 'voted', quest: 1, proposal: 1, leader: 5, team: [3, 5], approve: [1, 2, 3, 5], reject: [0, 4], isApproved: true },
    { type: 'quested', quest: 1, team: [3, 5], fails: 1, isSuccess: false },
    { type: 'voted', quest: 2, proposal: 1, leader: 0, team: [0, 1, 2], approve: [0, 1, 2, 5], reject: [3, 4], isApproved: false },
    { type: 'voted', quest: 2, proposal: 2, leader: 4, team: [3, 4, 2], approve: [2, 3, 4, 1], reject: [0, 5], isApproved: true },
  ];
  const shoot = (options: string[]) => asking('assassinate', { options: options.map((is) => ({ is, named: is })) });

  it('names the seat that acted with knowledge', () => {
    for (const says of many(assassin, knowing, shoot(seats([1, 2, 3, 4]))).slice(0, 20)) expect(says).toEqual(['seat:4']);
  });

  it('names anybody but its own when nothing is known', () => {
    const named4 = new Set(many(assassin, [led(1, 1, 1)], shoot(seats([1, 2, 3, 4]))).map(([says]) => says));
    expect(named4).toEqual(new Set(seats([1, 2, 3, 4])));
  });

  it('names nobody before the end unless sure', () => {
    expect(answers(assassin, [led(1, 1, 1)], shoot(['nobody', ...seats([1, 2, 3, 4])]))).toEqual(['nobody']);
    const surely = [...knowing, ...knowing.map((e) => ({ ...e, quest: 3 }))];
    expect(answers(assassin, surely, shoot(['nobody', ...seats([1, 2, 3, 4])]))).toEqual(['seat:4']);
  });
});

describe('the Lady of the Lake', () => {
  /** Seat `first` holds her, and has her show `seat` after two quests; what comes after is quest 3. */
  const shown = (first: number, seat: number, found?: 'good' | 'evil', players = 6): Event[] => [
    led(1, 1, (first + 1) % players),
    { type: 'lady', holder: first },
    ...gone(1, 1, [0, 1], 0, players),
    ...gone(2, 2, [0, 1, 2], 0, players),
    { type: 'lady', holder: seat, by: first },
    ...(found ? [{ type: 'inspected', by: first, seat, found }] : []),
    led(3, 1, 3),
  ];
  const lady = (of: readonly number[]) => asking('lady', { options: named(of) });
  const told = (by: number, text: string): News => ({
    ...newsFromLine('round-1/quest-3/proposal-1/Table', { line: 9, at: 0, by, text }, names),
  });
  const believed = (setting: Setting, events: readonly Event[], ...lines: readonly News[]) => {
    const { known, moment } = after(setting, events);
    return avalonStrategy.believe(
      lines.reduce((state, line) => avalonStrategy.fold(state, line, moment) as Known, known),
      moment,
    ) as { evil: readonly number[]; merlin: readonly number[] };
  };

  it('is believed for certain by who has seen', () => {
    expect(believed(servant, shown(0, 3, 'evil')).evil[3]).toBeCloseTo(1, 9);
    expect(believed(servant, shown(0, 3, 'good')).evil[3]).toBeCloseTo(0, 9);
    const own = believed(servant, shown(0, 3)).evil[3]!;
    expect([own > 0.1, own < 0.9]).toEqual([true, true]);
  });

  it('is believed by others as far as they trust who tells it', () => {
    const before = believed(servant, shown(1, 3)).evil;
    const accused = believed(servant, shown(1, 3), told(1, 'I looked at Dot with the Lady of the Lake: Dot is evil.')).evil;
    const praised = believed(servant, shown(1, 3), told(1, 'The Lady says Dot is good.')).evil;
    expect(accused[3]!).toBeGreaterThan(before[3]! + 0.2);
    expect(praised[3]!).toBeLessThan(before[3]! - 0.05);
    // no other opinion weighs as much, nor does that of somebody who has not seen
    expect(accused[3]!).toBeGreaterThan(believed(servant, shown(2, 3), told(1, 'Dot is evil.')).evil[3]! + 0.2);
  });

  it('convicts who tells a lie of her to the one it is about', () => {
    const lied = believed(servant, shown(1, 0), told(1, 'The Lady of the Lake showed me that Ann is evil.')).evil;
    expect(believed(servant, shown(1, 0)).evil[1]!).toBeLessThan(0.2);
    expect(lied[1]!).toBeGreaterThan(0.6);
  });

  it('is told as it is by the good, Merlin too', () => {
    for (const setting of [servant, merlin])
      for (const found of ['good', 'evil'] as const) {
        const seat = found === 'evil' ? 4 : 3;
        const says = many(setting, shown(0, seat, found), talk)
          .slice(0, 15)
          .flat();
        for (const text of says) expect(text).toMatch(new RegExp(`Lady.*${names[seat]}.* is ${found}\\b`));
      }
  });

  it('is told once', () => {
    const { known, moment } = after(servant, shown(0, 3, 'evil'));
    const heard = avalonStrategy.fold(known, told(0, 'The Lady says Dot is evil.'), moment) as Known;
    const asked = { ...moment, questions: [talk] };
    const { answers: given } = avalonStrategy.act(heard, {}, asked, diceOf('s', 's'), floorAt(avalonStrategy, asked));
    expect(given[0]!.says[0]).not.toMatch(/Lady/);
  });

  it('is praised by the evil for their mates, and lied about for the others now and then', () => {
    for (const [text] of many(assassin, shown(0, 5, 'evil'), talk).slice(0, 20)) expect(text).toMatch(/Fay.* is good\b/);
    const ofGood = many(assassin, shown(0, 3, 'good'), talk).flat();
    const lies = ofGood.filter((text) => /Dot.* is evil\b/.test(text)).length / ofGood.length;
    expect([lies > 0.2, lies < 0.7]).toEqual([true, true]);
  });

  it('shows the good the one of whom they know least', () => {
    const failed = [led(1, 1, 1), ...gone(1, 1, [3, 4], 1), ...gone(2, 2, [0, 1, 2], 0)];
    for (const says of many(servant, failed, lady([1, 2, 3])).slice(0, 20)) expect(says).toEqual(['seat:3']); // one of 3 and 4 is evil
    expect(share(many(assassin, [led(1, 1, 1), ...gone(1, 1, [0, 2], 0)], lady([1, 5])), 'seat:5')).toBe(1); // its mate
  });
});

describe('Tristan and Isolde', () => {
  const tristan: Setting = { role: 'tristan', sees: [3], as: 'isolde', players: 7 };

  it('know each other as good, and not as Merlin', () => {
    const { known, moment } = after(tristan, gone(1, 1, [2, 3], 1, 7));
    const { evil, merlin: found } = avalonStrategy.believe(known, moment) as { evil: number[]; merlin: number[] };
    expect([evil[3], found[3], found[0]]).toEqual([0, 0, 0]);
    expect(evil[2]).toBeCloseTo(1);
  });

  it('speak as a Servant would, and never against each other', () => {
    const failed = [...gone(1, 1, [3, 4], 1, 7), ...gone(2, 2, [3, 5], 1, 7)];
    const says = many(tristan, failed, talk).flat();
    for (const text of says) expect(text).not.toMatch(/Dot/);
    const alone = many({ role: 'servant', players: 7 }, failed, talk).flat();
    expect(alone.some((text) => text.includes('Dot'))).toBe(true);
  });

  const pairs = ['0+1', '0+2', '0+3', '1+2', '1+3', '2+3'].map((pair) => `seat:${pair}`);
  const shoot = (...options: readonly string[]) => asking('assassinate', { options: options.map((is) => ({ is, named: is })) });
  const murderer: Setting = { role: 'assassin', seat: 6, sees: [4, 5], players: 7 };
  const voted = (quest: number, who: readonly number[], approves: readonly number[], leader: number): Event[] => [
    led(quest, 1, leader),
    { type: 'voted', quest, proposal: 1, leader, team: who, approve: approves, reject: [], isApproved: true },
    { type: 'quested', quest, team: who, fails: 0, isSuccess: true },
  ];

  it('are named by the Assassin when they stand by each other and nobody looks like Merlin', () => {
    const { known, moment } = after(murderer, [...voted(1, [0, 1], everybody(7), 0), ...voted(2, [0, 1, 2], everybody(7), 1)]);
    const opinions = [1, 2, 3].flatMap((n) => [1, 2].map((by) => ({ by, about: 3 - by, isAgainst: false, quest: n })));
    const asked = { ...moment, questions: [shoot(...seats([0, 1, 2, 3]), ...pairs)] };
    const shot = avalonStrategy.act({ ...known, opinions }, {}, asked, diceOf('s', 's'), floorAt(avalonStrategy, asked)).answers[0];
    expect(shot!.says).toEqual(['seat:1+2']);
  });

  it('are not named where Merlin is plainer', () => {
    const knowing = [1, 2, 3].flatMap((n) => [
      ...voted(n, [4, 0], [1, 2, 4, 5, 6], 4),
      ...voted(n, [5, 2], [1, 2, 4, 5, 6], 5),
      ...voted(n, [0, 3], everybody(7), 0),
    ]);
    expect(answers(murderer, knowing, shoot(...seats([0, 1, 2, 3]), ...pairs))?.[0]).toMatch(/^seat:[03]$/);
  });

  it('are named before the end only if that is sure', () => {
    expect(answers(murderer, [led(1, 1, 1)], shoot('nobody', ...seats([0, 1, 2, 3]), ...pairs))).toEqual(['nobody']);
    const small: Setting = { role: 'assassin', seat: 4, sees: [3], players: 5 };
    const third = ['0+1', '0+2', '1+2'].map((pair) => `seat:${pair}`);
    const one = answers(small, [led(1, 1, 1)], shoot(...seats([0, 1, 2]), ...third))!;
    expect(['seat:0', 'seat:1', 'seat:2', ...third]).toContain(one[0]);
  });
});

describe('rules at Avalon', () => {
  it.each([
    { assassination: 'any-quest' },
    { lady: true },
    { lady: true, roles: { merlin: 1, percival: 1, tristan: 1, isolde: 1, assassin: 1, oberon: 1 }, assassination: 'any-quest' },
    { fifth: 'forced', approval: 'half' },
    { talk: false, goodMayFail: true },
    { roles: { merlin: 1, servant: 3, assassin: 1, oberon: 1 }, maxChars: 20 },
  ])('play with the options %j', async (options) => {
    const outcome = await playOutcome({ rules: avalon, players: 6, options: { ...options }, seed: 'avalon', recipeFor: () => rules });
    expect(['good', 'evil']).toContain(outcome.winner);
  });
});
