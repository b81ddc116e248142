import { describe, expect, it } from '@jest/globals';
import { Refusal } from '../kernel/refusal.ts';
import { countsOf, deckOf } from './deck.ts';
import { onuw } from './onuw.ts';
import { ofType, onuwGame } from './onuw.suite.ts';
import { CARDS, type Card, NIGHT } from './state.ts';
import { deathsOf, endingOf } from './verdict.ts';

const W = 'werewolf';
const V = 'villager';
const S = 'seer';
const R = 'robber';
const T = 'troublemaker';
const I = 'insomniac';
const seat = (n: number) => `seat:${n}`;
/** Five players with everybody who wakes among them but the second Werewolf. */
const FIVE = { cards: [W, S, R, T, I], centre: [W, V, V] } as const;
const whyNot = (make: () => unknown): Refusal => {
  try {
    make();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was not refused');
};
const voted = (setting: Parameters<typeof onuwGame>[0], targets: readonly (number | undefined)[]) => {
  const t = onuwGame(setting);
  t.night();
  t.silence();
  t.vote(targets);
  return t;
};

describe('ONUW: the deck', () => {
  it('is for 5 by default, 3 to 10', () => {
    expect(onuw.players).toEqual({ least: 3, most: 10, usual: 5 });
    expect(whyNot(() => onuw.rules(2, {})).reason).toBe('bad-option');
    expect(whyNot(() => onuw.rules(11, {})).reason).toBe('bad-option');
    expect(() => onuw.rules(3, {})).not.toThrow();
    expect(() => onuw.rules(10, {})).not.toThrow();
  });

  it('has for five 2 Werewolves, 2 Villagers, Seer, Robber, Troublemaker and Insomniac', () => {
    const deck = deckOf(5, { setup: 'standard', deck: {} });
    expect(countsOf(deck)).toEqual({ [W]: 2, [V]: 2, [S]: 1, [R]: 1, [T]: 1, [I]: 1 });
  });

  it.each([3, 4, 5, 6, 7, 8, 9, 10])('has for %i three cards more than players: a Villager for each player beyond three', (n) => {
    const deck = deckOf(n, { setup: 'standard', deck: {} });
    expect(deck).toHaveLength(n + 3);
    expect(countsOf(deck)).toEqual({ [W]: 2, ...(n > 3 ? { [V]: n - 3 } : {}), [S]: 1, [R]: 1, [T]: 1, [I]: 1 });
  });

  it('is dealt whole: one card to each player, three to the centre', () => {
    const { state } = onuwGame();
    expect(state.roles).toHaveLength(5);
    expect(state.centre).toHaveLength(3);
    expect([...state.roles, ...state.centre].toSorted()).toEqual([I, R, S, T, V, V, W, W]);
    expect(state.held).toEqual(state.roles);
  });

  it('is dealt the same from the same seed, and otherwise from another', () => {
    const deals = (seed: string) => JSON.stringify(onuwGame({ seed, players: 10 }).state);
    expect(deals('a')).toBe(deals('a'));
    expect(new Set(['a', 'b', 'c', 'd'].map(deals)).size).toBeGreaterThan(1);
  });

  it('may be one’s own, of three cards more than players', () => {
    const options = { deck: { [W]: 1, [S]: 2, [R]: 2, [V]: 1 } };
    const { state } = onuwGame({ players: 3, options });
    expect([...state.roles, ...state.centre].toSorted()).toEqual([R, R, S, S, V, W]);
    expect(onuw.text(3, options)).toContain('1 Werewolf, 1 Villager, 2 Seers and 2 Robbers');
    expect(whyNot(() => onuw.rules(4, options)).detail).toMatch(/4 players need 7 cards/);
    expect(whyNot(() => onuw.text(4, options)).reason).toBe('bad-option');
    expect(whyNot(() => onuw.rules(3, { deck: { [W]: 1, [V]: 6 } })).detail).toMatch(/these are 7/);
    expect(whyNot(() => onuw.rules(3, { deck: { hunter: 6 } })).reason).toBe('bad-option');
  });

  it('never makes everybody a Werewolf', () => {
    expect(whyNot(() => onuw.rules(3, { deck: { [W]: 3, [V]: 3 } })).detail).toMatch(/at most 2 Werewolves/);
    expect(() => onuw.rules(3, { deck: { [W]: 2, [V]: 4 } })).not.toThrow();
  });

  it('is fixed by a record in its own words', () => {
    expect(onuw.readDeal!({ cards: [W, V, V], centre: [S, R, T] })).toEqual({ cards: [W, V, V, S, R, T] });
    expect(whyNot(() => onuw.readDeal!({ cards: [W, V, V] })).detail).toMatch(/cards and centre/);
    expect(whyNot(() => onuw.readDeal!({ centre: [W, V, V] })).reason).toBe('bad-option');
    expect(onuw.readDeal!({})).toEqual({});
    const { state, drawn } = onuwGame(FIVE);
    expect(state).toMatchObject({ roles: FIVE.cards, centre: FIVE.centre });
    expect(drawn.map(({ name, fixed }) => ({ name, fixed }))).toEqual([{ name: 'cards', fixed: true }]);
    expect(Object.keys(onuw.record.deal)).toEqual(['cards', 'centre']);
    expect(Object.keys(onuw.record.draws)).toEqual(['centre of seat:N']);
  });
});

describe('ONUW: the order of the night', () => {
  it('is Werewolf, Seer, Robber, Troublemaker, Insomniac, each as long, and then comes the day', () => {
    const t = onuwGame({ ...FIVE, options: { stepMs: 700 } });
    const steps: [string, number][] = [];
    while (!ofType(t.tape, 'dawned').length) {
      steps.push([t.position.open.map(({ id }) => id).join(), t.position.open[0]!.until]);
      t.wait();
    }
    expect(steps).toEqual([
      ['night/werewolf', 700],
      ['night/seer', 1400],
      ['night/robber', 2100],
      ['night/troublemaker', 2800],
      ['night/insomniac', 3500],
    ]);
    expect(t.now).toBe(3500);
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/round-1/talk']);
  });

  it('calls each card aloud, whoever has it', () => {
    const t = onuwGame({ cards: [V, V, I, W, W], centre: [S, R, T] });
    t.night();
    expect(ofType(t.view('audience'), 'called').map(({ card }) => card)).toEqual(NIGHT);
  });

  it('lasts as long when the cards lie in the centre, and asks nobody', () => {
    const t = onuwGame({ cards: [V, V, I, W, W], centre: [S, R, T] });
    const asked = ofType(t.tape, 'asked');
    t.night();
    expect(
      ofType(t.tape, 'asked')
        .slice(0, 5)
        .map(({ question: { id, of, among } }) => [id, of, among]),
    ).toEqual(NIGHT.map((card) => [`night/${card}`, [], []]));
    expect(asked).toHaveLength(1);
    expect(t.now).toBe(5 * 30_000);
  });

  it('lasts as long when the holder has answered', () => {
    const t = onuwGame(FIVE);
    t.wait();
    t.act(1, 'seer', seat(0));
    expect(t.open('seer').id).toBe('night/seer');
    expect(ofType(t.tape, 'looked')).toEqual([]);
    expect(t.wait().length).toBeGreaterThan(0);
    expect(t.now).toBe(60_000);
    expect(ofType(t.tape, 'looked')).toHaveLength(1);
  });

  it('calls no card that is not in the deck', () => {
    const t = onuwGame({ players: 3, options: { deck: { [W]: 1, [V]: 4, [I]: 1 } } });
    t.night();
    expect(ofType(t.tape, 'called').map(({ card }) => card)).toEqual([W, I]);
    expect(t.now).toBe(60_000);
  });

  it('goes by the card that was dealt: who gets another card in the night does not act on it', () => {
    // The Robber takes the Troublemaker's card; then the old Troublemaker is asked, and the Robber is not asked again.
    const t = onuwGame(FIVE);
    t.night({ [R]: [[2, seat(3)]] });
    const asked = Object.fromEntries(ofType(t.tape, 'asked').map(({ question: { id, of } }) => [id, of]));
    expect(asked[`night/${T}`]).toEqual([3]);
    expect(t.state.held.slice(0, 4)).toEqual([W, S, T, R]);
  });

  it('with hurry ends a step with its answer and skips what nobody is asked', () => {
    const t = onuwGame({ ...FIVE, options: { hurry: true } });
    expect(t.position.open.map(({ id }) => id)).toEqual(['night/seer']);
    t.act(1, 'seer', seat(0));
    t.act(2, 'robber', 'pass');
    t.act(3, 'troublemaker', seat(1), seat(4));
    expect(t.now).toBe(0);
    expect(ofType(t.tape, 'called').map(({ card }) => card)).toEqual(NIGHT);
    expect(ofType(t.tape, 'looked').map(({ by, card }) => [by, card])).toEqual([
      [1, W],
      [4, S],
    ]);
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/round-1/talk']);
    const nobody = onuwGame({ cards: [V, V, I, W, W], centre: [S, R, T], options: { hurry: true } });
    expect(nobody.position.open.map(({ id }) => id)).toEqual(['day/round-1/talk']);
  });

  it('takes silence for nothing, whoever is silent', () => {
    const t = onuwGame({ ...FIVE, options: { loneWolf: 'peek' } });
    t.night();
    expect(t.state.held).toEqual(FIVE.cards);
    expect(ofType(t.tape, 'swapped')).toEqual([]);
    expect(ofType(t.tape, 'looked').map(({ by }) => by)).toEqual([4]); // the Insomniac alone
  });
});

describe('ONUW: the Werewolves', () => {
  const met = (t: ReturnType<typeof onuwGame>, eye: number | 'audience') => ofType(t.view(eye), 'met').map(({ seats }) => seats);

  it('see each other, and nobody else sees them', () => {
    const t = onuwGame({ cards: [W, S, W, T, I], centre: [R, V, V] });
    for (const wolf of [0, 2]) expect(met(t, wolf)).toEqual([[0, 2]]);
    for (const other of [1, 3, 4, 'audience'] as const) expect(met(t, other)).toEqual([]);
    expect(t.rules.brief(t.game.fold(t.view(0)).game, 0, ['A', 'B', 'C', 'D', 'E'])).toBe('You were dealt a Werewolf. So was C.');
  });

  it('learn it when they are alone', () => {
    const t = onuwGame(FIVE);
    expect(met(t, 0)).toEqual([[0]]);
    expect(t.rules.brief(t.game.fold(t.view(0)).game, 0, [])).toBe('You were dealt a Werewolf. No other player was.');
  });

  it('are asked nothing, alone or not, as loneWolf has it', () => {
    expect(onuwGame(FIVE).open('werewolf')).toMatchObject({ of: [], among: [] });
    expect(onuwGame({ cards: [W, S, W, T, I], centre: [R, V, V], options: { loneWolf: 'peek' } }).open('werewolf').of).toEqual([]);
  });

  it('with loneWolf: peek may look at one centre card when alone', () => {
    const t = onuwGame({ ...FIVE, options: { loneWolf: 'peek' } });
    expect(t.open('werewolf')).toMatchObject({ of: [0], among: [0], pick: 1, options: ['pass', 'centre:0', 'centre:1', 'centre:2'] });
    expect(t.refusal(0, 'werewolf', seat(1))).toBe('not-an-option');
    t.act(0, 'werewolf', 'centre:0');
    t.wait();
    expect(ofType(t.view(0), 'looked')).toEqual([{ type: 'looked', by: 0, at: 'centre:0', card: W }]);
    expect(t.now).toBe(30_000);
    const silent = onuwGame({ ...FIVE, options: { loneWolf: 'peek' } });
    silent.act(0, 'werewolf', 'pass');
    silent.wait();
    expect(ofType(silent.tape, 'looked')).toEqual([]);
  });
});

describe('ONUW: the Seer', () => {
  const atSeer = (options: object = {}, draws: { [name: string]: string } = {}) => {
    const t = onuwGame({ ...FIVE, options: { ...options }, draws });
    t.wait();
    return t;
  };
  const seen = (t: ReturnType<typeof onuwGame>, eye: number) => ofType(t.view(eye), 'looked').map(({ at, card }) => [at, card]);

  it('may look at one player, not at itself', () => {
    const t = atSeer();
    expect(t.open('seer')).toMatchObject({ of: [1], among: [1], pick: 1 });
    expect(t.refusal(1, 'seer', seat(1))).toBe('not-an-option');
    t.act(1, 'seer', seat(0));
    t.wait();
    expect(seen(t, 1)).toEqual([['seat:0', W]]);
  });

  it('or chooses two centre cards', () => {
    const t = atSeer();
    expect(t.open('seer').options).toEqual(['pass', ...[0, 1, 2, 3, 4].map(seat), 'centre:0+1', 'centre:0+2', 'centre:1+2']);
    expect(t.refusal(1, 'seer', 'centre:0')).toBe('not-an-option');
    expect(t.refusal(1, 'seer', 'centre')).toBe('not-an-option');
    t.act(1, 'seer', 'centre:0+2');
    t.wait();
    expect(seen(t, 1)).toEqual([
      ['centre:0', W],
      ['centre:2', V],
    ]);
  });

  it('or nothing', () => {
    const t = atSeer();
    t.act(1, 'seer', 'pass');
    t.wait();
    expect(seen(t, 1)).toEqual([]);
  });

  it('decides once, and nobody else may', () => {
    const t = atSeer();
    t.act(1, 'seer', 'pass');
    expect(t.refusal(1, 'seer', seat(0))).toBe('already-answered');
    expect(t.refusal(0, 'seer', seat(2))).toBe('phase-over'); // as if it were not asked at all
  });

  it('with seerCentre: random sees two that are rolled', () => {
    const t = atSeer({ seerCentre: 'random' }, { 'centre of seat:1': 'centre:1+2' });
    expect(t.open('seer').options).toEqual(['pass', ...[0, 1, 2, 3, 4].map(seat), 'centre']);
    t.act(1, 'seer', 'centre');
    t.wait();
    expect(t.drawn.map(({ name }) => name)).toEqual(['cards', 'centre of seat:1']);
    expect(seen(t, 1)).toEqual([
      ['centre:1', V],
      ['centre:2', V],
    ]);
    const pairs = new Set(
      Array.from({ length: 40 }, (_, n) => {
        const other = onuwGame({ ...FIVE, options: { seerCentre: 'random' }, seed: `${n}` });
        other.wait();
        other.act(1, 'seer', 'centre');
        other.wait();
        return seen(other, 1)
          .map(([at]) => at)
          .join();
      }),
    );
    expect([...pairs].toSorted()).toEqual(['centre:0,centre:1', 'centre:0,centre:2', 'centre:1,centre:2']);
  });

  it('sees cards before any is swapped, and learns nothing of later swaps', () => {
    const t = onuwGame(FIVE);
    t.night({ [S]: [[1, seat(0)]], [R]: [[2, seat(0)]] });
    expect(seen(t, 1)).toEqual([['seat:0', W]]);
    expect(t.state.held[0]).toBe(R);
    expect(t.rules.brief(t.game.fold(t.view(1)).game, 1, ['Ann'])).toBe(
      'You were dealt a Seer. In the night you saw that Ann’s card was a Werewolf.',
    );
  });

  it('tells nobody else', () => {
    const t = onuwGame(FIVE);
    t.night({ [S]: [[1, seat(0)]] });
    for (const eye of [0, 2, 3]) expect(seen(t, eye)).toEqual([]);
    expect(ofType(t.view('audience'), 'looked')).toEqual([]);
    expect(t.view(0).filter((e) => e.type === 'asked' && e.question.id === 'night/seer')).toEqual([]);
  });
});

describe('ONUW: the Robber', () => {
  const robs = (...says: string[]) => {
    const t = onuwGame(FIVE);
    t.night({ [R]: [[2, ...says]] });
    return t;
  };

  it('may swap with another and sees the new card', () => {
    const t = robs(seat(0));
    expect(t.state.held).toEqual([R, S, W, T, I]);
    expect(ofType(t.view(2), 'swapped')).toEqual([{ type: 'swapped', by: 2, seats: [2, 0] }]);
    expect(ofType(t.view(2), 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:2', card: W }]);
    expect(t.rules.brief(t.game.fold(t.view(2)).game, 2, ['Ann'])).toBe(
      'You were dealt a Robber. In the night you gave your card to Ann and took a Werewolf for it.',
    );
  });

  it('may leave it', () => {
    const t = robs('pass');
    expect(t.state.held).toEqual(FIVE.cards);
    expect(ofType(t.view(2), 'looked')).toEqual([]);
  });

  it('is asked for another player or pass, and nothing of the centre', () => {
    const t = onuwGame(FIVE);
    t.wait();
    t.wait();
    expect(t.open('robber')).toMatchObject({ of: [2], among: [2], pick: 1, options: ['pass', ...[0, 1, 2, 3, 4].map(seat)], self: false });
    expect(t.refusal(2, 'robber', seat(2))).toBe('not-an-option');
    expect(t.refusal(2, 'robber', 'centre:0')).toBe('not-an-option');
  });

  it('does not tell whom it robs', () => {
    const one = robs(seat(0));
    const other = robs('pass');
    expect(one.view(0)).toEqual(other.view(0));
    expect(one.rules.brief(one.game.fold(one.view(0)).game, 0, [])).toBe('You were dealt a Werewolf. No other player was.');
  });

  it('keeps others from knowing what they hold', () => {
    const t = robs(seat(0));
    expect(t.game.fold(t.view(0)).game.held).toEqual([W, 'hidden', 'hidden', 'hidden', 'hidden']);
    expect(t.game.fold(t.view(2)).game.held).toEqual([R, 'hidden', W, 'hidden', 'hidden']);
    expect(t.game.fold(t.view('audience')).game.held).toEqual(FIVE.cards.map(() => 'hidden'));
    expect(t.game.fold(t.view(1)).game).toMatchObject({
      roles: ['hidden', S, 'hidden', 'hidden', 'hidden'],
      centre: ['hidden', 'hidden', 'hidden'],
    });
  });
});

describe('ONUW: the Troublemaker', () => {
  const atTroublemaker = () => {
    const t = onuwGame(FIVE);
    for (let i = 0; i < 3; i++) t.wait();
    return t;
  };

  it('may swap two others, unseen', () => {
    const t = atTroublemaker();
    t.act(3, 'troublemaker', seat(0), seat(2));
    t.wait();
    expect(t.state.held).toEqual([R, S, W, T, I]);
    expect(ofType(t.view(3), 'swapped')).toEqual([{ type: 'swapped', by: 3, seats: [0, 2] }]);
    expect(ofType(t.view(3), 'looked')).toEqual([]);
    for (const eye of [0, 1, 2, 4, 'audience'] as const) expect(ofType(t.view(eye), 'swapped')).toEqual([]);
  });

  it('names two, neither of them itself', () => {
    const t = atTroublemaker();
    expect(t.open('troublemaker')).toMatchObject({
      of: [3],
      among: [3],
      pick: 2,
      self: false,
      options: ['pass', ...[0, 1, 2, 3, 4].map(seat)],
    });
    expect(t.refusal(3, 'troublemaker', seat(0), seat(3))).toBe('not-an-option');
    expect(t.refusal(3, 'troublemaker', seat(0))).toBe('wrong-number-of-choices');
    expect(t.refusal(3, 'troublemaker', seat(0), seat(0))).toBe('wrong-number-of-choices');
    expect(t.refusal(3, 'troublemaker', seat(0), seat(1), seat(2))).toBe('wrong-number-of-choices');
  });

  it.each([[['pass']], [['pass', 'seat:0']], [['seat:0', 'pass']]])('may leave it with %j', (says) => {
    const t = atTroublemaker();
    t.act(3, 'troublemaker', ...says);
    t.wait();
    expect(t.state.held).toEqual(FIVE.cards);
    expect(ofType(t.tape, 'swapped')).toEqual([]);
    const [answered] = ofType(t.view(3), 'answered');
    expect(t.rules.tell(answered!, { names: ['A', 'B', 'C', 'D'], question: { ...t.open('insomniac'), id: 'night/troublemaker' } })).toBe(
      'D does nothing.',
    );
  });

  it('swaps what lies there after the Robber', () => {
    const t = onuwGame(FIVE);
    t.night({ [R]: [[2, seat(0)]], [T]: [[3, seat(2), seat(1)]] });
    expect(t.state.held).toEqual([R, W, S, T, I]);
  });
});

describe('ONUW: the Insomniac', () => {
  const own = (acts: Parameters<ReturnType<typeof onuwGame>['night']>[0]) => {
    const t = onuwGame(FIVE);
    t.night(acts);
    return ofType(t.view(4), 'looked');
  };

  it('sees the final card, swapped or not', () => {
    expect(own({})).toEqual([{ type: 'looked', by: 4, at: 'seat:4', card: I }]);
    expect(own({ [R]: [[2, seat(4)]] }).map(({ card }) => card)).toEqual([R]);
    expect(own({ [T]: [[3, seat(4), seat(0)]] }).map(({ card }) => card)).toEqual([W]);
    expect(own({ [R]: [[2, seat(0)]], [T]: [[3, seat(2), seat(4)]] }).map(({ card }) => card)).toEqual([W]);
  });

  it('is told while its step lasts, in private, and asked nothing', () => {
    const t = onuwGame(FIVE);
    for (let i = 0; i < 4; i++) t.wait();
    expect(t.open('insomniac')).toMatchObject({ of: [], among: [], options: [] });
    expect(ofType(t.view(4), 'looked')).toHaveLength(1);
    expect(ofType(t.view(0), 'looked')).toHaveLength(0);
    expect(t.rules.brief(t.game.fold(t.view(4)).game, 4, [])).toBe(
      'You were dealt an Insomniac. At the end of the night your card was an Insomniac.',
    );
  });
});

describe('ONUW: several of one card', () => {
  const deck = { deck: { [W]: 1, [S]: 2, [R]: 2, [T]: 2, [I]: 1 } };

  it('are asked together and see each other', () => {
    const t = onuwGame({ cards: [S, R, S, W, R], centre: [T, T, I], options: deck });
    t.wait();
    expect(t.open('seer')).toMatchObject({ of: [0, 2], among: [0, 2] });
    expect(ofType(t.view(0), 'met')).toEqual([{ type: 'met', card: S, seats: [0, 2] }]);
    expect(ofType(t.view(1), 'met')).toEqual([]);
    expect(t.rules.brief(t.game.fold(t.view(2)).game, 2, ['A'])).toBe('You were dealt a Seer. So was A.');
    t.act(2, 'seer', seat(3));
    t.act(0, 'seer', 'centre:0+1');
    t.wait();
    expect(ofType(t.tape, 'looked').map(({ by, at }) => [by, at])).toEqual([
      [0, 'centre:0'],
      [0, 'centre:1'],
      [2, 'seat:3'],
    ]);
    expect(ofType(t.view(0), 'looked').map(({ by }) => by)).toEqual([0, 0]);
  });

  it('act in the order of their seats, whoever was quicker', () => {
    const t = onuwGame({
      cards: [S, R, V, W, R],
      centre: [T, T, I],
      options: { deck: { [W]: 1, [S]: 1, [V]: 1, [R]: 2, [T]: 2, [I]: 1 } },
    });
    t.wait();
    t.wait();
    t.act(4, 'robber', seat(1));
    t.act(1, 'robber', seat(3));
    t.wait();
    // 1 takes the Werewolf first, then 4 takes it from 1
    expect(t.state.held).toEqual([S, R, V, R, W]);
    expect(ofType(t.tape, 'looked').map(({ by, card }) => [by, card])).toEqual([
      [1, W],
      [4, W],
    ]);
    expect(ofType(t.view(1), 'swapped')).toEqual([{ type: 'swapped', by: 1, seats: [1, 3] }]);
  });

  it('swap one after another', () => {
    const t = onuwGame({
      cards: [T, S, T, W, V],
      centre: [R, R, I],
      options: { deck: { [W]: 1, [S]: 1, [V]: 1, [R]: 2, [T]: 2, [I]: 1 } },
    });
    t.night({
      [T]: [
        [2, seat(1), seat(4)],
        [0, seat(1), seat(3)],
      ],
    });
    expect(t.state.held).toEqual([T, V, T, S, W]);
  });
});

describe('ONUW: the day', () => {
  const atDay = (options: object = {}, setting: object = {}) => {
    const t = onuwGame({ ...FIVE, ...setting, options: { ...options } });
    t.night();
    return t;
  };

  it('has three rounds of one speech each, in seat order, in the Village', () => {
    const t = atDay();
    const heard: [string, number][] = [];
    for (let number = 1; number <= 3; number++) {
      expect(t.open('talk')).toMatchObject({
        id: `day/round-${number}/talk`,
        of: [0, 1, 2, 3, 4],
        inTurn: true,
        room: 'Village',
        among: 'table',
      });
      for (const s of [0, 1, 2, 3, 4]) {
        if (s < 4) expect(t.refusal(s + 1, 'talk', 'me!')).toBe('not-your-turn');
        t.act(s, 'talk', `line ${s}`);
        heard.push([`day/round-${number}/talk`, s]);
        if (s < 4) expect(t.refusal(s, 'talk', 'again')).toBe('already-answered');
      }
    }
    expect(ofType(t.view('audience'), 'answered').map(({ question, answer }) => [question, answer.by])).toEqual(heard);
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/vote']);
  });

  it('passes the silent', () => {
    const t = atDay({ turnMs: 1000, stepMs: 1000 });
    t.silence();
    expect(ofType(t.tape, 'passed')).toHaveLength(15);
    expect(t.now).toBe(5000 + 15_000);
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/vote']);
  });

  it.each([0, 1, 5])('has as many rounds as talkRounds says: %i', (talkRounds) => {
    const t = atDay({ talkRounds });
    t.silence();
    expect(ofType(t.tape, 'asked').filter(({ question }) => question.id.endsWith('/talk'))).toHaveLength(talkRounds);
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/vote']);
  });

  it('with talk: free is one talk by the clock, and then the vote', () => {
    const t = atDay({ talk: 'free', talkMs: 5000, stepMs: 1000 });
    expect(t.open('talk')).toMatchObject({
      id: 'day/talk',
      of: [0, 1, 2, 3, 4],
      inTurn: false,
      final: false,
      room: 'Village',
      settles: 'by-the-clock',
    });
    for (const s of [3, 3, 0]) t.act(s, 'talk', 'hello');
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/talk']);
    t.wait();
    expect(t.now).toBe(10_000);
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/vote']);
  });

  it('with talk: free has its talk whatever talkRounds says', () => {
    expect(atDay({ talk: 'free', talkRounds: 0 }).position.open.map(({ id }) => id)).toEqual(['day/talk']);
    expect(onuw.text(5, { talk: 'free', talkRounds: 0 })).toContain('By day all talk freely');
  });

  it('takes no speech longer than maxChars', () => {
    const t = atDay({ maxChars: 20 });
    expect(t.refusal(0, 'talk', 'x'.repeat(21))).toBe('too-long');
    expect(t.refusal(0, 'talk', 'x'.repeat(20))).toBeUndefined();
    const free = atDay({ maxChars: 20, talk: 'free' });
    expect(free.refusal(0, 'talk', 'x'.repeat(21))).toBe('too-long');
  });
});

describe('ONUW: the vote', () => {
  const atVote = (options: object = {}) => {
    const t = onuwGame({ ...FIVE, options: { talkRounds: 0, ...options } });
    t.night();
    return t;
  };

  it('is simultaneous: nobody sees a vote before all are in', () => {
    const t = atVote();
    expect(t.open('vote')).toMatchObject({
      of: [0, 1, 2, 3, 4],
      options: [0, 1, 2, 3, 4].map(seat),
      heard: 'when-settled',
      final: true,
      among: 'table',
    });
    t.act(0, 'vote', seat(1));
    expect(ofType(t.view(1), 'answered')).toEqual([]);
    expect(ofType(t.view(0), 'answered')).toHaveLength(1);
    expect(t.refusal(0, 'vote', seat(2))).toBe('already-answered');
    for (const s of [1, 2, 3, 4]) t.act(s, 'vote', seat(0));
    const settled = ofType(t.view(1), 'settled').at(-1)!;
    expect(settled.answers).toHaveLength(5);
    expect(t.isOver).toBe(true);
  });

  it('is not for oneself, unless selfVote', () => {
    expect(atVote().refusal(2, 'vote', seat(2))).toBe('not-an-option');
    expect(atVote({ selfVote: true }).refusal(2, 'vote', seat(2))).toBeUndefined();
  });

  it('counts silence as no vote', () => {
    const t = atVote({ voteMs: 4000, stepMs: 1000 });
    t.vote([1, undefined, 1, undefined, undefined]);
    expect(t.now).toBe(5000 + 4000);
    expect(t.state.votes).toEqual([0, 2, 0, 0, 0]);
    expect(t.state.dead).toEqual([1]);
  });

  it('ends as soon as all have voted, and every game ends', () => {
    const t = atVote({ stepMs: 1000 });
    t.vote([1, 0, 0, 0, 0]);
    expect(t.now).toBe(5000);
    expect(t.position.open).toEqual([]);
  });
});

describe('ONUW: who dies', () => {
  it.each([
    [[4, 1, 0, 0, 0], [0], [0]],
    [
      [2, 2, 1, 0, 0],
      [0, 1],
      [0, 1],
    ], // all of a tie
    [[2, 1, 1, 1, 0], [0], [0]],
    [
      [2, 2, 0, 0, 0],
      [0, 1],
      [0, 1],
    ],
    [[1, 1, 1, 1, 1], [], []], // nobody above one vote
    [[1, 1, 1, 1, 0], [], []],
    [[1, 1, 0, 0, 0], [], []],
    [[0, 0, 1, 0, 0], [], [2]], // a single player with one vote
    [[0, 0, 0, 0, 0], [], []],
    [
      [3, 3, 3, 0, 0],
      [0, 1, 2],
      [0, 1, 2],
    ],
  ] as const)('of the votes %j: officially %j, in the program %j', (votes, official, program) => {
    expect(deathsOf(votes, 'official')).toEqual(official);
    expect(deathsOf(votes, 'program')).toEqual(program);
  });
});

describe('ONUW: who wins', () => {
  const none = [V, V, V] as const;
  const one = [W, V, V] as const;
  const two = [W, W, V] as const;

  it.each([
    [one, [2, 1, 0], 'village', 'werewolf-died', 'village'],
    [one, [2, 2, 0], 'village', 'werewolf-died', 'village'], // though another dies as well
    [two, [2, 1, 0], 'village', 'werewolf-died', 'village'], // one of two is enough
    [one, [0, 2, 1], 'werewolves', 'werewolves-live', 'werewolves'],
    [one, [0, 2, 2], 'werewolves', 'werewolves-live', 'werewolves'],
    [two, [0, 1, 2], 'werewolves', 'werewolves-live', 'werewolves'],
    [one, [1, 1, 1], 'werewolves', 'werewolves-live', 'draw'],
    [one, [1, 1, 0], 'werewolves', 'werewolves-live', 'werewolves'],
    [one, [0, 0, 0], 'werewolves', 'werewolves-live', 'werewolves'],
    [one, [1, 0, 0], 'werewolves', 'werewolves-live', 'village'], // the program kills the only one voted for
    [one, [0, 1, 0], 'werewolves', 'werewolves-live', 'werewolves'],
    [none, [1, 1, 1], 'village', 'peace', 'draw'],
    [none, [0, 0, 0], 'village', 'peace', 'draw'],
    [none, [1, 0, 0], 'village', 'peace', 'draw'],
    [none, [2, 1, 0], 'draw', 'no-werewolf', 'draw'],
    [none, [2, 2, 0], 'draw', 'no-werewolf', 'draw'],
  ] as const)('with %j and the votes %j: officially %s (%s), in the program %s', (cards, votes, official, because, program) => {
    const judged = (verdict: 'official' | 'program') => endingOf(cards, votes, deathsOf(votes, verdict), { setup: 'standard', verdict });
    expect(judged('official')).toEqual({ winner: official, because });
    expect(judged('program').winner).toBe(program);
  });

  it('agrees with the rule read aloud, for every vote of three and four players and every number of Werewolves', () => {
    for (const n of [3, 4]) {
      const ballots = Array.from({ length: (n + 1) ** n }, (_, i) =>
        Array.from({ length: n }, (__, by) => Math.floor(i / (n + 1) ** by) % (n + 1)),
      );
      for (const targets of ballots.filter((all) => all.every((target, by) => target !== by))) {
        const votes = Array.from({ length: n }, (_, s) => targets.filter((target) => target === s).length);
        for (let wolves = 0; wolves < n; wolves++) {
          const cards = Array.from({ length: n }, (_, s): Card => (s < wolves ? W : V));
          const most = Math.max(...votes);
          const dead = votes.flatMap((count, s) => (most > 1 && count === most ? [s] : []));
          const isWolfDead = dead.some((s) => s < wolves);
          const village = isWolfDead || (wolves === 0 && dead.length === 0);
          const pack = wolves > 0 && !isWolfDead;
          const { winner } = endingOf(cards, votes, deathsOf(votes, 'official'), { setup: 'standard', verdict: 'official' });
          expect(winner).toBe(village ? 'village' : pack ? 'werewolves' : 'draw');
        }
      }
    }
  });

  it('goes by the final card, of the dead and of the winners', () => {
    // The Robber takes the Werewolf's card: killing the old Werewolf is no good.
    const t = onuwGame({ ...FIVE, options: { talkRounds: 0 } });
    t.night({ [R]: [[2, seat(0)]] });
    t.vote([1, 0, 0, 0, 0]);
    expect(t.outcome).toEqual({
      winner: 'werewolves',
      winners: [2],
      roles: [R, S, W, T, I],
      dealt: FIVE.cards,
      points: [-1, -1, 1, -1, -1],
    });
    const other = onuwGame({ ...FIVE, options: { talkRounds: 0 } });
    other.night({ [R]: [[2, seat(0)]] });
    other.vote([2, 2, 0, 2, 2]);
    expect(other.outcome).toMatchObject({ winner: 'village', winners: [0, 1, 3, 4], points: [1, 1, -1, 1, 1] });
  });

  it('lets the dead win with their side', () => {
    const t = voted(FIVE, [1, 0, 0, 1, 1]);
    expect(t.state.dead).toEqual([1]);
    expect(t.outcome.winner).toBe('werewolves');
    const tie = voted(FIVE, [1, 0, 0, 1, undefined]);
    expect(tie.state.dead).toEqual([0, 1]);
    expect(tie.outcome).toMatchObject({ winner: 'village', winners: [1, 2, 3, 4] });
  });

  it('has no winner in a draw', () => {
    const t = voted({ cards: [V, V, S, R, T], centre: [W, W, I] }, [1, 0, 0, 0, 0]);
    expect(t.outcome).toMatchObject({ winner: 'draw', winners: [], points: [0, 0, 0, 0, 0] });
    const peace = voted({ cards: [V, V, S, R, T], centre: [W, W, I] }, [1, 2, 3, 4, 0]);
    expect(peace.outcome).toMatchObject({ winner: 'village', winners: [0, 1, 2, 3, 4] });
  });

  it('has the variant of the program as an option', () => {
    const options = { verdict: 'program' };
    expect(voted({ ...FIVE, options }, [1, 2, 3, 4, 0]).outcome.winner).toBe('draw');
    expect(voted(FIVE, [1, 2, 3, 4, 0]).outcome.winner).toBe('werewolves');
    const wolfless = { cards: [V, V, S, R, T], centre: [W, W, I], options } as const;
    expect(voted(wolfless, [1, 2, 1, 2, 2]).outcome.winner).toBe('draw');
    expect(voted(wolfless, []).outcome.winner).toBe('draw');
    expect(voted({ ...FIVE, options }, [undefined, 0]).outcome.winner).toBe('village');
    expect(voted(FIVE, [undefined, 0]).outcome.winner).toBe('werewolves');
  });

  it('takes a fifth of a point for each vote got, with utility: rl', () => {
    const options = { utility: 'rl' };
    expect(voted({ ...FIVE, options }, [1, 0, 0, 0, 1]).outcome.points).toEqual([-1.6, 0.6, 1, 1, 1]);
    expect(voted({ cards: [V, V, S, R, T], centre: [W, W, I], options }, [1, 0, 0, 0, 0]).outcome.points).toEqual([-0.8, -0.2, 0, 0, 0]);
  });

  it('turns up all cards at the end, to everybody', () => {
    const t = onuwGame({ ...FIVE, options: { talkRounds: 0 } });
    t.night({ [R]: [[2, seat(0)]] });
    expect(ofType(t.vote([1, 0, 0, 0, 0]), 'counted')).toEqual([{ type: 'counted', votes: [4, 1, 0, 0, 0] }]);
    for (const eye of [0, 1, 2, 3, 4, 'audience'] as const) {
      expect(ofType(t.view(eye), 'revealed')).toEqual([
        { type: 'revealed', dealt: FIVE.cards, cards: [R, S, W, T, I], centre: FIVE.centre },
      ]);
      expect(t.game.fold(t.view(eye)).game).toMatchObject({
        roles: FIVE.cards,
        held: [R, S, W, T, I],
        centre: FIVE.centre,
        ended: { winner: 'werewolves' },
      });
    }
  });
});

describe('ONUW: the deals of the document', () => {
  const fixed = (setup: string) => {
    const t = onuwGame({ options: { setup } });
    t.night();
    return t;
  };

  it.each([
    ['easy', [T, W, S, R, V], [R, W, V, T, S], [W, V, I]],
    ['hard', [R, I, S, W, T], [W, S, I, R, T], [W, V, V]],
  ] as const)('%s begins and ends the night as its table says', (setup, initial, final, centre) => {
    const t = fixed(setup);
    expect(t.state).toMatchObject({ roles: initial, held: final, centre });
    expect([...initial, ...centre].toSorted()).toEqual([I, R, S, T, V, V, W, W]);
  });

  it.each(['easy', 'hard'])('%s asks nobody by night, rolls nothing, and lasts as long', (setup) => {
    const t = fixed(setup);
    expect(t.drawn).toEqual([]);
    expect(t.now).toBe(5 * 30_000);
    expect(
      ofType(t.tape, 'asked')
        .slice(0, 5)
        .map(({ question: { id, of } }) => [id, of]),
    ).toEqual(NIGHT.map((card) => [`night/${card}`, []]));
  });

  it.each([
    ['easy', { [S]: [[2, seat(3)]], [R]: [[3, seat(0)]], [T]: [[0, seat(2), seat(4)]] }],
    ['hard', { [S]: [[2, seat(3)]], [R]: [[0, seat(3)]], [T]: [[4, seat(1), seat(2)]] }],
  ] as const)('%s tells each what it would have learnt by acting', (setup, acts) => {
    const t = fixed(setup);
    const played = onuwGame({ cards: t.state.roles as Card[], centre: t.state.centre as Card[] });
    played.night(acts as never);
    const learnt = (one: typeof t, eye: number) =>
      one.view(eye).filter((e) => ['dealt', 'met', 'called', 'looked', 'swapped', 'dawned'].includes(e.type));
    for (const eye of [0, 1, 2, 3, 4]) expect(learnt(t, eye)).toEqual(learnt(played, eye));
  });

  it('easy: the Seer has seen the Robber, the Robber is the new Troublemaker', () => {
    const t = fixed('easy');
    expect(ofType(t.view(2), 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:3', card: R }]);
    expect(ofType(t.view(3), 'looked')).toEqual([{ type: 'looked', by: 3, at: 'seat:3', card: T }]);
    expect(ofType(t.view(0), 'swapped')).toEqual([{ type: 'swapped', by: 0, seats: [2, 4] }]);
  });

  it('hard: the Seer has seen the Werewolf whom the Robber robs, and the Insomniac sees the Seer', () => {
    const t = fixed('hard');
    expect(ofType(t.view(2), 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:3', card: W }]);
    expect(ofType(t.view(0), 'looked')).toEqual([{ type: 'looked', by: 0, at: 'seat:0', card: W }]);
    expect(ofType(t.view(1), 'looked')).toEqual([{ type: 'looked', by: 1, at: 'seat:1', card: S }]);
    t.silence();
    t.vote([3, 3, 3, 0, 3]);
    expect(t.outcome).toMatchObject({ winner: 'werewolves', winners: [0] });
  });

  it('are for five players with the deck they have', () => {
    for (const setup of ['easy', 'hard']) {
      expect(whyNot(() => onuw.rules(4, { setup })).detail).toMatch(/is for 5 players, not 4/);
      expect(whyNot(() => onuw.rules(5, { setup, deck: { [V]: 8 } })).detail).toMatch(/a deck of its own/);
      expect(onuw.text(5, { setup })).toContain('the night has been played beforehand');
    }
    expect(onuw.text(5, {})).not.toContain('beforehand');
  });
});

describe('ONUW: the analysis game', () => {
  const analysis = (options: object = {}) => onuwGame({ players: 3, options: { setup: 'analysis', ...options } });

  it('is for three: two Werewolves and a Robber, without a centre', () => {
    const t = analysis();
    expect(t.state).toMatchObject({ roles: [W, W, R], held: [W, W, R], centre: [] });
    expect(t.drawn).toEqual([]);
    expect(whyNot(() => onuw.rules(5, { setup: 'analysis' })).detail).toMatch(/is for 3 players, not 5/);
    expect(whyNot(() => onuw.rules(3, { setup: 'analysis', deck: { [W]: 2, [R]: 1 } })).reason).toBe('bad-option');
  });

  it('lets the Werewolves see each other, asks the Robber, and then all for their votes, without a talk', () => {
    const t = analysis();
    expect(ofType(t.view(0), 'met')).toEqual([{ type: 'met', card: W, seats: [0, 1] }]);
    expect(t.position.open.map(({ id, of }) => [id, of])).toEqual([['night/werewolf', []]]);
    t.wait();
    expect(t.game.asked(t.position, 2).map(({ id, options }) => [id, options])).toEqual([
      ['night/robber', ['pass', seat(0), seat(1), seat(2)]],
    ]);
    expect(t.refusal(2, 'robber', seat(2))).toBe('not-an-option');
    t.wait();
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/vote']);
  });

  it('has a talk with analysisTalk', () => {
    const t = analysis({ analysisTalk: true });
    t.night();
    expect(t.position.open.map(({ id }) => id)).toEqual(['day/round-1/talk']);
    expect(onuw.text(3, { setup: 'analysis', analysisTalk: true })).toContain('3 rounds');
    expect(onuw.text(3, { setup: 'analysis' })).toContain('There is no talk');
    expect(onuw.text(3, { setup: 'analysis' })).toContain('There is one night and one vote.');
    expect(onuw.text(3, { setup: 'analysis' })).toContain('Every step lasts 30 seconds. Silence');
    expect(onuw.text(5, {})).toContain('There is one night, one talk and one vote.');
    expect(onuw.text(5, {})).toContain('Every step lasts 30 seconds, also when the card lies in the centre. Silence');
  });

  it('is a draw when everybody has one vote, where the standard game is the Werewolves’', () => {
    const t = analysis();
    t.night();
    t.vote([1, 2, 0]);
    expect(t.state.ended).toEqual({ winner: 'draw', because: 'one-vote-each' });
    expect(t.outcome.points).toEqual([0, 0, 0]);
    const silent = analysis();
    silent.night();
    silent.vote([1, 0]);
    expect(silent.outcome.winner).toBe('werewolves'); // one vote each of two is not one for everybody
  });

  it('has the 24 ends of figure 5, with the utilities of its leaves', () => {
    const leaves = ['pass', seat(0), seat(1)].flatMap((robs) =>
      [1, 2].flatMap((first) =>
        [0, 2].flatMap((second) =>
          [0, 1].map((third) => {
            const t = analysis();
            t.night({ [R]: [[2, robs]] });
            t.vote([first, second, third]);
            return { robs, votes: [first, second, third], points: t.outcome.points };
          }),
        ),
      ),
    );
    expect(leaves).toHaveLength(24);
    const mean = [0, 1, 2].map((s) => leaves.reduce((sum, { points }) => sum + points[s]!, 0) / 24);
    for (const utility of mean) expect(utility).toBeCloseTo(-1 / 12);
    expect(leaves.filter(({ points }) => points.every((p) => p === 0))).toHaveLength(6);
    // Theorem 4.2: the Werewolves vote for each other, the Robber for whom it robbed or as it likes.
    expect(leaves.find(({ robs, votes }) => robs === seat(0) && votes.join() === '1,0,0')!.points).toEqual([-1, 1, 1]);
  });
});

describe('ONUW: what people read', () => {
  it('has a sentence for every event of a game', () => {
    const t = onuwGame(FIVE);
    t.night({ [S]: [[1, 'centre:0+1']], [R]: [[2, seat(0)]], [T]: [[3, seat(1), seat(4)]] });
    t.act(0, 'talk', 'Hello.');
    t.silence();
    t.vote([1, 0, 0, 1, 0]);
    const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve'];
    let position = t.game.begin();
    const told = t.tape.flatMap((e) => {
      const question = 'question' in e && typeof e.question === 'string' ? position.open.find((q) => q.id === e.question) : undefined;
      const text = t.rules.tell(e, { names, ...(question ? { question } : {}) });
      position = t.game.evolve(position, e);
      return text === undefined ? [] : [text];
    });
    expect(told).toEqual([
      'The cards are dealt. Night falls.',
      'The Werewolf is called.',
      'Ann wakes alone: no other player was dealt a Werewolf.',
      'The Seer is called.',
      'Bob looks into the centre.',
      'Bob sees that the first centre card is a Werewolf.',
      'Bob sees that the second centre card is a Villager.',
      'The Robber is called.',
      'Cid takes Ann’s card.',
      'Cid makes Cid’s card and Ann’s card change places.',
      'Cid looks at the card that is now in front of Cid: a Werewolf.',
      'The Troublemaker is called.',
      'Dot chooses Bob and Eve.',
      'Dot makes Bob’s card and Eve’s card change places.',
      'The Insomniac is called.',
      'Eve looks at the card that is now in front of Eve: a Seer.',
      'The night is over.',
      'Hello.',
      'Ann votes for Bob.',
      'Bob votes for Ann.',
      'Cid votes for Ann.',
      'Dot votes for Bob.',
      'Eve votes for Ann.',
      'Votes: Ann 3, Bob 2.',
      'Ann dies.',
      'Ann has a Robber, and was dealt a Werewolf; Bob has an Insomniac, and was dealt a Seer; Cid has a Werewolf, and was dealt a Robber; Dot has a Troublemaker; Eve has a Seer, and was dealt an Insomniac. In the centre: a Werewolf, a Villager and a Villager.',
      'No Werewolf is dead. The Werewolves win.',
    ]);
  });

  it('tells the Troublemaker what it did', () => {
    const t = onuwGame(FIVE);
    t.night({ [T]: [[3, seat(1), seat(4)]] });
    expect(t.rules.brief(t.game.fold(t.view(3)).game, 3, ['A', 'B', 'C', 'D', 'E'])).toBe(
      'You were dealt a Troublemaker. In the night you swapped the cards of B and E, unseen.',
    );
  });

  it('opens the Village before it says that the night is over', () => {
    const t = onuwGame(FIVE);
    t.night();
    const types = t.tape.map((e) => (e.type === 'asked' ? e.question.id : e.type));
    expect(types.indexOf('dawned')).toBeGreaterThan(types.indexOf('day/round-1/talk'));
    expect(t.rules.announce({ type: 'dawned' })).toEqual(['Village']);
  });

  it('states the rules that are enforced', () => {
    const usual = onuw.text(5, {});
    expect(usual).toContain('5 players, 8 cards: 2 Werewolves, 2 Villagers, 1 Seer, 1 Robber, 1 Troublemaker and 1 Insomniac.');
    expect(usual).toContain('3 rounds of one speech each, in the order of the seats, a minute for each speech');
    expect(usual).toContain('Every step lasts 30 seconds');
    expect(usual).toContain('for another player');
    expect(usual).toContain('centre:0+1');
    expect(usual).toContain('or if no player is a Werewolf and nobody dies');
    expect(usual).not.toMatch(/alone|everybody has got one vote|fifth/);
    for (const card of CARDS) expect(onuw.text(5, { deck: { [V]: 7, [card]: card === V ? 8 : 1 } }).toLowerCase()).toContain(card);
    expect(onuw.text(5, { deck: { [V]: 8 } })).not.toContain('Seer:');
    const other = onuw.text(5, {
      talk: 'free',
      loneWolf: 'peek',
      seerCentre: 'random',
      selfVote: true,
      verdict: 'program',
      utility: 'rl',
      hurry: true,
    });
    expect(other).toContain('talk freely for 3 minutes');
    expect(other).toContain('One who is alone may look at one centre card');
    expect(other).toContain('which two is rolled');
    expect(other).toContain('for any player');
    expect(other).toContain('When no player is a Werewolf it is a draw.');
    expect(other).toContain('When everybody has got one vote it is a draw.');
    expect(other).toContain('unless a single player has got the only vote');
    expect(other).toContain('less a fifth of a point');
    expect(other).toContain('A step ends as soon as it is answered.');
  });
});
