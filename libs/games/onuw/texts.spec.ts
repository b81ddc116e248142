import { describe, expect, it } from '@jest/globals';
import { countsOf } from './deck.ts';
import { onuw } from './onuw.ts';
import { D, dealtGame, F, G, H, I, M, NAMES, R, S, seat, T, V, W, X, type Options } from './onuw.suite.ts';
import type { Card } from './state.ts';

describe('ONUW: the texts of other cards', () => {
  it('have a sentence for every event of a game', () => {
    const t = dealtGame([G, D, M, W, R, F], [V, F, W]);
    t.night({ [G]: [[0, seat(1)]], 'copied/drunk': [[0, 'centre:2']], [D]: [[1, 'centre:0']], [R]: [[4, 'pass']] });
    t.vote([3, 0, 0, 0, 3, 3]);
    let position = t.game.begin();
    const told = t.tape.flatMap((e) => {
      const question = 'question' in e && typeof e.question === 'string' ? position.open.find((q) => q.id === e.question) : undefined;
      const text = t.rules.tell(e, { names: NAMES, ...(question ? { question } : {}) });
      position = t.game.evolve(position, e);
      return text === undefined ? [] : [text];
    });
    expect(told).toEqual([
      'The cards are dealt. Night falls.',
      'The Doppelgänger is called.',
      'Ann chooses to copy Bob.',
      'Ann sees that Bob was dealt a Drunk, and copies it.',
      'The Doppelgänger is called again, to act as what it has copied.',
      'Ann chooses the third centre card.',
      'Ann makes Ann’s card and the third centre card change places, unseen.',
      'The Werewolf is called.',
      'Dot wakes alone: no other player was dealt or has copied a Werewolf.',
      'The Minion is called.',
      'Cid sees that Dot woke as a Werewolf.',
      'The Mason is called.',
      'Fay wakes alone: no other player was dealt or has copied a Mason.',
      'The Robber is called.',
      'Eve does nothing.',
      'The Drunk is called.',
      'Bob chooses the first centre card.',
      'Bob makes Bob’s card and the first centre card change places, unseen.',
      'The night is over.',
      'Ann votes for Dot.',
      'Bob votes for Ann.',
      'Cid votes for Ann.',
      'Dot votes for Ann.',
      'Eve votes for Dot.',
      'Fay votes for Dot.',
      'Votes: Ann 3, Dot 3.',
      'Ann and Dot die.',
      'Ann has a Werewolf, and was dealt a Doppelgänger; Bob has a Villager, and was dealt a Drunk; Cid has a Minion; Dot has a Werewolf; Eve has a Robber; Fay has a Mason. In the centre: a Drunk, a Mason and a Doppelgänger. The Doppelgänger counts as a Drunk, copied from Bob.',
      'A Werewolf is dead. The village wins.',
    ]);
  });

  const deck = (...cards: Card[]) => ({ deck: countsOf([...cards, ...Array.from({ length: 8 - cards.length }, () => V)] as Card[]) });
  it.each<readonly [string, Options, Options?]>([
    ['Werewolves and Minions are one side, all others the village.', deck(W, M), deck(W)],
    ['Werewolves are one side, each Tanner is one of its own, all others the village.', deck(W, X), deck(W)],
    [
      'A Doppelgänger card counts as what it copied, whoever has it at the end, and as a Villager if it was dealt to the centre.',
      deck(G),
      deck(W),
    ],
    ['called in the order Doppelgänger, what it copied, Werewolf, Minion, Mason, Drunk, Insomniac. Who', deck(G, W, M, F, F, D, I)],
    ['Silence does nothing, but the dice choose for a silent Drunk. Players', deck(D), deck(W)],
    ['Silence does nothing, but the dice choose for a silent Doppelgänger or Drunk. Players', deck(D, G), deck(D)],
    ['\nMinion: sees who woke as Werewolves, perhaps nobody. They do not learn who is a Minion.\n', deck(M), deck(W)],
    [
      '\nMason: the Masons see each other. One who is alone learns that no other player woke as a Mason: the other card lies in the centre.\n',
      deck(F, F),
      deck(W),
    ],
    [
      '\nDrunk: must exchange the card in front of them for one of the centre, without looking: centre:0, centre:1, centre:2.\n',
      deck(D),
      deck(W),
    ],
    [
      '\nDoppelgänger: must name another player, sees the card that this player was dealt, and copies it. Whoever looks at its card sees a Doppelgänger.\n',
      deck(G),
      deck(W),
    ],
    [
      'copies it: as Seer, Robber, Troublemaker or Drunk it acts at once, in a step of its own and not again. Whoever',
      deck(G, S, R, T, D),
      deck(G, S),
    ],
    ['copies it: as Werewolf or Mason it wakes with the others. Whoever', deck(G, W, F, F), deck(G, W)],
    [
      '; as Minion or Insomniac it learns what that card learns, when it is called, unseen by others. Whoever',
      deck(G, W, M, I),
      deck(G, W, I),
    ],
    [
      'A Hunter who dies takes along the player it voted for, however many votes that one has; a Hunter who dies so does the same. One who voted for nobody takes nobody along.',
      deck(H),
      deck(W),
    ],
    ['One who voted for nobody or for itself takes nobody along.', { ...deck(H), selfVote: true }, deck(H)],
    ['The Werewolves and Minions win if a player is a Werewolf and no Werewolf dies.', deck(W, M), deck(W)],
    [
      'When no player is a Werewolf and one is a Minion, the Minions win if somebody other than a Minion dies, and nobody wins if only Minions die. When no player is a Werewolf or Minion and somebody dies, nobody wins.',
      deck(W, M),
      deck(W),
    ],
    [
      'one is a Minion, the village wins if a Minion dies, and the Minions win if only others die. When no player is a Werewolf or Minion and',
      { ...deck(W, M), loneMinion: 'target' },
      deck(W, M),
    ],
    [
      'nobody wins. But a Tanner who dies wins, alone or besides the village; Werewolves do not win then. Tanners who live lose.',
      deck(W, X),
      deck(W),
    ],
    ['Werewolves and Minions do not win then.', deck(W, M, X), deck(W, M)],
  ])('state the enforced rules: %s', (sentence, options, without = {}) => {
    expect(onuw.text(5, options)).toContain(sentence);
    expect(onuw.text(5, without)).not.toContain(sentence);
  });
});
