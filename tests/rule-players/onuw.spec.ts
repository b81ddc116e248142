import { describe, expect, it } from '@jest/globals';
import { alone } from '@maw/rule-players/conversation/understand.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import { type Card, CARDS } from '@maw/games/onuw/state.ts';
import { playOutcome } from '@maw/minds/arena/arena.ts';
import { asking, dayTwo } from '@maw/minds/fixtures.suite.ts';
import type { Asking, Moment } from '@maw/minds/mind.ts';
import { type News, newsFromLine, newsFromEvent } from '@maw/minds/news.ts';
import { type Event, floorAt, knownAfter } from './known-after.suite.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import type { Tactic } from '@maw/minds/recipes/onuw/tactics.ts';
import { onuwStrategy } from '@maw/rule-players/onuw/onuw.ts';
import type { Known } from '@maw/rule-players/onuw/record.ts';
import { readSpeech } from '@maw/rule-players/onuw/speech.ts';

const rules = findRecipe('rules');
const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve'];
const seats = [0, 1, 2, 3, 4];
const options = (...is: string[]) => is.map((option) => ({ is: option, named: option }));
const others = (seat: number) => options(...seats.filter((other) => other !== seat).map((other) => `seat:${other}`));

/** Some seat at a table of five, after some events of its view. */
function after(seat: number, events: readonly Event[]) {
  const moment: Moment = { ...dayTwo, seat, name: names[seat]!, players: names.map((name, at) => ({ seat: at, name, alive: true })) };
  return { moment, known: knownAfter(onuwStrategy, events, moment) };
}
const dealt = (seat: number, card: Card, ...night: readonly Event[]): Event[] => [
  { type: 'opened', opening: { options: {} } },
  { type: 'began', round: 1 },
  { type: 'dealt', cards: seats.map((at) => (at === seat ? card : 'hidden')), centre: ['hidden', 'hidden', 'hidden'] },
  ...night,
  ...[1, 2, 3].map((number) => ({ type: 'asked', question: { id: `round-1/day/round-${number}/talk`, verb: 'say' } })),
];
const met = (...of: number[]): Event => ({ type: 'met', card: 'werewolf', seats: of });
const says = (by: number, text: string, number = 1): Event => ({
  type: 'answered',
  question: `round-1/day/round-${number}/talk`,
  answer: { by, says: [text] },
});
const talk = (number = 1) => asking(`day/round-${number}/talk`, 'say');
const vote = (seat: number) => asking('day/vote', 'choose', others(seat));
const night = (step: string, pick: number, ...is: string[]) => asking(`night/${step}`, 'choose', options(...is), { pick });

/** One thought about some questions. */
function think({ known, moment }: { known: Known; moment: Moment }, questions: readonly Asking[], seed = 's') {
  const asked = { ...moment, phase: questions[0]!.id.slice(0, questions[0]!.id.lastIndexOf('/')), questions };
  return onuwStrategy.act(known, onuwStrategy.believe(known, asked), asked, diceOf(seed, 'thought'), floorAt(onuwStrategy, asked));
}
const said = (at: { known: Known; moment: Moment }, number = 1, seed = 's') => think(at, [talk(number)], seed).answers[0]?.says[0] ?? '';
const claimOf = (speech: string) => readSpeech(alone(speech, names)).claim;
const suspected = (speech: string) => readSpeech(alone(speech, names)).suspects;
const voted = (at: { known: Known; moment: Moment }) => think(at, [vote(at.moment.seat)]).answers[0]?.says[0];
const seeds = Array.from({ length: 40 }, (_, i) => `${i}`);

describe('the record', () => {
  it('contains the last claims, from room and event', () => {
    const { known, moment } = after(0, dealt(0, 'villager'));
    const line = newsFromLine(
      'round-1/day/round-1/Village',
      { line: 1, at: 0, by: 1, text: 'I was dealt a Robber. I robbed Eve and got a Seer.' },
      names,
    );
    const event: News = { ...line, n: 9, event: says(1, 'I was dealt a Robber. I robbed Eve and got a Seer.') };
    const once = onuwStrategy.fold(known, line, moment);
    expect(once.claims).toEqual({ 1: { role: 'robber', robbed: { from: 4, card: 'seer' } } });
    expect(onuwStrategy.fold(once, event, moment)).toEqual(once);
  });

  it('extends a claim, and drops it with another card', () => {
    const { known } = after(0, [...dealt(0, 'villager'), says(1, 'I am the Seer.'), says(1, 'I looked at Eve: a Werewolf.', 2)]);
    expect(known.claims[1]).toEqual({ role: 'seer', looks: [{ about: 4, card: 'werewolf' }] });
    expect(
      after(0, [...dealt(0, 'villager'), says(1, 'I am the Seer. I looked at Eve: a Robber.'), says(1, 'I am the Villager.', 2)]).known
        .claims[1],
    ).toEqual({
      role: 'villager',
    });
  });

  it('contains who has spoken or passed, and their suspects', () => {
    const { known } = after(0, [
      ...dealt(0, 'villager'),
      says(1, 'Hm.'),
      { type: 'passed', question: 'round-1/day/round-1/talk', seat: 2 },
      says(3, 'I suspect Bob.'),
    ]);
    expect(known.heard).toEqual([1, 2, 3]);
    expect(known.suspects).toEqual({ 3: 1 });
    expect(known.claims).toEqual({});
  });

  it('contains the deck, and restarts each round', () => {
    const own = { type: 'opened', opening: { options: { deck: 'werewolf=1,villager=7' } } };
    const { known } = after(0, [...dealt(0, 'villager'), own, { type: 'began', round: 2 }]);
    expect(known).toMatchObject({ round: 2, claims: {}, deck: ['werewolf', ...Array.from({ length: 7 }, () => 'villager')] });
    expect(after(0, dealt(0, 'villager')).known.deck).toHaveLength(8);
  });
});

describe('by night', () => {
  const choice = (question: Asking, seed: string) => think(after(0, dealt(0, 'seer')), [question], seed).answers[0]?.says ?? [];

  it('looks at or robs a player, and sometimes swaps two', () => {
    const some = others(0).map(({ is }) => is);
    for (const seed of seeds) {
      expect(some).toContain(choice(night('seer', 1, 'pass', ...some, 'centre:0+1', 'centre:0+2', 'centre:1+2'), seed)[0]);
      expect(some).toContain(choice(night('robber', 1, 'pass', ...some), seed)[0]);
      expect(['centre:0', 'centre:1', 'centre:2']).toContain(
        choice(night('werewolf', 1, 'pass', 'centre:0', 'centre:1', 'centre:2'), seed)[0],
      );
    }
    const swaps = seeds.map((seed) => choice(night('troublemaker', 2, 'pass', ...some), seed));
    expect(swaps.filter(([first]) => first === 'pass').length).toBeGreaterThan(3);
    expect(
      swaps.filter((pair) => pair.length === 2 && new Set(pair).size === 2 && pair.every((one) => some.includes(one))).length,
    ).toBeGreaterThan(15);
  });

  it('is silent in the Lobby', () => {
    const at = after(0, []);
    expect(think(at, [{ ...talk(), id: 'lobby-0/lobby' }]).answers).toEqual([]);
  });
});

describe('the village', () => {
  const look = (by: number, at: string, card: Card): Event => ({ type: 'looked', by, at, card });

  it.each<readonly [Card, readonly Event[], object]>([
    ['villager', [], { role: 'villager' }],
    ['seer', [look(0, 'seat:3', 'werewolf')], { role: 'seer', looks: [{ about: 3, card: 'werewolf' }] }],
    ['seer', [look(0, 'centre:0', 'villager'), look(0, 'centre:2', 'robber')], { role: 'seer', centre: ['villager', 'robber'] }],
    [
      'robber',
      [{ type: 'swapped', by: 0, seats: [0, 2] }, look(0, 'seat:0', 'insomniac')],
      { role: 'robber', robbed: { from: 2, card: 'insomniac' } },
    ],
    ['robber', [], { role: 'robber', robbed: {} }],
    ['troublemaker', [{ type: 'swapped', by: 0, seats: [1, 4] }], { role: 'troublemaker', swapped: [1, 4] }],
    ['troublemaker', [], { role: 'troublemaker', swapped: [] }],
    ['insomniac', [look(0, 'seat:0', 'seer')], { role: 'insomniac', last: 'seer' }],
  ])('starts with the truth: the %s', (card, done, claim) => {
    for (const seed of seeds) expect(claimOf(said(after(0, dealt(0, card, ...done)), 1, seed))).toEqual(claim);
  });

  it('says as much as fits, the card first', () => {
    const at = after(0, dealt(0, 'seer', look(0, 'seat:3', 'werewolf')));
    expect(think(at, [{ ...talk(), maxChars: 20 }]).answers[0]?.says).toEqual(['I was dealt a Seer.']);
    expect(think(at, [{ ...talk(), maxChars: 10 }]).answers).toEqual([]);
  });

  it('then names its suspect and its vote', () => {
    const first = think(after(0, dealt(0, 'seer', look(0, 'seat:3', 'werewolf'))), [talk()]);
    const at = { ...after(0, []), known: first.known };
    const second = think(at, [talk(2)]);
    expect(suspected(second.answers[0]!.says[0]!)).toEqual([3]);
    const third = think({ ...at, known: second.known }, [talk(3)]);
    expect(third.answers[0]!.says[0]).toMatch(/vote for Dot/);
    expect(voted({ ...at, known: third.known })).toBe('seat:3');
  });

  it('votes for the current holder of a moved card', () => {
    const seen = dealt(0, 'seer', look(0, 'seat:3', 'werewolf'));
    expect(voted(after(0, [...seen, says(3, 'I was dealt a Villager.')]))).toBe('seat:3');
    const swapped = [
      ...seen,
      says(3, 'I was dealt a Villager.'),
      says(2, 'I was dealt a Villager.'),
      says(1, 'I was dealt a Troublemaker. I swapped Dot and Cid.'),
    ];
    expect(voted(after(0, swapped))).toBe('seat:2');
  });

  it('votes for the silent seat when the other claims agree', () => {
    const fits = [
      says(1, 'I was dealt a Villager.'),
      says(2, 'I was dealt an Insomniac. At the end I had an Insomniac.'),
      says(3, 'Hm.'),
      says(4, 'I was dealt a Robber. I robbed nobody.'),
    ];
    expect(voted(after(0, [...dealt(0, 'villager'), ...fits]))).toBe('seat:3');
  });

  it('votes for the next seat when there is probably no Werewolf', () => {
    const centre = [look(2, 'centre:0', 'werewolf'), look(2, 'centre:1', 'werewolf')];
    expect(voted(after(2, dealt(2, 'seer', ...centre)))).toBe('seat:3');
    expect(suspected(said(after(2, [...dealt(2, 'seer', ...centre)])))).toEqual([]);
    expect(voted(after(4, dealt(4, 'seer', look(4, 'centre:0', 'werewolf'), look(4, 'centre:1', 'werewolf'))))).toBe('seat:0');
  });

  it('does not vote twice', () => {
    const at = after(0, dealt(0, 'villager'));
    expect(think({ ...at, moment: { ...at.moment, standing: { 'round-1/day/vote': ['seat:1'] } } }, [vote(0)]).answers).toEqual([]);
  });

  it('speaks at most three times in free talk', () => {
    const at = after(0, dealt(0, 'villager'));
    const free: Asking = { ...talk(), id: 'round-1/day/talk', final: false };
    let known = at.known;
    const spoken = Array.from({ length: 12 }, (_, iteration) => {
      const done = think({ known, moment: { ...at.moment, iteration } }, [free], `${iteration}`);
      known = done.known;
      return done.answers.length;
    });
    expect(spoken.reduce((a, b) => a + b, 0)).toBe(3);
  });
});

describe('the Werewolves', () => {
  const wolf = (...heard: readonly Event[]) => after(0, [...dealt(0, 'werewolf', met(0, 2)), ...heard]);

  it('claims a card of the village consistently', () => {
    const roles = new Set(seeds.map((seed) => claimOf(said(wolf(), 1, seed)).role));
    expect(roles.has('werewolf')).toBe(false);
    expect(roles.size).toBeGreaterThan(2);
    const first = think(wolf(), [talk()]);
    const later = think({ ...wolf(), known: first.known }, [talk(2)]);
    expect(later.known.mine.lie).toEqual(first.known.mine.lie);
    expect(claimOf(later.answers[0]!.says[0]!).role).toBeUndefined();
  });

  it('claims no card that is exhausted', () => {
    const taken = wolf(
      says(1, 'I was dealt a Villager.'),
      says(2, 'I was dealt a Villager.'),
      says(3, 'I am the Insomniac.'),
      says(4, 'I am the Seer.'),
    );
    expect(new Set(seeds.map((seed) => claimOf(said(taken, 1, seed)).role))).toEqual(new Set(['robber', 'troublemaker']));
  });

  it('prefers to claim a card it saw in the centre', () => {
    const peeked = after(0, dealt(0, 'werewolf', met(0), { type: 'looked', by: 0, at: 'centre:1', card: 'seer' }));
    const seers = seeds.filter((seed) => claimOf(said(peeked, 1, seed)).role === 'seer');
    expect(seers.length).toBeGreaterThan(8);
  });

  it('votes with its pack against another without talking', () => {
    const mine = voted(wolf());
    const other = voted(after(2, dealt(2, 'werewolf', met(0, 2))));
    expect(['seat:1', 'seat:3', 'seat:4']).toContain(mine);
    expect(other).toBe(mine);
  });

  it('joins the village against a villager', () => {
    const heard = [says(1, 'I was dealt a Villager. I suspect Eve.'), says(3, 'I was dealt a Villager. I suspect Eve.'), says(4, 'Hm.')];
    expect(voted(wolf(...heard))).toBe('seat:4');
  });

  it('are joined by a Robber that took a Werewolf: it hides and accuses', () => {
    const robbed = dealt(0, 'robber', { type: 'swapped', by: 0, seats: [0, 3] }, { type: 'looked', by: 0, at: 'seat:0', card: 'werewolf' });
    const claims = seeds.map((seed) => claimOf(said(after(0, robbed), 1, seed)));
    expect(claims.every(({ role, robbed: taken }) => role !== 'werewolf' && taken?.card !== 'werewolf' && taken?.from !== 3)).toBe(true);
    const accused = after(0, [
      ...robbed,
      says(3, 'Hm.'),
      says(1, 'I was dealt a Villager.'),
      says(4, 'I was dealt a Villager. I suspect Dot.'),
    ]);
    expect(voted(accused)).toBe('seat:3');
  });

  it('withdraws its lie when its card was moved', () => {
    const first = think(wolf(), [talk()]);
    const moved = [
      says(3, 'I was dealt a Troublemaker. I swapped Ann and Eve.'),
      says(4, 'I was dealt a Villager.'),
      says(1, 'I was dealt a Villager.'),
    ];
    const known = moved.reduce(
      (state, event) => onuwStrategy.fold(state, newsFromEvent({ n: 1, at: 0, event }, { names, verbs: {}, isRead: false }), wolf().moment),
      first.known,
    );
    const later = think({ ...wolf(), known }, [talk(2)]);
    expect(claimOf(later.answers[0]!.says[0]!)).toEqual({ role: 'werewolf' });
    expect(later.known.mine.lie).toBeUndefined();
    // its card is Eve's now; the other Werewolf is one as before
    expect(['seat:2', 'seat:4']).toContain(voted({ ...wolf(), known: later.known }));
  });
});

describe('the other cards', () => {
  const deck = 'werewolf=1,minion=1,tanner=1,mason=2,drunk=1,hunter=1,doppelganger=1';
  const all = (seat: number, card: Card, ...done: readonly Event[]) => [
    { type: 'opened', opening: { options: { deck } } },
    ...dealt(seat, card, ...done).slice(1),
  ];
  const claimed = (speech: string) => readSpeech({ ...alone(speech, names), roles: CARDS }).claim;
  const saw = (...of: number[]): Event => ({ type: 'saw', seat: 0, of, as: 'werewolf' });
  const copied = (of: number, card: Card): Event => ({ type: 'copied', by: 0, of, card });

  it.each<readonly [Card, readonly Event[], object]>([
    ['mason', [{ type: 'met', card: 'mason', seats: [0, 2] }], { role: 'mason', looks: [{ about: 2, card: 'mason' }] }],
    ['mason', [{ type: 'met', card: 'mason', seats: [0] }], { role: 'mason' }],
    ['drunk', [{ type: 'exchanged', by: 0, at: 'centre:1' }], { role: 'drunk', took: 1 }],
    ['hunter', [], { role: 'hunter' }],
    ['doppelganger', [copied(3, 'hunter')], { role: 'doppelganger', looks: [{ about: 3, card: 'hunter' }] }],
    [
      'doppelganger',
      [copied(3, 'drunk'), { type: 'exchanged', by: 0, at: 'centre:2' }],
      { role: 'doppelganger', looks: [{ about: 3, card: 'drunk' }], took: 2 },
    ],
    [
      'doppelganger',
      [copied(3, 'mason'), { type: 'met', card: 'mason', seats: [0, 3] }],
      { role: 'doppelganger', looks: [{ about: 3, card: 'mason' }] },
    ],
  ])('start with the truth: the %s %j', (card, done, claim) => {
    for (const seed of seeds) expect(claimed(said(after(0, all(0, card, ...done)), 1, seed))).toEqual(claim);
  });

  it.each<readonly [Card, readonly Event[]]>([
    ['minion', [saw(2)]],
    ['tanner', []],
    ['doppelganger', [copied(2, 'werewolf'), { type: 'met', card: 'werewolf', seats: [0, 2] }]],
    ['doppelganger', [copied(2, 'tanner')]],
  ])('hide that they are no village: the %s %j', (card, done) => {
    const roles = new Set(seeds.map((seed) => claimed(said(after(0, all(0, card, ...done)), 1, seed)).role));
    expect([...roles].filter((role) => role === undefined || role === card || ['werewolf', 'minion', 'tanner'].includes(role))).toEqual([]);
  });

  it('says as Hunter, and as its copy, whom it takes along', () => {
    expect(said(after(0, all(0, 'hunter')))).toMatch(/whoever I vote for/);
    expect(said(after(0, all(0, 'doppelganger', copied(3, 'hunter'))))).toMatch(/whoever I vote for/);
  });

  it('speaks as Minion for an accused Werewolf, or says to be it, and never votes for one', () => {
    const accused = [says(1, 'I am a Drunk. I suspect Cid.'), says(2, 'I am a Hunter.'), says(3, 'I am a Mason. I suspect Cid.')];
    const at = after(0, [...all(0, 'minion', saw(2)), ...accused]);
    const known: Known = { ...at.known, mine: { said: ['I am a Drunk.'], lie: { role: 'drunk' } } };
    const texts = seeds.map((seed) => think({ ...at, known }, [talk(2)], seed).answers[0]!.says[0]!);
    const covers = texts.filter((text) => readSpeech(alone(text, names)).defends === 2);
    const draws = texts.filter((text) => claimed(text).role === 'werewolf');
    expect(covers.length + draws.length).toBe(seeds.length);
    expect(covers.length).toBeGreaterThan(draws.length);
    expect(draws.length).toBeGreaterThan(3);
    expect(voted({ ...at, known })).not.toBe('seat:2');
  });

  it('does not vote as Tanner for whom the others will vote for', () => {
    const heard = [
      says(1, 'I am a Drunk. I suspect Cid.'),
      says(2, 'Hm.'),
      says(3, 'I am a Mason. I suspect Cid.'),
      says(4, 'I am a Hunter. I suspect Cid.'),
    ];
    expect(voted(after(0, [...all(0, 'tanner'), ...heard]))).not.toBe('seat:2');
    expect(voted(after(0, [...all(0, 'hunter'), ...heard]))).toBe('seat:2');
  });

  it('looks as a copied Seer at no card that it has seen', () => {
    const at = after(0, all(0, 'doppelganger', copied(3, 'seer')));
    const looked = seeds.map(
      (seed) => think(at, [asking('night/copied/seer', 'choose', [...others(0), ...options('pass')])], seed).answers[0]?.says[0],
    );
    expect(new Set(looked)).toEqual(new Set(['seat:1', 'seat:2', 'seat:4']));
  });
});

describe('rules at ONUW', () => {
  it.each([
    { cards: 'all' },
    { deck: 'werewolf=1,seer=1,robber=1,troublemaker=1,drunk=1,mason=2,doppelganger=1' },
    {
      deck: 'werewolf=1,minion=1,tanner=1,robber=1,insomniac=1,drunk=1,hunter=1,doppelganger=1',
      loneMinion: 'target',
      loneWolf: 'peek',
      talk: 'free',
    },
    { setup: 'analysis' },
    { setup: 'easy' },
    { setup: 'hard' },
    { talk: 'free' },
    { loneWolf: 'peek', seerCentre: 'random', selfVote: true },
  ])('play with the options %j', async (given) => {
    const players = 'setup' in given && given.setup === 'analysis' ? 3 : 5;
    expect((await playOutcome({ rules: onuw, players, options: given, seed: 'onuw', recipeFor: () => rules })).points).toHaveLength(
      players,
    );
  });
});

describe('a speech by a tactic', () => {
  const by = (tactic: Tactic, at: { known: Known; moment: Moment }) => {
    const asked = { ...at.moment, questions: [talk()] };
    const floor = { ...floorAt(onuwStrategy, asked), tactic };
    const { answers, known, opinion } = onuwStrategy.act(
      at.known,
      onuwStrategy.believe(at.known, asked),
      asked,
      diceOf('s', 'tactic'),
      floor,
    );
    expect(opinion).toBeUndefined();
    return { text: answers[0]?.says[0] ?? '', known };
  };
  const seer = after(0, [...dealt(0, 'seer', { type: 'looked', by: 0, at: 'seat:2', card: 'werewolf' }), says(1, 'I suspect Ann.')]);
  const wolf = after(0, [...dealt(0, 'werewolf', met(0, 1)), says(2, 'I suspect Bob.')]);

  it('claims what is true, or what is not and is kept', () => {
    expect(claimOf(by('honest_evidence', seer).text)).toEqual({ role: 'seer', looks: [{ about: 2, card: 'werewolf' }] });
    expect(claimOf(by('honest_evidence', wolf).text)).toEqual({ role: 'werewolf' });
    const { text, known } = by('deceptive_evidence', wolf);
    expect(claimOf(text).role).not.toBe('werewolf');
    expect(known.mine.lie).toEqual(claimOf(text));
    const later = { ...known, mine: { ...known.mine, said: [] } };
    expect(claimOf(by('deceptive_evidence', { ...wolf, known: later }).text)).toEqual(known.mine.lie);
  });

  it('accuses whom it takes for a Werewolf, or least for one', () => {
    expect(suspected(by('honest_accusation', seer).text)).toEqual([2]);
    expect(suspected(by('deceptive_accusation', seer).text)).not.toContain(2);
    expect(suspected(by('honest_accusation', wolf).text)).toEqual([1]);
    expect(suspected(by('deceptive_accusation', wolf).text)).toEqual([expect.any(Number)]);
  });

  it('defends an accused who is innocent, or one who is not; others hear it', () => {
    expect(readSpeech(alone(by('honest_defense', seer).text, names))).toEqual({ claim: {}, suspects: [] }); // itself
    expect(readSpeech(alone(by('deceptive_defense', wolf).text, names))).toEqual({ claim: {}, suspects: [], defends: 1 });
    const asWolf = dealt(0, 'werewolf', met(0, 1));
    const rumour = [says(2, 'I suspect Dot.'), says(4, 'I suspect Dot.')];
    expect(voted(after(0, [...asWolf, ...rumour]))).toBe('seat:3');
    const defended = [says(2, 'Dot is no Werewolf.', 2), says(4, 'Dot is not a Werewolf.', 2)];
    expect(voted(after(0, [...asWolf, ...rumour, ...defended, says(3, 'I suspect Cid.', 2)]))).toBe('seat:2');
  });
});
