import { describe, expect, it } from '@jest/globals';
import { labelPlayers, unlabelPlayers } from './label-players.ts';

describe('labelPlayers', () => {
  it.each<[string, readonly string[], string, string]>([
    ['as they are written, in any case', ['Ann', 'Bob'], 'ANN asks bob.', 'Player A asks Player B.'],
    ['bent', ['Ann', 'Bob'], 'Annie has Bob’s card, Bob\'s and the Bobs’.', 'Player A has Player B’s card, Player B\'s and the Player B’.'], // prettier-ignore
    ['shortened', ['Christopher', 'Eve'], 'Chris, Chrissy, Chr and chris, but no chr.', 'Player A, Player A, Player A and Player A, but no chr.'], // prettier-ignore
    ['within words', ['Bob', 'Alice'], 'TeamBob, anti-Bob, Bob2, BobTheWolf, bobbed, unalicelike', 'Player A, anti-Player A, Player A, Player A, Player A, Player B'], // prettier-ignore
    ['and not common words', ['Thea', 'Eve', 'Old Tom'], 'They say the evening is old. The Theas, Eves, Old Tom', 'They say the evening is old. The Player A, Player B, Player C'], // prettier-ignore
    ['and not letters within ordinary words', ['Ann', 'Bob'], 'It is planned; I cannot, nabob.', 'It is planned; I cannot, nabob.'],
    ['without their marks', ['Zoë', 'Jiri'], 'Zoe and Jiří, zoë', 'Player A and Player B, Player A'],
    ['of scripts without capitals', ['김민수', 'محمد', '王小明'], '민수가 ومحمد 小明是狼', 'Player A가 وPlayer B Player C是狼'],
    ['bent in other scripts', ['Анна', 'Νίκος'], 'Анну, АННЕ; Νικος, Νίκο', 'Player A, Player A; Player B, Player B'],
    ['by a part', ['Mary Ann', 'Ann'], 'Mary-Ann, Mary and Ann', 'Player A, Player A and Player B'],
    ['that are ordinary words', ['May', 'Will'], 'May will win.', 'Player A Player B win.'],
    ['that look like a label', ['Player B', 'Zoe'], 'Player B and Zoe', 'Player A and Player B'],
    ['that are short', ['Al', 'P1'], 'Al also met P10, not P1.', 'Player A also met P10, not Player B.'],
    ['without spaces between words', ['小明'], '小明是狼', 'Player A是狼'],
    ['with marks of patterns', ['A.B[1]', 'x'], 'A.B[1], not AxB', 'Player A, not AxB'],
  ])('finds names %s', (_, names, text, labelled) => {
    expect(labelPlayers(text, names)).toBe(labelled);
  });
});

describe('unlabelPlayers', () => {
  it('names the seats of labels, and no other words', () => {
    const nameOf = (seat: number) => `the ${['merlin', 'servant', 'assassin'][seat]}`;
    const text = 'Player A’s plan: Players B and C, then player C; a Player Apart, Player D, Agent[04].';
    expect(unlabelPlayers(text, 3, nameOf)).toBe(
      'the merlin’s plan: the servant and the assassin, then the assassin; a Player Apart, Player D, a player.',
    );
  });
});
