import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { maw } from '@maw/games/maw/maw.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import type { WorldPair } from './world-pair.ts';
import { type Played, tableOf } from '../fakes/table.ts';

/** Pairs of worlds: the roles hidden from an eye are dealt differently and secret acts differ; public acts are the same. */

const seat = (n: number) => `seat:${n}`;
type Roles = readonly string[];

/** Searches the seeds for a deal that `fits`. */
export function dealt(fits: (roles: Roles) => boolean, from: number, options: { [name: string]: unknown }): Played {
  for (let n = from; n < from + 5000; n++) {
    const table = tableOf(maw, { players: 7, seed: `world ${n}`, options });
    if (fits(table.state.roles)) return table;
  }
  throw new Error('no seed deals such a world');
}

/** The deals of a pair of worlds that this eye cannot tell apart, found from a number. */
export function pairOf(n: number, eye: Eye, given: { readonly [name: string]: unknown }): [Played, Played] {
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
  return [one, second];
}

/** Both worlds play the same public days; secret acts are rolled for each. */
export function live(worlds: readonly [Played, Played], eye: Eye, publicDice: Dice, secretDice: readonly [Dice, Dice]): void {
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
      // In secret: whispers between two others, and the seer's questions.
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
    // The night: each pack talks on its own, then both murder the same villager, or nobody.
    const prey = living().filter((s) => worlds.every((table) => table.state.roles[s] !== 'wolf') && s !== eye && same(s));
    const victim = prey.length && publicDice.below(2) ? prey[publicDice.below(prey.length)] : undefined;
    const isFull = worlds[0].standing.game.opening.options['fullNights'] === true;
    both((table, dice) => {
      if (isFull && !isWolfEye) table.pass(dice.below(20_000)); // nor does it show when they do it
      const pack = living().filter((s) => table.state.roles[s] === 'wolf');
      if (!isWolfEye)
        for (let i = dice.below(4); i > 0; i--) table.act(dice.pick(pack as [number, ...number[]]), 'talk', `plot ${dice.below(1000)}`);
      if (victim === undefined) return;
      if (!isWolfEye && dice.below(2) && pack.length > 1)
        table.act(pack[0]!, 'hunt', seat(dice.pick(living().filter((s) => table.state.roles[s] !== 'wolf') as [number, ...number[]])));
      for (const wolf of pack) table.act(wolf, 'hunt', seat(victim));
    });
    if (victim === undefined || isFull) both((table) => void table.wait());
  }
}

/** Plays a pair of worlds of MAW: the same for the same number. */
export function mawPair(n: number, eye: Eye, options: { readonly [name: string]: unknown }): WorldPair {
  const [one, second] = pairOf(n, eye, options);
  live([one, second], eye, diceOf(`public ${n}`, ''), [diceOf(`a ${n}`, ''), diceOf(`b ${n}`, '')]);
  return {
    eye,
    worlds: [
      { set: maw, tape: one.tape },
      { set: maw, tape: second.tape },
    ],
  };
}
