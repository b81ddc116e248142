import { describe, expect, it } from '@jest/globals';
import { countsOf, deckOf } from './deck.ts';
import { onuw } from './onuw.ts';
import {
  briefOf,
  D,
  dealtGame,
  type DealtGame,
  F,
  G,
  H,
  I,
  M,
  ofType,
  onuwGame,
  R,
  S,
  seat,
  seen,
  T,
  upTo,
  V,
  W,
  whyNot,
  X,
  type Options,
} from './onuw.suite.ts';
import { type Card, CARDS, NIGHT, sideOf } from './state.ts';

describe('ONUW: decks with other cards', () => {
  it.each<readonly [number, { readonly [card in Card]?: number }]>([
    [3, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1 }],
    [4, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1 }],
    [5, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1, [I]: 1 }],
    [6, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1, [I]: 1, [H]: 1 }],
    [7, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1, [I]: 1, [H]: 1, [X]: 1 }],
    [8, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1, [H]: 1, [X]: 1, [F]: 2 }],
    [9, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1, [I]: 1, [H]: 1, [X]: 1, [F]: 2 }],
    [10, { [W]: 2, [S]: 1, [R]: 1, [T]: 1, [D]: 1, [M]: 1, [I]: 1, [H]: 1, [X]: 1, [F]: 2, [G]: 1 }],
  ])('of %i players with cards: all are %j', (players, counts) => {
    expect(countsOf(deckOf(players, { setup: 'standard', deck: {}, cards: 'all' }))).toEqual(counts);
    expect(onuw.text(players, { cards: 'all' })).toContain(`${players} players, ${players + 3} cards:`);
  });

  it('give way to a deck that is given', () => {
    expect(countsOf(deckOf(3, { setup: 'standard', deck: { [V]: 5, [H]: 1 }, cards: 'all' }))).toEqual({ [V]: 5, [H]: 1 });
  });

  it.each<readonly [Options, RegExp]>([
    [{ deck: { [F]: 1, [V]: 7 } }, /two Masons or none, not 1/],
    [{ deck: { [F]: 3, [V]: 5 } }, /two Masons or none, not 3/],
    [{ deck: { [G]: 2, [V]: 6 } }, /at most one Doppelgänger, not 2/],
    [{ deck: { [W]: 2, [M]: 2, [X]: 1, [V]: 3 } }, /at most 4 Werewolves, Minions and Tanners together/],
    [{ deck: { [X]: 5, [V]: 3 } }, /at most 4 Werewolves, Minions and Tanners together/],
    [{ deck: { [W]: 5, [V]: 3 } }, /at most 4 Werewolves, so/],
    [{ deck: { [V]: 7, [H]: 1 }, verdict: 'program' }, /the program has six cards, and no hunter/],
    [{ cards: 'all', verdict: 'program' }, /the program has six cards, and no minion/],
    [{ cards: 'all', setup: 'easy' }, /cards: easy has a deck of its own/],
    [{ cards: 'all', setup: 'hard' }, /cards: hard has a deck of its own/],
    [{ deck: { [G]: 1, [V]: 7 }, setup: 'easy' }, /a deck of its own/],
  ])('are refused that do not fit: %j', (options, why) => {
    const { reason, detail } = whyNot(() => onuw.rules(5, options));
    expect([reason, detail]).toEqual(['bad-option', expect.stringMatching(why)]);
  });

  it.each<Options>([
    { deck: { [F]: 2, [V]: 6 } },
    { deck: { [F]: 0, [V]: 8 } },
    { deck: { [G]: 1, [V]: 7 } },
    { deck: { [W]: 2, [M]: 1, [X]: 1, [V]: 4 } },
    { deck: { [W]: 1, [V]: 7 }, verdict: 'program' },
    { verdict: 'program' },
  ])('are taken up to the bounds: %j', (options) => {
    expect(() => onuw.rules(5, options)).not.toThrow();
  });

  it('have the Minion with the Werewolves, each Tanner alone, and all others in the village', () => {
    expect(Object.groupBy(CARDS, sideOf)).toEqual({
      werewolves: [W, M],
      tanner: [X],
      village: [V, S, R, T, I, F, D, H, G],
    });
    const sorted = (sides: object) => Object.fromEntries(Object.entries(sides).map(([side, cards]) => [side, cards.toSorted()]));
    expect(sorted(onuw.sides!)).toEqual(sorted(Object.groupBy(CARDS, sideOf)));
  });
});

describe('ONUW: the calls', () => {
  it.each<readonly [string, readonly Card[], readonly Card[]]>([
    ['many before the players', [G, W, M, F, D, S, R, T, I], [F, V, H]],
    ['many in the centre', [V, V, V, V, V, V, W, F, F], [G, M, D]],
  ])('are as long whoever has the cards: %s', (_, cards, centre) => {
    const t = dealtGame(cards, centre, { stepMs: 1000 });
    const calls = NIGHT.filter((call) => [...cards, ...centre].includes(call === 'copied' ? G : call));
    t.night();
    expect(seen(t, 'audience', 'called').map(({ card }) => card)).toEqual(calls);
    expect(t.now).toBe(calls.length * 1000);
  });

  it('are ten with all cards', () => {
    expect(onuw.text(10, { cards: 'all' })).toContain(
      'Doppelgänger, what it copied, Werewolf, Minion, Mason, Seer, Robber, Troublemaker, Drunk, Insomniac. Who',
    );
    const t = onuwGame({ players: 10, options: { cards: 'all' } });
    t.night();
    expect(seen(t, 'audience', 'called').map(({ card }) => card)).toEqual(NIGHT);
  });

  it('name no Villager, Hunter or Tanner', () => {
    const t = dealtGame([V, H, X], [V, V, I]);
    t.night();
    expect(ofType(t.tape, 'called').map(({ card }) => card)).toEqual([I]);
  });

  it('have both steps of a Doppelgänger, also when it lies in the centre or has nothing to do', () => {
    const calls = (t: DealtGame) => {
      t.night({ doppelganger: [[0, seat(1)]] });
      return [ofType(t.tape, 'called').map(({ card }) => card), t.now];
    };
    const inCentre = dealtGame([V, V, V], [G, S, V]);
    inCentre.night();
    const seer = dealtGame([G, S, V], [V, V, V]);
    const villager = dealtGame([G, V, V], [S, V, V]);
    const expected = [[G, 'copied', S], 3 * 30_000];
    expect([calls(seer), calls(villager)]).toEqual([expected, expected]);
    expect([ofType(inCentre.tape, 'called').map(({ card }) => card), inCentre.now]).toEqual(expected);
  });

  it('are skipped with hurry where nobody is asked', () => {
    const t = dealtGame([G, V, S], [V, V, I], { hurry: true });
    expect(t.open).toEqual(['night/doppelganger']);
    t.act(0, 'doppelganger', seat(1));
    expect(t.open).toEqual(['night/seer']);
  });
});

describe('ONUW: the Minion', () => {
  it('learns who woke as Werewolves, who do not learn of it', () => {
    const t = dealtGame([M, W, V, W], [V, V, V]);
    t.night();
    expect(seen(t, 0, 'saw')).toEqual([{ type: 'saw', seat: 0, of: [1, 3], as: W }]);
    for (const eye of [1, 2, 3, 'audience'] as const) expect(seen(t, eye, 'saw')).toEqual([]);
    expect(briefOf(t, 0)).toBe('You were dealt a Minion. In the night you saw that Bob and Dot woke as Werewolves.');
    expect(briefOf(t, 1)).toBe('You were dealt a Werewolf. So was Dot.');
    expect(t.game.fold(t.view(0)).game.roles).toEqual([M, W, 'hidden', W]);
  });

  it('may learn that there is nobody', () => {
    const t = dealtGame([M, V, V], [W, V, V]);
    t.night();
    expect(seen(t, 0, 'saw')).toEqual([{ type: 'saw', seat: 0, of: [], as: W }]);
    expect(briefOf(t, 0)).toBe('You were dealt a Minion. In the night you saw that nobody woke as a Werewolf.');
  });

  it('is asked nothing, and sees another one', () => {
    const t = upTo(dealtGame([M, M, V, V], [W, V, V]), M);
    expect(t.question(M)).toMatchObject({ of: [], among: [] });
    expect(seen(t, 1, 'met')).toEqual([{ type: 'met', card: M, seats: [0, 1] }]);
  });
});

describe('ONUW: the Masons', () => {
  it('see each other, unseen by anybody else', () => {
    const t = dealtGame([F, V, F], [V, V, V]);
    t.night();
    for (const eye of [0, 2]) expect(seen(t, eye, 'met')).toEqual([{ type: 'met', card: F, seats: [0, 2] }]);
    for (const eye of [1, 'audience'] as const) expect(seen(t, eye, 'met')).toEqual([]);
    expect(briefOf(t, 2)).toBe('You were dealt a Mason. So was Ann.');
  });

  it('learn that they are alone', () => {
    const t = dealtGame([F, V, V], [V, V, F]);
    t.night();
    expect(seen(t, 0, 'met')).toEqual([{ type: 'met', card: F, seats: [0] }]);
    expect(briefOf(t, 0)).toBe('You were dealt a Mason. No other player was.');
  });
});

describe('ONUW: the Drunk', () => {
  it('must exchange its card for one of the centre, and learns where from but not what', () => {
    const t = upTo(dealtGame([D, V, V], [S, W, V]), D);
    expect(t.question(D)).toMatchObject({ of: [0], among: [0], pick: 1, options: ['centre:0', 'centre:1', 'centre:2'] });
    for (const option of ['pass', seat(1), 'centre:0+1']) expect(t.refusal(0, D, option)?.reason).toBe('not-an-option');
    t.act(0, D, 'centre:1');
    t.wait();
    expect([t.state.held, t.state.centre]).toEqual([
      [W, V, V],
      [S, D, V],
    ]);
    expect(seen(t, 0, 'exchanged')).toEqual([{ type: 'exchanged', by: 0, at: 'centre:1' }]);
    for (const eye of [1, 2, 'audience'] as const) expect(seen(t, eye, 'exchanged')).toEqual([]);
    expect(t.game.fold(t.view(0)).game).toMatchObject({ held: ['hidden', 'hidden', 'hidden'], centre: ['hidden', D, 'hidden'] });
    expect(briefOf(t, 0)).toBe('You were dealt a Drunk. In the night you gave your card for the second centre card, unseen.');
  });

  it('exchanges the card that lies in front of it by then', () => {
    const t = dealtGame([D, R, V], [W, V, V]);
    t.night({ [R]: [[1, seat(0)]], [D]: [[0, 'centre:0']] });
    expect([t.state.held, t.state.centre]).toEqual([
      [W, D, V],
      [R, V, V],
    ]);
  });

  it('gets a card by the dice when it is silent', () => {
    const t = dealtGame([V, D, V], [W, V, V], {}, { 'exchanged by seat:1': 'centre:0' });
    t.night();
    expect(t.state.held).toEqual([V, W, V]);
    expect(t.drawn.map(({ name }) => name)).toEqual(['cards', 'exchanged by seat:1']);
    expect(ofType(t.view(1), 'settled').at(-1)!.defaulted).toEqual([{ by: 1, says: ['centre:0'] }]);
    for (const eye of [0, 'audience'] as const) expect(JSON.stringify(t.view(eye))).not.toContain('centre:0"');
    const rolled = Array.from({ length: 30 }, (_, n) => {
      const other = onuwGame({ cards: [V, D, V], centre: [W, V, V], options: { deck: { [D]: 1, [W]: 1, [V]: 4 } }, seed: `${n}` });
      other.night();
      return other.state.exchanges[0]!.at;
    });
    expect(new Set(rolled)).toEqual(new Set(['centre:0', 'centre:1', 'centre:2']));
  });

  it('acts in seat order where there are several', () => {
    const t = dealtGame([D, D, V], [W, V, S]);
    t.night({ [D]: [[1, 'centre:0'], [0, 'centre:0']] }); // prettier-ignore
    expect([t.state.held, t.state.centre]).toEqual([
      [W, D, V],
      [D, V, S],
    ]);
  });

  it('is exchanged before the Insomniac looks', () => {
    const t = dealtGame([I, D, V], [W, V, V]);
    t.night({ [D]: [[1, 'centre:0']] });
    expect(ofType(t.tape, 'called').map(({ card }) => card)).toEqual([W, D, I]);
  });
});
