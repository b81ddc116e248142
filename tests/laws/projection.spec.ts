import { describe, expect, it } from '@jest/globals';
import { type Dice, diceOf } from '@maw/games/dice.ts';
import { maw } from '@maw/games/maw/maw.ts';
import type { Eye } from '@maw/games/question.ts';
import type { Recorded } from '@maw/store/store.ts';
import { newLedger, write } from '../../services/gamemaster/ledger.ts';
import { type Played, tableOf } from './table.ts';

/**
 * Non-interference: two games that differ only in what an eye may not know give it the same stream, message for message, number for number,
 * room line for room line, option list for option list.
 *
 * A pair of worlds: the roles that the eye cannot see are dealt differently, what is done in secret differs, what is done in public is the same.
 */

const seat = (n: number) => `seat:${n}`;
type Roles = readonly string[];

/** Searches the seeds for a deal that `fits`. */
function dealt(fits: (roles: Roles) => boolean, from: number, options: { [name: string]: unknown }): Played {
  for (let n = from; n < from + 5000; n++) {
    const table = tableOf(maw, { players: 7, seed: `world ${n}`, options });
    if (fits(table.state.roles)) return table;
  }
  throw new Error('no seed deals such a world');
}

/** What the eye receives: its numbered events, their sentences and their lines, as the gamemaster projects them. */
function stream(table: Played, eye: Eye): unknown {
  const ledger = newLedger('t', table.rules, table.game, 7);
  const tape = table.tape.map((event, i): Recorded => ({ table: 't', sequence: i + 1, at: 0, cause: `c${i}`, event }));
  for (const recorded of tape) write(ledger, [recorded]);
  const hush = (at: unknown) => JSON.parse(JSON.stringify(at));
  const seen = ledger.sights.get(eye)!.seen;
  const end = seen.findIndex(({ event }) => event.type === 'ended'); // after it the roles are told to all
  return hush((end < 0 ? seen : seen.slice(0, end + 1)).map(({ line, ...rest }) => ({ ...rest, room: line?.room, number: line?.line })));
}

/** Both worlds live through the same public days; what happens in secret is rolled for each. */
function live(worlds: readonly [Played, Played], eye: Eye, publicDice: Dice, secretDice: readonly [Dice, Dice]): void {
  const same = (s: number) => worlds[0].state.roles[s] === worlds[1].state.roles[s];
  const living = () => [0, 1, 2, 3, 4, 5, 6].filter((s) => !(worlds[0].state.dead as number[]).includes(s));
  const both = (f: (table: Played, dice: Dice, world: number) => void) => worlds.forEach((table, i) => f(table, secretDice[i]!, i));
  const isWolfEye = typeof eye === 'number' && worlds[0].state.roles[eye] === 'wolf';
  for (let day = 0; day < 4; day++) {
    if (worlds.some((table) => table.standing.game.stage !== 'round')) return;
    const here = living();
    for (let i = 0; i < 6; i++) {
      const by = here[publicDice.below(here.length)]!;
      const line = `line ${publicDice.below(1000)}`;
      const to = here.filter((s) => s !== by)[publicDice.below(here.length - 1)]!;
      const isVote = publicDice.below(3) === 0;
      both(
        (table) =>
          void (isVote && table.question('vote').answers.length < here.length / 2 - 1 && same(to)
            ? table.act(by, 'vote', seat(to))
            : table.act(by, 'talk', line)),
      );
      // In secret: whispers between two others, and what the seer asks.
      both((table, dice) => {
        const whispers = table.standing.open.find((q) => q.verb === 'tell');
        const others = here.filter((s) => s !== eye);
        const [a, b] = dice.shuffle(others);
        if (whispers && whispers.heard === 'never' && dice.below(2)) table.act(a!, 'whisper', seat(b!), `secret ${dice.below(1000)}`);
        const seer = here.find((s) => table.state.roles[s] === 'seer');
        const asks = table.standing.open.find((q) => q.id.endsWith('/inspect'));
        if (asks && seer !== undefined && seer !== eye && dice.below(3) === 0)
          table.act(seer, 'inspect', seat(dice.pick(here.filter((s) => s !== seer) as [number, ...number[]])));
      });
    }
    both((table) => void table.wait());
    if (worlds.some((table) => table.standing.game.stage !== 'round')) return;
    // The night: each pack talks of its own, then both murder the same villager, or nobody.
    const prey = living().filter((s) => worlds.every((table) => table.state.roles[s] !== 'wolf') && s !== eye && same(s));
    const victim = prey.length && publicDice.below(2) ? prey[publicDice.below(prey.length)] : undefined;
    both((table, dice) => {
      const pack = living().filter((s) => table.state.roles[s] === 'wolf');
      if (!isWolfEye)
        for (let i = dice.below(4); i > 0; i--) table.act(dice.pick(pack as [number, ...number[]]), 'talk', `plot ${dice.below(1000)}`);
      if (victim === undefined) return;
      if (!isWolfEye && dice.below(2) && pack.length > 1)
        table.act(pack[0]!, 'hunt', seat(dice.pick(living().filter((s) => table.state.roles[s] !== 'wolf') as [number, ...number[]])));
      for (const wolf of pack) table.act(wolf, 'hunt', seat(victim));
    });
    if (victim === undefined) both((table) => void table.wait());
  }
}

describe('the projection law of MAW', () => {
  const options = [{}, { votes: 'silent' }, { whisper: true }, { seer: true }, { seer: true, whisper: true, votes: 'silent' }];

  it.each(options)('a seat and the audience receive the same stream in worlds that differ in what they may not know: %j', (given) => {
    let differing = 0;
    for (let n = 0; n < 120; n++) {
      const eye: Eye = n % 8 === 7 ? 'audience' : n % 8 < 7 ? n % 7 : 0;
      const first = dealt(() => true, n * 7, given);
      const mine = typeof eye === 'number' ? first.state.roles[eye] : undefined;
      const pack = (roles: Roles) => roles.flatMap((role, s) => (role === 'wolf' ? [s] : [])).join();
      const second = dealt(
        (roles) =>
          roles.join() !== first.state.roles.join() &&
          (typeof eye !== 'number' || roles[eye] === mine) &&
          (mine !== 'wolf' || pack(roles) === pack(first.state.roles)),
        n * 7 + 1,
        mine === 'wolf' ? { ...given, seer: true } : given,
      );
      const one =
        mine === 'wolf'
          ? dealt(
              (roles) =>
                roles.join() === first.state.roles.join() ||
                (pack(roles) === pack(first.state.roles) && roles.join() !== second.state.roles.join()),
              n * 7,
              { ...given, seer: true },
            )
          : first;
      live([one, second], eye, diceOf(`public ${n}`, ''), [diceOf(`a ${n}`, ''), diceOf(`b ${n}`, '')]);
      expect(stream(one, eye)).toEqual(stream(second, eye));
      if (JSON.stringify(stream(one, 'narrator')) !== JSON.stringify(stream(second, 'narrator'))) differing++;
    }
    expect(differing).toBe(120); // the worlds really differ, so the law says something
  });

  it('would notice a rule that told too much', () => {
    const a = dealt((roles) => roles[0] === 'villager' && roles[1] === 'wolf', 0, {});
    const b = dealt((roles) => roles[0] === 'villager' && roles[1] === 'villager', 0, {});
    const leaky = (table: Played) => table.tape.filter((e) => e.type === 'dealt');
    expect(leaky(a)).not.toEqual(leaky(b));
    expect(stream(a, 0)).toEqual(stream(b, 0));
  });
});
