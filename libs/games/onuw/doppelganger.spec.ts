import { describe, expect, it } from '@jest/globals';
import { briefOf, D, dealtGame, F, G, H, I, M, NAMES, ofType, onuwGame, R, S, seat, seen, T, V, W, X } from './onuw.suite.ts';
import { type Card, countedAs } from './state.ts';

describe('ONUW: the Doppelgänger', () => {
  it('must name another player and learns that one’s dealt card, alone', () => {
    const t = dealtGame([G, S, V], [V, V, V]);
    expect(t.question(G)).toMatchObject({ id: 'night/doppelganger', of: [0], among: [0], pick: 1, self: false });
    expect(t.question(G).options).toEqual([seat(0), seat(1), seat(2)]);
    for (const option of ['pass', seat(0), 'centre:0']) expect(t.refusal(0, G, option)?.reason).toBe('not-an-option');
    t.act(0, G, seat(1));
    t.wait();
    expect(seen(t, 0, 'copied')).toEqual([{ type: 'copied', by: 0, of: 1, card: S }]);
    for (const eye of [1, 2, 'audience'] as const) expect(seen(t, eye, 'copied')).toEqual([]);
    expect(t.game.fold(t.view(0)).game).toMatchObject({ roles: [G, S, 'hidden'], held: [G, S, 'hidden'] });
    expect(briefOf(t, 0)).toBe('You were dealt a Doppelgänger. In the night you copied the card that Bob was dealt: a Seer.');
  });

  it('copies by the dice when it is silent', () => {
    const t = dealtGame([V, G, S], [V, V, V], {}, { 'copied by seat:1': seat(2) });
    t.night();
    expect(t.state.copied).toEqual({ by: 1, of: 2, card: S });
    expect(t.drawn.map(({ name }) => name)).toEqual(['cards', 'copied by seat:1']);
    for (let n = 0; n < 20; n++) {
      const other = onuwGame({ cards: [V, G, S], centre: [V, V, V], options: { deck: { [G]: 1, [S]: 1, [V]: 4 } }, seed: `${n}` });
      other.night();
      expect(other.state.copied!.of).not.toBe(1);
    }
  });

  // the copied card, whether it acts at once, the later call at which it wakes, what its card then counts as
  it.each<readonly [Card, boolean, string | undefined]>([
    [V, false, undefined],
    [H, false, undefined],
    [X, false, undefined],
    [W, false, 'met'],
    [M, false, 'saw'],
    [F, false, 'met'],
    [I, false, 'looked'],
    [S, true, undefined],
    [R, true, undefined],
    [T, true, undefined],
    [D, true, undefined],
  ])('that copies a %s acts at once: %j; wakes later: %s', (card, isAsked, wakes) => {
    const t = dealtGame([G, card, V], [card === F ? F : V, V, V]);
    t.act(0, G, seat(1));
    t.wait();
    expect(t.state.called).toBe('copied');
    expect(t.position.open.map(({ id, of, among }) => [id, of, among])).toEqual([
      isAsked ? [`night/copied/${card}`, [0], [0]] : ['night/copied', [], []],
    ]);
    const asked = t.game.asked(t.position, 0).map(({ options, pick }) => ({ options, pick }));
    t.wait();
    if (isAsked) {
      // asked as the dealt one is, later
      const same = t.question(card);
      expect(asked).toEqual([{ options: same.options, pick: same.pick }]);
    }
    while (!ofType(t.tape, 'dawned').length) t.wait();
    expect(ofType(t.tape, 'asked').filter(({ question: { of } }) => of.length === 1 && of[0] === 0)).toHaveLength(isAsked ? 2 : 1);
    const woke = t.view(0).filter((e) => e.type === 'met' || e.type === 'saw' || e.type === 'looked');
    expect(woke.map(({ type }) => type)).toEqual(wakes === undefined ? [] : [wakes]);
    expect(countedAs(t.state)[t.state.held.indexOf(G)] ?? card).toBe(card);
  });

  it('acts at once as the copied card', () => {
    const as = (card: Card, ...says: string[]) => {
      const t = dealtGame([G, card, W], [V, S, V], card === S ? { deck: { [G]: 1, [S]: 2, [W]: 1, [V]: 2 } } : {});
      t.night({ [G]: [[0, seat(1)]], [`copied/${card}`]: [[0, ...says]], [D]: [[1, 'centre:0']] });
      return t;
    };
    expect(seen(as(S, seat(2)), 0, 'looked')).toEqual([{ type: 'looked', by: 0, at: 'seat:2', card: W }]);
    expect(seen(as(S, 'centre:0+1'), 0, 'looked')).toHaveLength(2);
    expect(seen(as(S, 'pass'), 0, 'looked')).toEqual([]);
    const robber = as(R, seat(2));
    expect(robber.state.held).toEqual([W, R, G]);
    expect(seen(robber, 0, 'looked')).toEqual([{ type: 'looked', by: 0, at: 'seat:0', card: W }]);
    expect(briefOf(robber, 0)).toContain('In the night you gave your card to Cid and took a Werewolf for it.');
    const troublemaker = as(T, seat(1), seat(2));
    expect(troublemaker.state.held).toEqual([G, W, T]);
    expect(briefOf(troublemaker, 0)).toContain('In the night you swapped the cards of Bob and Cid, unseen.');
    expect(as(T, 'pass').state.held).toEqual([G, T, W]);
    const drunk = as(D, 'centre:1');
    expect([drunk.state.held, drunk.state.centre]).toEqual([
      [S, V, W],
      [D, G, V],
    ]);
    expect(seen(drunk, 0, 'exchanged')).toEqual([{ type: 'exchanged', by: 0, at: 'centre:1' }]);
  });

  it('exchanges by the dice when it has copied a Drunk and is silent, and otherwise does nothing', () => {
    const t = dealtGame(
      [G, D, V],
      [V, S, V],
      {},
      { 'copied by seat:0': seat(1), 'exchanged by seat:0': 'centre:1', 'exchanged by seat:1': 'centre:0' },
    );
    t.night();
    expect(t.state.held).toEqual([S, V, V]);
    expect(t.drawn.map(({ name }) => name)).toEqual(['cards', 'copied by seat:0', 'exchanged by seat:0', 'exchanged by seat:1']);
    const robber = dealtGame([G, R, V], [V, S, V], {}, { 'copied by seat:0': seat(1) });
    robber.night();
    expect(robber.state.held).toEqual([G, R, V]);
  });

  it('is one of the Werewolves or Masons that it has joined', () => {
    const t = dealtGame([G, W, F, F, M], [V, V, W], { loneWolf: 'peek' });
    t.night({ [G]: [[0, seat(1)]] });
    for (const eye of [0, 1]) expect(seen(t, eye, 'met')).toEqual([{ type: 'met', card: W, seats: [0, 1] }]);
    expect(seen(t, 4, 'saw')).toEqual([{ type: 'saw', seat: 4, of: [0, 1], as: W }]);
    expect(ofType(t.tape, 'asked').find(({ question }) => question.id === 'night/werewolf')!.question.of).toEqual([]);
    expect(briefOf(t, 1)).toBe('You were dealt a Werewolf. Ann woke with you.');
    expect(briefOf(t, 0)).toContain('In the night you copied the card that Bob was dealt: a Werewolf. Bob woke with you.');
    const mason = dealtGame([G, W, F, F], [V, V, V]);
    mason.night({ [G]: [[0, seat(2)]] });
    expect(seen(mason, 3, 'met')).toEqual([{ type: 'met', card: F, seats: [0, 2, 3] }]);
    expect(seen(mason, 1, 'met')).toEqual([{ type: 'met', card: W, seats: [1] }]);
    expect(briefOf(mason, 1)).toBe('You were dealt a Werewolf. No other player woke with you.');
  });

  it('tells a single Mason that nobody has copied the card', () => {
    const t = dealtGame([G, F, V], [F, V, V]);
    t.night({ [G]: [[0, seat(2)]] });
    expect(seen(t, 1, 'met')).toEqual([{ type: 'met', card: F, seats: [1] }]);
    const copied = dealtGame([G, F, V], [F, V, V]);
    copied.night({ [G]: [[0, seat(1)]] });
    expect(seen(copied, 1, 'met')).toEqual([{ type: 'met', card: F, seats: [0, 1] }]);
  });

  it('is told of as a possible mate to Werewolves and Masons alone', () => {
    const { rules } = dealtGame([G, S, S], [W, M, D]);
    const told = (card: Card) => rules.tell({ type: 'met', card, seats: [1, 2] }, { names: NAMES });
    for (const card of [W, F] as const) expect(told(card)).toContain('wake together: each was dealt or has copied a ');
    for (const card of [S, M, D, R, T, I] as const) expect(told(card)).toContain('wake together: each was dealt a');
  });

  it('as a copied Minion or Insomniac sees, and is seen by, none of them', () => {
    const t = dealtGame([G, M, W, I], [V, V, V]);
    t.night({ [G]: [[0, seat(1)]] });
    for (const eye of [0, 1]) {
      expect(seen(t, eye, 'saw')).toEqual([{ type: 'saw', seat: eye, of: [2], as: W }]);
      expect(seen(t, eye, 'met')).toEqual([]);
    }
    const insomniac = dealtGame([G, I, I, T], [V, V, V]);
    insomniac.night({ [G]: [[0, seat(1)]], [T]: [[3, seat(0), seat(2)]] });
    expect(seen(insomniac, 0, 'met')).toEqual([]);
    expect(seen(insomniac, 2, 'met')).toEqual([{ type: 'met', card: I, seats: [1, 2] }]);
    expect(seen(insomniac, 0, 'looked')).toEqual([{ type: 'looked', by: 0, at: 'seat:0', card: I }]);
    expect(seen(insomniac, 2, 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:2', card: G }]);
    expect(briefOf(insomniac, 0)).toContain('At the end of the night your card was an Insomniac.');
  });

  it.each<readonly [string, Card, { readonly [step: string]: readonly (readonly [number, ...string[]])[] }]>([
    ['Seer', S, { [S]: [[1, seat(0)]] }],
    ['Robber', R, { [R]: [[1, seat(0)]] }],
  ])('looks like a Doppelgänger to the %s', (_, card, acts) => {
    const t = dealtGame([G, card, W], [V, V, V]);
    t.night({ [G]: [[0, seat(2)]], ...acts });
    expect(seen(t, 1, 'looked').map((e) => (e as { card?: string }).card)).toEqual([G]);
  });

  it('does before the others what it does at once, and moves nobody’s call', () => {
    // A copies the Robber and takes the Werewolf: it is one at the end, yet the robbed wakes, and the Minion sees that one alone.
    const t = dealtGame([G, R, W, M, S], [V, V, V]);
    t.night({ [G]: [[0, seat(1)]], 'copied/robber': [[0, seat(2)]], [S]: [[4, seat(0)]] });
    expect(seen(t, 2, 'met')).toEqual([{ type: 'met', card: W, seats: [2] }]);
    expect(seen(t, 0, 'met')).toEqual([]);
    expect(seen(t, 3, 'saw')).toEqual([{ type: 'saw', seat: 3, of: [2], as: W }]);
    expect(seen(t, 4, 'looked')).toEqual([{ type: 'looked', by: 4, at: 'seat:0', card: W }]);
    t.vote([2, 2, 0, 2, 2]); // the robbed has the Doppelgänger card, a Robber of the village
    expect(t.outcome).toMatchObject({ winner: 'werewolves', winners: [0, 3], roles: [W, R, R, M, S], dealt: [G, R, W, M, S] });
  });

  it('as in the first example of the rules: C robs A, who has copied the Werewolf B', () => {
    const t = dealtGame([G, W, R], [V, V, V]);
    t.night({ [G]: [[0, seat(1)]], [R]: [[2, seat(0)]] });
    for (const eye of [0, 1]) expect(seen(t, eye, 'met')).toEqual([{ type: 'met', card: W, seats: [0, 1] }]);
    expect(seen(t, 2, 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:2', card: G }]);
    expect(countedAs(t.state)).toEqual([R, W, W]);
    t.vote([2, 0, 0]);
    expect(t.outcome).toMatchObject({ winner: 'werewolves', winners: [1, 2] });
    expect(briefOf(t, 2)).toContain('At the end your card was a Doppelgänger, which counts as a Werewolf.');
  });

  it('as in the second example: A has copied the Drunk D, and D takes the card that A gave', () => {
    const t = dealtGame([G, D, V], [V, S, V]);
    t.night({ [G]: [[0, seat(1)]], 'copied/drunk': [[0, 'centre:1']], [D]: [[1, 'centre:1']] });
    expect([t.state.held, t.state.centre]).toEqual([
      [S, G, V],
      [V, D, V],
    ]);
    expect(countedAs(t.state)).toEqual([S, D, V]);
  });

  it('counts as a Villager when it was dealt to the centre', () => {
    const t = dealtGame([D, W, V], [G, V, V]);
    t.night({ [D]: [[0, 'centre:0']] });
    expect(countedAs(t.state)).toEqual([V, W, V]);
    t.vote([2, 0, 0]);
    expect(t.outcome).toMatchObject({ winner: 'werewolves', roles: [V, W, V] });
    expect(seen(t, 'audience', 'revealed')).toEqual([{ type: 'revealed', dealt: [D, W, V], cards: [G, W, V], centre: [D, V, V] }]);
  });

  it('shows everybody at the end what it copied', () => {
    const t = dealtGame([G, H, W], [V, V, V]);
    t.night({ [G]: [[0, seat(1)]] });
    t.vote([2, 0, 0]);
    expect(seen(t, 2, 'revealed')).toEqual([
      { type: 'revealed', dealt: [G, H, W], cards: [G, H, W], centre: [V, V, V], copied: { by: 0, of: 1, card: H } },
    ]);
    expect(countedAs(t.game.fold(t.view('audience')).game)).toEqual([H, H, W]);
  });

  it('that copied a Hunter shoots, and one that copied a Tanner wins by its death', () => {
    const hunter = dealtGame([G, H, W], [V, V, V]);
    hunter.night({ [G]: [[0, seat(1)]] });
    hunter.vote([2, 0, 0]);
    expect(hunter.state.dead).toEqual([0, 2]);
    expect(hunter.outcome).toMatchObject({ winner: 'village', winners: [0, 1] });
    const tanner = dealtGame([G, X, W], [V, V, V]);
    tanner.night({ [G]: [[0, seat(1)]] });
    tanner.vote([2, 0, 0]);
    expect(tanner.outcome).toMatchObject({ winner: 'tanner', winners: [0], points: [1, -1, -1], roles: [X, X, W] });
  });
});
