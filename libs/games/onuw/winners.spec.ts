import { describe, expect, it } from '@jest/globals';
import { onuw } from './onuw.ts';
import { dealtGame, type DealtGame, H, M, NAMES, ofType, R, seat, V, W, X, type Options } from './onuw.suite.ts';
import { type Card, sideOf } from './state.ts';
import { endingOf, outcomeOf } from './verdict.ts';

describe('ONUW: the Hunter', () => {
  const voted = (cards: readonly Card[], votes: readonly (number | undefined)[], options: Options = {}) => {
    const t = dealtGame(cards, [V, V, V], options);
    t.night();
    t.vote(votes);
    return t;
  };
  const shots = (t: DealtGame) => ofType(t.view('audience'), 'felled').map(({ by, seat: at }) => [by, at]);

  it.each<readonly [string, readonly Card[], readonly (number | undefined)[], readonly number[], readonly (readonly number[])[], Options?]>(
    [
      ['takes along whom it voted for', [H, W, V, V], [1, 0, 0, 2], [0, 1], [[0, 1]]],
      ['takes along one without any other vote', [H, V, V, W], [3, 0, 0, 0], [0, 3], [[0, 3]]],
      ['does not when it lives', [H, W, V, V], [1, 2, 1, 2], [1, 2], []],
      ['does not when nobody dies by votes', [H, W, V], [1, 2, 0], [], []],
      ['takes nobody along without a vote', [H, W, V, V], [undefined, 0, 0, 2], [0], []],
      ['takes nobody along when it voted for itself', [H, W, V, V], [0, 0, 0, 2], [0], [], { selfVote: true }],
      ['does not shoot one who is dead already', [H, W, V, V], [1, 0, 1, 0], [0, 1], []],
      ['makes another Hunter shoot', [H, H, W, V, V], [1, 2, 0, 0, 0], [0, 1, 2], [[0, 1], [1, 2]]], // prettier-ignore
      ['shoots once, in a ring of Hunters', [H, H, H, V, V], [1, 2, 0, 0, 0], [0, 1, 2], [[0, 1], [1, 2]]], // prettier-ignore
      ['of two shoots in seat order', [H, H, W, V, V, V], [2, 3, 0, 0, 1, 1], [0, 1, 2, 3], [[0, 2], [1, 3]]], // prettier-ignore
      ['takes one along whom another Hunter would have shot', [H, H, W, V, V, V, V, V], [2, 2, 0, 0, 0, 1, 1, 1], [0, 1, 2], [[0, 2]]],
    ],
  )('%s', (_, cards, votes, dead, shot, options = {}) => {
    const t = voted(cards, votes, options);
    expect([t.state.dead, shots(t)]).toEqual([dead, shot]);
  });

  it('is whoever has the card at the end', () => {
    const t = dealtGame([H, R, W, V], [V, V, V]);
    t.night({ [R]: [[1, seat(0)]] });
    t.vote([2, 2, 1, 1]);
    // 1 and 2 die of their votes; now 1 has the Hunter, whose choice is dead already
    expect([t.state.dead, shots(t)]).toEqual([[1, 2], []]);
    const other = dealtGame([H, R, W, V], [V, V, V]);
    other.night({ [R]: [[1, seat(0)]] });
    other.vote([3, 2, 1, 1]);
    expect([other.state.dead, shots(other)]).toEqual([[1, 2], [[1, 2]]]); // prettier-ignore
  });

  it('is told of between the dead by votes and the cards', () => {
    const t = dealtGame([H, W, V, V], [V, V, V]);
    t.night();
    const after = t.vote([1, 0, 0, 2]);
    const told = after.flatMap((e) =>
      e.type === 'answered' || e.type === 'settled' ? [] : (t.rules.tell(e as never, { names: NAMES }) ?? []),
    );
    expect(told).toEqual([
      'Votes: Ann 2, Bob 1, Cid 1.',
      'Ann dies.',
      'The Hunter Ann takes Bob along.',
      'Ann has a Hunter; Bob has a Werewolf; Cid has a Villager; Dot has a Villager. In the centre: a Villager, a Villager and a Villager.',
      'A Werewolf is dead. The village wins.',
    ]);
  });
});

describe('ONUW: who wins', () => {
  // by who is a player, and for each: who dies besides Werewolves (o: of the village); V, W, M, T, - as in the rules
  const COLUMNS = ['', 'o', 'M', 'Mo', 'X', 'Xo', 'XM', 'XMo'] as const;
  const ROWS: readonly (readonly [string, string, readonly (readonly string[])[]])[] = [
    ['W', 'a Werewolf dies', [['V'], ['V'], ['V'], ['V'], ['V', 'T'], ['V', 'T'], ['V', 'T'], ['V', 'T']]],
    ['W', 'a player is a Werewolf, none dies', [['W'], ['W'], ['W'], ['W'], ['T'], ['T'], ['T'], ['T']]],
    ['M', 'no player is a Werewolf, one is a Minion', [['V'], ['M'], [], ['M'], ['T'], ['T'], ['T'], ['T']]],
    ['', 'no player is a Werewolf or Minion', [['V'], [], ['?'], ['?'], ['T'], ['T'], ['?'], ['?']]],
  ];
  const TARGET: readonly (readonly string[])[] = [['V'], ['M'], ['V'], ['V'], ['T'], ['T'], ['V', 'T'], ['V', 'T']];

  /** A state in which these have died, judged. */
  function judged(cards: readonly Card[], dead: readonly number[], loneMinion: 'letter' | 'target') {
    const votes = cards.map((_, at) => (dead.includes(at) ? 2 : 0));
    const ended = endingOf(cards, votes, dead, { setup: 'standard', verdict: 'official', loneMinion });
    const { state } = dealtGame([V, V, V], [V, V, V]);
    return { ...outcomeOf({ ...state, held: cards, roles: cards, votes, dead, ended }, 'plain')!, because: ended.because };
  }

  const cases = ROWS.flatMap(([has, row, cells]) =>
    COLUMNS.flatMap((column, i) => {
      const isTarget = has === 'M' ? [TARGET[i]!] : [];
      return cells[i]![0] === '?'
        ? []
        : [[row, column, 'letter', has, cells[i]!] as const, ...isTarget.map((cell) => [row, column, 'target', has, cell] as const)];
    }),
  );

  it.each(cases)('when %s and %j dies besides, with loneMinion: %s', (row, column, loneMinion, has, cell) => {
    // two Villagers, two Tanners, and by row a Werewolf and two Minions: the first of each dies
    const cards: Card[] = [V, V, X, X, ...(has === 'W' ? ([M, M, W] as const) : has === 'M' ? ([M, M] as const) : [])];
    const dead = [
      ...(column.includes('o') ? [0] : []),
      ...(column.includes('X') ? [2] : []),
      ...(column.includes('M') ? [4] : []),
      ...(row === 'a Werewolf dies' ? [6] : []),
    ];
    const sideWins = (card: Card): boolean => (sideOf(card) === 'village' ? cell.includes('V') : cell.includes('W') || cell.includes('M'));
    const winners = cards.flatMap((card, at) => ((card === X ? cell.includes('T') && at === 2 : sideWins(card)) ? [at] : []));
    const winner = cell.includes('V')
      ? 'village'
      : cell.includes('W') || cell.includes('M')
        ? 'werewolves'
        : cell.includes('T')
          ? 'tanner'
          : 'draw';
    const points = cards.map((_, at) => (winner === 'draw' ? 0 : winners.includes(at) ? 1 : -1));
    expect(judged(cards, dead, loneMinion)).toMatchObject({ winner, winners, points });
  });

  it('has a case for each cell', () => {
    expect(cases).toHaveLength(8 + 8 + 16 + 4);
  });

  it('is each Tanner who died, and no other Tanner', () => {
    expect(judged([X, X, X, V, W], [0, 2], 'letter')).toMatchObject({ winner: 'tanner', winners: [0, 2], because: 'tanner-died' });
    expect(judged([X, X, V, W], [], 'letter')).toMatchObject({ winner: 'werewolves', winners: [3] });
  });

  it('does not depend on loneMinion while a player is a Werewolf', () => {
    for (const loneMinion of ['letter', 'target'] as const)
      expect(judged([M, W, V], [0], loneMinion)).toMatchObject({ winner: 'werewolves', winners: [0, 1] });
  });

  it('counts deaths by vote and by shot together', () => {
    const t = dealtGame([H, X, W, V], [V, V, V]);
    t.night();
    t.vote([1, 0, 0, 0]);
    expect(t.outcome).toMatchObject({ winner: 'tanner', winners: [1], points: [-1, 1, -1, -1] });
    expect(ofType(t.tape, 'ended')).toEqual([{ type: 'ended', winner: 'tanner', because: 'tanner-died', tanners: [1] }]);
  });

  it('takes the option of the table', () => {
    const winner = (options: Options) => {
      const t = dealtGame([M, V, V], [W, V, V], options);
      t.night();
      t.vote([1, 0, 0]);
      return t.outcome.winner;
    };
    expect([winner({}), winner({ loneMinion: 'target' })]).toEqual(['draw', 'village']);
  });

  it.each<readonly [readonly Card[], readonly number[], 'letter' | 'target', string]>([
    [[W, V, X, X], [0, 2], 'letter', 'A Werewolf is dead. The village wins. Cid is a Tanner, is dead, and so wins, too.'],
    [[W, V, X, X], [2, 3], 'letter', 'No Werewolf is dead. Cid is a Tanner, is dead, and so wins. Dot is a Tanner, is dead, and so wins.'],
    [[M, V, V], [1], 'letter', 'Nobody is a Werewolf, and somebody other than a Minion is dead. The Minions win.'],
    [[M, V, V], [0], 'letter', 'Nobody is a Werewolf. Nobody wins.'],
    [[M, V, V], [0], 'target', 'Nobody is a Werewolf, and a Minion is dead. The village wins.'],
  ])('is told: %j, %j, %s', (cards, dead, loneMinion, text) => {
    const votes = cards.map((_, at) => (dead.includes(at) ? 2 : 0));
    const ended = endingOf(cards, votes, dead, { setup: 'standard', verdict: 'official', loneMinion });
    expect(onuw.rules(5, {}).tell({ type: 'ended', ...ended }, { names: NAMES })).toBe(text);
  });
});
