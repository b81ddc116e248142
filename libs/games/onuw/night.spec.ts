import { describe, expect, it } from '@jest/globals';
import { ofType, onuwGame, W, V, S, R, T, I, seat, FIVE, FIVE_CALLS } from './onuw.suite.ts';

describe('ONUW: the night', () => {
  it('calls Werewolf, Seer, Robber, Troublemaker, Insomniac for equal times, then comes day', () => {
    const t = onuwGame({ ...FIVE, options: { stepMs: 700 } });
    const steps: [string, number][] = [];
    while (!ofType(t.tape, 'dawned').length) {
      steps.push([t.open.join(), t.position.open[0]!.until]);
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
    expect(t.open).toEqual(['day/round-1/talk']);
  });

  it('announces each card, whoever has it', () => {
    const t = onuwGame({ cards: [V, V, I, W, W], centre: [S, R, T] });
    t.night();
    expect(ofType(t.view('audience'), 'called').map(({ card }) => card)).toEqual(FIVE_CALLS);
  });

  it('lasts as long when the cards lie in the centre, and asks nobody', () => {
    const t = onuwGame({ cards: [V, V, I, W, W], centre: [S, R, T] });
    const asked = ofType(t.tape, 'asked');
    t.night();
    expect(
      ofType(t.tape, 'asked')
        .slice(0, 5)
        .map(({ question: { id, of, among } }) => [id, of, among]),
    ).toEqual(FIVE_CALLS.map((card) => [`night/${card}`, [], []]));
    expect(asked).toHaveLength(1);
    expect(t.now).toBe(5 * 30_000);
  });

  it('lasts as long when the holder has answered', () => {
    const t = onuwGame(FIVE);
    t.wait();
    t.act(1, 'seer', seat(0));
    expect(t.question('seer').id).toBe('night/seer');
    expect(ofType(t.tape, 'looked')).toEqual([]);
    expect(t.wait().length).toBeGreaterThan(0);
    expect(t.now).toBe(60_000);
    expect(ofType(t.tape, 'looked')).toHaveLength(1);
  });

  it('calls only cards of the deck', () => {
    const t = onuwGame({ players: 3, options: { deck: { [W]: 1, [V]: 4, [I]: 1 } } });
    t.night();
    expect(ofType(t.tape, 'called').map(({ card }) => card)).toEqual([W, I]);
    expect(t.now).toBe(60_000);
  });

  it('goes by the dealt card: a card gained at night is not acted on', () => {
    // The Robber takes the Troublemaker's card. The original Troublemaker is asked; the Robber is not asked again.
    const t = onuwGame(FIVE);
    t.night({ [R]: [[2, seat(3)]] });
    const asked = Object.fromEntries(ofType(t.tape, 'asked').map(({ question: { id, of } }) => [id, of]));
    expect(asked[`night/${T}`]).toEqual([3]);
    expect(t.state.held.slice(0, 4)).toEqual([W, S, T, R]);
  });

  it('ends each step on its answer and skips empty steps with hurry', () => {
    const t = onuwGame({ ...FIVE, options: { hurry: true } });
    expect(t.open).toEqual(['night/seer']);
    t.act(1, 'seer', seat(0));
    t.act(2, 'robber', 'pass');
    t.act(3, 'troublemaker', seat(1), seat(4));
    expect(t.now).toBe(0);
    expect(ofType(t.tape, 'called').map(({ card }) => card)).toEqual(FIVE_CALLS);
    expect(ofType(t.tape, 'looked').map(({ by, card }) => [by, card])).toEqual([
      [1, W],
      [4, S],
    ]);
    expect(t.open).toEqual(['day/round-1/talk']);
    const nobody = onuwGame({ cards: [V, V, I, W, W], centre: [S, R, T], options: { hurry: true } });
    expect(nobody.open).toEqual(['day/round-1/talk']);
  });

  it('treats silence as passing', () => {
    const t = onuwGame({ ...FIVE, options: { loneWolf: 'peek' } });
    t.night();
    expect(t.state.held).toEqual(FIVE.cards);
    expect(ofType(t.tape, 'swapped')).toEqual([]);
    expect(ofType(t.tape, 'looked').map(({ by }) => by)).toEqual([4]); // the Insomniac alone
  });
});

describe('ONUW: the Werewolves', () => {
  const met = (t: ReturnType<typeof onuwGame>, eye: number | 'audience') => ofType(t.view(eye), 'met').map(({ seats }) => seats);

  it('see each other, unseen by anybody else', () => {
    const t = onuwGame({ cards: [W, S, W, T, I], centre: [R, V, V] });
    for (const wolf of [0, 2]) expect(met(t, wolf)).toEqual([[0, 2]]);
    for (const other of [1, 3, 4, 'audience'] as const) expect(met(t, other)).toEqual([]);
    expect(t.rules.brief(t.game.fold(t.view(0)).game, 0, ['A', 'B', 'C', 'D', 'E'])).toBe('You were dealt a Werewolf. So was C.');
  });

  it('learn that they are alone', () => {
    const t = onuwGame(FIVE);
    expect(met(t, 0)).toEqual([[0]]);
    expect(t.rules.brief(t.game.fold(t.view(0)).game, 0, [])).toBe('You were dealt a Werewolf. No other player was.');
  });

  it('are asked nothing, unless one is alone with loneWolf: peek', () => {
    expect(onuwGame(FIVE).question('werewolf')).toMatchObject({ of: [], among: [] });
    expect(onuwGame({ cards: [W, S, W, T, I], centre: [R, V, V], options: { loneWolf: 'peek' } }).question('werewolf').of).toEqual([]);
  });

  it('may look at one centre card when alone, with loneWolf: peek', () => {
    const t = onuwGame({ ...FIVE, options: { loneWolf: 'peek' } });
    expect(t.question('werewolf')).toMatchObject({ of: [0], among: [0], pick: 1, options: ['pass', 'centre:0', 'centre:1', 'centre:2'] });
    expect(t.refusal(0, 'werewolf', seat(1))?.reason).toBe('not-an-option');
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

  it('may look at one other player', () => {
    const t = atSeer();
    expect(t.question('seer')).toMatchObject({ of: [1], among: [1], pick: 1 });
    expect(t.refusal(1, 'seer', seat(1))?.reason).toBe('not-an-option');
    t.act(1, 'seer', seat(0));
    t.wait();
    expect(seen(t, 1)).toEqual([['seat:0', W]]);
  });

  it('may look at two centre cards instead', () => {
    const t = atSeer();
    expect(t.question('seer').options).toEqual(['pass', ...[0, 1, 2, 3, 4].map(seat), 'centre:0+1', 'centre:0+2', 'centre:1+2']);
    expect(t.refusal(1, 'seer', 'centre:0')?.reason).toBe('not-an-option');
    expect(t.refusal(1, 'seer', 'centre')?.reason).toBe('not-an-option');
    t.act(1, 'seer', 'centre:0+2');
    t.wait();
    expect(seen(t, 1)).toEqual([
      ['centre:0', W],
      ['centre:2', V],
    ]);
  });

  it('may pass', () => {
    const t = atSeer();
    t.act(1, 'seer', 'pass');
    t.wait();
    expect(seen(t, 1)).toEqual([]);
  });

  it('alone decides, and only once', () => {
    const t = atSeer();
    t.act(1, 'seer', 'pass');
    expect(t.refusal(1, 'seer', seat(0))?.reason).toBe('already-answered');
    expect(t.refusal(0, 'seer', seat(2))?.reason).toBe('phase-over'); // as if it had not been asked
  });

  it('sees two random centre cards with seerCentre: random', () => {
    const t = atSeer({ seerCentre: 'random' }, { 'centre of seat:1': 'centre:1+2' });
    expect(t.question('seer').options).toEqual(['pass', ...[0, 1, 2, 3, 4].map(seat), 'centre']);
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

  it('sees cards before any swap, and learns of none', () => {
    const t = onuwGame(FIVE);
    t.night({ [S]: [[1, seat(0)]], [R]: [[2, seat(0)]] });
    expect(seen(t, 1)).toEqual([['seat:0', W]]);
    expect(t.state.held[0]).toBe(R);
    expect(t.rules.brief(t.game.fold(t.view(1)).game, 1, ['Ann'])).toBe(
      'You were dealt a Seer. In the night you saw that Ann’s card was a Werewolf.',
    );
  });

  it('is the only one to see the result', () => {
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

  it('may pass', () => {
    const t = robs('pass');
    expect(t.state.held).toEqual(FIVE.cards);
    expect(ofType(t.view(2), 'looked')).toEqual([]);
  });

  it('may choose another player or pass, but no centre card', () => {
    const t = onuwGame(FIVE);
    t.wait();
    t.wait();
    expect(t.question('robber')).toMatchObject({
      of: [2],
      among: [2],
      pick: 1,
      options: ['pass', ...[0, 1, 2, 3, 4].map(seat)],
      self: false,
    });
    expect(t.refusal(2, 'robber', seat(2))?.reason).toBe('not-an-option');
    expect(t.refusal(2, 'robber', 'centre:0')?.reason).toBe('not-an-option');
  });

  it('does not reveal whom it robs', () => {
    const one = robs(seat(0));
    const other = robs('pass');
    expect(one.view(0)).toEqual(other.view(0));
    expect(one.rules.brief(one.game.fold(one.view(0)).game, 0, [])).toBe('You were dealt a Werewolf. No other player was.');
  });

  it('leaves others unaware of their new card', () => {
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

  it('may swap two others, without seeing the cards', () => {
    const t = atTroublemaker();
    t.act(3, 'troublemaker', seat(0), seat(2));
    t.wait();
    expect(t.state.held).toEqual([R, S, W, T, I]);
    expect(ofType(t.view(3), 'swapped')).toEqual([{ type: 'swapped', by: 3, seats: [0, 2] }]);
    expect(ofType(t.view(3), 'looked')).toEqual([]);
    for (const eye of [0, 1, 2, 4, 'audience'] as const) expect(ofType(t.view(eye), 'swapped')).toEqual([]);
  });

  it('names two players other than itself', () => {
    const t = atTroublemaker();
    expect(t.question('troublemaker')).toMatchObject({
      of: [3],
      among: [3],
      pick: 2,
      self: false,
      options: ['pass', ...[0, 1, 2, 3, 4].map(seat)],
    });
    expect(t.refusal(3, 'troublemaker', seat(0), seat(3))?.reason).toBe('not-an-option');
    expect(t.refusal(3, 'troublemaker', seat(0))?.reason).toBe('wrong-number-of-choices');
    expect(t.refusal(3, 'troublemaker', seat(0), seat(0))?.reason).toBe('wrong-number-of-choices');
    expect(t.refusal(3, 'troublemaker', seat(0), seat(1), seat(2))?.reason).toBe('wrong-number-of-choices');
  });

  it.each([[['pass']], [['pass', 'seat:0']], [['seat:0', 'pass']]])('may pass with %j', (says) => {
    const t = atTroublemaker();
    t.act(3, 'troublemaker', ...says);
    t.wait();
    expect(t.state.held).toEqual(FIVE.cards);
    expect(ofType(t.tape, 'swapped')).toEqual([]);
    const [answered] = ofType(t.view(3), 'answered');
    expect(
      t.rules.tell(answered!, { names: ['A', 'B', 'C', 'D'], question: { ...t.question('insomniac'), id: 'night/troublemaker' } }),
    ).toBe('D does nothing.');
  });

  it('swaps the cards as the Robber left them', () => {
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

  it('sees its final card, swapped or not', () => {
    expect(own({})).toEqual([{ type: 'looked', by: 4, at: 'seat:4', card: I }]);
    expect(own({ [R]: [[2, seat(4)]] }).map(({ card }) => card)).toEqual([R]);
    expect(own({ [T]: [[3, seat(4), seat(0)]] }).map(({ card }) => card)).toEqual([W]);
    expect(own({ [R]: [[2, seat(0)]], [T]: [[3, seat(2), seat(4)]] }).map(({ card }) => card)).toEqual([W]);
  });

  it('is told in private during its step, without a question', () => {
    const t = onuwGame(FIVE);
    for (let i = 0; i < 4; i++) t.wait();
    expect(t.question('insomniac')).toMatchObject({ of: [], among: [], options: [] });
    expect(ofType(t.view(4), 'looked')).toHaveLength(1);
    expect(ofType(t.view(0), 'looked')).toHaveLength(0);
    expect(t.rules.brief(t.game.fold(t.view(4)).game, 4, [])).toBe(
      'You were dealt an Insomniac. At the end of the night your card was an Insomniac.',
    );
  });
});

describe('ONUW: several holders of one card', () => {
  const deck = { deck: { [W]: 1, [S]: 2, [R]: 2, [T]: 2, [I]: 1 } };

  it('are asked together and see each other', () => {
    const t = onuwGame({ cards: [S, R, S, W, R], centre: [T, T, I], options: deck });
    t.wait();
    expect(t.question('seer')).toMatchObject({ of: [0, 2], among: [0, 2] });
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

  it('act in seat order, whoever answers first', () => {
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
