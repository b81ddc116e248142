import { describe, expect, it } from '@jest/globals';
import { countsOf, deckOf } from './deck.ts';
import { onuw } from './onuw.ts';
import { ofType, onuwGame, W, V, S, R, T, I, seat, FIVE, FIVE_CALLS, whyNot } from './onuw.suite.ts';
import type { Card } from './state.ts';

describe('ONUW: the deck', () => {
  it('has 2 Werewolves, 2 Villagers, Seer, Robber, Troublemaker and Insomniac for five', () => {
    const deck = deckOf(5, { setup: 'standard', deck: {} });
    expect(countsOf(deck)).toEqual({ [W]: 2, [V]: 2, [S]: 1, [R]: 1, [T]: 1, [I]: 1 });
  });

  it.each([3, 4, 5, 6, 7, 8, 9, 10])('has three more cards than %i players, adding Villagers beyond three', (n) => {
    const deck = deckOf(n, { setup: 'standard', deck: {} });
    expect(deck).toHaveLength(n + 3);
    expect(countsOf(deck)).toEqual({ [W]: 2, ...(n > 3 ? { [V]: n - 3 } : {}), [S]: 1, [R]: 1, [T]: 1, [I]: 1 });
  });

  it('is dealt completely: one card per player, three to the centre', () => {
    const { state } = onuwGame();
    expect(state.roles).toHaveLength(5);
    expect(state.centre).toHaveLength(3);
    expect([...state.roles, ...state.centre].toSorted()).toEqual([I, R, S, T, V, V, W, W]);
    expect(state.held).toEqual(state.roles);
  });

  it('may be chosen, with three more cards than players', () => {
    const options = { deck: { [W]: 1, [S]: 2, [R]: 2, [V]: 1 } };
    const { state } = onuwGame({ players: 3, options });
    expect([...state.roles, ...state.centre].toSorted()).toEqual([R, R, S, S, V, W]);
    expect(onuw.text(3, options)).toContain('1 Werewolf, 1 Villager, 2 Seers and 2 Robbers');
    expect(whyNot(() => onuw.rules(4, options)).detail).toMatch(/4 players need 7 cards/);
    expect(whyNot(() => onuw.text(4, options)).reason).toBe('bad-option');
    expect(whyNot(() => onuw.rules(3, { deck: { [W]: 1, [V]: 6 } })).detail).toMatch(/these are 7/);
    expect(whyNot(() => onuw.rules(3, { deck: { witch: 6 } })).reason).toBe('bad-option');
  });

  it('cannot make everybody a Werewolf', () => {
    expect(whyNot(() => onuw.rules(3, { deck: { [W]: 3, [V]: 3 } })).detail).toMatch(/at most 2 Werewolves/);
    expect(() => onuw.rules(3, { deck: { [W]: 2, [V]: 4 } })).not.toThrow();
  });

  it('can be fixed by a record, in its own terms', () => {
    expect(onuw.readDeal!({ cards: [W, V, V], centre: [S, R, T] })).toEqual({ cards: [W, V, V, S, R, T] });
    expect(whyNot(() => onuw.readDeal!({ cards: [W, V, V] })).detail).toMatch(/cards and centre/);
    expect(whyNot(() => onuw.readDeal!({ centre: [W, V, V] })).reason).toBe('bad-option');
    expect(onuw.readDeal!({})).toEqual({});
    const { state, drawn } = onuwGame(FIVE);
    expect(state).toMatchObject({ roles: FIVE.cards, centre: FIVE.centre });
    expect(drawn.map(({ name, fixed }) => ({ name, fixed }))).toEqual([{ name: 'cards', fixed: true }]);
    expect(Object.keys(onuw.record.deal)).toEqual(['cards', 'centre']);
    expect(Object.keys(onuw.record.draws)).toEqual(['centre of seat:N', 'copied by seat:N', 'exchanged by seat:N']);
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
  ] as const)('%s has the cards of its table before and after the night', (setup, initial, final, centre) => {
    const t = fixed(setup);
    expect(t.state).toMatchObject({ roles: initial, held: final, centre });
    expect([...initial, ...centre].toSorted()).toEqual([I, R, S, T, V, V, W, W]);
  });

  it.each(['easy', 'hard'])('%s asks nobody by night, rolls nothing, and takes the usual time', (setup) => {
    const t = fixed(setup);
    expect(t.drawn).toEqual([]);
    expect(t.now).toBe(5 * 30_000);
    expect(
      ofType(t.tape, 'asked')
        .slice(0, 5)
        .map(({ question: { id, of } }) => [id, of]),
    ).toEqual(FIVE_CALLS.map((card) => [`night/${card}`, []]));
  });

  it.each([
    ['easy', { [S]: [[2, seat(3)]], [R]: [[3, seat(0)]], [T]: [[0, seat(2), seat(4)]] }],
    ['hard', { [S]: [[2, seat(3)]], [R]: [[0, seat(3)]], [T]: [[4, seat(1), seat(2)]] }],
  ] as const)('%s tells each seat what acting would have shown it', (setup, acts) => {
    const t = fixed(setup);
    const played = onuwGame({ cards: t.state.roles as Card[], centre: t.state.centre as Card[] });
    played.night(acts as never);
    const learnt = (one: typeof t, eye: number) =>
      one.view(eye).filter((e) => ['dealt', 'met', 'called', 'looked', 'swapped', 'dawned'].includes(e.type));
    for (const eye of [0, 1, 2, 3, 4]) expect(learnt(t, eye)).toEqual(learnt(played, eye));
  });

  it('easy: the Seer saw the Robber, who becomes the Troublemaker', () => {
    const t = fixed('easy');
    expect(ofType(t.view(2), 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:3', card: R }]);
    expect(ofType(t.view(3), 'looked')).toEqual([{ type: 'looked', by: 3, at: 'seat:3', card: T }]);
    expect(ofType(t.view(0), 'swapped')).toEqual([{ type: 'swapped', by: 0, seats: [2, 4] }]);
  });

  it('hard: the Seer saw the robbed Werewolf, and the Insomniac becomes the Seer', () => {
    const t = fixed('hard');
    expect(ofType(t.view(2), 'looked')).toEqual([{ type: 'looked', by: 2, at: 'seat:3', card: W }]);
    expect(ofType(t.view(0), 'looked')).toEqual([{ type: 'looked', by: 0, at: 'seat:0', card: W }]);
    expect(ofType(t.view(1), 'looked')).toEqual([{ type: 'looked', by: 1, at: 'seat:1', card: S }]);
    t.silence();
    t.vote([3, 3, 3, 0, 3]);
    expect(t.outcome).toMatchObject({ winner: 'werewolves', winners: [0] });
  });

  it('are for five players and their own deck', () => {
    for (const setup of ['easy', 'hard']) {
      expect(whyNot(() => onuw.rules(4, { setup })).detail).toMatch(/is for 5 players, not 4/);
      expect(whyNot(() => onuw.rules(5, { setup, deck: { [V]: 8 } })).detail).toMatch(/a deck of its own/);
      expect(onuw.text(5, { setup })).toContain('the night has been played beforehand');
    }
    expect(onuw.text(5, {})).not.toContain('beforehand');
  });
});
