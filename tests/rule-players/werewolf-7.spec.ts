import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { asking, dayTwo } from '@maw/minds/fixtures.suite.ts';
import type { Asking, Moment } from '@maw/minds/mind.ts';
import { newsFromLine } from '@maw/minds/news.ts';
import { type Event, floorAt, knownAfter } from './known-after.suite.ts';
import type { Known } from '@maw/rule-players/werewolf-7/record.ts';
import { werewolf7Strategy } from '@maw/rule-players/werewolf-7/werewolf-7.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus'];
const seat = (n: number) => `seat:${n}`;

const said = (by: number, text: string, day = 1): Event => ({
  type: 'answered',
  question: `round-1/day-${day}/talk`,
  answer: { by, says: [text] },
});
const voted = (by: number, on: number | 'pass', day = 1): Event => ({
  type: 'answered',
  question: `round-1/day-${day}/ballot/vote`,
  answer: { by, says: [on === 'pass' ? on : seat(on)] },
});
const dawned = (day: number, ...dead: readonly number[]): Event => ({ type: 'dawned', day, dead: dead.map((s) => ({ seat: s })) });
const dusked = (night: number): Event => ({ type: 'dusked', night });
const asked = (id: string, verb: string): Event => ({ type: 'asked', question: { id: `round-1/${id}`, verb } });
const verbsOf = [1, 2, 3].flatMap((day) => [asked(`day-${day}/talk`, 'say'), asked(`day-${day}/ballot/vote`, 'choose')]);

/** What a seat knows after some events of its view; `roles` as it sees them, the rest hidden. */
function after(me: number, roles: { readonly [at: number]: string }, events: readonly Event[], options: object = {}) {
  const all: readonly Event[] = [
    { type: 'opened', opening: { options } },
    { type: 'began', round: 1 },
    { type: 'dealt', roles: names.map((_, s) => roles[s] ?? 'hidden'), order: [0, 1, 2, 3, 4, 5, 6] },
    dusked(1),
    ...verbsOf,
    ...events,
  ];
  const dead = all.flatMap((e) =>
    e.type === 'dawned' ? (e['dead'] as { seat: number }[]).map((d) => d.seat) : e.type === 'executed' ? [e['seat']] : [],
  );
  const moment: Moment = { ...dayTwo, seat: me, players: names.map((name, s) => ({ seat: s, name, alive: !dead.includes(s) })) };
  const known = knownAfter(werewolf7Strategy, all, moment);
  const living = names.map((_, s) => s).filter((s) => !dead.includes(s));

  /** What it answers to one question; all the living are its options. */
  function answer(
    id: string,
    verb: Asking['verb'] = 'choose',
    more: { options?: readonly number[]; maxChars?: number; dice?: string } = {},
  ): string | undefined {
    const list = [...(more.options ?? living).map((s) => ({ is: seat(s), named: names[s]! })), { is: 'pass', named: 'pass' }];
    const options7 = verb === 'say' ? [] : list;
    const at = { ...moment, phase: 'x', questions: [asking(id, verb, options7, { maxChars: more.maxChars ?? 500 })] };
    return werewolf7Strategy.act(
      known,
      werewolf7Strategy.believe(known, at),
      at,
      diceOf('s', more.dice ?? ''),
      floorAt(werewolf7Strategy, at),
    ).answers[0]?.says[0];
  }
  const vote = (day = 2) => answer(`day-${day}/ballot/vote`);
  const talk = (more = {}) => answer('day-2/talk', 'say', more);
  return { moment, known, answer, vote, talk, belief: werewolf7Strategy.believe(known, moment) };
}
const seerSays = 'I am the Seer. Fay is a Werewolf.';

describe('the record', () => {
  it('restarts each round, and keeps the options', () => {
    const { known } = after(0, { 0: 'villager' }, [said(2, seerSays), { type: 'began', round: 2 }], { guardRepeat: true });
    expect(known).toMatchObject({ round: 2, claims: [], days: {} });
    expect(known.options.guardRepeat).toBe(true);
  });

  it('contains a speech once, from room and event', () => {
    const { known, moment } = after(0, { 0: 'villager' }, [said(2, seerSays)]);
    const line = newsFromLine('round-1/day-1/Village', { line: 1, at: 0, by: 2, text: seerSays }, names);
    expect(werewolf7Strategy.fold(known, line, moment)).toEqual(known);
    expect(known.claims).toEqual([{ by: 2, is: 'seer', at: 1, results: [{ about: 5, isWolf: true }], saved: [] }]);
  });

  it('contains the last claimed role, except a retreat to villager', () => {
    const is = (...texts: readonly string[]) =>
      after(
        0,
        { 0: 'villager' },
        texts.map((text, i) => said(2, text, i + 1)),
      ).known.claims[0]!.is;
    expect(is('I am a Villager.', 'I am the Seer.')).toBe('seer');
    expect(is('I am the Seer.', 'I am a Villager.')).toBe('seer');
    expect(is('I am the Guard.', 'I am the Seer.')).toBe('seer');
  });

  it('does not return to an older claim that is read again', () => {
    const { known, moment } = after(0, { 0: 'villager' }, [said(2, 'I am the Guard.', 1), said(2, 'I am the Seer.', 2)]);
    const line = newsFromLine('round-1/day-1/Village', { line: 1, at: 0, by: 2, text: 'I am the Guard.' }, names);
    expect((werewolf7Strategy.fold(known, line, moment) as Known).claims[0]).toMatchObject({ is: 'seer', at: 2 });
  });

  it('hears last words', () => {
    const question = 'round-1/day-1/gallows/last-words';
    const { known } = after(0, { 0: 'villager' }, [
      asked('day-1/gallows/last-words', 'say'),
      { type: 'answered', question, answer: { by: 3, says: ['I am the Witch. I saved Bob.'] } },
    ]);
    expect(known.claims).toEqual([{ by: 3, is: 'witch', at: 1.5, results: [], saved: [1] }]);
  });
});

describe('elections and ties', () => {
  const options = { sheriff: 'elected', tie: 'runoff', sheriffTies: 'decides' };
  /** Seat 2 has said that 5 is a wolf. */
  const told = [dawned(1), said(2, seerSays)];
  const choose = (me: number, role: string, id: string, of: readonly number[], roles: object = {}) =>
    after(me, { [me]: role, ...roles }, told, options).answer(id, 'choose', { options: of });

  it.each([
    ['a villager elects the most trusted', 'villager', 'day-1/election/elect', [2, 5], 2],
    ['a villager passes the badge to the most trusted', 'villager', 'day-1/dusk/heir', [1, 2, 5], 2],
    ['a villager decides against the most suspected', 'villager', 'day-1/tie/decide', [1, 5], 5],
    ['a villager votes against the most suspected of a tie', 'villager', 'day-1/second-ballot/vote', [1, 5], 5],
  ] as const)('%s', (_, role, id, of, seatOfAnswer) => expect(choose(0, role, id, of)).toBe(seat(seatOfAnswer)));

  it('a villager passes in a second ballot among those whom it trusts', () => {
    expect(choose(0, 'villager', 'day-1/second-ballot/vote', [2, 3])).toBe('pass');
  });

  it.each([
    ['elects its partner', 'day-1/election/elect', [3, 6], 6],
    ['passes the badge to its partner', 'day-1/dawn/heir', [1, 3, 6], 6],
    ['spares its partner in a tie', 'day-1/tie/decide', [3, 6], 3],
    ['gives its partner rather than itself', 'day-1/tie/decide', [0, 6], 6],
    ['votes for another than its partner in a second ballot', 'day-1/second-ballot/vote', [2, 6], 2],
  ] as const)('a wolf %s', (_, id, of, seatOfAnswer) => {
    expect(choose(0, 'werewolf', id, of, { 6: 'werewolf' })).toBe(seat(seatOfAnswer));
  });

  it('some run for sheriff and some do not, seers more often', () => {
    const runs = (role: string) =>
      Array.from({ length: 40 }, (_, i) => after(0, { 0: role }, [], options).answer('day-1/candidacy/run', 'choose', { dice: `${i}` }));
    const count = (role: string) => runs(role).filter((each) => each === 'run').length;
    expect(new Set(runs('villager'))).toEqual(new Set(['run', 'stay']));
    expect(count('seer')).toBeGreaterThan(count('villager') + 8);
  });

  it('candidates ask for the badge, and those in a tie defend themselves', () => {
    expect(after(0, { 0: 'villager' }, told, options).answer('day-1/election/talk', 'say')).toMatch(/badge|ties/);
    expect(after(0, { 0: 'villager' }, told, options).answer('day-1/second-ballot/talk', 'say')).toMatch(/^(?!.*badge).*I am a Villager/);
  });

  it('votes of an election and of a second ballot are no evidence', () => {
    const ids = ['day-1/election/elect', 'day-1/second-ballot/vote', 'day-1/dawn/heir', 'day-1/tie/decide'];
    const verbs = ids.map((id) => asked(id, 'choose'));
    const answers = ids.map((id): Event => ({ type: 'answered', question: `round-1/${id}`, answer: { by: 3, says: [seat(4)] } }));
    const plain = after(0, { 0: 'villager' }, [...told, ...verbs], options).known;
    expect(after(0, { 0: 'villager' }, [...told, ...verbs, ...answers], options).known).toEqual(plain);
  });
});

describe('the village', () => {
  it('passes as long as it is sure of nobody', () => {
    expect(after(0, { 0: 'villager' }, [dawned(1)]).vote()).toBe('pass');
  });

  it('votes for a wolf that a single seer reports', () => {
    expect(after(0, { 0: 'villager' }, [dawned(1), said(2, seerSays)]).vote()).toBe(seat(5));
  });

  it('suspects a seer that accuses it', () => {
    expect(after(5, { 5: 'villager' }, [dawned(1), said(2, seerSays)]).vote()).toBe(seat(2));
  });

  it('always speaks when asked, within the limit', () => {
    const { talk } = after(0, { 0: 'villager' }, [dawned(1)]);
    for (let i = 0; i < 20; i++) expect(talk({ dice: `${i}` })!.length).toBeGreaterThan(0);
    expect([...talk({ maxChars: 60 })!].length).toBeLessThanOrEqual(60);
    expect(talk({ maxChars: 5 })).toBeUndefined();
  });

  it('tells whom it suspects', () => {
    expect(after(0, { 0: 'villager' }, [dawned(1), said(2, seerSays)]).talk()).toMatch(/Fay/);
  });
});

describe('a seer', () => {
  const found = (about: number, isWolf: boolean): Event => ({ type: 'inspected', by: 0, seat: about, isWolf });

  it('inspects the most suspected unknown seat', () => {
    const { answer } = after(
      0,
      { 0: 'seer' },
      [1, 2, 3, 4, 5].map((s) => found(s, s === 5)),
    );
    expect(answer('night-2/seer/inspect')).toBe(seat(6));
  });

  it('reveals its results only with a wolf among them', () => {
    expect(after(0, { 0: 'seer' }, [found(1, false), dawned(1)]).talk()).not.toMatch(/Seer/);
    expect(after(0, { 0: 'seer' }, [found(1, false), dawned(1), dusked(2), found(5, true), dawned(2)]).talk()).toBe(
      'I am the Seer. Bob is not a Werewolf. Fay is a Werewolf.',
    );
  });

  it('reports only the wolves when space is short', () => {
    const { talk } = after(0, { 0: 'seer' }, [found(1, false), found(5, true), dawned(1)]);
    expect(talk({ maxChars: 40 })).toBe('I am the Seer. Fay is a Werewolf.');
  });

  it('reveals itself against a rival', () => {
    expect(after(0, { 0: 'seer' }, [found(1, false), dawned(1), said(4, 'I am the Seer. Bob is a Werewolf.')]).talk()).toBe(
      'I am the Seer. Bob is not a Werewolf.',
    );
  });

  it('reveals itself in its last words', () => {
    const { answer } = after(0, { 0: 'seer' }, [found(1, false), dawned(1), { type: 'condemned', seat: 0 }]);
    expect(answer('day-1/gallows/last-words', 'say')).toBe('I am the Seer. Bob is not a Werewolf.');
  });

  it('does not vote for a cleared seat, whatever is said', () => {
    const { vote } = after(0, { 0: 'seer' }, [found(5, false), dawned(1), said(2, seerSays), voted(1, 5), voted(3, 5)]);
    expect(vote()).not.toBe(seat(5));
  });
});

describe('a guard', () => {
  it('protects the certain seer', () => {
    expect(after(0, { 0: 'guard' }, [dawned(1), said(2, seerSays), dusked(2)]).answer('night-2/guard/protect')).toBe(seat(2));
  });

  it('protects another when the seer is not an option', () => {
    const { answer } = after(0, { 0: 'guard' }, [dawned(1), said(2, seerSays), dusked(2)]);
    expect(answer('night-2/guard/protect', 'choose', { options: [0, 1, 3, 4, 5, 6] })).not.toBe(seat(5));
    expect(answer('night-2/guard/protect', 'choose', { options: [5] })).toBe(seat(5));
  });
});

describe('a witch', () => {
  const warned = (about: number): Event => ({ type: 'warned', to: 0, seat: about });

  it('saves herself and whom she does not suspect', () => {
    const save = (about: number, ...events: readonly Event[]) =>
      after(0, { 0: 'witch' }, [...events, warned(about)]).answer('night-1/witch-1/save', 'choose', { options: [about] });
    expect(save(3)).toBe(seat(3));
    expect(save(0)).toBe(seat(0));
  });

  it('poisons only whom she is sure of', () => {
    const poison = (...events: readonly Event[]) => after(0, { 0: 'witch' }, events).answer('night-2/witch-2/poison');
    expect(poison()).toBe('pass');
    expect(poison(dawned(1), said(2, seerSays), dusked(2))).toBe(seat(5));
  });

  it("uses a witch's warnings and poison", () => {
    const { belief } = after(0, { 0: 'witch' }, [
      warned(3),
      { type: 'saved', by: 0, seat: 3 },
      { type: 'poisoned', by: 0, seat: 4 },
      dawned(1, 4),
    ]);
    expect(belief.werewolf[3]).toBeLessThan(0.05);
    expect(belief.werewolf[4]).toBeGreaterThan(0.3); // that she died tells nothing of her
  });

  it('reveals her potions in her last words', () => {
    const { answer } = after(0, { 0: 'witch' }, [
      warned(3),
      { type: 'saved', by: 0, seat: 3 },
      { type: 'poisoned', by: 0, seat: 4 },
      dawned(1, 4),
      { type: 'condemned', seat: 0 },
    ]);
    expect(answer('day-1/gallows/last-words', 'say')).toBe('I am the Witch. I saved Dot. I poisoned Eve.');
  });
});

describe('a wolf', () => {
  const pack = { 0: 'werewolf', 1: 'werewolf' };
  const heard = (by: number, on: number | 'pass', night = 1): Event => ({
    type: 'answered',
    question: `round-1/night-${night}/wolf-${by + 1}/hunt`,
    answer: { by, says: [on === 'pass' ? on : seat(on)] },
  });
  const hunting = asked('night-1/wolf-1/hunt', 'choose');

  it('names one of the others', () => {
    for (let i = 0; i < 10; i++)
      expect([2, 3, 4, 5, 6].map(seat)).toContain(after(0, pack, []).answer('night-1/wolf-1/hunt', 'choose', { dice: `${i}` }));
  });

  it('follows the wolf before it', () => {
    for (const on of [2, 3, 4, 5, 6]) expect(after(1, pack, [hunting, heard(0, on)]).answer('night-1/wolf-2/hunt')).toBe(seat(on));
  });

  it('does not follow it into killing a wolf', () => {
    expect([2, 3, 4, 5, 6].map(seat)).toContain(after(1, pack, [hunting, heard(0, 1)]).answer('night-1/wolf-2/hunt'));
  });

  it('does not follow what was said in the night before', () => {
    const { answer } = after(1, pack, [hunting, heard(0, 2), dawned(1), dusked(2)]);
    const picks = Array.from({ length: 12 }, (_, i) => answer('night-2/wolf-2/hunt', 'choose', { dice: `${i}` }));
    expect(new Set(picks).size).toBeGreaterThan(2);
  });

  it('hunts the certain seer', () => {
    expect(after(0, pack, [dawned(1), said(4, 'I am the Seer. Bob is a Werewolf.'), dusked(2)]).answer('night-2/wolf-1/hunt')).toBe(
      seat(4),
    );
  });

  it('spares claimed special roles when villagers decide the game', () => {
    const hunt = (options: object) =>
      after(
        0,
        pack,
        [dawned(1), said(2, 'I am the Guard.'), said(3, 'I am the Witch.'), said(4, 'I am the Seer.'), dawned(2, 4), dusked(3)],
        options,
      );
    expect([5, 6].map(seat)).toContain(hunt({}).answer('night-3/wolf-1/hunt'));
    expect(hunt({ wolfWin: 'all-good-dead' }).answer('night-3/wolf-1/hunt')).toBe(seat(3));
  });

  it('votes with the crowd against the others, not against its own', () => {
    const { vote } = after(0, pack, [dawned(2), voted(2, 1, 2), voted(3, 1, 2), voted(4, 6, 2)]);
    expect(vote()).toBe(seat(6));
  });

  it('votes against a partner that is lost', () => {
    const lost = [
      dawned(1),
      said(4, 'I am the Seer. Bob is a Werewolf.'),
      dusked(2),
      dawned(2, 4),
      voted(2, 1, 2),
      voted(3, 1, 2),
      voted(5, 1, 2),
    ];
    expect(after(0, pack, lost).vote()).toBe(seat(1));
  });

  it('sometimes pretends to be the seer when accused, and then keeps doing so', () => {
    const accused = [dawned(1), said(4, 'I am the Seer. Ann is a Werewolf.')];
    const texts = Array.from({ length: 20 }, (_, i) => after(0, pack, accused).talk({ dice: `${i}` }));
    expect(texts.filter((text) => text === 'I am the Seer. Eve is a Werewolf.').length).toBeGreaterThan(5);
    expect(texts.some((text) => !text!.includes('Seer'))).toBe(true);
    const again = after(0, pack, [...accused, said(0, 'I am the Seer. Eve is a Werewolf.'), dusked(2), dawned(2)]);
    for (let i = 0; i < 10; i++) expect(again.talk({ dice: `${i}` })).toBe('I am the Seer, as you know. Eve is a Werewolf.');
  });

  it('leaves the claim to its partner', () => {
    const accused = [dawned(1), said(4, 'I am the Seer. Ann is a Werewolf.'), said(1, 'I am the Seer. Eve is a Werewolf.')];
    for (let i = 0; i < 10; i++) expect(after(0, pack, accused).talk({ dice: `${i}` })).not.toMatch(/I am the Seer/);
  });

  it('never calls itself or its partner a wolf', () => {
    for (let i = 0; i < 20; i++) expect(after(0, pack, [dawned(1)]).talk({ dice: `${i}` })).not.toMatch(/Ann|Bob/);
  });
});

it('is silent in the Lobby', () => {
  const { moment } = after(0, {}, []);
  const known = werewolf7Strategy.begin() as Known;
  const at = { ...moment, questions: [asking('', 'say', [], { id: 'lobby-0/lobby', final: false })] };
  expect(
    werewolf7Strategy.act(known, werewolf7Strategy.believe(known, at), at, diceOf('s', ''), floorAt(werewolf7Strategy, at)).answers,
  ).toEqual([]);
});
