import { describe, expect, it } from '@jest/globals';
import { onuw } from './onuw.ts';
import { CARD_NAMES } from './narration.ts';
import { onuwGame, V, S, R, T, F, seat, FIVE } from './onuw.suite.ts';
import { CARDS } from './state.ts';

describe('ONUW: the texts', () => {
  it('have a sentence for every event of a game', () => {
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

  it('tell the Troublemaker what it did', () => {
    const t = onuwGame(FIVE);
    t.night({ [T]: [[3, seat(1), seat(4)]] });
    expect(t.rules.brief(t.game.fold(t.view(3)).game, 3, ['A', 'B', 'C', 'D', 'E'])).toBe(
      'You were dealt a Troublemaker. In the night you swapped the cards of B and E, unseen.',
    );
  });

  it('open the Village before announcing the end of the night', () => {
    const t = onuwGame(FIVE);
    t.night();
    const types = t.tape.map((e) => (e.type === 'asked' ? e.question.id : e.type));
    expect(types.indexOf('dawned')).toBeGreaterThan(types.indexOf('day/round-1/talk'));
    expect(t.rules.announce({ type: 'dawned' })).toEqual(['Village']);
  });

  it('state the enforced rules', () => {
    const usual = onuw.text(5, {});
    expect(usual).toContain('5 players, 8 cards: 2 Werewolves, 2 Villagers, 1 Seer, 1 Robber, 1 Troublemaker and 1 Insomniac.');
    expect(usual).toContain('3 rounds of one speech each, in the order of the seats, a minute for each speech');
    expect(usual).toContain('Every step lasts 30 seconds');
    expect(usual).toContain('for another player');
    expect(usual).toContain('centre:0+1');
    expect(usual).toContain('or if no player is a Werewolf and nobody dies');
    expect(usual).not.toMatch(/alone|everybody has got one vote|fifth/);
    for (const card of CARDS) {
      const n = card === V ? 8 : card === F ? 2 : 1;
      expect(onuw.text(5, { deck: { [V]: 8 - n, [card]: n } })).toContain(CARD_NAMES[card]);
    }
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
    expect(other).toContain('When several players have got one vote and nobody has more, it is a draw.');
    expect(other).toContain('unless a single player has got the only vote');
    expect(other).toContain('less a fifth of a point');
    expect(other).toContain('A step ends as soon as it is answered.');
  });
});
