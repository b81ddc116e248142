import { describe, expect, it } from '@jest/globals';
import { randomAnswer } from '@maw/games/chance.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/dice.ts';
import { Refusal } from '@maw/games/refusal.ts';
import { playOut, tableOf } from './table.ts';

/** How many random games the first law is tried on; MAW_LAW_GAMES asks for more. */
const GAMES = Number(process.env['MAW_LAW_GAMES'] ?? 10_000);

/** Random options of a rule set: each of them takes each of its values now and then. Times stay short, days few. */
function randomOptions(set: (typeof catalogue)[number], dice: ReturnType<typeof diceOf>): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(set.options).map(([name, option]) => {
      switch (option.kind) {
        case 'switch':
          return [name, dice.below(2) === 0];
        case 'choice':
          return [name, option.of[dice.below(option.of.length)]];
        case 'counts':
          return [name, {}];
        case 'whole':
          return [name, name === 'maxDays' ? 1 + dice.below(6) : name === 'maxChars' ? option.usual : option.least + dice.below(500)];
      }
    }),
  );
}

/** Whether these options and this number of players go together: some games are for three only. */
function isPlayable(set: (typeof catalogue)[number], players: number, options: { [name: string]: unknown }): boolean {
  try {
    set.rules(players, options);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === 'bad-option') return false;
    throw error;
  }
}

describe.each(catalogue.map((set) => [set.name, set] as const))('the laws of %s', (_, set) => {
  const random = (n: number, rounds = 1) => {
    const dice = diceOf(`law ${n}`, 'setting');
    for (;;) {
      const players = set.players.least + dice.below(set.players.most - set.players.least + 1);
      const options = randomOptions(set, dice);
      if (isPlayable(set, players, options)) return tableOf(set, { players, rounds, seed: `law ${n}`, options });
    }
  };

  it(`${GAMES} games of random legal play end, with a result that adds up`, () => {
    for (let n = 0; n < GAMES; n++) {
      const table = random(n);
      playOut(table, `play ${n}`);
      const [result] = table.standing.game.results;
      const players = table.standing.game.names.length;
      expect(result!.roles).toHaveLength(players);
      expect(result!.points).toHaveLength(players);
      expect(result!.winner === 'draw').toBe(result!.winners.length === 0);
      expect(table.standing.open).toEqual([]);
    }
  });

  it('folding the tape gives the standing that stepping gave', () => {
    for (let n = 0; n < 300; n++) {
      const table = random(n, 2);
      playOut(table, `fold ${n}`);
      expect(table.game.fold(JSON.parse(JSON.stringify(table.tape)) as typeof table.tape)).toEqual(
        JSON.parse(JSON.stringify(table.standing), revive),
      );
    }
  });

  it('telling the time early, twice or late changes nothing', () => {
    for (let n = 0; n < 300; n++) {
      const table = random(n);
      const { game } = table;
      for (let step = 0; step < 20 && !game.isOver(table.standing); step++) {
        const wake = game.wake(table.standing)!;
        const seed = table.standing.game.opening.seed;
        expect(game.tick(table.standing, wake - 1, seed)).toEqual([]);
        table.wait();
        expect(game.tick(table.standing, wake, seed)).toEqual([]);
      }
    }
  });

  it('random illegal acts are refused with a reason and change nothing', () => {
    let refused = 0;
    for (let n = 0; n < 200; n++) {
      const table = random(n);
      const dice = diceOf(`illegal ${n}`, 'acts');
      for (let step = 0; step < 50 && !table.game.isOver(table.standing); step++) {
        const seats = table.standing.game.names.length;
        const before = JSON.stringify(table.standing);
        for (let tries = 0; tries < 10; tries++) {
          const someone = dice.below(seats + 2) - 1;
          const q = table.standing.open[dice.below(table.standing.open.length)]!;
          const nonsense = [[], [''], ['seat:99'], ['seat:0', 'seat:0'], ['x'.repeat(9999)], ['__proto__'], [`seat:${someone}`]][
            dice.below(7)
          ]!;
          if (table.refusal(someone, q.id.split('/').at(-1)!, ...nonsense)) refused++;
        }
        expect(JSON.stringify(table.standing)).toBe(before);
        const seat = dice.below(seats);
        const [q] = table.game.asked(table.standing, seat);
        const legal = q && dice.below(2) ? randomAnswer(q, seat, dice) : undefined;
        if (q && legal) table.act(seat, q.id.split('/').at(-1)!, ...legal);
        else table.wait();
      }
    }
    expect(refused).toBeGreaterThan(15_000);
  });

  it('the tape and the seed deal the same game again', () => {
    for (let n = 0; n < 200; n++) {
      const table = random(n, 2);
      playOut(table, `again ${n}`);
      const again = tableOf(set, {
        players: table.standing.game.names.length,
        rounds: 2,
        seed: table.standing.game.opening.seed,
        options: table.standing.game.opening.options,
      });
      for (const e of table.tape) {
        if (e.type !== 'answered') continue;
        const { question, answer, at } = e as unknown as { question: string; answer: { by: number; says: string[] }; at: number };
        while (again.game.wake(again.standing)! <= at && !again.standing.open.some((q) => q.id === question)) again.wait();
        again.pass(at - again.now);
        again.add(again.game.act(again.standing, question, answer, at, again.standing.game.opening.seed));
      }
      while (!again.game.isOver(again.standing)) again.wait();
      expect(again.tape).toEqual(table.tape);
    }
  });
});

/** JSON loses `undefined` fields; the standing keeps `closed: undefined` while it is open. */
const revive = (_: string, value: unknown): unknown => value;
